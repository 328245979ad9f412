import assert from 'node:assert/strict';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { connectAgent, send } from '../../../test/support/mcp.ts';
import { listKeys } from '../../identity/keys/keys.ts';
import { findUsage } from '../../identity/keys/usage.ts';
import { tools } from './tools.ts';

const READING = ['get_board', 'search_posts', 'get_post', 'find_users'];
const MEMBERS = [...READING, 'create_post', 'update_post', 'comment', 'vote'];
const ALL = tools.map(({ name }) => name);

testBoth('a tool is there for keys and users who may use it, and for no others', async (app, t) => {
  await app.makeUser('mia');
  await app.makeUser('mod', 'MODERATOR');
  await app.makePost('Dark mode');
  const readOnly = await app.makeKey({ permissions: ['READ'] });
  const seen = [
    [{}, ALL],
    [{ as: 'mod' }, ALL],
    [{ as: 'mia' }, MEMBERS],
    [{ key: readOnly }, READING],
    [{ key: readOnly, as: null }, ['get_board']],
    [{ as: null }, ['get_board']],
  ] as const;
  for (const [caller, names] of seen) {
    const agent = await connectAgent(t, app, caller);
    assert.deepEqual(await agent.tools(), names);
    for (const hidden of ALL.filter((name) => !(names as readonly string[]).includes(name))) {
      const calling = agent.client.callTool({ name: hidden, arguments: {} });
      await assert.rejects(calling, new RegExp(`Tool ${hidden} not found`));
    }
  }
  const anonymous = await connectAgent(t, app, { as: null });
  assert.match(anonymous.client.getInstructions() ?? '', /acts for no user/);
  assert.equal((await anonymous.call('get_board')).actingAs, null);
  const member = await connectAgent(t, app, { as: 'mia' });
  assert.match(await member.fail('comment', { post: 1, text: 'x', type: 'INTERNAL' }), /^FORBIDDEN/);
  assert.match(await member.fail('vote', { post: 1, vote: 'up', voter: 'ada' }), /^FORBIDDEN/);
  assert.match(await member.fail('update_post', { post: 1, title: 'Mine' }), /^FORBIDDEN/);
  const { effects } = await member.call('vote', { post: 1, vote: 'up', dryRun: true });
  assert.deepEqual([effects.notified, effects.deliveries, effects.isMinimum], [0, 0, true]);
});

testBoth('a key acts as its own user, and only on its own board', async (app, t) => {
  const other = await app.makeBoard();
  const key = await app.makeKey({}, other);
  const eve = await app.makeUser('eve', undefined, { key });
  const id = await app.makePost('Secret plans', { key, as: 'eve' });
  await app.makePost('Dark mode');
  const statusId = (await app.api.as({ key, as: 'eve' }).listStatuses({ id: true }))[0]?.id;
  const agent = await connectAgent(t, app, { key: await app.makeKey({ defaultUserId: await idOf(app) }), as: null });
  assert.equal((await agent.call('get_board')).actingAs.name, 'ada');
  assert.deepEqual(await agent.call('get_post', { post: id }), { post: null });
  assert.equal((await agent.call('search_posts')).total, 1);
  for (const [name, args] of [
    ['update_post', { post: id, title: 'Mine' }],
    ['comment', { post: id, text: 'Mine' }],
    ['vote', { post: id, vote: 'up' }],
    ['merge_posts', { sources: [id], target: 1 }],
    ['write_changelog', { title: 'Mine', posts: [id] }],
    ['create_post', { title: 'Mine', author: eve }],
  ] as const) {
    for (const dryRun of [true, false]) assert.match(await agent.fail(name, { ...args, dryRun }), /^NOT_FOUND/, name);
  }
  assert.match(
    await agent.fail('create_post', { title: 'Mine', status: statusId }),
    /^BAD_REQUEST: There is no status/,
  );
  assert.match(await agent.fail('comment', { post: 1, text: 'x', replyTo: id }), /^(NOT_FOUND|BAD_REQUEST)/);
});

async function idOf(app: TestApp): Promise<string> {
  return (await app.api.viewer({ user: { id: true } })).user?.id ?? '';
}

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

testBoth('requests are refused before they are read as the API refuses them', async (app) => {
  const refusal = async (headers: Record<string, string>) => {
    const { status, body, headers: sent } = await send(app, LIST, { ssotype: 'SSO', ssoid: 'ada', ...headers });
    const { code, requestId } = body.error.data;
    assert.equal(requestId, sent['x-request-id']);
    return [status, code, body.error.message];
  };
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
  assert.deepEqual(await refusal(bearer('esk_x')), [401, 'UNAUTHENTICATED', 'Invalid Api Key']);
  assert.deepEqual(await refusal({}), [401, 'UNAUTHENTICATED', 'Invalid Api Key']);
  assert.equal(
    (await send(app, LIST, {})).headers['www-authenticate'],
    'Bearer resource_metadata="http://board.test/.well-known/oauth-protected-resource/api/v1/mcp", scope="read write"',
  );
  const abroad = await app.makeKey({ allowedIps: ['192.0.2.1'] });
  assert.deepEqual((await refusal(bearer(abroad))).slice(0, 2), [403, 'IP_NOT_ALLOWED']);
  const writeOnly = await app.makeKey({ permissions: ['WRITE'] });
  assert.deepEqual(await refusal(bearer(writeOnly)), [
    403,
    'FORBIDDEN',
    'This API key lacks the permission READ, which every tool needs',
  ]);
  assert.deepEqual(await refusal({ apikey: app.key, ssoid: 'nora' }), [404, 'NOT_FOUND', 'User not found']);
  const slow = await app.makeKey({ rateRules: [{ seconds: 60, limit: 1 }] });
  const headers = { ...bearer(slow), ssotype: 'SSO', ssoid: 'ada' };
  const first = await send(app, LIST, headers);
  assert.equal(first.status, 200);
  assert.match(String(first.headers.ratelimit), /^"60s";r=0;/);
  const second = await send(app, LIST, headers);
  assert.equal(second.status, 429);
  assert.match(String(second.headers['retry-after']), /^\d+$/);
  assert.deepEqual(app.logged, []);
});

testBoth('calls count by their result, also when the tool has failed', async (app) => {
  const { db, board } = app;
  const key = await app.makeKey({ name: 'agent', rateRules: [{ seconds: 86_400, limit: 5 }] });
  await app.makeUser('mia');
  await app.makePost('Dark mode');
  const call = (as: string, name: string, args: object) =>
    send(
      app,
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
      { apikey: key, ssotype: 'SSO', ssoid: as },
    );
  await call('ada', 'get_board', {});
  await call('ada', 'vote', { post: 1, vote: 'up' });
  await call('ada', 'vote', { post: 2, vote: 'up' });
  await call('mia', 'comment', { post: 1, text: 'x', type: 'INTERNAL' });
  await call('nora', 'get_board', {});
  await call('ada', 'get_board', {});
  await app.app.close();
  const used = (await listKeys(db.read, board.id)).find(({ name }) => name === 'agent');
  const [row, ...more] = await findUsage(db.read, board.id, used?.id ?? '', 0);
  assert.deepEqual(more, []);
  const { answered, mistaken, forbidden, limited, failed } = row ?? assert.fail('nothing was counted');
  assert.deepEqual([answered, mistaken, forbidden, limited, failed], [2, 2, 1, 1, 0]);
});
