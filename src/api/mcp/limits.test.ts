import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { connectAgent, send } from '../../../test/support/mcp.ts';
import { MAX_BODY_BYTES } from '../graphql/route.ts';
import { fit, MAX_ANSWER_BYTES } from './fit.ts';
import { MAX_ELEMENTS } from './server.ts';

const EMOJI = '\u{1f600}';

/** A call of a tool, as an earlier revision has it. */
const callOf = (name: string, args: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
});

testBoth('answers stay within their size, whatever is on the board', async (app, t) => {
  const long = EMOJI.repeat(20_000);
  const id = await app.makePost(EMOJI.repeat(200));
  for (let n = 0; n < 21; n++) await app.api.createComment({ postId: id, text: long });
  await app.api.updatePost({ id, comment: long });
  for (let n = 0; n < 21; n++) await app.makePost(`${n} ${EMOJI.repeat(190)}`);
  const agent = await connectAgent(t, app);
  const whole = await agent.call('get_post', { post: 1, comments: 20 });
  assert.equal(whole.comments.length, 19, 'one of 20 is the description');
  assert.match(whole.post.content, /… \[cut: 40000 characters in all\]$/);
  assert.equal(whole.post.title, EMOJI.repeat(200));
  const listed = await agent.call('search_posts', { limit: 20 });
  assert.equal(listed.posts.length, 20);
  for (const answer of [whole, listed]) assert.ok(sizeOf(answer) <= MAX_ANSWER_BYTES);
  assert.match(await agent.fail('search_posts', { limit: 21 }), /limit: Too big/);
  assert.match(await agent.fail('get_post', { post: 1, comments: 21 }), /comments: Too big/);
  const eleven = Array.from({ length: 11 }, () => 'ada');
  assert.match(await agent.fail('update_post', { post: 1, assignees: eleven }), /assignees: Too big/);
  await agent.call('update_post', { post: 1, assignees: eleven.slice(1), dryRun: true });
});

const sizeOf = (answer: object) => Buffer.byteLength(JSON.stringify(answer));

test('long texts are cut only as far as they must be, and between characters', () => {
  const room = MAX_ANSWER_BYTES - sizeOf({ text: '' });
  const exact = { text: 'a'.repeat(room) };
  assert.deepEqual(fit(exact), exact);
  const cut = fit({ text: 'a'.repeat(room + 1), title: 'b'.repeat(250) });
  assert.match(cut.text, /^a{10000}… \[cut: 65526 characters in all\]$/);
  assert.equal(cut.title.length, 250);
  assert.ok(fit({ text: `a${EMOJI.repeat(room)}` }).text.isWellFormed());
});

testBoth('bodies, arguments and messages have limits', async (app, t) => {
  const headers = { apikey: app.key, ssotype: 'SSO', ssoid: 'ada' };
  const ask = (message: unknown) => send(app, message, headers);
  const text = JSON.stringify(callOf('search_posts', { query: '' }));
  const sized = (bytes: number) => text.replace('"query":""', `"query":"${'a'.repeat(bytes - text.length)}"`);
  for (const bytes of [MAX_BODY_BYTES - 1, MAX_BODY_BYTES]) {
    assert.match((await ask(sized(bytes))).body.result.content[0].text, /^BAD_REQUEST/);
  }
  assert.equal((await ask(sized(MAX_BODY_BYTES + 1))).status, 413);
  const withValues = (count: number) => callOf('search_posts', { tags: Array.from({ length: count }, () => 'x') });
  for (const [count, expected] of [
    [49, /There is no tag "x"/],
    [50, /There is no tag "x"/],
    [51, /tags: Too big/],
    [MAX_ELEMENTS - 2, /tags: Too big/],
    [MAX_ELEMENTS - 1, /tags: Too big/],
    [MAX_ELEMENTS, /more than the maximum of 500 elements/],
  ] as const) {
    assert.match((await ask(withValues(count))).body.result.content[0].text, expected);
  }
  const batch = await ask([callOf('get_board', {}), callOf('get_board', {})]);
  assert.equal(batch.body.error.message, 'Batches are not supported: send one message');
  assert.equal((await ask('{')).status, 400);
  assert.equal((await ask('')).status, 400);
  const deep = `{"a":${'['.repeat(20_000)}`;
  assert.match((await ask(deep)).body.error.message, /nested at most 500 levels deep/);
  const agent = await connectAgent(t, app);
  await assert.rejects(agent.client.listen({ toolsListChanged: true }), /limit reached|listen/i);
  for (const method of ['GET', 'DELETE'] as const) assert.equal((await ofMethod(app, method, headers)).statusCode, 405);
  const form = { ...headers, 'content-type': 'text/plain' };
  assert.equal(
    (await app.app.inject({ method: 'POST', url: '/api/v1/mcp', headers: form, payload: text })).statusCode,
    415,
  );
  assert.deepEqual(app.logged, []);
});

function ofMethod({ app }: TestApp, method: 'GET' | 'DELETE', headers: Record<string, string>) {
  return app.inject({ method, url: '/api/v1/mcp', headers: { ...headers, accept: 'text/event-stream' } });
}
