import assert from 'node:assert/strict';
import { recount } from '../../../test/crash/recount.ts';
import { testBoth } from '../../../test/support/app.ts';

const ADD = `mutation($id: String!, $text: String!, $parentId: String, $type: CommentType) {
  createComment(postId: $id, text: $text, parentId: $parentId, type: $type, notifyOP: true, notifySubscribers: true) {
    id type parent { text } replies { nodes { text } }
  }
}`;
const EDIT = 'mutation($id: String!, $text: String!) { updateComment(id: $id, text: $text) { text dateUpdated } }';

testBoth('replies have one level, and stay on their post', async ({ ask, gql, makePost }) => {
  const [id, other] = [await makePost('Post'), await makePost('Other')];
  const add = async (text: string, parentId?: string) => (await ask(ADD, { id, text, parentId })).createComment;
  const top = await add('top');
  const reply = await add('reply', top.id);
  assert.deepEqual([reply.parent, reply.replies.nodes], [{ text: 'top' }, []]);
  assert.deepEqual((await add('reply to reply', reply.id)).parent, { text: 'top' });
  const { post } = await ask('query($id: String!) { post(id: $id) { comments { nodes { id text } } } }', { id });
  assert.equal((await add('to the description', post.comments.nodes[0].id)).parent, null);
  const read =
    'query($id: String!) { comment(id: $id) { parent { text } replies(limit: 1) { nodes { text } hasMore cursor } } }';
  const { comment } = await ask(read, { id: top.id });
  assert.deepEqual([comment.replies.nodes, comment.replies.hasMore], [[{ text: 'reply' }], true]);
  const foreign = await gql(ADD, { id: other, text: 'x', parentId: top.id });
  assert.deepEqual(foreign.errors[0]?.extensions.field, 'parentId');
  for (const parentId of ['nothing', id]) {
    assert.equal((await gql(ADD, { id, text: 'x', parentId })).errors[0]?.message, 'Comment not found');
  }
  await ask('mutation($id: String!) { deleteComment(id: $id) { id } }', { id: top.id });
  assert.equal((await ask(read, { id: reply.id })).comment.parent, null);
});

testBoth('only the service writes what the service writes', async ({ gql, ask, makePost }) => {
  const id = await makePost('Post');
  for (const type of ['STATUS_CHANGE', 'TITLE_CHANGE', 'MERGE_SOURCE', 'MERGE_TARGET']) {
    assert.equal((await gql(ADD, { id, text: 'x', type })).errors[0]?.extensions.field, 'type');
  }
  await ask('mutation($id: String!) { updatePost(id: $id, title: "New") { node { id } } }', { id });
  await ask('mutation($id: String!) { updatePost(id: $id, title: "New") { node { id } } }', { id });
  const { comments } = await ask(
    'query($id: String!) { comments(postId: $id, types: [TITLE_CHANGE]) { nodes { id text user { ssoId } } } }',
    { id },
  );
  const [change] = comments.nodes;
  assert.deepEqual(comments.nodes, [
    { id: change.id, text: 'Changed the title from “Post” to “New”', user: { ssoId: 'ada' } },
  ]);
  assert.equal((await gql(EDIT, { id: change.id, text: 'x' })).errors[0]?.extensions.code, 'CONFLICT');
});

testBoth('a reply to an internal comment is internal', async (app) => {
  await app.makeUser('bob');
  const id = await app.makePost('Post');
  const { createComment: top } = await app.ask(ADD, { id, text: 'secret', type: 'INTERNAL' });
  assert.equal((await app.ask(ADD, { id, text: 'x', parentId: top.id })).createComment.type, 'INTERNAL');
  const basic = await app.gql(ADD, { id, text: 'x', parentId: top.id, type: 'BASIC' });
  assert.equal(basic.errors[0]?.extensions.field, 'type');
  const hidden = await app.gql(ADD, { id, text: 'x', parentId: top.id }, { as: 'bob' });
  assert.equal(hidden.errors[0]?.message, 'Comment not found');
  const count = 'query($id: String!) { post(id: $id) { commentCount } }';
  assert.equal((await app.ask(count, { id })).post.commentCount, 2);
  assert.equal((await app.ask(count, { id }, { as: 'bob' })).post.commentCount, 0);
  const { events } = await app.ask('{ events(types: ["comment.created"]) { nodes { id } } }');
  assert.deepEqual(events.nodes, []);
});

