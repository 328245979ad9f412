import assert from 'node:assert/strict';
import { type TestApp, testOnce } from '../support/app.ts';
import { requireAccepted, requireRefused, send, sendRaw } from './sending.ts';

const COMPLEX = 'QUERY_TOO_COMPLEX';
const repeat = (count: number, make: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => make(n)).join(' ');

/** The messages that a request is answered with, the codes of which must all be the same. */
async function messagesOf(app: TestApp, code: string, query: string, variables?: Record<string, unknown>) {
  const { messages, codes } = await send(app, query, variables);
  assert.deepEqual([...new Set(codes)], [code]);
  return messages;
}

testOnce('twenty errors of a document are reported, and then that there are more', async (app) => {
  const messages = (count: number) =>
    messagesOf(app, 'GRAPHQL_VALIDATION_FAILED', `{ board { ${repeat(count, (n) => `x${n}`)} } }`);
  assert.equal((await messages(19)).length, 19);
  assert.equal((await messages(20)).length, 20);
  for (const count of [21, 300]) {
    const told = await messages(count);
    assert.equal(told.length, 21);
    assert.match(told[19] ?? '', /Cannot query field "x19"/);
    assert.match(told[20] ?? '', /Too many validation errors, error limit reached/);
  }
});

testOnce('twenty errors in variables are reported, and then that there are more', async (app) => {
  const query = 'query($t: [String!]) { events(types: $t) { hasMore } }';
  const messages = (count: number) => messagesOf(app, 'BAD_REQUEST', query, { t: Array(count).fill(1) });
  assert.equal((await messages(19)).length, 19);
  assert.equal((await messages(20)).length, 20);
  for (const count of [21, 9_000]) {
    const told = await messages(count);
    assert.equal(told.length, 21);
    assert.match(told[19] ?? '', /Variable "\$t" has invalid value at \[19\]/);
    assert.match(told[20] ?? '', /Too many errors processing variables, error limit reached/);
  }
});

testOnce(
  'twenty errors of fields are reported, then how many more there are; all the data is returned',
  async (app) => {
    for (let n = 0; n < 23; n++) await app.makePost(`Post ${n}`);
    const ask = (limit: number) =>
      app.gql('query($n: Int) { posts(limit: $n) { nodes { title author { posts(limit: 0) { hasMore } } } } }', {
        n: limit,
      });
    const last = async (limit: number) => {
      const { data, errors } = await ask(limit);
      assert.equal(data.posts.nodes.length, limit);
      assert.ok(
        data.posts.nodes.every(({ title, author }: { title: string; author: null }) => title && author === null),
      );
      assert.ok(errors.every(({ extensions }) => extensions.code === 'BAD_REQUEST' && extensions.requestId));
      return [errors.length, errors.at(-1)?.message];
    };
    const wrong = 'limit must be from 1 to 100; it is 0';
    assert.deepEqual(await last(19), [19, wrong]);
    assert.deepEqual(await last(20), [20, wrong]);
    assert.deepEqual(await last(21), [21, 'One more error is not shown']);
    assert.deepEqual(await last(23), [21, '3 more errors are not shown']);
  },
);

testOnce('a message is cut after 500 characters, wherever it repeats what was sent', async (app) => {
  const query = 'query($s: PostSortOrder) { posts(sort: $s) { hasMore } }';
  const [plain = ''] = await messagesOf(app, 'BAD_REQUEST', query, { s: 'x' });
  const most = 500 - plain.length + 1;
  const messageFor = async (value: string) => (await messagesOf(app, 'BAD_REQUEST', query, { s: value }))[0] ?? '';
  assert.equal((await messageFor('x'.repeat(most - 1))).length, 499);
  const whole = await messageFor('x'.repeat(most));
  assert.equal(whole.length, 500);
  assert.match(whole, /enum\.$/);
  for (const value of ['x'.repeat(most + 1), 'x'.repeat(100_000), '🌒'.repeat(50_000), `x${'🌒'.repeat(49_999)}`]) {
    const cut = await messageFor(value);
    assert.ok(cut.length === 500 || (cut.length === 499 && value.includes('🌒')));
    assert.ok(cut.isWellFormed() && cut.endsWith('…'));
  }
});

