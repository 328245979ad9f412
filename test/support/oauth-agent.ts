import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { TestContext } from 'node:test';
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import type { LightMyRequestResponse } from 'fastify';
import type { TestApp } from './app.ts';
import { onEnd } from './cleanup.ts';
import type { TestWeb, WebVisitor } from './web.ts';

/** Where the agent wants its answer. */
export const CALLBACK = 'https://assistant.example/callback';
/** Clients send no tokens over plain HTTP. */
export const SECURE = { baseUrl: 'https://board.test' };

/** An agent of the official client, which signs in by OAuth with nothing but the address of the endpoint. */
export type OAuthAgent = {
  /** What it keeps. */
  kept: { client?: StoredOAuthClientInformation | undefined; tokens?: StoredOAuthTokens | undefined };
  /** Begins to connect. @returns the address at which the person is asked */
  begin(): Promise<string>;
  /** Ends it with the address that the browser was led to. */
  finish(address: string): Promise<void>;
  /** All of it, with a person who allows it. @param form what they choose, besides what the page has chosen */
  signIn(visitor: WebVisitor, form?: Record<string, string>): Promise<void>;
  /** What a tool answers. @throws its error */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  call(name: string, args?: object): Promise<any>;
};

/** An agent that reaches the app as `https://board.test`, of a test with `SECURE`. */
export function makeOAuthAgent(t: TestContext, { app }: TestWeb, { callback = CALLBACK, scope = '' } = {}): OAuthAgent {
  const kept: OAuthAgent['kept'] = {};
  const begun = { verifier: '', url: null as URL | null, found: undefined as OAuthDiscoveryState | undefined };
  const provider: OAuthClientProvider = {
    redirectUrl: callback,
    clientMetadata: { client_name: 'Claude', redirect_uris: [callback], ...(scope && { scope }) },
    state: () => 'a state',
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void Object.assign(kept, { client }),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void Object.assign(kept, { tokens }),
    redirectToAuthorization: (url) => void Object.assign(begun, { url }),
    saveCodeVerifier: (verifier) => void Object.assign(begun, { verifier }),
    codeVerifier: () => begun.verifier,
    saveDiscoveryState: (found) => void Object.assign(begun, { found }),
    discoveryState: () => begun.found,
  };
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const body = Buffer.from(await request.arrayBuffer());
    const response: LightMyRequestResponse = await app.inject({
      method: request.method as 'GET',
      url: pathname + search,
      headers: { ...Object.fromEntries(request.headers), host: 'board.test' },
      ...(body.length > 0 && { payload: body }),
    });
    const headers = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const isEmpty = [204, 304].includes(response.statusCode);
    return new Response(isEmpty ? null : new Uint8Array(response.rawPayload), { status: response.statusCode, headers });
  };
  const makeTransport = () =>
    new StreamableHTTPClientTransport(new URL(`${SECURE.baseUrl}/api/v1/mcp`), { authProvider: provider, fetch: send });
  let transport = makeTransport();
  const client = new Client({ name: 'test', version: '1' });
  let isConnected = false;
  onEnd(t, () => client.close());
  const agent: OAuthAgent = {
    kept,
    async begin() {
      transport = makeTransport();
      await assert.rejects(client.connect(transport), UnauthorizedError);
      assert.ok(begun.url, 'it leads to a page');
      return begun.url.href;
    },
    finish: (address) => transport.finishAuth(new URL(address).searchParams),
    async signIn(visitor, form = {}) {
      kept.tokens = undefined;
      const address = await agent.begin();
      await agent.finish(await decide(visitor, address, { intent: 'allow', ...form }));
    },
    async call(name, args = {}) {
      if (!isConnected) await client.connect(makeTransport());
      isConnected = true;
      const { isError, structuredContent, content } = await client.callTool({ name, arguments: { ...args } });
      const [first] = content;
      if (isError) throw new Error(first?.type === 'text' ? first.text : '');
      return structuredContent;
    },
  };
  return agent;
}

/** The secret of a client that begins without the official one. */
export const VERIFIER = 'v'.repeat(43);

type Form = Record<string, string>;

/** Sends a form to an endpoint as clients do. */
export async function sendForm({ app }: TestApp, url: string, form: Form) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const response = await app.inject({ method: 'POST', url, headers, payload: new URLSearchParams(form).toString() });
  return { status: response.statusCode, body: response.payload === '' ? null : response.json() };
}

/** Registers a client with this metadata. */
export async function sendMetadata({ app }: TestApp, metadata: object) {
  const headers = { 'content-type': 'application/json' };
  const payload = JSON.stringify(metadata);
  const response = await app.inject({ method: 'POST', url: '/oauth/register', headers, payload });
  return { status: response.statusCode, body: response.json() };
}

/** Registers a client. @returns its id, and the path at which a person is asked */
export async function register(app: TestApp, callback: string, name: string) {
  const { body } = await sendMetadata(app, { client_name: name, redirect_uris: [callback] });
  const clientId: string = body.client_id;
  return { clientId, path: addressOf(clientId, { redirect_uri: callback, state: 'a state', resource: '' }) };
}

/** The path at which a client has a person asked. @param change other parameters; empty ones are left out */
export function addressOf(clientId: string, change: Form = {}): string {
  const asked = {
    client_id: clientId,
    redirect_uri: CALLBACK,
    response_type: 'code',
    state: 'x',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
    resource: `${SECURE.baseUrl}/api/v1/mcp`,
    ...change,
  };
  return `/oauth/authorize?${new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== ''))}`;
}

/** What an agent sends to have new tokens. */
export function refreshOf({ kept }: OAuthAgent): Form {
  const { refresh_token = '' } = kept.tokens ?? {};
  return { grant_type: 'refresh_token', refresh_token, client_id: kept.client?.client_id ?? '' };
}

/** The status of what a browser gets at an address, and where it leads. */
export async function answerTo(visitor: WebVisitor, address: string): Promise<string> {
  const { statusCode, headers } = await visitor.get(address);
  return `${statusCode} ${headers.location}`;
}

/** Goes with a browser where an agent leads, and sends the form there. @returns the address to which the browser is led in the end */
export async function decide(visitor: WebVisitor, address: string, form: Record<string, string>): Promise<string> {
  const page = await led(visitor, address);
  const shown = await visitor.get(page);
  assert.equal(shown.statusCode, 200, shown.payload.slice(0, 500));
  const sent = await visitor.post(page, { board: 'acme', name: 'Claude', operations: '', votes: '', ...form });
  const next = /href="(http[^"]*\/oauth\/authorize\/[^"]+)"/.exec(sent.payload)?.[1];
  assert.ok(next, sent.payload.slice(0, 2_000));
  return led(visitor, next);
}

/** Where an address of ours leads. */
export async function led(visitor: WebVisitor, address: string): Promise<string> {
  const { pathname, search } = new URL(address, SECURE.baseUrl);
  const { statusCode, headers, payload } = await visitor.get(pathname + search);
  assert.ok(statusCode === 302 || statusCode === 303, `${pathname}: ${statusCode} ${payload.slice(0, 500)}`);
  return String(headers.location);
}