testBoth('a comment is edited, and the first one edits its post', async (app) => {
  const id = await app.makePost('Post');
  const { comments } = await app.ask('query($id: String!) { comments(postId: $id) { nodes { id } } }', { id });
  app.clock.advance(1_000);
  const { updateComment } = await app.ask(EDIT, { id: comments.nodes[0].id, text: ' New text ' });
  assert.deepEqual(updateComment, { text: 'New text', dateUpdated: new Date(app.clock.now()).toISOString() });
  const { post } = await app.ask('query($id: String!) { post(id: $id) { content excerpt } }', { id });
  assert.deepEqual(post, { content: 'New text', excerpt: 'New text' });
  assert.equal((await app.gql(EDIT, { id: comments.nodes[0].id, text: ' ' })).errors[0]?.extensions.field, 'text');
});

testBoth('comments(since:) gives what was written, edited or moderated since, whatever came between', async (app) => {
  const [id, other] = [await app.makePost('Post'), await app.makePost('Other')];
  const ids: string[] = [];
  for (const text of ['one', 'two', 'three']) ids.push((await app.ask(ADD, { id, text })).createComment.id);
  app.clock.advance(1_000);
  const since = new Date(app.clock.now()).toISOString();
  const list = `query($since: DateTime!, $cursor: String, $postId: String) {
    comments(since: $since, cursor: $cursor, limit: 1, postId: $postId) { nodes { text } cursor }
  }`;
  assert.deepEqual((await app.ask(list, { since })).comments.nodes, []);
  await app.ask(EDIT, { id: ids[1], text: 'two again' });
  await app.ask(ADD, { id: other, text: 'elsewhere' });
  await app.ask('mutation($id: String!) { changeCommentModerationStatus(id: $id, moderationStatus: FLAGGED) { id } }', {
    id: ids[0],
  });
  const seen: string[] = [];
  for (let cursor: string | null = null; ; ) {
    const { comments } = await app.ask(list, { since, cursor });
    seen.push(...comments.nodes.map((node: { text: string }) => node.text));
    cursor = comments.cursor;
    if (cursor === null) break;
  }
  assert.deepEqual(seen.sort(), ['elsewhere', 'one', 'two again']);
  const bare = (await app.ask('mutation { createPost(title: "Bare") { id } }')).createPost.id;
  app.clock.advance(1_000);
  const described = new Date(app.clock.now()).toISOString();
  await app.ask('mutation($id: String!) { updatePost(id: $id, comment: "At last") { node { id } } }', { id: bare });
  const late = (await app.ask(list, { since: described })).comments.nodes;
  assert.deepEqual(late, [{ text: 'At last' }]);
  const { comments } = await app.ask(list, { since, postId: other });
  assert.deepEqual(comments, { nodes: [{ text: 'elsewhere' }], cursor: null });
  const newest = await app.ask('{ comments(sort: NEWEST, limit: 100) { nodes { text } } }');
  assert.equal(newest.comments.nodes.length, 7);
});

testBoth('moderation tells of comments as they go and come', async (app) => {
  await app.makeUser('bob');
  const id = await app.makePost('Post');
  const { createComment } = await app.ask(ADD, { id, text: 'Buy my pills' }, { as: 'bob' });
  const moderate = (moderationStatus: string) =>
    app.ask(
      `mutation($id: String!) { changeCommentModerationStatus(id: $id, moderationStatus: ${moderationStatus}) {
        moderationStatus moderator { ssoId } post { commentCount }
      } }`,
      { id: createComment.id },
    );
  const { changeCommentModerationStatus: rejected } = await moderate('REJECTED');
  assert.deepEqual(rejected, { moderationStatus: 'REJECTED', moderator: { ssoId: 'ada' }, post: { commentCount: 1 } });
  await moderate('PENDING');
  const count = 'query($id: String!) { post(id: $id) { commentCount comments { nodes { text } } } }';
  assert.equal((await app.ask(count, { id }, { as: 'bob' })).post.commentCount, 0);
  assert.equal((await app.ask(count, { id }, { as: 'bob' })).post.comments.nodes.length, 2);
  await moderate('FLAGGED');
  await moderate('APPROVED');
  const { events } = await app.ask('{ events { nodes { type data } } }');
  assert.deepEqual(
    events.nodes.map(({ type, data }: { type: string; data: { comment?: { user: { name: string } } } }) => [
      type,
      data.comment?.user.name,
    ]),
    [
      ['post.created', undefined],
      ['comment.created', 'bob'],
      ['comment.deleted', null],
      ['comment.created', 'bob'],
    ].map(([type, name]) => [type, name === null ? 'ada' : name]),
  );
  const first = await app.ask(count.replace('text', 'id'), { id });
  const { errors } = await app.gql(
    'mutation($id: String!) { changeCommentModerationStatus(id: $id, moderationStatus: REJECTED) { id } }',
    { id: first.post.comments.nodes[0].id },
  );
  assert.equal(errors[0]?.extensions.code, 'CONFLICT');
  assert.deepEqual(await recount(app.db.read), []);
});