testOnce('a name has 500 characters, an alias and a field of variables too', async (app) => {
  const name = (length: number) => 'n'.repeat(length);
  await requireAccepted(app, `{ ${name(500)}: board { id } }`);
  await requireRefused(app, `{ ${name(501)}: board { id } }`, COMPLEX, /its longest name is 501, the limit is 500/);
  await requireRefused(app, `{ ${name(900_000)} }`, COMPLEX, /its longest name is 900,000, the limit is 500/);
  await requireRefused(app, `{ board { ...${name(501)} } }`, COMPLEX, /its longest name is 501/);
  const query = 'query($a: Boolean = true) { board { id @include(if: $a) } }';
  await requireAccepted(app, query, { [name(500)]: 1 });
  const refusal = /its longest name in variables is 501, the limit is 500/;
  await requireRefused(app, query, COMPLEX, refusal, { [name(501)]: 1 });
  await requireRefused(app, query, COMPLEX, refusal, { deep: [{ [name(501)]: 1 }] });
});

testOnce('a body has 10,000 values, those of all lists and objects together', async (app) => {
  const query = 'query($t: [String!], $u: [String!]) { a: posts(where: { tagIds: $t, statusIds: $u }) { totalCount } }';
  const ids = (count: number) => Array.from({ length: count }, (_, n) => `id ${n}`);
  // The query and the variables are two of them.
  const accepted = await messagesOf(app, 'NOT_FOUND', query, { t: ids(5_000), u: ids(4_996) });
  assert.deepEqual(accepted, ['Status not found']);
  const refusal = /its number of values in the body is over 10,000, the limit is 10,000/;
  await requireRefused(app, query, COMPLEX, refusal, { t: ids(5_000), u: ids(4_997) });
  await requireRefused(app, query, COMPLEX, refusal, { t: Array(500_000).fill(1) });
  await requireRefused(app, query, COMPLEX, refusal, { unused: Array(250_000).fill('a') });
  const object = (count: number) => Object.fromEntries(ids(count).map((id) => [id, 1]));
  await requireAccepted(app, '{ board { id } }', { unused: object(9_997) });
  await requireRefused(app, '{ board { id } }', COMPLEX, refusal, { unused: object(9_998) });
  const nested = (lists: number, nulls: number) => ({
    unused: Array.from({ length: lists }, () => Array(nulls).fill(null)),
  });
  await requireAccepted(app, '{ board { id } }', nested(99, 99));
  await requireRefused(app, '{ board { id } }', COMPLEX, refusal, nested(100, 99));
  await requireAccepted(app, '{ board { id } }', nested(9_997, 0));
  await requireRefused(app, '{ board { id } }', COMPLEX, refusal, nested(9_998, 0));
});

testOnce('values are counted wherever they are in a body; commas and brackets in texts do not count', async (app) => {
  const post = (rest: string, headers = {}) => {
    const payload = `{ "query": "{ board { name } }", ${rest} }`;
    return sendRaw(app, { headers: { 'content-type': 'application/json', ...headers }, payload });
  };
  const fields = (count: number) => Array.from({ length: count }, (_, n) => `"field ${n}" :\n[ ]`).join(', ');
  const text = JSON.stringify(',[{"'.repeat(9_999));
  for (const headers of [{}, { accept: 'application/json;q=1' }]) {
    for (const [most, tooMany] of [
      [fields(9_999), fields(10_000)],
      [`"extensions": { ${fields(9_998)} }`, `"extensions": { ${fields(9_999)} }`],
      [`"spare": ${text}, ${fields(9_998)}`, `"spare": ${text}, ${fields(9_999)}`],
    ] as const) {
      assert.deepEqual((await post(most, headers)).data, { board: { name: 'Acme' } });
      assert.match((await post(tooMany, headers)).messages[0] ?? '', /values in the body is over 10,000/);
    }
  }
  const unfinished = await post(`"spare": [${'1,'.repeat(400_000)}`);
  assert.deepEqual(unfinished.codes, [COMPLEX]);
});

testOnce('values in variables are nested 32 deep; what is deeper never reaches the stack', async (app) => {
  const nest = (depth: number, [open, close]: readonly [string, string]) =>
    `${open.repeat(depth)}1${close.repeat(depth)}`;
  const body = (
    value: string,
    query = 'mutation($x: JSON) { createUser(ssotype: "SSO", userId: "gus", attributes: $x) { id } }',
  ) => `{"query":${JSON.stringify(query)},"variables":{"x":${value}}}`;
  const post = (payload: string, headers = {}) =>
    sendRaw(app, { headers: { 'content-type': 'application/json', ...headers }, payload });
  const objects = ['{"a":', '}'] as const;
  const lists = ['[', ']'] as const;
  assert.deepEqual((await post(body(nest(32, objects)))).codes, []);
  const tooDeep = /its depth of variables is over 32, the limit is 32/;
  const wrongBody = /The body must be nested at most 500 levels deep/;
  for (const headers of [{}, { 'idempotency-key': 'deep' }]) {
    for (const [depth, brackets, code, message] of [
      [33, objects, COMPLEX, tooDeep],
      [33, lists, COMPLEX, tooDeep],
      [5_000, lists, COMPLEX, tooDeep],
      [100_000, objects, 'BAD_REQUEST', wrongBody],
      [400_000, lists, 'BAD_REQUEST', wrongBody],
    ] as const) {
      const { codes, messages } = await post(body(nest(depth, brackets)), headers);
      assert.deepEqual(codes, [code]);
      assert.match(messages[0] ?? '', message);
    }
  }
  // Beside the variables nothing is read of it; a large body is nested in 500 levels at most, its own among them.
  const filler = ' '.repeat(20_000);
  for (const place of ['extensions', 'spare']) {
    const beside = (depth: number) => `{"query":"{ board { name } }","${place}":{"x":${nest(depth, lists)}}${filler}}`;
    assert.deepEqual((await post(beside(498))).data, { board: { name: 'Acme' } });
    assert.match((await post(beside(499))).messages[0] ?? '', wrongBody);
  }
});

