import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { CALLBACK, decide, led, makeOAuthAgent, type OAuthAgent, SECURE } from '../../../test/support/oauth-agent.ts';
import { type TestWeb, testPages, testWeb, type WebVisitor } from '../../../test/support/web.ts';
import { listKeys, revokeKey } from '../../identity/keys/keys.ts';
import { forgetRecords } from '../../operations/agents/records.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';

type Form = Record<string, string>;

/** Sends a form to an endpoint as clients do. */
async function send({ app }: TestWeb, url: string, form: Form) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const response = await app.inject({ method: 'POST', url, headers, payload: new URLSearchParams(form).toString() });
  return { status: response.statusCode, body: response.payload === '' ? null : response.json() };
}

async function register({ app }: TestWeb, metadata: object) {
  const headers = { 'content-type': 'application/json' };
  const response = await app.inject({
    method: 'POST',
    url: '/oauth/register',
    headers,
    payload: JSON.stringify(metadata),
  });
  return { status: response.statusCode, body: response.json() };
}

const refreshOf = ({ kept }: OAuthAgent): Form => ({
  grant_type: 'refresh_token',
  refresh_token: kept.tokens?.refresh_token ?? '',
  client_id: kept.client?.client_id ?? '',
});

testWeb(
  'an agent signs in by OAuth, and acts as who has allowed it',
  async (web, t) => {
    const ada = await web.makeMember('Ada', 'ADMIN');
    const agent = makeOAuthAgent(t, web);
    await agent.signIn(ada, { write: 'on' });
    const board = await agent.call('get_board');
    assert.equal(board.actingAs.name, 'Ada');
    assert.deepEqual(board.keyMay, ['READ', 'WRITE']);
    const { post } = await agent.call('create_post', { title: 'Dark mode' });
    await agent.call('update_post', { post: post.number, title: 'Dark theme' });
    const activity = await ada.get('/b/acme/activity');
    assert.match(activity.payload, /Claude/);
    const keys = await ada.get('/b/acme/settings/apis');
    assert.match(keys.payload, /Signs in by OAuth/);
    // Its token is for agents alone.
    const apikey = agent.kept.tokens?.access_token ?? '';
    for (const url of ['/api/v1/graphql', '/api/v1/events', '/api/jsonl']) {
      const response = await web.app.inject({ method: 'GET', url, headers: { authorization: `Bearer ${apikey}` } });
      assert.equal(response.statusCode, 401, url);
    }
  },
  SECURE,
);

testWeb(
  'an agent may only read if that is what it is allowed',
  async (web, t) => {
    const ada = await web.makeMember('Ada', 'ADMIN');
    const agent = makeOAuthAgent(t, web);
    await agent.signIn(ada);
    assert.equal(agent.kept.tokens?.scope, 'read');
    assert.deepEqual((await agent.call('get_board')).keyMay, ['READ']);
    await assert.rejects(agent.call('create_post', { title: 'Dark mode' }), /not found/);
  },
  SECURE,
);

testWeb(
  'what an agent was allowed ends with its key, and a client that connects again has one key',
  async (web, t) => {
    const ada = await web.makeMember('Ada', 'ADMIN');
    const agent = makeOAuthAgent(t, web);
    await agent.signIn(ada);
    await agent.signIn(ada, { write: 'on' });
    const context = { ...web, baseUrl: '' };
    const keys = async () =>
      (await listKeys(web.db.read, web.board.id)).filter((key) => key.client_id !== null && key.date_revoked === null);
    const [key, ...more] = await keys();
    assert.deepEqual([key?.permissions, more.length], ['READ,WRITE', 0]);
    await agent.call('get_board');
    await revokeKey(context, key?.id ?? '');
    web.clock.advance(5_000);
    const refused = await send(web, '/oauth/token', refreshOf(agent));
    assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_grant']);
    await assert.rejects(agent.call('get_board'), /grant request is invalid/);
  },
  SECURE,
);

