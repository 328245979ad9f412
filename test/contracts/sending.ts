import assert from 'node:assert/strict';
import type { TestApp } from '../support/app.ts';

export const MODERN = 'application/graphql-response+json';
export const LEGACY = 'application/json';

/** What came back: without `data` the operation was not carried out. */
export type Sent = { status: number; type: string; codes: string[]; messages: string[]; data: unknown };

export type Raw = { method?: 'GET' | 'POST' | 'PUT'; url?: string; headers?: Record<string, string>; payload?: string };

/** Sends a request with key and user headers as it is. */
export async function sendRaw(
  { app, key }: TestApp,
  { method = 'POST', url = '', headers, payload }: Raw,
): Promise<Sent> {
  const response = await app.inject({
    method,
    url: `/api/v1/graphql${url}`,
    headers: { apikey: key, ssotype: 'SSO', ssoid: 'ada', ...headers },
    ...(payload !== undefined && { payload }),
  });
  const body: { errors?: { message: string; extensions: { code: string } }[]; data?: unknown } = response.json();
  const errors = body.errors ?? [];
  return {
    status: response.statusCode,
    type: String(response.headers['content-type']),
    codes: errors.map((error) => error.extensions.code),
    messages: errors.map((error) => error.message),
    data: body.data,
  };
}

/** Sends a document as clients do. */
export function send(
  testApp: TestApp,
  query: string,
  variables: Record<string, unknown> = {},
  accept = MODERN,
): Promise<Sent> {
  const headers = { 'content-type': 'application/json', accept };
  return sendRaw(testApp, { headers, payload: JSON.stringify({ query, variables }) });
}

/** Requires that a document is carried out, whatever its resolvers make of it. */
export async function requireAccepted(
  testApp: TestApp,
  query: string,
  variables?: Record<string, unknown>,
): Promise<unknown> {
  const { status, messages, data } = await send(testApp, query, variables);
  assert.deepEqual(messages, []);
  assert.equal(status, 200);
  return data;
}

/** Requires the same refusal of a document whenever it comes, with the status that each media type asks for. */
export async function requireRefused(
  testApp: TestApp,
  query: string,
  code: string,
  message: RegExp,
  variables?: Record<string, unknown>,
): Promise<void> {
  for (const accept of [MODERN, LEGACY, MODERN]) {
    const sent = await send(testApp, query, variables, accept);
    assert.equal(sent.status, accept === MODERN ? 400 : 200);
    assert.equal(sent.type, `${accept}; charset=utf-8`);
    assert.deepEqual(new Set(sent.codes), new Set([code]));
    assert.match(sent.messages[0] ?? '', message);
    assert.equal(sent.data, undefined);
  }
}