testOnce('errors of a document over 100,000 characters come one at a time, without their places', async (app) => {
  const query = (length: number) => {
    const document = `{ board { ${repeat(50, (n) => `x${n}`)} } }`;
    return `${document}${' '.repeat(length - document.length)}`;
  };
  const ask = async (length: number) => (await app.gql(query(length))).errors;
  const within = await ask(100_000);
  assert.equal(within.length, 21);
  assert.ok(within.slice(0, 20).every((error) => 'locations' in error));
  const over = await ask(100_001);
  assert.deepEqual(
    over.map((error) => 'locations' in error),
    [false, false],
  );
  assert.match(over[0]?.message ?? '', /Cannot query field "x0"/);
  assert.match(over[1]?.message ?? '', /Too many validation errors/);
});

testOnce('however much is wrong and however long it is, the errors are short', async (app) => {
  for (let n = 0; n < 30; n++) await app.makePost(`Post ${n}`);
  const text = 'x'.repeat(90_000);
  const unknown = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`${n}${'k'.repeat(90)}`, n]));
  const documents: [query: string, variables?: Record<string, unknown>][] = [
    [`{ board { ${repeat(190, (n) => `x${n}${'y'.repeat(490)}`)} } }`],
    [
      `mutation { createPost(title: "T", properties: [{ parent: "${text}", values: [], ${repeat(150, (n) => `u${n}: 1`)} }]) { id } }`,
    ],
    [
      `mutation { createPost(title: "T", properties: [{ parent: "${'x'.repeat(99_000)}", ${repeat(400, (n) => `u${n}: 1`)} }]) { id } }`,
    ],
    [`{ events(types: ${'['.repeat(480)}${']'.repeat(480)}) { hasMore } }`],
    [`{ board { ${repeat(300, (n) => `a: ${['name', 'id', 'pid'][n % 3]}`)} } }`],
    [`{ posts(limit: ${'9'.repeat(900_000)}) { hasMore } }`],
    [`{ board { id } ${'\r'.repeat(90_000)} ${repeat(200, (n) => `x${n}`)} }`],
    ['query($w: PostWhere) { posts(where: $w) { hasMore } }', { w: unknown(9_000) }],
    [
      'query($w: PostWhere) { posts(where: $w) { hasMore } }',
      { w: { ...unknown(20), externalId: 'x'.repeat(100_000) } },
    ],
    ['query($f: [PostFilter!]) { posts(filters: $f) { hasMore } }', { f: Array(1_000).fill(unknown(5)) }],
    [
      `{ posts(limit: 30) { nodes { ${repeat(30, (n) => `${'a'.repeat(490)}${n}: author { posts(limit: 0) { hasMore } }`)} } } }`,
    ],
    [
      `{ posts(limit: 30) { nodes { ${repeat(200, () => 'author { posts(limit: 0) { hasMore } }')} } } ${'\n'.repeat(50_000)} }`,
    ],
  ];
  for (const [query, variables = {}] of documents) {
    const { app: server, key } = app;
    const response = await server.inject({
      method: 'POST',
      url: '/api/v1/graphql',
      headers: { apikey: key, ssotype: 'SSO', ssoid: 'ada', 'content-type': 'application/json' },
      payload: JSON.stringify({ query, variables }),
    });
    const label = query.slice(0, 60);
    const { errors }: { errors: { message: string; locations?: unknown[]; extensions: { code: string } }[] } =
      response.json();
    assert.ok(errors.length > 0 && errors.length <= 21, label);
    assert.ok(JSON.stringify(errors).length < 60_000, `${label}: ${JSON.stringify(errors).length}`);
    for (const { message, locations = [], extensions } of errors) {
      assert.ok(message.length <= 500 && locations.length <= 10, label);
      assert.notEqual(extensions.code, 'INTERNAL_SERVER_ERROR', label);
    }
  }
});
