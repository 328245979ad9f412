import assert from 'node:assert/strict';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { makeForm, PNG, upload, uploadHeaders } from '../../../test/support/files.ts';
import { listKeys } from './keys.ts';
import { rotateKey } from './managing.ts';

const FORBIDDEN = 'This API key acts only as its own user: leave out ssotype, ssoid and userid, or name that user';
const GONE = 'This API key acts only as one user, who no longer exists: revoke it, and create another one';

type Headers = Record<string, string>;
/** What came of a request: its status, and the errors in it. */
type Came = [status: number, errors: string];

/** Every door that reads who acts, each with a request that the user of the key may make. */
function doorsOf(app: TestApp, key: string, fileUrl: string) {
  const open = (method: 'GET' | 'POST', url: string, more: Headers = {}, payload?: string | Buffer) => {
    const fixed = { apikey: key, ...(typeof payload === 'string' && { 'content-type': 'application/json' }), ...more };
    return async (headers: Headers): Promise<Came> => {
      const asked = {
        method,
        url,
        headers: { ...fixed, ...headers },
        payloadAsStream: true,
        ...(payload && { payload }),
      };
      const response = await app.app.inject(asked);
      if (response.statusCode === 200 && String(response.headers['content-type']).startsWith('text/event-stream')) {
        response.raw.res.destroy();
        return [200, ''];
      }
      let text = '';
      for await (const chunk of response.stream()) text += chunk;
      return [response.statusCode, /"errors?":/.test(text) ? text : ''];
    };
  };
  const graphql = (query: string, more?: Headers) => open('POST', '/api/v1/graphql', more, JSON.stringify({ query }));
  const tools = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
  const accept = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' };
  return {
    query: graphql('{ posts { totalCount } }'),
    'query without an actor': graphql('{ board { name } }'),
    mutation: graphql('mutation { createPost(title: "A") { id } }'),
    'mutation without an actor': graphql('mutation { createUser(ssoType: "SSO", ssoId: "new") { id } }'),
    subscription: graphql('subscription { events { id } }', { accept: 'text/event-stream' }),
    stream: open('GET', '/api/v1/events'),
    agents: open('POST', '/api/v1/mcp', accept, tools),
    export: open('GET', '/api/jsonl'),
    webhooks: open('GET', '/api/v1/webhooks'),
    upload: open(
      'POST',
      '/api/v1/files',
      { 'content-type': uploadHeaders(app)['content-type'] },
      makeForm([{ filename: 'a.png', bytes: PNG }]),
    ),
    file: open('GET', new URL(fileUrl).pathname),
  };
}

/** An app whose board only the team and its members may see, with a file on it. */
async function makePrivate(app: TestApp): Promise<string> {
  const { url } = await upload(app, { bytes: PNG });
  await app.db.transaction((tx) => tx.updateTable('boards').set({ access: 'MEMBERS' }).execute());
  return url;
}

const ALL = ['READ', 'WRITE', 'WEBHOOKS'] as const;

testBoth('a bound key acts as its user at every entry point, and as no other user', async (app) => {
  const file = await makePrivate(app);
  await app.makeUser('bob', 'ADMIN');
  const { user } = await app.api.as('bob').viewer({ user: { id: true } });
  const key = await app.makeKey({ defaultUserId: user?.id ?? '', isBound: true, permissions: ALL });
  const as = (ssoid: string) => ({ ssotype: 'SSO', ssoid });
  for (const [door, ask] of Object.entries(doorsOf(app, key, file))) {
    for (const headers of [{}, as('bob'), { ssotype: 'SSO', userid: 'bob' }]) {
      const [status, errors] = await ask(headers as Headers);
      assert.deepEqual([status < 300, errors], [true, ''], door);
    }
    for (const headers of [
      as('ada'),
      as('nobody'),
      { ssotype: 'SSO' },
      { ssoid: 'bob' },
      { ssotype: 'X', ssoid: 'bob' },
    ]) {
      const [status, errors] = await ask(headers as Headers);
      assert.equal(status, 403, `${door} ${JSON.stringify(headers)}`);
      assert.ok(errors.includes('FORBIDDEN') && errors.includes(FORBIDDEN), `${door} ${errors}`);
    }
  }
  const viewer = await app.api.as({ key, as: null }).viewer({ user: { ssoId: true } });
  assert.deepEqual(viewer.user, { ssoId: 'bob' });
});

testBoth('a bound key does nothing once its user is erased or may not see the board', async (app) => {
  const file = await makePrivate(app);
  const [bob, eve] = [await app.makeUser('bob', 'ADMIN'), await app.makeUser('eve')];
  await app.db.transaction((tx) =>
    tx.updateTable('users').set({ standing: 'BLOCKED' }).where('id', '=', eve).execute(),
  );
  const outside = await app.makeKey({ defaultUserId: eve, isBound: true, permissions: ALL });
  const orphan = await app.makeKey({ defaultUserId: bob, isBound: true, permissions: ALL });
  await app.api.deleteUser({ ssoId: 'bob' });
  app.clock.advance(10_000);
  for (const [key, message] of [
    [outside, 'This user may not see the board'],
    [orphan, GONE],
  ] as const) {
    for (const [door, ask] of Object.entries(doorsOf(app, key, file))) {
      const [status, errors] = await ask({});
      assert.equal(status, 403, door);
      assert.ok(errors.includes(message), `${door} ${errors}`);
    }
  }
});

testBoth('a bound key registers and changes users only as one who may', async (app) => {
  const key = await app.makeKey({ defaultUserId: await app.makeUser('bob'), isBound: true });
  const ids = ['new', 'bob', 'ada'];
  for (const id of ids) {
    const change = `mutation { createUser(ssoType: "SSO", ssoId: "${id}", isApiUser: true) { id } }`;
    const { errors } = await app.gql(change, {}, { key, as: null });
    assert.deepEqual(
      errors.map(({ extensions, message }) => [extensions.code, message]),
      [['FORBIDDEN', "Only admins and API users can change another user's profile; your role is member"]],
    );
  }
});

testBoth('a bound key changes no user of a higher role by registering them again', async (app) => {
  await app.makeUser('eve');
  const bot = (await app.api.as(null).createUser({ ssoType: 'SSO', ssoId: 'bot', isApiUser: true })).id;
  for (const [userId, role] of [
    [await app.makeUser('bob', 'ADMIN'), 'ADMIN'],
    [bot, 'MEMBER'],
  ]) {
    const key = await app.makeKey({ defaultUserId: userId ?? '', isBound: true });
    await assert.rejects(app.api.as({ key, as: null }).createUser({ ssoType: 'SSO', ssoId: 'ada', name: 'Renamed' }), {
      message: `This requires the role owner; yours is ${role?.toLowerCase()}`,
    });
    for (const id of ['eve', 'new'])
      await app.api.as({ key, as: null }).createUser({ ssoType: 'SSO', ssoId: id, name: 'Renamed' });
  }
});

testBoth('the successor of a bound key is bound as well', async (app) => {
  const { db, clock, board } = app;
  const olga = await db.read.selectFrom('users').selectAll().where('sso_id', '=', 'ada').executeTakeFirstOrThrow();
  await app.makeKey({ name: 'agent', defaultUserId: olga.id, isBound: true });
  const [old] = (await listKeys(db.read, board.id)).filter(({ name }) => name === 'agent');
  const form = { serverSecret: 'a secret', nonce: 'n'.repeat(43) };
  const { row } = await rotateKey({ db, clock, board, baseUrl: '', actor: olga }, old?.id ?? '', 0, form);
  assert.deepEqual([row.default_user_id, row.is_bound], [olga.id, 1]);
});
