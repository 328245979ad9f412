import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorOf } from '../../../test/support/api.ts';
import { makeTestApp, START, testBoth } from '../../../test/support/app.ts';
import { engines } from '../../../test/support/store.ts';
import { updateBoard } from '../board/board.ts';
import { findUserById, setRole } from '../users/users.ts';
import { NO_BUDGET } from './budget.ts';
import { listKeys, revokeKey } from './keys.ts';
import { issueKey } from './managing.ts';

const POST = 'query { posts { totalCount } }';

testBoth('a request without a valid key is refused with 401', async ({ gql, makeKey, makeBoard }) => {
  const expired = await makeKey({ expiresAt: START });
  const soon = await makeKey({ expiresAt: START + 60_000 }, await makeBoard());
  for (const key of ['', 'nonsense', `esk_${'x'.repeat(43)}`, expired, ` ${expired}x`]) {
    const { status, errors, data } = await gql(POST, {}, { key });
    assert.deepEqual([status, errors[0]?.message, data], [401, 'Invalid Api Key', undefined]);
    assert.equal(errors[0]?.extensions.code, 'UNAUTHENTICATED');
    assert.equal(typeof errors[0]?.extensions.requestId, 'string');
  }
  assert.equal((await gql('{ board { name } }', {}, { key: soon })).status, 200);
});

testBoth('the key may come as a bearer token', async ({ app, key }) => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const response = await app.inject({
    method: 'POST',
    url: '/api/v1/graphql',
    headers,
    payload: '{"query":"{ board { name } }"}',
  });
  assert.deepEqual(response.json(), { data: { board: { name: 'Acme' } } });
});

testBoth('a key that is revoked while in use is refused within five seconds', async (app) => {
  const key = await app.makeKey({ name: 'doomed' });
  assert.equal((await app.gql(POST, {}, { key })).status, 200);
  const row = (await listKeys(app.db.read, app.board.id)).find((k) => k.name === 'doomed');
  await revokeKey({ ...app, baseUrl: '' }, row?.id ?? '');
  app.clock.advance(5_000);
  assert.equal((await app.gql(POST, {}, { key })).status, 401);
});

testBoth('a board on the Free plan has no API', async (app) => {
  await updateBoard(app.db, 'acme', { plan: 'FREE' });
  app.clock.advance(5_000);
  const { status, errors } = await app.gql(POST);
  assert.deepEqual([status, errors[0]?.extensions.code], [403, 'PLAN_REQUIRED']);
  assert.equal(errors[0]?.message, 'The API is available on the Pro and Enterprise plans');
  await updateBoard(app.db, 'acme', { plan: 'PRO' });
  app.clock.advance(5_000);
  assert.equal((await app.gql(POST)).status, 200);
});

testBoth('a key is used only from the addresses on its list', async ({ gql, makeKey }) => {
  const elsewhere = await makeKey({ allowedIps: ['203.0.113.0/24', '2001:db8::/32'] });
  const { status, errors } = await gql(POST, {}, { key: elsewhere });
  assert.deepEqual([status, errors[0]?.extensions.code], [403, 'IP_NOT_ALLOWED']);
  assert.equal(errors[0]?.message, 'This API key may not be used from 127.0.0.1');
  for (const allowedIps of [['127.0.0.1'], ['127.0.0.0/8'], ['::ffff:0:0/96', '127.0.0.1/32']]) {
    assert.equal((await gql(POST, {}, { key: await makeKey({ allowedIps }) })).status, 200);
  }
  await assert.rejects(makeKey({ allowedIps: ['300.1.1.1'] }), /not an IPv4 or IPv6 address/);
});

for (const engine of engines) {
  test(`the address behind a proxy counts only when the proxy is trusted [${engine}]`, async (t) => {
    const forwarded = { headers: { 'x-forwarded-for': '198.51.100.9, 203.0.113.5' } };
    const statusWith = async (trustProxy: number | string[], allowedIps: string[]) => {
      const app = await makeTestApp(t, engine, { trustProxy });
      return (await app.gql(POST, {}, { key: await app.makeKey({ allowedIps }), ...forwarded })).status;
    };
    assert.equal(await statusWith(0, ['203.0.113.5']), 403);
    assert.equal(await statusWith(0, ['127.0.0.1']), 200);
    assert.equal(await statusWith(1, ['203.0.113.5']), 200);
    assert.equal(await statusWith(1, ['198.51.100.9']), 403);
    assert.equal(await statusWith(2, ['198.51.100.9']), 200);
    assert.equal(await statusWith(['127.0.0.0/8'], ['203.0.113.5']), 200);
    assert.equal(await statusWith(['10.0.0.0/8'], ['203.0.113.5']), 403);
  });
}

testBoth('READ allows queries and WRITE mutations', async ({ gql, makeKey }) => {
  const reader = await makeKey({ permissions: ['READ'] });
  const writer = await makeKey({ permissions: ['WRITE'] });
  const create = 'mutation { createPost(title: "T") { id } }';
  assert.equal((await gql(POST, {}, { key: reader })).status, 200);
  assert.equal((await gql(create, {}, { key: writer })).status, 200);
  const refused = await gql(create, {}, { key: reader });
  assert.deepEqual([refused.status, refused.errors[0]?.extensions.code], [403, 'FORBIDDEN']);
  assert.match(refused.errors[0]?.message ?? '', /WRITE/);
  assert.equal((await gql(POST, {}, { key: writer })).status, 403);
});