testWeb(
  'a refresh whose answer was lost works once more within a minute, and a stolen token ends all of them',
  async (web, t) => {
    const ada = await web.makeMember('Ada', 'ADMIN');
    const agent = makeOAuthAgent(t, web);
    await agent.signIn(ada);
    const form = refreshOf(agent);
    const first = await send(web, '/oauth/token', form);
    const second = await send(web, '/oauth/token', form);
    assert.deepEqual([first.status, second.status], [200, 200]);
    assert.notEqual(first.body.refresh_token, second.body.refresh_token);
    const stolen = await send(web, '/oauth/token', form);
    assert.deepEqual([stolen.status, stolen.body.error], [400, 'invalid_grant']);
    const after = await send(web, '/oauth/token', { ...form, refresh_token: second.body.refresh_token });
    assert.deepEqual([after.status, after.body.error], [400, 'invalid_grant']);
  },
  SECURE,
);

/** The parts of a request for which the client has to remember a verifier. */
const VERIFIER = 'v'.repeat(43);
const challenge = createHash('sha256').update(VERIFIER).digest('base64url');

function addressOf(clientId: string, change: Form = {}): string {
  const asked = {
    client_id: clientId,
    redirect_uri: CALLBACK,
    response_type: 'code',
    state: 'x',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    resource: `${SECURE.baseUrl}/api/v1/mcp`,
    ...change,
  };
  return `/oauth/authorize?${new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== ''))}`;
}

async function answerTo(visitor: WebVisitor, address: string): Promise<string> {
  const { statusCode, headers } = await visitor.get(address);
  return `${statusCode} ${headers.location}`;
}

testWeb(
  'a code is for one exchange, by the client that asked for it, with its verifier and for the endpoint of agents',
  async (web) => {
    const ada = await web.makeMember('Ada', 'ADMIN');
    const { body: client } = await register(web, { client_name: 'Claude', redirect_uris: [CALLBACK] });
    const { body: other } = await register(web, { client_name: 'Other', redirect_uris: [CALLBACK] });
    const exchange = async (change: Form = {}) => {
      const to = await decide(ada, addressOf(client.client_id), { intent: 'allow', write: 'on' });
      const { code = '' } = Object.fromEntries(new URL(to).searchParams);
      const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: VERIFIER };
      const sent = { ...form, client_id: client.client_id, ...change };
      return { sent, ...(await send(web, '/oauth/token', sent)) };
    };
    for (const [change, error] of [
      [{ code_verifier: 'w'.repeat(43) }, 'invalid_grant'],
      [{ code_verifier: '' }, 'invalid_grant'],
      [{ client_id: other.client_id }, 'invalid_grant'],
      [{ redirect_uri: 'https://evil.example/callback' }, 'invalid_grant'],
      [{ resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
      [{ code: 'c'.repeat(43) }, 'invalid_grant'],
    ] as const) {
      const { status, body } = await exchange(change);
      assert.deepEqual([status, body.error], [400, error], JSON.stringify(change));
    }
    const { sent, status, body } = await exchange();
    assert.equal(status, 200);
    const again = await send(web, '/oauth/token', sent);
    assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant']);
    const refused = await send(web, '/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: body.refresh_token,
      client_id: client.client_id,
    });
    assert.deepEqual(
      [refused.status, refused.body.error],
      [400, 'invalid_grant'],
      'a code that is sent twice ends all',
    );
  },
  SECURE,
);

