import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { schema } from '../../../test/support/schema.ts';
import { type BoardRow, updateBoard } from '../../identity/board/board.ts';
import { ownDocuments, publicFields, readDocuments, requirePublicDocuments } from '../../identity/keys/documents.ts';
import {
  createPublishableKey,
  type PublishableSettings,
  revokePublishableKey,
} from '../../identity/keys/publishable.ts';
import { allowVoting, disallowVoting } from '../../identity/keys/visitors.ts';
import { operator } from '../../identity/users/authority.ts';
import { findUser, setRole, type UserRow } from '../../identity/users/users.ts';
import type { AppError } from '../../platform/errors.ts';

const SITE = 'https://app.example.com';
const TITLES = 'query Titles { posts { nodes { title } } }';

async function makePublishable(app: TestApp, settings: Partial<PublishableSettings> = {}) {
  const all = { name: 'Site', origins: SITE, documents: TITLES, perNetwork: 600, perVisitor: 60, ...settings };
  const row = await createPublishableKey({ ...app, baseUrl: '', actor: operator }, all, (source) =>
    requirePublicDocuments(schema, source),
  );
  app.clock.advance(5_000);
  return row;
}

function setAccess({ db, board }: TestApp, access: BoardRow['access']) {
  return db.transaction((tx) => tx.updateTable('boards').set({ access }).where('id', '=', board.id).execute());
}

type Sent = { key: string; origin?: string | null; token?: string; headers?: Record<string, string>; address?: string };

