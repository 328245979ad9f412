import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { TestApp } from './app.ts';
import { onEnd } from './cleanup.ts';

/** The revisions of the protocol that agents speak: with the handshake of the earlier ones, and without. */
export const revisions = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof revisions)[number];

/** An agent that is connected to the server. */
export type Agent = {
  client: Client;
  /** Names of the tools that it may call. */
  tools(): Promise<string[]>;
  /** What a tool answers. @throws its error */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  call(name: string, args?: object): Promise<any>;
  /** The error of a tool. */
  fail(name: string, args?: object): Promise<string>;
};

type Connecting = { key?: string; as?: string | null; revision?: Revision };

/** Connects the official client to an app, as the user `ada` unless told otherwise. */
export async function connectAgent(t: TestContext, app: TestApp, options: Connecting = {}): Promise<Agent> {
  const { key = app.key, as = 'ada', revision = '2026-07-28' } = options;
  const mode = revision === '2026-07-28' ? { pin: revision } : ('legacy' as const);
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const headers = { authorization: `Bearer ${key}`, ...(as !== null && { ssotype: 'SSO', ssoid: as }) };
  await client.connect(new StreamableHTTPClientTransport(new URL(await urlOf(app)), { requestInit: { headers } }));
  onEnd(t, () => client.close());
  assert.equal(client.getNegotiatedProtocolVersion(), revision);
  const ask = (name: string, args: object) => client.callTool({ name, arguments: { ...args } });
  return {
    client,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, args = {}) {
      const { isError, structuredContent, content } = await ask(name, args);
      const [first] = content;
      const text = first?.type === 'text' ? first.text : '';
      if (isError) throw new Error(text);
      assert.deepEqual(JSON.parse(text), structuredContent);
      return structuredContent;
    },
    async fail(name, args = {}) {
      const { isError, content } = await ask(name, args);
      const [first] = content;
      assert.ok(isError && first?.type === 'text', `${name} fails`);
      return first.text;
    },
  };
}

/** The address of an app, which listens from now on. */
export async function urlOf({ app }: TestApp): Promise<string> {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/api/v1/mcp`;
}

/** Sends a message as it is, without a client; of an answer as a stream, the message in it. */
export async function send({ app }: TestApp, message: unknown, headers: Record<string, string>) {
  const response = await app.inject({
    method: 'POST',
    url: '/api/v1/mcp',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
      ...headers,
    },
    payload: typeof message === 'string' ? message : JSON.stringify(message),
  });
  const text = response.payload.replace(/^(event: .*\n)?data: /, '');
  return { status: response.statusCode, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}
