import assert from 'node:assert/strict';
import type { InjectOptions } from 'fastify';
import { connectAgent } from '../../test/support/mcp.ts';
import { testPages } from '../../test/support/web.ts';

testPages('a key from the settings acts only as its creator, and what it changes shows its name', async (web, t) => {
  const olga = await web.makeMember('Olga', 'OWNER');
  await web.makePost('Dark mode');
  const { payload } = await olga.get('/b/acme/settings/mcp');
  assert.match(payload, /claude mcp add --transport http acme http:\/\/board\.test\/api\/v1\/mcp --header/);
  const { payload: form } = await olga.get('/b/acme/settings/apis/new');
  const [, nonce = ''] = /name="nonce" value="([^"]+)"/.exec(form) ?? [];
  const create = { nonce, name: 'Claude', read: 'on', write: 'on', asMe: 'on' };
  const { payload: created } = await olga.post('/b/acme/settings/apis/new', create);
  const [key = ''] = /esk_[\w-]{43}/.exec(created) ?? [];
  web.clock.advance(1_000);
  const other = { apikey: key, ssotype: 'SSO', ssoid: 'ada', 'content-type': 'application/json' };
  const asked = {
    method: 'POST',
    url: '/api/v1/graphql',
    headers: other,
    payload: '{"query":"{ posts { totalCount } }"}',
  };
  assert.match((await web.app.inject(asked as InjectOptions)).payload, /acts only as its own user/);
  assert.match((await olga.get('/b/acme/settings/apis')).payload, /Acts only as Olga/);
  const agent = await connectAgent(t, web, { key, as: null });
  assert.equal((await agent.call('get_board')).actingAs.name, 'Olga');
  await agent.call('update_post', { post: 1, status: 'Planned' });
  assert.match((await olga.get('/b/acme/activity')).payload, /<bdi>via Claude<\/bdi>/);
  const adam = await web.makeMember('Adam', 'MODERATOR');
  assert.equal((await adam.get('/b/acme/settings/mcp')).statusCode, 403);
});
