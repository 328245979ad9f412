import assert from 'node:assert/strict';
import {
  addressOf,
  answerTo,
  CALLBACK,
  makeOAuthAgent,
  refreshOf,
  SECURE,
  sendForm,
  sendMetadata,
} from '../../../test/support/oauth-agent.ts';
import { testPages, testWeb } from '../../../test/support/web.ts';
import { forgetRecords } from '../../operations/agents/records.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';

testWeb(
  'a request that is not in order is refused before anyone is asked',
  async (web) => {
    const ada = await web.makeMember('Ada', 'ADMIN');
    const { body: client } = await sendMetadata(web, { client_name: 'Claude', redirect_uris: [CALLBACK] });
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
      // It leads no one elsewhere: anyone can register a client.
      const answer = await answerTo(ada, addressOf(client.client_id, change));
      assert.match(answer, /^30[23] https:\/\/board\.test\/connect\?error=/, JSON.stringify(change));
    }
    const long = await ada.get(addressOf(client.client_id, { state: 'x'.repeat(5_000) }));
    assert.deepEqual([long.statusCode, long.json().error], [400, 'invalid_request']);
    const page = await ada.get('/connect?error=invalid_client');
    assert.match(page.payload, /not in order \(\S*invalid_client/);
    // What other servers know besides is not passed on.
    const asked = addressOf(client.client_id, { scope: 'openid profile write', prompt: 'none', nonce: 'x' });
    assert.match(await answerTo(ada, asked), /^303 \/connect\//);
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
    const { status, body } = await sendMetadata(web, { client_name: 'Late', redirect_uris: [CALLBACK] });
    assert.equal(status, 201);
    assert.match(await answerTo(ada, addressOf(body.client_id)), /^303 \/connect\//);
    const refreshed = await sendForm(web, '/oauth/token', refreshOf(agent));
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
      const { status, body } = await sendMetadata(web, { ...asked, grant_types: ['implicit'], contacts: [1] });
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
      const { status, body } = await sendMetadata(web, { redirect_uris });
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
    await sendMetadata(web, { client_name: 'Never seen again', redirect_uris: [CALLBACK] });
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
