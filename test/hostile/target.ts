import type { ChildProcess } from 'node:child_process';
import type { TestContext } from 'node:test';
import { askEarshot, type Server, startServer } from '../crash/server.ts';
import { makeForm } from '../support/files.ts';
import { COLLECTING_ENV, type Memory, measureMemory } from '../support/memory.ts';
import type { StorePlace } from '../support/store.ts';
import { hostileMarkdown } from './texts.ts';
import { type Answer, type HostileRequest, send } from './wire.ts';

/** The server that is attacked, and what an attacker may know of it or own there. */
export type Target = {
  server: Server;
  child: ChildProcess;
  port: number;
  url: string;
  /** The board's address, as a path. */
  boardPath: string;
  /** A key without limits, with the acting user of `apiHeaders`, an owner. */
  apiHeaders: Record<string, string>;
  /** The headers of a signed-in user who sends forms from the pages: an owner of the board. */
  ownerHeaders: Record<string, string>;
  postId: string;
  commentId: string;
  userId: string;
  /** The number of a post with hostile comments, and its path. */
  hostilePath: string;
  /** The path of a file of the board. */
  filePath: string;
  /** What is left of its memory after a collection of garbage. */
  measureMemory(): Promise<Memory>;
};

const HOST = 'board.test';
const STORED_COMMENTS = 40;
const STORED_CHARACTERS = 19_000;

/** Starts a server with a board, and stores hostile texts on it within its limits. */
export async function startTarget(t: TestContext, place: StorePlace): Promise<Target> {
  const env = { BASE_URL: `http://${HOST}`, TRUST_PROXY: '1', ...COLLECTING_ENV };
  const server = await startServer(t, place, { env });
  const port = Number(new URL(server.url).port);
  const permissions = ['--permissions', 'read,write,webhooks'];
  const { key = '' } = await askEarshot(place, 'key', 'create', '--name', 'hostile', '--rate', 'none', ...permissions);
  const apiHeaders = { apikey: key, 'content-type': 'application/json', ssotype: 'SSO', ssoid: 'ada' };
  const { board = '', link = '' } = await askEarshot(place, 'owner', 'invite', '--email', 'olga@example.com');
  const formHeaders = { host: HOST, origin: `http://${HOST}`, 'content-type': 'application/x-www-form-urlencoded' };
  const joined = await send(port, {
    path: new URL(link).pathname,
    headers: formHeaders,
    body: new URLSearchParams({ name: 'Olga', password: 'correct horse battery' }).toString(),
  });
  const cookie = cookiesOf(joined);
  if (joined.status !== 302 || !cookie) throw new Error(`The owner could not join: ${joined.text}`);
  const ask = async (query: string, variables: Record<string, unknown> = {}) => {
    const { text } = await send(port, apiRequest(apiHeaders, query, variables));
    const { data, errors } = JSON.parse(bodyOf(text));
    if (errors) throw new Error(JSON.stringify(errors));
    return data;
  };
  const { createUser } = await ask('mutation { createUser(ssotype: "SSO", userId: "ada", name: "Ada") { id } }');
  await askEarshot(place, 'user', 'role', '--ssotype', 'SSO', '--user-id', 'ada', '--role', 'owner');
  const plain = await ask('mutation { createPost(title: "Plain", comment: "Text.") { id number url } }');
  const hostile = await ask('mutation { createPost(title: "Hostile", comment: "Text.") { id number url } }');
  const commentIds: string[] = [];
  const makers = Object.values(hostileMarkdown);
  for (let n = 0; n < STORED_COMMENTS; n++) {
    const text = `${n} ${makers[n % makers.length]?.(STORED_CHARACTERS)}`.slice(0, STORED_CHARACTERS);
    const { createComment } = await ask(
      'mutation($id: String!, $text: String!) { createComment(postId: $id, text: $text) { id } }',
      { id: hostile.createPost.id, text },
    );
    commentIds.push(createComment.id);
  }
  const { 'content-type': _, ...uploadHeaders } = apiHeaders;
  const uploaded = await send(port, {
    path: '/api/v1/files',
    headers: { ...uploadHeaders, 'content-type': 'multipart/form-data; boundary=border-7c1e' },
    body: makeForm([{ filename: 'a.txt', bytes: 'text '.repeat(1_000) }]),
  });
  return {
    server,
    child: server.child,
    port,
    url: server.url,
    boardPath: `/b/${board}`,
    apiHeaders,
    ownerHeaders: { ...formHeaders, cookie },
    postId: plain.createPost.id,
    commentId: commentIds[0] ?? '',
    userId: createUser.id,
    hostilePath: new URL(hostile.createPost.url).pathname,
    filePath: new URL(JSON.parse(bodyOf(uploaded.text)).url).pathname,
    measureMemory: () => measureMemory(server),
  };
}

/** A request of the API. */
export function apiRequest(
  headers: Record<string, string>,
  query: string,
  variables: Record<string, unknown> = {},
): HostileRequest {
  return { path: '/api/v1/graphql', headers, body: JSON.stringify({ query, variables }) };
}

/** The body of an answer; that of one in chunks only as far as JSON and pages need it. */
export function bodyOf(text: string): string {
  const at = text.indexOf('\r\n\r\n');
  return text.slice(at + 4);
}

function cookiesOf({ text }: Answer): string {
  return [...text.matchAll(/^set-cookie: ([^;\r]+)/gim)].map(([, cookie]) => cookie).join('; ');
}