/** Sends a body as a browser on a page of `SITE` does. */
async function send(app: TestApp, body: unknown, { key, origin = SITE, token, headers, address }: Sent) {
  const response = await app.app.inject({
    method: 'POST',
    url: '/api/v1/graphql',
    remoteAddress: address ?? '203.0.113.7',
    headers: {
      'content-type': 'application/json',
      apikey: key,
      ...(origin !== null && { origin }),
      ...(token && { 'earshot-visitor': token }),
      ...headers,
    },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const { data, errors } = response.json();
  return { status: response.statusCode, data, code: errors?.[0]?.extensions.code, message: errors?.[0]?.message };
}

async function makeVisitor(app: TestApp, keyId: string, ssoId = 'vera'): Promise<{ user: UserRow; token: string }> {
  await app.makeUser(ssoId);
  const user = (await findUser(app.db.read, app.board.id, { ssoType: 'SSO', ssoId })) as UserRow;
  return { user, token: await allowVoting({ ...app, baseUrl: '', actor: user }, keyId) };
}

testBoth('a registered document is carried out by its id, its hash, or its text', async (app) => {
  await app.makePost('Dark mode');
  const { key } = await makePublishable(app);
  const [name, sha256] = readDocuments(TITLES)[0]?.ids ?? [];
  const expected = { posts: { nodes: [{ title: 'Dark mode' }] } };
  for (const body of [
    { documentId: name },
    { documentId: sha256 },
    { documentId: `sha256:${sha256}` },
    { extensions: { persistedQuery: { version: 1, sha256Hash: sha256 } } },
    { query: 'query Titles {\n  posts {\n    nodes { title }\n  }\n}', operationName: 'Titles' },
  ]) {
    const { status, data } = await send(app, body, { key });
    assert.deepEqual([status, data], [200, expected], JSON.stringify(body));
  }
});

testBoth('what is stored is what was checked, and one key that cannot be read stops no other', async (app) => {
  const hidden = '{ board { name } } # \u0085 query Mail { users { email } }';
  await assert.rejects(makePublishable(app, { documents: hidden }), ({ code }: AppError) => code === 'BAD_REQUEST');
  const [good, bad] = [await makePublishable(app), await makePublishable(app, { name: 'Bad' })];
  const set = { documents: 'query Mail { users { email } }' };
  await app.db.transaction((tx) => tx.updateTable('publishable_keys').set(set).where('id', '=', bad.id).execute());
  app.clock.advance(5_000);
  assert.equal((await send(app, { documentId: 'Mail' }, { key: bad.key })).code, 'FORBIDDEN');
  await app.db.transaction((tx) =>
    tx.updateTable('publishable_keys').set({ documents: '{ } }' }).where('id', '=', bad.id).execute(),
  );
  app.clock.advance(5_000);
  assert.equal((await send(app, { query: TITLES }, { key: good.key })).status, 200);
  assert.equal((await send(app, { documentId: 'vote', variables: { number: 1 } }, { key: bad.key })).status, 200);
});

testBoth('it is recorded when a key was last used', async (app) => {
  const { key, id } = await makePublishable(app);
  await send(app, { query: TITLES }, { key });
  await app.app.saveUse();
  const [row] = await app.db.read.selectFrom('publishable_keys').selectAll().where('id', '=', id).execute();
  assert.equal(row?.date_last_used, app.clock.now());
});

testBoth('what a publishable key refuses', async (app) => {
  const { key } = await makePublishable(app);
  const query = TITLES;
  const refused: [body: unknown, sent: Partial<Sent>, code: string][] = [
    [{ query: '{ posts { nodes { title text: content } } }' }, {}, 'FORBIDDEN'],
    [{ query: '{ __schema { types { name } } }' }, {}, 'FORBIDDEN'],
    [{ query: 'mutation { createPost(title: "x") { id } }' }, {}, 'FORBIDDEN'],
    [{ query: 'subscription { events { id } }' }, {}, 'FORBIDDEN'],
    [{ query: '{{{' }, {}, 'FORBIDDEN'],
    [{ documentId: 'unknown' }, {}, 'FORBIDDEN'],
    [{ documentId: '__proto__' }, {}, 'FORBIDDEN'],
    [{}, {}, 'BAD_REQUEST'],
    [[{ query }], {}, 'BAD_REQUEST'],
    ['{"query":', {}, 'BAD_REQUEST'],
    [{ query }, { origin: 'https://evil.example.com' }, 'FORBIDDEN'],
    [{ query }, { origin: 'http://app.example.com' }, 'FORBIDDEN'],
    [{ query }, { origin: `${SITE}.evil.example` }, 'FORBIDDEN'],
    [{ query }, { origin: 'null' }, 'FORBIDDEN'],
    [{ query }, { origin: null }, 'FORBIDDEN'],
    [{ query }, { key: `epk_${'x'.repeat(32)}` }, 'UNAUTHENTICATED'],
    [{ query }, { headers: { ssotype: 'SSO', ssoid: 'ada' } }, 'FORBIDDEN'],
    [{ query }, { headers: { userid: 'ada' } }, 'FORBIDDEN'],
    [{ query }, { headers: { 'dry-run': 'true' } }, 'BAD_REQUEST'],
    [{ query }, { headers: { 'idempotency-key': 'x' } }, 'BAD_REQUEST'],
    [{ query }, { token: 'evt_x' }, 'UNAUTHENTICATED'],
    [{ documentId: 'upvote', variables: { id: 'x' } }, {}, 'UNAUTHENTICATED'],
  ];
  for (const [body, sent, code] of refused) {
    const answer = await send(app, body, { key, ...sent });
    assert.deepEqual(
      [answer.code, answer.data],
      [code, undefined],
      `${JSON.stringify([body, sent])}: ${answer.message}`,
    );
  }
  const elsewhere = ['/api/v1/mcp', '/api/v1/events', '/api/v1/webhooks', '/api/v1/files', '/api/v1/graphql'];
  for (const url of elsewhere) {
    const headers = { apikey: key, origin: SITE, accept: '*/*' };
    const { statusCode } = await app.app.inject({ method: 'GET', url, headers });
    assert.ok(statusCode >= 400 && statusCode < 500, `${url}: ${statusCode}`);
  }
});

testBoth('votes of a visitor who has allowed it count, until they take it back', async (app) => {
  const postId = await app.makePost('Dark mode');
  const { key, id } = await makePublishable(app);
  const { user, token } = await makeVisitor(app, id);
  const voted = await send(app, { documentId: 'upvote', variables: { id: postId } }, { key, token });
  assert.deepEqual(voted.data, { upvotePost: { upvoteCount: 1, viewerVote: 'UP' } });
  const seen = { upvoteCount: 1, viewerVote: 'UP', title: 'Dark mode' };
  const read = await send(app, { documentId: 'vote', variables: { number: 1 } }, { key, token });
  assert.partialDeepStrictEqual(read.data.postByNumber, seen);
  const anonymous = await send(app, { documentId: 'vote', variables: { number: 1 } }, { key });
  assert.partialDeepStrictEqual(anonymous.data.postByNumber, { ...seen, viewerVote: null });
  const removed = await send(app, { documentId: 'unvote', variables: { id: postId } }, { key, token });
  assert.deepEqual(removed.data, { removeVote: { upvoteCount: 0, viewerVote: null } });
  const other = await makePublishable(app, { name: 'Other' });
  assert.equal((await send(app, { query: TITLES }, { key: other.key, token })).code, 'UNAUTHENTICATED');
  await disallowVoting({ ...app, baseUrl: '', actor: user }, id);
  assert.equal((await send(app, { query: TITLES }, { key, token })).code, 'UNAUTHENTICATED');
});

testBoth('no one has the rights of the team with a publishable key, and none of what it hides', async (app) => {
  const pending = await app.makePost('Secret plan');
  await app.api.changePostModerationStatus({ id: pending, moderationStatus: 'PENDING' });
  const hidden = await app.makePost('Hidden idea');
  const internal = await app.makePost('Open idea');
  await app.ask(
    'mutation ($id: String!) { createComment(postId: $id, text: "Internal words", type: INTERNAL) { id } }',
    {
      id: internal,
    },
  );
  const { listStatuses } = await app.ask('{ listStatuses { id type } }');
  const statusId = listStatuses.find(({ type }: { type: string }) => type === 'CUSTOM').id;
  await app.api.updateStatus({ id: statusId, postVisibility: 'HIDDEN' });
  await app.api.changePostStatus({ postId: hidden, statusType: 'CUSTOM', statusId });
  const documents = `{ posts { nodes { title comments { nodes { text } } } } comments { nodes { text } } }`;
  const { key, id } = await makePublishable(app, { documents });
  const { token } = await makeVisitor(app, id, 'mona');
  await setRole(app, { ssoType: 'SSO', ssoId: 'mona' }, 'OWNER');
  for (const sent of [{ key }, { key, token }]) {
    const { data } = await send(app, { query: documents }, sent);
    const text = JSON.stringify(data);
    assert.ok(text.includes('Open idea'), text);
    assert.ok(!/Secret plan|Hidden idea|Internal words/.test(text), text);
  }
  const blocked = await makeVisitor(app, id, 'bob');
  await app.db.transaction((tx) =>
    tx.updateTable('users').set({ standing: 'BLOCKED' }).where('id', '=', blocked.user.id).execute(),
  );
  const vote = { documentId: 'upvote', variables: { id: internal } };
  assert.equal((await send(app, vote, { key, token: blocked.token })).code, 'FORBIDDEN');
});

testBoth('a private board, the Free plan and a revoked key answer no one', async (app) => {
  const row = await makePublishable(app);
  const ask = () => send(app, { query: TITLES }, { key: row.key });
  assert.equal((await ask()).status, 200);
  await setAccess(app, 'SIGNED_IN');
  app.clock.advance(5_000);
  assert.equal((await ask()).code, 'FORBIDDEN');
  await setAccess(app, 'PUBLIC_READ');
  app.clock.advance(5_000);
  assert.equal((await ask()).status, 200);
  await updateBoard(app.db, 'acme', { plan: 'FREE' });
  app.clock.advance(5_000);
  assert.equal((await ask()).code, 'PLAN_REQUIRED');
  await updateBoard(app.db, 'acme', { plan: 'PRO' });
  await revokePublishableKey({ ...app, baseUrl: '', actor: operator }, row.id);
  app.clock.advance(5_000);
  assert.equal((await ask()).code, 'UNAUTHENTICATED');
});

testBoth('a network and a visitor have limits of their own', async (app) => {
  const { key, id } = await makePublishable(app, { perNetwork: 5, perVisitor: 3 });
  const { token } = await makeVisitor(app, id);
  const from = async (times: number, sent: Partial<Sent>) => {
    const codes = [];
    for (let n = 0; n < times; n++) codes.push((await send(app, { query: TITLES }, { key, ...sent })).status);
    return codes;
  };
  assert.deepEqual(await from(6, { address: '198.51.100.1' }), [200, 200, 200, 200, 200, 429]);
  assert.deepEqual(await from(1, { address: '198.51.100.2' }), [200]);
  const moving = await Promise.all([3, 4, 5, 6].map((n) => from(1, { address: `198.51.100.${n}`, token })));
  assert.deepEqual(moving.flat().toSorted(), [200, 200, 200, 429]);
  app.clock.advance(60_000);
  assert.deepEqual(await from(1, { address: '198.51.100.1', token }), [200]);
});

testBoth('an app names no origin, and has a scheme of its own', async (app) => {
  const { key } = await makePublishable(app, { origins: 'myapp://done' });
  assert.equal((await send(app, { query: TITLES }, { key, origin: null })).status, 200);
  assert.equal((await send(app, { query: TITLES }, { key, origin: 'https://evil.example.com' })).code, 'FORBIDDEN');
});

testBoth('settings that make no sense are refused by name', async (app) => {
  for (const [settings, field] of [
    [{ origins: '' }, 'origins'],
    [{ origins: 'app.example.com' }, 'origins'],
    [{ origins: 'https://app.example.com/path' }, 'origins'],
    [{ origins: 'javascript://alert' }, 'origins'],
    [{ origins: 'https://a:b@app.example.com' }, 'origins'],
    [{ origins: '*' }, 'origins'],
    [{ origins: 'https://*.example.com' }, 'origins'],
    [{ origins: 'https://app.example.com?x' }, 'origins'],
    [{ name: ' ' }, 'name'],
    [{ perNetwork: 0 }, 'perNetwork'],
    [{ perVisitor: 1.5 }, 'perVisitor'],
  ] as [Partial<PublishableSettings>, string][]) {
    await assert.rejects(
      makePublishable(app, settings),
      ({ code, extensions }: AppError) => code === 'BAD_REQUEST' && extensions.field === field,
      JSON.stringify(settings),
    );
  }
});

const isRefusal = (error: AppError) => error.code === 'BAD_REQUEST' && error.extensions.field === 'documents';

test('documents are read from GraphQL, and from the manifests of clients', () => {
  const two = readDocuments(
    `query A { posts { ...P } } query B { board { name } } fragment P on PostsPayload { totalCount }`,
  );
  assert.deepEqual(
    two.map(({ text }) => text.replaceAll(/\s+/g, ' ')),
    ['query A { posts { ...P } } fragment P on PostsPayload { totalCount }', 'query B { board { name } }'],
  );
  const apollo = {
    format: 'apollo-persisted-query-manifest',
    version: 1,
    operations: [{ id: 'a', name: 'A', type: 'query', body: TITLES }],
  };
  assert.deepEqual(readDocuments(JSON.stringify(apollo)), [{ ids: ['a'], text: TITLES }]);
  assert.deepEqual(readDocuments(JSON.stringify({ b: TITLES })), [{ ids: ['b'], text: TITLES }]);
  for (const wrong of [
    '{"a": 1}',
    '{"operations": [{}]}',
    '{"operations": []}',
    '{ "a"',
    '[]',
    '{}',
    'query {',
    'type A { b: C }',
    '{ a }'.repeat(200),
    JSON.stringify({ vote: TITLES }),
    'query upvote { board { name } }',
    `${'{a'.repeat(20_000)}${'}'.repeat(20_000)}`,
    `${TITLES} ${TITLES}`,
  ])
    assert.throws(
      () => requirePublicDocuments(schema, wrong),
      { extensions: { code: 'BAD_REQUEST', field: 'documents' } },
      wrong,
    );
});

test('documents may ask only for what everyone sees', () => {
  requirePublicDocuments(
    schema,
    ownDocuments.map(({ text }, n) => text.replace(/^(query|mutation)/, `$1 D${n}`)).join('\n'),
  );
  for (const document of [
    '{ users { email } }',
    '{ viewer { apiKeyName } }',
    '{ posts { nodes { votes { nodes { user { name } } } } } }',
    '{ posts { nodes { author { ssoId } } } }',
    '{ posts { nodes { ...P } } } fragment P on Post { externalId }',
    '{ board { team { email } } }',
    '{ events { nodes { data } } }',
    '{ __type(name: "Post") { name } }',
    'query ($w: PostWhere) { posts(where: $w) { totalCount } }',
    '{ posts(filters: []) { totalCount } }',
    '{ posts(segment: "x") { totalCount } }',
    '{ listStatuses { name } }',
    'mutation { upvotePost(postId: "x", voter: { id: "x" }) { id } }',
    'mutation { createPost(title: "x") { id } }',
    'subscription { events { id } }',
  ])
    assert.throws(() => requirePublicDocuments(schema, document), isRefusal, document);
});

test('each public field is one of the schema', () => {
  for (const [type, fields] of Object.entries(publicFields)) {
    const known = Object.keys((schema.getType(type) as { getFields?(): object } | undefined)?.getFields?.() ?? {});
    assert.deepEqual(
      fields.filter((field) => !known.includes(field)),
      [],
      type,
    );
  }
});