testWeb(
  'a request that is not in order is refused before anyone is asked',
  async (web) => {
    const ada = await web.makeMember('Ada', 'ADMIN');
    const { body: client } = await register(web, { client_name: 'Claude', redirect_uris: [CALLBACK] });
    for (const change of [
      { client_id: 'unknown' },
      { redirect_uri: 'https://evil.example/' },
      { redirect_uri: `${CALLBACK}/more` },
      { code_challenge: '' },
      { code_challenge_method: 'plain' },
      { response_type: 'token' },
      { resource: 'https://elsewhere.example/mcp' },
      { client_id: 'https://127.0.0.1:9/client.json' },
      { client_id: 'https://localhost/client.json' },
    ] as const) {
      // It leads no one elsewhere: a client is whoever has registered.
      const answer = await answerTo(ada, addressOf(client.client_id, change));
      assert.match(answer, /^30[23] https:\/\/board\.test\/connect\?error=/, JSON.stringify(change));
    }
    const long = await ada.get(addressOf(client.client_id, { state: 'x'.repeat(5_000) }));
    assert.deepEqual([long.statusCode, long.json().error], [400, 'invalid_request']);
    const page = await ada.get('/connect?error=invalid_client');
    assert.match(page.payload, /This request is over/);
    // What other servers know besides is not passed on.
    const asked = addressOf(client.client_id, { scope: 'openid profile write', prompt: 'none', nonce: 'x' });
    assert.match(await answerTo(ada, asked), /^303 \/connect\//);
  },
  SECURE,
);

testWeb(
  'only the browser that began it decides, only who may manage keys, and a refusal is told',
  async (web, t) => {
    const ada = await web.makeMember('Ada', 'ADMIN');
    const mo = await web.makeMember('Mo', 'MODERATOR');
    const eve = web.makeVisitor();
    const address = await makeOAuthAgent(t, web).begin();
    const page = await led(eve, address);
    // Eve began it, and would get what Ada allows.
    const lured = await ada.get(page);
    assert.match(lured.payload, /started in another browser/);
    assert.doesNotMatch(lured.payload, /<select/);
    await ada.post(page, { intent: 'allow', board: 'acme', name: 'Claude' });
    assert.equal((await eve.get(page)).statusCode, 302, 'she has to sign in');
    assert.equal(
      (await listKeys(web.db.read, web.board.id)).some((key) => key.client_id !== null),
      false,
    );
    const asMo = await led(mo, await makeOAuthAgent(t, web).begin());
    assert.match((await mo.get(asMo)).payload, /Only owners and admins/);
    const forced = await mo.post(asMo, { intent: 'allow', board: 'acme', name: 'Claude' });
    assert.match(forced.payload, /manage API keys|not allowed|may not/i);
    assert.equal(
      (await listKeys(web.db.read, web.board.id)).some((key) => key.client_id !== null),
      false,
    );
    const to = await decide(ada, await makeOAuthAgent(t, web).begin(), { intent: 'refuse' });
    assert.match(to, /^https:\/\/assistant\.example\/callback\?error=access_denied/);
  },
  SECURE,
);

testWeb(
  'a browser goes on only from the page on which it was decided',
  async (web, t) => {
    const ada = await web.makeMember('Ada', 'ADMIN');
    const eve = web.makeVisitor();
    const page = await led(eve, await makeOAuthAgent(t, web).begin());
    // As if a neighboring site had put its cookie into the browser of the owner.
    ada.cookies.set('earshot.agents', page.split('/').at(-1) ?? '');
    const allowed = await ada.post(page, { intent: 'allow', board: 'acme', name: 'Claude', operations: '', votes: '' });
    assert.match(allowed.payload, /\/oauth\/authorize\/[\w-]+\?proof=[\w-]{43}/);
    for (const proof of ['', '?proof=', `?proof=${'x'.repeat(43)}`, '?proof=a&proof=b']) {
      const tried = await led(eve, `/oauth/authorize/${page.split('/').at(-1)}${proof}`);
      assert.equal(tried, 'https://board.test/connect?error=session_not_found');
    }
  },
  SECURE,
);

testWeb(
  'who registers very many clients drives out only those that no one has connected',
  async (web, t) => {
    const ada = await web.makeMember('Ada', 'ADMIN');
    const agent = makeOAuthAgent(t, web);
    await agent.signIn(ada);
    const row = { model: 'Client', grant_hash: null, payload: '{}', date_consumed: null };
    const now = web.clock.now();
    const flood = Array.from({ length: 5_000 }, (_, n) => ({
      ...row,
      id_hash: `flood ${n}`,
      date_expires: now + 2 * DAY_MS + n,
    }));
    await web.db.transaction(async (tx) => {
      for (let n = 0; n < flood.length; n += 1_000)
        await tx
          .insertInto('oauth_records')
          .values(flood.slice(n, n + 1_000))
          .execute();
    });
    const { status, body } = await register(web, { client_name: 'Late', redirect_uris: [CALLBACK] });
    assert.equal(status, 201);
    assert.match(await answerTo(ada, addressOf(body.client_id)), /^303 \/connect\//);
    const refreshed = await send(web, '/oauth/token', refreshOf(agent));
    assert.equal(refreshed.status, 200, 'the connected one is still there');
  },
  SECURE,
);

for (const path of ['', '/feedback']) {
  const baseUrl = `https://board.test${path}`;

  testPages(
    `every address that clients are told is one of ours, at ${baseUrl}`,
    async ({ app }) => {
      const read = async (at: string) => {
        const { statusCode, payload } = await app.inject({ method: 'GET', url: at, headers: { host: 'evil.example' } });
        assert.equal(statusCode, 200, at);
        return JSON.parse(payload);
      };
      const refused = await app.inject({ method: 'POST', url: `${path}/api/v1/mcp`, payload: '{}' });
      const [, told = ''] = /resource_metadata="([^"]+)"/.exec(String(refused.headers['www-authenticate'])) ?? [];
      for (const at of [new URL(told).pathname, `/.well-known/oauth-protected-resource${path}/api/v1/mcp`]) {
        const { resource, authorization_servers: servers } = await read(at);
        assert.deepEqual([resource, servers], [`${baseUrl}/api/v1/mcp`, [baseUrl]]);
      }
      for (const name of ['oauth-authorization-server', 'openid-configuration']) {
        for (const at of [`${path}/.well-known/${name}`, `/.well-known/${name}${path}`]) {
          const metadata = await read(at);
          assert.equal(metadata.issuer, baseUrl);
          const addresses = Object.entries(metadata).filter(([key]) => /_endpoint$|_uri$/.test(key));
          assert.ok(addresses.length >= 4);
          for (const [key, address] of addresses) assert.ok(String(address).startsWith(`${baseUrl}/oauth/`), key);
          assert.deepEqual(metadata.scopes_supported, ['read', 'write']);
        }
      }
    },
    { baseUrl },
  );
}