testBoth('user headers are needed for most operations, in either spelling', async ({ gql, makeUser }) => {
  const problem = async (headers: Record<string, string>) => (await gql(POST, {}, { as: null, headers })).errors[0];
  assert.equal((await problem({}))?.message, 'ssotype is required in headers');
  assert.equal((await problem({ ssoid: 'ada' }))?.message, 'ssotype is required in headers');
  assert.equal((await problem({ ssotype: 'SSO' }))?.message, 'ssoid is required in headers');
  assert.equal((await problem({ ssotype: 'SSO' }))?.extensions.code, 'BAD_REQUEST');
  assert.equal((await problem({ ssotype: 'SSO', ssoid: 'ada', userid: 'bob' }))?.extensions.code, 'BAD_REQUEST');
  assert.equal((await problem({ ssotype: 'SSO', ssoid: 'nobody' }))?.message, 'User not found');
  assert.equal((await problem({ ssotype: 'SSO', ssoid: 'nobody' }))?.extensions.code, 'NOT_FOUND');
  assert.equal(await problem({ ssotype: 'SSO', ssoid: 'ada' }), undefined);
  assert.equal(await problem({ SsoType: 'SSO', UserId: 'ada' }), undefined);
  assert.equal(await problem({ ssotype: 'SSO', ssoid: 'ada', userid: 'ada' }), undefined);
  await makeUser('größe');
  const utf8 = Buffer.from('größe').toString('latin1');
  assert.equal(await problem({ ssotype: 'SSO', ssoid: utf8 }), undefined);
  assert.equal(await problem({ ssotype: 'SSO', ssoid: 'größe' }), undefined, 'as Latin-1, which fetch sends');
});

testBoth('some operations need no user', async ({ gql }) => {
  const query = `{ board { name statuses { name } } viewer { apiKeyName permissions user { id } board { pid } }
    rateLimit { windows { limit } } listStatuses { name } __schema { queryType { name } } __typename }`;
  const { errors, data } = await gql(query, {}, { as: null });
  assert.deepEqual(errors, []);
  assert.deepEqual(data.viewer, {
    apiKeyName: 'test',
    permissions: ['READ', 'WRITE'],
    user: null,
    board: { pid: 'acme' },
  });
  const create = 'mutation { createUser(ssotype: "SSO", userId: "new") { ssoId } }';
  const headers = { ssotype: 'SSO', ssoid: 'new' };
  assert.equal((await gql(create, {}, { as: null, headers })).data.createUser.ssoId, 'new');
});

testBoth('a key with a default user acts for that user when the headers name no user', async (app) => {
  const defaultUserId = await app.makeUser('bob');
  const key = await app.makeKey({ defaultUserId });
  const viewer = async (as: string | null) => (await app.api.as({ key, as }).viewer({ user: { ssoId: true } })).user;
  assert.deepEqual(await viewer(null), { ssoId: 'bob' });
  assert.deepEqual(await viewer('ada'), { ssoId: 'ada' });
  await app.makePost('By default', { key, as: null });
});

testBoth('the checks come in the order of the contract', async (app) => {
  const all = {
    expiresAt: START,
    allowedIps: ['203.0.113.5'],
    permissions: ['READ'] as const,
    rateRules: [{ seconds: 3600, limit: 1 }],
  };
  const code = async (key: string) => (await errorOf(app.api.as({ key, as: null }).createPost({ title: '' })))?.code;
  const other = await app.makeBoard({ plan: 'FREE' });
  assert.equal(await code(await app.makeKey(all, other)), 'UNAUTHENTICATED');
  assert.equal(await code(await app.makeKey({ ...all, expiresAt: null }, other)), 'PLAN_REQUIRED');
  assert.equal(await code(await app.makeKey({ ...all, expiresAt: null })), 'IP_NOT_ALLOWED');
  const limited = await app.makeKey({ ...all, expiresAt: null, allowedIps: [] });
  assert.equal(await code(limited), 'FORBIDDEN');
  assert.equal(await code(limited), 'RATE_LIMIT_EXCEEDED');
  assert.equal(await code(await app.makeKey()), 'BAD_REQUEST');
});

testBoth(
  'a key belongs to the board: it keeps working when its creator loses their rights or is erased',
  async (app) => {
    const { db, clock, board } = app;
    const context = { db, clock, board, baseUrl: 'http://board.test' };
    const max = await findUserById(db.read, board.id, await app.makeUser('max', 'ADMIN'));
    if (!max) throw new Error('The user is gone');
    const settings = {
      name: 'by Max',
      permissions: ['READ'],
      allowedIps: [],
      rateRules: [],
      expiresAt: null,
      budget: NO_BUDGET,
    } as const;
    const { key } = await issueKey({ ...context, actor: max }, settings, {
      serverSecret: 'a secret',
      nonce: 'n'.repeat(43),
    });
    const asked = async () => (await app.gql('{ board { name } }', {}, { key, as: null })).status;
    clock.advance(1_000);
    assert.equal(await asked(), 200);
    await setRole(context, { ssoType: 'SSO', ssoId: 'max' }, 'MEMBER');
    clock.advance(10_000);
    assert.equal(await asked(), 200);
    await app.api.deleteUser({ ssoId: 'max' });
    clock.advance(10_000);
    assert.equal(await asked(), 200);
  },
);

testBoth('the last use of a key is written down, but not a request that was refused', async (app) => {
  await app.api.board({ name: true });
  const usedAt = app.clock.now();
  const limited = await app.makeKey({ rateRules: [{ seconds: 3_600, limit: 1 }] });
  const limitedUsedAt = app.clock.now();
  await app.api.as({ key: limited }).board({ name: true });
  app.clock.advance(10_000);
  assert.equal((await app.gql('{ board { name } }', {}, { key: limited })).status, 429);
  await app.app.close();
  const keys = await listKeys(app.db.read, app.board.id);
  assert.deepEqual(
    keys.map((key) => key.date_last_used),
    [usedAt, limitedUsedAt],
  );
});
