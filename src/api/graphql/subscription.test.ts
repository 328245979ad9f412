import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { EventSource } from 'eventsource';
import { createParser } from 'eventsource-parser';
import { createClient, type ExecutionResult } from 'graphql-sse';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { onEnd } from '../../../test/support/cleanup.ts';
import { until } from '../../../test/support/until.ts';

const STREAM = 'text/event-stream';
const EVENTS = `subscription($after: String, $types: [String!]) {
  events(after: $after, types: $types) { cursor id type triggeredAt data actor { ssoId } post { title } }
}`;
const LOG = '{ events(limit: 100) { nodes { cursor id type triggeredAt data actor { ssoId } post { title } } } }';

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
type Event = any;

async function urlOf({ app }: TestApp): Promise<string> {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/api/v1/graphql`;
}

type Options = { as?: string; key?: string; query?: string; variables?: Record<string, unknown> };

/** Subscribes with the protocol's own client. */
async function subscribe(t: TestContext, app: TestApp, options: Options = {}) {
  const { as = 'ada', key = app.key, query = EVENTS, variables = {} } = options;
  const headers = { apikey: key, ssotype: 'SSO', ssoid: as };
  const client = createClient({ url: await urlOf(app), headers, retryAttempts: 0 });
  onEnd(t, () => client.dispose());
  const received: Event[] = [];
  const errors: Event[] = [];
  let end: unknown = null;
  const next = ({ data, errors: problems = [] }: ExecutionResult) => {
    if (data) received.push(data.events);
    errors.push(...problems);
  };
  client.subscribe({ query, variables }, { next, error: (error) => (end = error), complete: () => (end = 'complete') });
  const untilReceived = (count: number) => until(`${count} events`, () => received.length >= count);
  return { received, errors, untilReceived, untilEnd: () => until('its end', () => end !== null), end: () => end };
}

/** The messages of a stream that ends. */
function read(text: string): { id?: string | undefined; event?: string | undefined; data: string }[] {
  const messages: ReturnType<typeof read> = [];
  createParser({ onEvent: (message) => messages.push(message) }).feed(text);
  return messages;
}

async function send(app: TestApp, method: 'GET' | 'POST', query: string, more: Record<string, unknown> = {}) {
  const { headers, ...variables } = more as { headers?: Record<string, string> };
  const given = { query, variables: JSON.stringify(variables) };
  return app.app.inject({
    method,
    url: `/api/v1/graphql${method === 'GET' ? `?${new URLSearchParams(given)}` : ''}`,
    headers: { apikey: app.key, ssotype: 'SSO', ssoid: 'ada', accept: STREAM, ...headers },
    ...(method === 'POST' && { payload: { query, variables } }),
  });
}

testBoth(
  'a subscription has the events of the query, those before and those to come, from a cursor on',
  async (app, t) => {
    await app.makePost('Before');
    const all = await subscribe(t, app);
    await all.untilReceived(1);
    const [{ cursor }] = all.received;
    const later = await subscribe(t, app, { variables: { after: cursor } });
    const fromNow = await subscribe(t, app, { variables: { after: 'end' } });
    const deletions = await subscribe(t, app, { variables: { types: ['post.deleted'] } });
    await until('four streams', async () => /^earshot_streams 4$/m.test((await app.app.inject('/metrics')).body));
    for (let n = 0; n < 30; n++) await app.makePost(`After ${n}`);
    const id = await app.makePost('Last');
    await Promise.all([all.untilReceived(32), later.untilReceived(31), fromNow.untilReceived(31)]);
    const { events } = await app.ask(LOG);
    assert.deepEqual(all.received, events.nodes);
    assert.deepEqual(later.received, events.nodes.slice(1));
    assert.deepEqual(fromNow.received, events.nodes.slice(1));
    await app.ask('mutation($id: String!) { deletePost(postId: $id) { id } }', { id });
    await deletions.untilReceived(1);
    assert.deepEqual([deletions.received[0].type, deletions.received[0].data.post.title], ['post.deleted', 'Last']);
  },
);

testBoth('an EventSource subscribes by GET and continues where it was, by message id', async (app, t) => {
  await app.makePost('First');
  const url = `${await urlOf(app)}?${new URLSearchParams({ query: 'subscription { events { post { title } } }' })}`;
  const asked: (string | null)[] = [];
  let cut = new AbortController();
  const source = new EventSource(url, {
    fetch: (input, init) => {
      cut = new AbortController();
      const headers = new Headers({ apikey: app.key, ssotype: 'SSO', ssoid: 'ada', ...init.headers });
      asked.push(headers.get('last-event-id'));
      return fetch(input, { ...init, headers, signal: AbortSignal.any([init.signal as AbortSignal, cut.signal]) });
    },
  });
  onEnd(t, () => source.close());
  const titles: string[] = [];
  source.addEventListener('next', ({ data }) => titles.push(JSON.parse(data).data.events.post.title));
  await until('the first event', () => titles.length === 1);
  cut.abort(new TypeError('The connection is cut off'));
  await app.makePost('Second');
  await until('the second event', () => titles.length === 2);
  assert.deepEqual(titles, ['First', 'Second']);
  assert.equal(asked.length, 2);
  assert.ok(asked[1]);
});

testBoth(
  'a subscription shows what its viewer may see at the time, and ends with the reason when they may not',
  async (app, t) => {
    await app.makeUser('mod', 'MODERATOR');
    await app.makeUser('bob');
    const key = await app.makeKey({ name: 'follower' });
    const asMember = await subscribe(t, app, { as: 'bob', key });
    const asTeam = await subscribe(t, app, { as: 'mod', key });
    const id = await app.makePost('Public');
    await Promise.all([asMember.untilReceived(1), asTeam.untilReceived(1)]);
    const hide = 'mutation($id: String!) { changePostModerationStatus(id: $id, moderationStatus: PENDING) { id } }';
    await app.ask(hide, { id }, { as: 'mod' });
    await app.makePost('Last');
    const isLast = ({ post }: Event) => post?.title === 'Last';
    await until('the last event', () => asMember.received.some(isLast) && asTeam.received.some(isLast));
    assert.deepEqual(
      asMember.received.map(({ type }) => type),
      ['post.created', 'post.created'],
    );
    assert.ok(asTeam.received.some(({ type }) => type === 'post.deleted'));
    const again = await subscribe(t, app, { as: 'bob' });
    await again.untilReceived(1);
    assert.ok(
      again.received.every(({ post }) => post?.title === 'Last'),
      'what is hidden is gone from the log',
    );
    await app.db.transaction((tx) =>
      tx.updateTable('api_keys').set({ date_revoked: app.clock.now() }).where('name', '=', 'follower').execute(),
    );
    app.clock.advance(5_000); // keys are read again every three seconds
    await app.makePost('Not seen');
    await Promise.all([asMember.untilEnd(), asTeam.untilEnd()]);
    for (const { end, errors } of [asMember, asTeam]) {
      assert.deepEqual([end(), errors.map(({ extensions }) => extensions.code)], ['complete', ['UNAUTHENTICATED']]);
    }
  },
);

testBoth('as the protocol has it, the error of a subscription is its only result', async (app) => {
  const deep = (levels: number) => `${'post { events { nodes { '.repeat(levels)} id ${'} } }'.repeat(levels)}`;
  const fields = (count: number) => Array.from({ length: count }, (_, n) => `a${n}: type`).join(' ');
  const wrong: [query: string, variables: Record<string, unknown>, code: string][] = [
    ['subscription {', {}, 'GRAPHQL_PARSE_FAILED'],
    ['subscription { exploded }', {}, 'GRAPHQL_VALIDATION_FAILED'],
    ['subscription { a: events { id } b: events { id } }', {}, 'GRAPHQL_VALIDATION_FAILED'],
    ['subscription { __typename }', {}, 'GRAPHQL_VALIDATION_FAILED'],
    ['subscription($if: Boolean!) { events @skip(if: $if) { id } }', { if: true }, 'GRAPHQL_VALIDATION_FAILED'],
    ['subscription { events(limit: 1) { id } }', {}, 'GRAPHQL_VALIDATION_FAILED'],
    [`subscription { events { ${deep(4)} } }`, {}, 'QUERY_TOO_COMPLEX'],
    [`subscription { events { ${fields(250)} } }`, {}, 'QUERY_TOO_COMPLEX'],
    [EVENTS, { types: 7 }, 'BAD_REQUEST'],
    [EVENTS, { types: ['post.exploded'] }, 'BAD_REQUEST'],
    [EVENTS, { types: Array(21).fill('post.created') }, 'BAD_REQUEST'],
    [EVENTS, { after: 'nonsense' }, 'BAD_REQUEST'],
    [EVENTS, { headers: { 'last-event-id': 'nonsense' } }, 'BAD_REQUEST'],
    [EVENTS, { headers: { ssoid: 'unknown' } }, 'NOT_FOUND'],
    [EVENTS, { headers: { ssotype: '' } }, 'BAD_REQUEST'],
  ];
  for (const [query, variables, code] of wrong) {
    for (const method of ['POST', 'GET'] as const) {
      const { statusCode, headers, body } = await send(app, method, query, variables);
      const [result, complete, ...more] = read(body);
      assert.deepEqual([statusCode, headers['content-type'], more.length], [200, STREAM, 0], `${method} ${query}`);
      assert.deepEqual([result?.event, complete?.event, complete?.data], ['next', 'complete', ''], query);
      assert.equal(JSON.parse(result?.data ?? '').errors[0].extensions.code, code, query);
    }
  }
  assert.equal((await send(app, 'POST', EVENTS, { headers: { apikey: 'sk_unknown' } })).statusCode, 401);
  const writer = await app.makeKey({ permissions: ['WRITE'] });
  assert.equal((await send(app, 'POST', EVENTS, { headers: { apikey: writer } })).statusCode, 403);
});

testBoth('a subscription needs a client that accepts streams; queries and mutations have them, too', async (app, t) => {
  for (const accept of ['application/json', 'application/graphql-response+json', '*/*', 'application/json, */*']) {
    const { statusCode, body } = await send(app, 'POST', EVENTS, { headers: { accept } });
    assert.equal(statusCode, 406);
    assert.match(JSON.parse(body).errors[0].message, /^A subscription needs the header Accept: text\/event-stream/);
  }
  const both = { apikey: app.key, ssotype: 'SSO', ssoid: 'ada', accept: `application/json, ${STREAM}` };
  const body = JSON.stringify({ query: EVENTS });
  const url = await urlOf(app);
  const response = await fetch(url, { method: 'POST', headers: { ...both, 'content-type': 'application/json' }, body });
  onEnd(t, () => response.body?.cancel());
  assert.deepEqual([response.status, response.headers.get('content-type')], [200, STREAM]);
  assert.equal(response.headers.get('x-accel-buffering'), 'no');
  for (const [query, data] of [
    ['{ board { name } }', { board: { name: 'Acme' } }],
    ['mutation { createPost(title: "By a stream") { title } }', { createPost: { title: 'By a stream' } }],
  ] as const) {
    const [result, complete] = read((await send(app, 'POST', query)).body);
    assert.deepEqual([JSON.parse(result?.data ?? '').data, complete?.event], [data, 'complete']);
    const plain = await send(app, 'POST', query, { headers: { accept: `application/json, ${STREAM}` } });
    assert.deepEqual(plain.json().data, data);
  }
  assert.equal((await send(app, 'GET', 'mutation { createPost(title: "By GET") { id } }')).statusCode, 405);
  assert.equal((await app.ask('{ board { postCount } }')).board.postCount, 2);
});

testBoth('one result of a subscription has at most 1 MiB; the stream continues after a larger one', async (app, t) => {
  const id = await app.makePost('Long');
  for (let n = 0; n < 30; n++)
    await app.ask('mutation($id: String!, $text: String!) { createComment(postId: $id, text: $text) { id } }', {
      id,
      text: '€'.repeat(20_000),
    });
  const query = 'subscription { events { type post { title comments(limit: 30) { nodes { text } } } } }';
  const { errors, received, untilReceived } = await subscribe(t, app, { query });
  await until('errors', () => errors.length === 31);
  assert.deepEqual([errors[0].extensions.code, received], ['QUERY_TOO_COMPLEX', []]);
  assert.match(errors[0].message, /larger than 1 MiB/);
  await app.makePost('Short');
  await untilReceived(1);
});

testBoth('a subscription keeps at most 16,384 bytes of document and variables', async (app) => {
  const variables = { after: 'ä' };
  const padding = 16_384 - Buffer.byteLength(`${EVENTS}#${JSON.stringify(variables)}`);
  const at = `${EVENTS}#${'x'.repeat(padding)}`;
  const [result] = read((await send(app, 'POST', at, variables)).body);
  assert.equal(JSON.parse(result?.data ?? '').errors[0].extensions.code, 'BAD_REQUEST', 'the cursor is looked at');
  const above = await send(app, 'POST', `${at}x`, variables);
  assert.deepEqual([above.statusCode, above.json().errors[0].extensions.code], [413, 'PAYLOAD_TOO_LARGE']);
  assert.match(above.json().errors[0].message, /must have at most 16384 bytes together$/);
});

testBoth('an open subscription does not keep the body of its request', async (app, t) => {
  const body = Buffer.from(JSON.stringify({ query: EVENTS, extensions: { padding: 'x'.repeat(1_000_000) } }));
  const headers = { apikey: app.key, ssotype: 'SSO', ssoid: 'ada', accept: STREAM, 'content-type': 'application/json' };
  const url = await urlOf(app);
  const open = async () => {
    const response = await fetch(url, { method: 'POST', headers, body });
    onEnd(t, () => response.body?.cancel());
    assert.equal(response.status, 200);
  };
  await open();
  const before = bytesInUse();
  for (let n = 0; n < 30; n++) await open();
  const each = (bytesInUse() - before) / 30;
  assert.ok(each < 250_000, `${Math.round(each)} bytes for each`);
});

function bytesInUse(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}