testWeb(
  'clients register with what is used of their metadata, and with nothing that could harm',
  async (web) => {
    for (const redirect_uris of [
      ['https://assistant.example/callback'],
      ['http://127.0.0.1:33418/', 'http://localhost/callback', 'https://vscode.dev/redirect'],
      ['cursor://anysphere.cursor-retrieval/oauth/callback'],
    ]) {
      const asked = {
        redirect_uris,
        client_name: 'X',
        token_endpoint_auth_method: 'client_secret_post',
        scope: 'openid',
        jwks_uri: 'https://evil.example',
      };
      const { status, body } = await register(web, { ...asked, grant_types: ['implicit'], contacts: [1] });
      assert.equal(status, 201, JSON.stringify(body));
      assert.deepEqual(
        [body.redirect_uris, body.token_endpoint_auth_method, body.client_secret, body.jwks_uri],
        [redirect_uris, 'none', undefined, undefined],
      );
    }
    for (const redirect_uris of [
      undefined,
      [],
      'https://assistant.example/',
      ['http://assistant.example/callback'],
      ['javascript:alert(1)'],
      ['data:text/html,x'],
      ['https://assistant.example/#fragment'],
      ['https://user@assistant.example/'],
      [`https://assistant.example/${'x'.repeat(1_000)}`],
      Array.from({ length: 11 }, (_, n) => `https://assistant.example/${n}`),
    ]) {
      const { status, body } = await register(web, { redirect_uris });
      assert.deepEqual([status, typeof body.error_description], [400, 'string'], JSON.stringify(redirect_uris));
    }
    for (const payload of ['', '[]', 'null', '{"a":', `{"a":"${'x'.repeat(20_000)}"}`]) {
      const headers = { 'content-type': 'application/json' };
      const response = await web.app.inject({ method: 'POST', url: '/oauth/register', headers, payload });
      assert.ok([400, 413].includes(response.statusCode), payload.slice(0, 20));
      assert.equal(typeof response.json().error, 'string');
    }
  },
  SECURE,
);

testWeb(
  'what is remembered of a sign-in goes when it is over, and nothing in the store is a token',
  async (web, t) => {
    const ada = await web.makeMember('Ada', 'ADMIN');
    const agent = makeOAuthAgent(t, web);
    await agent.signIn(ada, { write: 'on' });
    await register(web, { client_name: 'Never seen again', redirect_uris: [CALLBACK] });
    const rows = await web.db.read.selectFrom('oauth_records').selectAll().execute();
    const text = JSON.stringify(rows);
    for (const token of [agent.kept.tokens?.access_token, agent.kept.tokens?.refresh_token])
      assert.ok(token && !text.includes(token));
    web.clock.advance(2 * DAY_MS);
    await forgetRecords(web);
    const models = await web.db.read.selectFrom('oauth_records').select('model').orderBy('model').execute();
    assert.deepEqual(
      models.map(({ model }) => model),
      ['Client', 'Grant', 'Metadata', 'RefreshToken'],
    );
  },
  SECURE,
);
