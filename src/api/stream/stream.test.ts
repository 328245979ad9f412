import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { EventSource } from 'eventsource';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { onEnd } from '../../../test/support/cleanup.ts';
import { until } from '../../../test/support/until.ts';

type Received = { id: string; event: string; data: { post: { title: string } } };
type Options = { query?: string; headers?: Record<string, string> };

async function originOf({ app }: TestApp): Promise<string> {
  if (!app.server.listening) return app.listen({ port: 0, host: '127.0.0.1' });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

/** Follows with a client that is not ours, which connects again by itself. */
async function follow(t: TestContext, app: TestApp, { query = '', headers = {} }: Options = {}) {
  const url = `${await originOf(app)}/api/v1/events${query}`;
  const all = { apikey: app.key, ...headers };
  const source = new EventSource(url, {
    fetch: (input, init) => fetch(input, { ...init, headers: { ...all, ...init.headers } }),
  });
  onEnd(t, () => source.close());
  const received: Received[] = [];
  const cursors: string[] = [];
  const problems: (number | undefined)[] = [];
  source.addEventListener('message', ({ data, lastEventId }) => {
    received.push(JSON.parse(data));
    cursors.push(lastEventId);
  });
  source.addEventListener('error', ({ code }) => problems.push(code));
  const titles = () => received.map(({ data }) => data.post.title);
  const untilReceived = (count: number) => until(`${count} events`, () => received.length >= count);
  return { source, received, cursors, problems, titles, untilReceived };
}

async function ask(app: TestApp, { query = '', headers = {} }: Options = {}) {
  const response = await fetch(`${await originOf(app)}/api/v1/events${query}`, {
    headers: { apikey: app.key, ...headers },
  });
  const { status } = response;
  if (status !== 200)
    return { status, headers: response.headers, code: (await response.json()).errors[0].extensions.code };
  await response.body?.cancel();
  return { status, headers: response.headers, code: null };
}

testBoth(
  'a stream has the events of the log, those before and those to come, as webhooks have them',
  async (app, t) => {
    await app.makePost('Before');
    const follower = await follow(t, app);
    await follower.untilReceived(1);
    for (let n = 0; n < 150; n++) await app.makePost(`After ${n}`);
    await follower.untilReceived(151);
    const { events } = await app.ask('{ events(limit: 1) { nodes { id cursor type triggeredAt data } } }');
    const [{ cursor, type: event, ...first }] = events.nodes;
    assert.deepEqual(follower.received[0], { ...first, event, boardId: app.board.id });
    assert.equal(follower.cursors[0], cursor);
    assert.deepEqual(follower.titles(), ['Before', ...Array.from({ length: 150 }, (_, n) => `After ${n}`)]);
  },
);

testBoth(
  'a stream continues after the last event that its follower has, with only the types it asks for',
  async (app, t) => {
    for (let n = 0; n < 3; n++) await app.makePost(`Post ${n}`);
    const first = await follow(t, app);
    await first.untilReceived(3);
    first.source.close();
    const [, second = ''] = first.cursors;
    const rest = await follow(t, app, { headers: { 'last-event-id': second } });
    const byParameter = await follow(t, app, { query: `?after=${second}&types=post.created,comment.created` });
    const deletions = await follow(t, app, { query: '?types=post.deleted' });
    const id = await app.makePost('Post 3');
    await app.api.deletePost({ postId: id });
    await deletions.untilReceived(1);
    await rest.untilReceived(3);
    await byParameter.untilReceived(2);
    assert.deepEqual(
      deletions.received.map(({ event }) => event),
      ['post.deleted'],
    );
    assert.deepEqual(
      rest.received.map(({ event }) => event),
      ['post.created', 'post.created', 'post.deleted'],
    );
    assert.deepEqual(byParameter.cursors, rest.cursors.slice(0, 2));
  },
);

testBoth('a stream shows what its viewer may see at the time', async (app, t) => {
  await app.makeUser('mod', 'MODERATOR');
  await app.makeUser('bob');
  const asMember = await follow(t, app, { headers: { ssotype: 'SSO', ssoid: 'bob' } });
  const asTeam = await follow(t, app, { headers: { ssotype: 'SSO', ssoid: 'mod' } });
  const id = await app.makePost('Public');
  await asMember.untilReceived(1);
  await app.api.as('mod').changePostModerationStatus({ id, moderationStatus: 'PENDING' });
  await app.api.as('mod').createComment({ postId: id, text: 'Hi' });
  await app.makePost('Last');
  await until('the last event', () => asMember.titles().includes('Last') && asTeam.titles().includes('Last'));
  assert.equal(asMember.received.length, 2);
  assert.ok(asTeam.received.length > 2);
});

testBoth('a stream ends when its key is revoked, and cannot be opened again', async (app, t) => {
  const key = await app.makeKey({ name: 'follower' });
  const follower = await follow(t, app, { headers: { apikey: key } });
  await app.makePost('Seen');
  await follower.untilReceived(1);
  await app.db.transaction((tx) =>
    tx.updateTable('api_keys').set({ date_revoked: app.clock.now() }).where('name', '=', 'follower').execute(),
  );
  app.clock.advance(5_000); // keys are read again every three seconds
  await app.makePost('Not seen');
  await until('it is refused', () => follower.problems.includes(401));
  assert.deepEqual(follower.titles(), ['Seen']);
});

testBoth('what cannot be followed is refused before a stream begins', async (app) => {
  const writer = await app.makeKey({ permissions: ['WRITE'] });
  const refused: [Options, number, string][] = [
    [{ headers: { apikey: 'sk_unknown' } }, 401, 'UNAUTHENTICATED'],
    [{ headers: { apikey: writer } }, 403, 'FORBIDDEN'],
    [{ headers: { ssotype: 'SSO', ssoid: 'unknown' } }, 404, 'NOT_FOUND'],
    [{ query: '?types=post.exploded' }, 400, 'BAD_REQUEST'],
    [{ query: `?types=${'post.created,'.repeat(77)}post.created` }, 400, 'BAD_REQUEST'],
    [{ query: '?after=nonsense' }, 400, 'BAD_REQUEST'],
    [{ headers: { 'last-event-id': 'nonsense' } }, 400, 'BAD_REQUEST'],
    [{ query: '?after=a&after=b' }, 400, 'BAD_REQUEST'],
  ];
  for (const [options, status, code] of refused) {
    const answer = await ask(app, options);
    assert.deepEqual([answer.status, answer.code], [status, code], JSON.stringify(options));
  }
  const types = `?types=${'post.created,'.repeat(76)}post.created`; // 1,000 characters
  const { status, headers } = await ask(app, { query: types });
  assert.deepEqual([status, headers.get('content-type')], [200, 'text/event-stream']);
  assert.deepEqual([headers.get('cache-control'), headers.get('access-control-allow-origin')], ['no-store', '*']);
});
