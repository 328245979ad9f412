import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testBoth } from '../../../test/support/app.ts';
import { escapeJson } from '../../events/events.ts';
import { eventTypes } from './event-types.ts';

const LOG = `query($after: String, $types: [String!], $limit: Int) {
  events(after: $after, types: $types, limit: $limit) {
    nodes { cursor id type triggeredAt data actor { ssoId } post { title } } hasMore cursor
  }
}`;

testBoth('every change is in the event log, in order, in the shape of the webhooks', async (app) => {
  await app.makeUser('mod', 'MODERATOR');
  const id = await app.makePost('Größe 🌒');
  await app.api.upvotePost({ postId: id });
  const createComment = await app.api.createComment({ postId: id, text: 'Hi' });
  const planned = (await app.api.listStatuses({ id: true, name: true, type: true }))[1];
  await app.api.as('mod').changePostStatus({ postId: id, statusType: 'CUSTOM', statusId: planned?.id });
  await app.api.as('mod').changePostStatus({ postId: id, statusType: 'CUSTOM', statusId: planned?.id });
  await app.api.as('mod').deleteComment({ id: createComment.id });
  await app.api.deletePost({ postId: id });

  const { events } = await app.ask(LOG);
  const types = events.nodes.map((event: { type: string }) => event.type);
  assert.deepEqual(types, [
    'post.created',
    'comment.created',
    'post.status.updated',
    'comment.deleted',
    'post.deleted',
  ]);
  const [created, commented, moved, uncommented, deleted] = events.nodes;
  const { open, ada, mod } = await people(app);
  const url = `http://board.test/b/acme/posts/1/${encodeURIComponent('größe')}`;
  const post = { id, title: 'Größe 🌒', text: 'Because.', url, upvoteCount: 0, status: open, tags: [], user: ada };
  const comment = { id: createComment.id, text: 'Hi', type: 'BASIC', post: { id } };
  const brief = { id, title: 'Größe 🌒', url };
  assert.deepEqual(created.data, { post });
  assert.deepEqual(commented.data, { comment: { ...comment, user: ada } });
  assert.deepEqual(moved.data, { post: brief, status: planned, previousStatus: open, user: mod });
  assert.deepEqual(uncommented.data, { comment: { ...comment, user: mod } });
  assert.deepEqual(deleted.data, { post: { ...post, upvoteCount: 1, status: planned } });
  assert.deepEqual([moved.actor.ssoId, moved.triggeredAt], ['mod', new Date(app.clock.now()).toISOString()]);

  async function people({ ask }: typeof app) {
    const { listStatuses, a, m } = await ask(
      '{ listStatuses { id name type } a: user(ssoId: "ada") { id name } m: user(ssoId: "mod") { id name } }',
    );
    return { open: listStatuses[0], ada: a, mod: m };
  }
});

testBoth('a follower that keeps its cursor sees every event once, also later ones', async ({ ask, makePost }) => {
  for (let n = 0; n < 5; n++) await makePost(`Post ${n}`);
  const seen: string[] = [];
  let after: string | null = null;
  const follow = async () => {
    for (let more = true; more; ) {
      const { events }: { events: { nodes: { post: { title: string } }[]; hasMore: boolean; cursor: string } } =
        await ask(LOG, { after, limit: 2 });
      seen.push(...events.nodes.map((event) => event.post.title));
      after = events.cursor;
      more = events.hasMore;
    }
  };
  await follow();
  await follow();
  await makePost('Post 5');
  await follow();
  assert.deepEqual(seen, ['Post 0', 'Post 1', 'Post 2', 'Post 3', 'Post 4', 'Post 5']);
});

testBoth('a follower can begin with what happens from now on', async ({ ask, gql, makePost }) => {
  const read = async (after: string) => (await ask(LOG, { after })).events;
  const atStart = await read('end');
  assert.deepEqual([atStart.nodes, atStart.hasMore], [[], false]);
  await makePost('Before');
  const { cursor } = await read('end');
  await makePost('After');
  const titles = async (after: string) =>
    (await read(after)).nodes.map(({ post }: { post: { title: string } }) => post.title);
  assert.deepEqual([await titles(atStart.cursor), await titles(cursor)], [['Before', 'After'], ['After']]);
  const refused = await gql('{ events(after: "end", types: ["post.moved"]) { cursor } }');
  assert.equal(refused.errors[0]?.extensions.field, 'types');
});

