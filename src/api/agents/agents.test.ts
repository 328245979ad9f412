import assert from 'node:assert/strict';
import {
  addressOf,
  CALLBACK,
  decide,
  led,
  makeOAuthAgent,
  refreshOf,
  SECURE,
  sendForm,
  sendMetadata,
  VERIFIER,
} from '../../../test/support/oauth-agent.ts';
import { testWeb } from '../../../test/support/web.ts';
import { listKeys, revokeKey } from '../../identity/keys/keys.ts';
import { MINUTE_MS } from '../../platform/lib/clock.ts';

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
    // The owner has limited it to a tag that is gone since: neither the form nor connecting again lifts that.
    const budget = JSON.stringify({ operations: 5, votes: null, tags: ['gone'] });
    await web.db.transaction((tx) =>
      tx
        .updateTable('api_keys')
        .set({ budget })
        .where('id', '=', key?.id ?? '')
        .execute(),
    );
    const form = await ada.get(`/b/acme/settings/apis/${key?.id}`);
    assert.match(form.payload, /<input type="hidden" name="tag-gone" value="on"\/>/);
    await agent.signIn(ada, { write: 'on', operations: '9' });
    assert.deepEqual(
      (await keys()).map((each) => JSON.parse(each.budget ?? 'null')),
      [{ operations: 9, votes: null, tags: ['gone'] }],
    );
    await agent.call('get_board');
    await revokeKey(context, key?.id ?? '');
    web.clock.advance(5_000);
    const refused = await sendForm(web, '/oauth/token', refreshOf(agent));
    assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_grant']);
    await assert.rejects(agent.call('get_board'), /grant request is invalid/);
  },
  SECURE,
);

testWeb(
  'a refresh works again within a minute, for calls in parallel and lost answers, and a stolen token ends all',
  async (web, t) => {
    const ada = await web.makeMember('Ada', 'ADMIN');
    const agent = makeOAuthAgent(t, web);
    await agent.signIn(ada);
    const form = refreshOf(agent);
    // As an agent does that calls four tools at once.
    const all = await Promise.all([1, 2, 3, 4].map(() => sendForm(web, '/oauth/token', form)));
    assert.deepEqual(
      all.map(({ status }) => status),
      [200, 200, 200, 200],
    );
    const [second] = all;
    assert.equal(new Set(all.map(({ body }) => body.refresh_token)).size, 4);
    web.clock.advance(2 * MINUTE_MS);
    const stolen = await sendForm(web, '/oauth/token', form);
    assert.deepEqual([stolen.status, stolen.body.error], [400, 'invalid_grant']);
    const after = await sendForm(web, '/oauth/token', { ...form, refresh_token: second?.body.refresh_token });
    assert.deepEqual([after.status, after.body.error], [400, 'invalid_grant']);
  },
  SECURE,
);

testWeb(
  'a code is for one exchange, by the client that asked for it, with its verifier and for the endpoint of agents',
  async (web) => {
    const ada = await web.makeMember('Ada', 'ADMIN');
    const { body: client } = await sendMetadata(web, { client_name: 'Claude', redirect_uris: [CALLBACK] });
    const { body: other } = await sendMetadata(web, { client_name: 'Other', redirect_uris: [CALLBACK] });
    const exchange = async (change: Record<string, string> = {}) => {
      const to = await decide(ada, addressOf(client.client_id), { intent: 'allow', write: 'on' });
      const { code = '' } = Object.fromEntries(new URL(to).searchParams);
      const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: VERIFIER };
      const sent = { ...form, client_id: client.client_id, ...change };
      return { sent, ...(await sendForm(web, '/oauth/token', sent)) };
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
    const again = await sendForm(web, '/oauth/token', sent);
    assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant']);
    const refused = await sendForm(web, '/oauth/token', {
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
