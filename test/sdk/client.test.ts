import assert from 'node:assert/strict';
import { createClient, EarshotError, type EventType, eachOf, type StreamEvent } from '../../sdk/src/index.ts';
import { removeOldEvents } from '../../src/events/retention.ts';
import type { EventType as ServerType } from '../../src/feedback/event-log/event-types.ts';
import { DAY_MS } from '../../src/platform/lib/clock.ts';
import { type TestApp, testBoth } from '../support/app.ts';
import { PNG } from '../support/files.ts';

/** A client of the app, which acts as its owner. */
async function connect({ app, key }: TestApp, as = 'ada') {
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return createClient({ url, apiKey: key, as });
}

async function failureOf(promise: Promise<unknown>): Promise<EarshotError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof EarshotError) return error;
    throw error;
  }
  return assert.fail('it has not failed');
}

async function take<T>(items: AsyncIterable<T>, count = Number.POSITIVE_INFINITY): Promise<T[]> {
  const taken: T[] = [];
  for await (const item of items) if (taken.push(item) === count) break;
  return taken;
}

testBoth('operations take arguments of every kind, at every depth, and return what was selected', async (app) => {
  const earshot = await connect(app);
  const ssoId = 'größer-更大';
  await earshot.createUser({ ssoType: 'okta', ssoId, name: 'Ada', attributes: { seats: 3 } }, { id: true });
  const tag = await earshot.createTag({ name: 'Design', color: null }, { id: true, color: true });
  assert.equal(tag.color, null);
  const user = earshot.as({ ssoType: 'okta', ssoId });
  const file = await user.upload(new Blob([new Uint8Array(PNG)]), 'screen.png');
  const post = await user.createPost(
    { title: 'Dark mode 🌒', comment: 'Why "not"?', tagIds: [tag.id], files: [file.id], dateCreated: undefined },
    {
      __typename: true,
      id: true,
      author: { ssoId: true, attributes: true },
      tags: { name: true },
      files: { name: true },
    },
  );
  assert.deepEqual(post, {
    __typename: 'Post',
    id: post.id,
    author: { ssoId, attributes: { seats: 3 } },
    tags: [{ name: 'Design' }],
    files: [{ name: 'screen.png' }],
  });
  for (const text of ['One', 'Two', 'Three']) await user.createComment({ postId: post.id, text }, { id: true });
  const where = { createdAfter: new Date(app.clock.now() - DAY_MS), tagIds: [tag.id] };
  const { nodes } = await earshot.posts(
    { where, limit: 5 },
    { nodes: { comments: { $args: { limit: 2, types: ['BASIC'] }, nodes: { text: true }, hasMore: true } } },
  );
  assert.deepEqual(nodes, [{ comments: { nodes: [{ text: 'Why "not"?' }, { text: 'One' }], hasMore: true } }]);
  assert.deepEqual(await earshot.post({ id: 'none' }, { id: true }), null);
  assert.deepEqual(await earshot.board({ name: true }), { name: 'Acme' });
  assert.equal(await earshot.rearrangeStatuses({ ids: [] }), true);
  const document = 'query Names($limit: Int) { posts(limit: $limit) { nodes { title } } }';
  assert.deepEqual(await earshot.request(document, { limit: 1 }), { posts: { nodes: [{ title: 'Dark mode 🌒' }] } });
});

testBoth('errors have the code, the path, the argument and the id of the request', async (app) => {
  const earshot = await connect(app);
  const empty = await failureOf(earshot.createPost({ title: '' }, { id: true }));
  const { code, field, path, status, requestId, message } = empty;
  assert.deepEqual([code, field, path, status], ['BAD_REQUEST', 'title', ['createPost'], 200]);
  assert.match(message, /^title must have 1 to 200 characters/);
  assert.match(requestId ?? '', /^[\w-]{36}$/);
  await app.makeUser('bob');
  const bob = earshot.as('bob');
  assert.equal((await failureOf(bob.createTag({ name: 'x' }, { id: true }))).code, 'FORBIDDEN');
  assert.equal((await failureOf(earshot.as('none').posts({}, { hasMore: true }))).code, 'NOT_FOUND');
  const both = 'mutation { a: createPost(title: "A") { title } b: createPost(title: "") { title } }';
  const half = await failureOf(earshot.request(both));
  assert.deepEqual([half.path, half.data, half.errors.length], [['b'], { a: { title: 'A' }, b: null }, 1]);
  const url = app.app.listeningOrigin;
  const unauthorized = createClient({ url, apiKey: 'esk_unknown' });
  for (const refused of [
    () => unauthorized.board({ id: true }),
    () => unauthorized.upload(new Blob(['x']), 'x'),
    () => take(unauthorized.follow()),
  ]) {
    const failure = await failureOf(refused());
    assert.deepEqual([failure.code, failure.status], ['UNAUTHENTICATED', 401]);
  }
  const elsewhere = createClient({ url: `${url}/b/acme/`, apiKey: app.key });
  assert.equal((await elsewhere.board({ name: true })).name, 'Acme', 'a path of the URL does not matter');
});