testBoth('the sequence of a board has no gaps under concurrent writers that partly fail', async (app) => {
  const titles = Array.from({ length: 60 }, (_, n) => (n % 4 === 0 ? '' : `Post ${n}`));
  await Promise.all(
    titles.map((title) => app.gql('mutation($title: String!) { createPost(title: $title) { id } }', { title })),
  );
  const rows = await app.db.read.selectFrom('events').select('seq').orderBy('seq').execute();
  assert.deepEqual(
    rows.map((row) => row.seq),
    Array.from({ length: 45 }, (_, n) => n + 1),
  );
});

testBoth('events are filtered by type and by post', async ({ api, ask, gql, makePost }) => {
  const id = await makePost('Post');
  await makePost('Other');
  await api.createComment({ postId: id, text: 'Hi' });
  const { events } = await ask(LOG, { types: ['comment.created', 'comment.created'] });
  assert.deepEqual(
    events.nodes.map((event: { type: string }) => event.type),
    ['comment.created'],
  );
  const post = await api.post({ id }, { events: { nodes: { type: true } } });
  assert.deepEqual(post?.events.nodes, [{ type: 'post.created' }, { type: 'comment.created' }]);
  const { errors } = await gql(LOG, { after: 'nonsense' });
  assert.equal(errors[0]?.extensions.code, 'BAD_REQUEST');
});

testBoth('an unknown event type is refused with the list of known ones', async ({ gql, ask }) => {
  const known = eventTypes.join(', ');
  const cases: [name: string, quoted: string][] = [
    ['post.creatd', '"post.creatd"'],
    ['', '""'],
    ['POST.CREATED', '"POST.CREATED"'],
    ['*', '"*"'],
    ['\u0000', '"\\u0000"'],
    ['x'.repeat(50), `"${'x'.repeat(50)}"`],
    ['x'.repeat(51), `"${'x'.repeat(49)}…"`],
    ['x'.repeat(100_000), `"${'x'.repeat(49)}…"`],
  ];
  for (const [name, quoted] of cases) {
    const { data, errors } = await gql(LOG, { types: ['post.created', name] });
    assert.equal(data, null);
    assert.deepEqual(
      errors.map(({ message, extensions }) => [message, extensions.code, extensions.field]),
      [[`There is no event ${quoted}; the events are ${known}`, 'BAD_REQUEST', 'types']],
    );
  }
  assert.deepEqual((await ask(LOG, { types: [...eventTypes] })).events.nodes, []);
});

testBoth('the events of another board stay there', async (app) => {
  await app.makePost('Ours');
  const key = await app.makeKey({}, await app.makeBoard());
  await app.makeUser('zoe', undefined, { key });
  const { nodes, hasMore } = (await app.ask(LOG, {}, { key, as: 'zoe' })).events;
  assert.deepEqual({ nodes, hasMore }, { nodes: [], hasMore: false });
});

test('every character above U+007E is a lower-case escape', () => {
  assert.equal(escapeJson({ a: '~\u007f€🌒\u2028"\\\n' }), '{"a":"~\\u007f\\u20ac\\ud83c\\udf12\\u2028\\"\\\\\\n"}');
});

testBoth('members read only the ids of deleted content in events, until it is restored', async (app) => {
  await app.makeUser('mia');
  const id = await app.makePost('Secret title');
  const kept = (await app.api.createComment({ postId: id, text: 'kept words' })).id;
  const gone = (await app.api.createComment({ postId: id, text: 'gone words' })).id;
  const read = async (as: string) => {
    const { nodes } = await app.api.as(as).events({}, { nodes: { type: true, data: true } });
    return nodes as { type: string; data: object }[];
  };
  const before = await read('mia');
  const bodies = () => app.db.read.selectFrom('events').select(['seq', 'body']).orderBy('seq').execute();
  const stored = await bodies();
  await app.api.deleteComment({ id: gone });
  assert.doesNotMatch(JSON.stringify(await read('mia')), /gone words/);
  assert.match(JSON.stringify(await read('mia')), /kept words/);
  await app.api.deletePost({ postId: id });
  const events = await read('mia');
  assert.doesNotMatch(JSON.stringify(events), /Secret title|Because|words/);
  assert.deepEqual(events[0]?.data, { post: { id } });
  assert.deepEqual(events[1]?.data, { comment: { id: kept, post: { id } } });
  assert.match(JSON.stringify(await read('ada')), /Secret title/);
  assert.deepEqual((await bodies()).slice(0, stored.length), stored, 'receivers get the same bytes');
  await app.api.restorePost({ id });
  assert.deepEqual((await read('mia')).slice(0, 2), before.slice(0, 2));
});
