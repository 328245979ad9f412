import type { AddressInfo } from 'node:net';
import type { TestApp } from '../support/app.ts';
import { type RawAnswer, sendRaw } from '../support/raw-request.ts';

/** An address of the API that stores a text from a body of JSON. */
export type Door = {
  path: string;
  /** Headers besides those about the body. */
  headers: readonly string[];
  bodyOf(text: string): string;
  /** The text in the response to one that was stored. */
  storedIn(body: string): string;
  /** How many texts are stored. */
  count(): Promise<number>;
};

const CREATE = 'mutation($title: String!) { createPost(title: $title) { title } }';

/** GraphQL, MCP and REST, each by its name. */
export async function makeDoors({ db, key, makeKey }: TestApp): Promise<Readonly<Record<string, Door>>> {
  const countPosts = async () => (await db.read.selectFrom('posts').select('id').execute()).length;
  const asAda = [`apikey: ${key}`, 'ssotype: SSO', 'ssoid: ada'];
  const managing = await makeKey({ permissions: ['WEBHOOKS'] });
  return {
    GraphQL: {
      path: '/api/v1/graphql',
      headers: asAda,
      bodyOf: (title) => JSON.stringify({ query: CREATE, variables: { title } }),
      storedIn: (body) => JSON.parse(body).data.createPost.title,
      count: countPosts,
    },
    MCP: {
      path: '/api/v1/mcp',
      headers: [...asAda, 'Accept: application/json, text/event-stream', 'MCP-Protocol-Version: 2025-11-25'],
      bodyOf: (title) => {
        const params = { name: 'create_post', arguments: { title } };
        return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      },
      storedIn: (body) => JSON.parse(body.slice(body.indexOf('{'))).result.structuredContent.post.title,
      count: countPosts,
    },
    REST: {
      path: '/api/v1/webhooks',
      headers: [`apikey: ${managing}`],
      bodyOf: (signingSecret) =>
        JSON.stringify({ url: 'https://hooks.example.com/x', kind: 'PLAIN', signingSecret, enable: false }),
      storedIn: (body) => JSON.parse(body).signingSecret,
      count: async () => (await db.read.selectFrom('webhooks').select('id').execute()).length,
    },
  };
}

/** What came back, with its body as text. */
export type Sent = RawAnswer & { json(): { code: string; message: string; field?: string } };

/** Sends requests byte by byte to an app, which listens from now on. */
export async function makeSender({ app }: TestApp) {
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const exchange = async (line: string, headers: readonly string[], bytes?: Buffer): Promise<Sent> => {
    const framing = bytes && !headers.some((header) => /^transfer-encoding:/i.test(header));
    const own = [
      ...(headers.some((header) => /^host:/i.test(header)) ? [] : [`Host: 127.0.0.1:${port}`]),
      'Connection: close',
      ...(framing ? [`Content-Length: ${bytes.length}`] : []),
    ];
    const answer = await sendRaw(port, [`${line} HTTP/1.1`, ...own, ...headers], bytes);
    const body = Buffer.from(answer.body, 'latin1').toString();
    return { ...answer, body, json: () => readError(body) };
  };
  return {
    exchange,
    post: ({ path, headers }: Pick<Door, 'path' | 'headers'>, more: readonly string[], bytes: Buffer) =>
      exchange(`POST ${path}`, [...headers, ...more], bytes),
  };
}

/** The error of a response, as GraphQL and REST have it or as JSON-RPC has it. */
function readError(body: string) {
  const { errors, error } = JSON.parse(body);
  const { message, extensions } = errors?.[0] ?? { message: error.message, extensions: error.data };
  return { message, ...extensions };
}