testBoth('an idempotency key makes a mutation run once; without one it runs each time', async (app) => {
  const earshot = await connect(app);
  const create = (idempotencyKey?: string | null) =>
    earshot.createPost({ title: 'Dark mode' }, { id: true }, { idempotencyKey });
  const first = await create('order-1');
  assert.deepEqual(await create('order-1'), first);
  for (const key of [undefined, undefined, null, null]) await create(key);
  assert.equal((await earshot.posts({}, { totalCount: true })).totalCount, 5);
  const reused = earshot.createPost({ title: 'Other' }, { id: true }, { idempotencyKey: 'order-1' });
  assert.equal((await failureOf(reused)).code, 'CONFLICT');
});

testBoth('a dry run changes nothing and reports what it would have done; an operation can be undone', async (app) => {
  const earshot = await connect(app);
  const id = await app.makePost('Dark mode');
  const args = { postId: id, statusType: 'COMPLETED' } as const;
  const { result, effects } = await earshot.dryRun.changePostStatus(args, { status: { type: true } });
  assert.equal(result.status.type, 'COMPLETED');
  assert.deepEqual([effects.events, effects.deliveries], [[{ type: 'post.status.updated', postId: id }], 0]);
  assert.equal((await earshot.post({ id }, { status: { type: true } }))?.status.type, 'UNASSIGNED');
  const { operationId = '', requestId } = await earshot.send('mutation { createTag(name: "Someday") { id } }');
  assert.match(requestId ?? '', /^[\w-]{36}$/);
  await earshot.undo({ operationId }, { dateUndone: true });
  assert.deepEqual(await earshot.listTags({ name: true }), []);
});

testBoth('every list is read to its end, page by page, also those of a post', async (app) => {
  const earshot = await connect(app);
  const ids = [];
  for (const title of ['A', 'B', 'C', 'D', 'E']) {
    const { id } = await earshot.createPost({ title, comment: title }, { id: true });
    await earshot.upvotePost({ postId: id }, { id: true });
    await app.makeUser(`user-${title}`);
    const entry = await earshot.createChangelogEntry({ title }, { id: true });
    await earshot.publishChangelogEntry({ id: entry.id }, { id: true });
    ids.push(id);
  }
  const limit = 2;
  const { each } = earshot;
  const titles = await take(each.posts({ sort: 'OLDEST', limit }, { title: true }));
  assert.deepEqual(
    titles.map(({ title }) => title),
    ['A', 'B', 'C', 'D', 'E'],
  );
  assert.deepEqual((await take(each.comments({ limit }, { text: true }))).length, 5);
  assert.deepEqual((await take(each.votes({ limit }, { type: true }))).length, 5);
  assert.deepEqual((await take(each.usersPage({ limit }, { ssoId: true }))).length, 6);
  assert.deepEqual((await take(each.changelog({ limit }, { title: true }))).length, 5);
  assert.deepEqual((await take(each.operations({ limit }, { id: true }))).length, 10);
  const events = await take(each.events({ limit, types: ['post.created'] }, { cursor: true, type: true }));
  assert.equal(events.length, 5);
  assert.equal((await take(each.events({ limit, after: events[2]?.cursor }, { type: true }))).length, 5);
  assert.equal((await take(each.posts({ limit }, { id: true }), 3)).length, 3, 'one may stop early');
  const [postId = ''] = ids;
  for (const text of ['One', 'Two', 'Three']) await earshot.createComment({ postId, text }, { id: true });
  const ofPost = eachOf(async (cursor) => {
    const page = { nodes: { text: true }, hasMore: true, cursor: true } as const;
    return (await earshot.post({ id: postId }, { comments: { $args: { cursor, limit }, ...page } }))?.comments;
  });
  assert.deepEqual(
    (await take(ofPost)).map(({ text }) => text),
    ['A', 'One', 'Two', 'Three'],
  );
  assert.deepEqual(await take(eachOf(async () => null)), []);
});

testBoth('events are followed from any position, by type, and an expired cursor is reported', async (app) => {
  const earshot = await connect(app);
  const ids = [await app.makePost('A'), await app.makePost('B')];
  const [first, second] = await take(earshot.follow(), 2);
  const { events } = await app.ask('{ events { nodes { id cursor type triggeredAt data } } }');
  const { type: event, ...rest } = events.nodes[0];
  assert.deepEqual(first, { ...rest, event, boardId: app.board.id });
  const [again] = await take(earshot.follow({ after: first?.cursor, types: ['post.created'] }), 1);
  assert.deepEqual(again, second);
  const fromNow = earshot.follow({ after: 'end', types: ['post.deleted', 'comment.created'] });
  const next: Promise<StreamEvent[]> = take(fromNow, 1);
  while (fromNow.cursor === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
  await app.makePost('C');
  await earshot.deletePost({ postId: ids[0] ?? '' }, { id: true });
  const [deleted] = await next;
  assert.deepEqual([deleted?.event, deleted?.cursor], ['post.deleted', fromNow.cursor]);
  app.clock.advance(10 * DAY_MS);
  await app.makePost('D');
  await removeOldEvents(app.db, app.clock.now(), 1);
  const expired = await failureOf(take(earshot.follow({ after: first?.cursor })));
  assert.deepEqual([expired.code, expired.status], ['CURSOR_EXPIRED', 410]);
  const [kept] = await take(earshot.follow({ after: String(expired.extensions.oldestCursor) }), 1);
  assert.equal(kept?.event, 'post.created');
});

/** A type of event that only the server or only the client has; where there is one, the type checker names it here. */
type Unlike = Exclude<ServerType, EventType> | Exclude<EventType, ServerType>;
export const none = (type: Unlike): never => type;
