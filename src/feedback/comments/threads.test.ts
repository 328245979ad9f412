import assert from 'node:assert/strict';
import type { CommentModerationStatus } from '../../../sdk/src/schema.ts';
import { recount } from '../../../test/crash/recount.ts';
import { testBoth } from '../../../test/support/app.ts';

const ADD = `mutation($id: String!, $text: String!, $parentId: String, $type: CommentType) {
  createComment(postId: $id, text: $text, parentId: $parentId, type: $type, notifyOP: true, notifySubscribers: true) {
    id type parent { text } replies { nodes { text } }
  }
}`;

testBoth('replies have one level, and stay on their post', async ({ api, ask, gql, makePost }) => {
  const [id, other] = [await makePost('Post'), await makePost('Other')];
  const add = async (text: string, parentId?: string) => (await ask(ADD, { id, text, parentId })).createComment;
  const top = await add('top');
  const reply = await add('reply', top.id);
  assert.deepEqual([reply.parent, reply.replies.nodes], [{ text: 'top' }, []]);
  assert.deepEqual((await add('reply to reply', reply.id)).parent, { text: 'top' });
  const post = await api.post({ id }, { comments: { nodes: { id: true } } });
  assert.equal((await add('to the description', post?.comments.nodes[0]?.id)).parent, null);
  const comment = await api.comment(
    { id: top.id },
    { replies: { $args: { limit: 1 }, nodes: { text: true }, hasMore: true } },
  );
  assert.deepEqual([comment?.replies.nodes, comment?.replies.hasMore], [[{ text: 'reply' }], true]);
  const foreign = await gql(ADD, { id: other, text: 'x', parentId: top.id });
  assert.deepEqual(foreign.errors[0]?.extensions.field, 'parentId');
  for (const parentId of ['nothing', id]) {
    assert.equal((await gql(ADD, { id, text: 'x', parentId })).errors[0]?.message, 'Comment not found');
  }
  await api.deleteComment({ id: top.id });
  assert.equal((await api.comment({ id: reply.id }, { parent: { text: true } }))?.parent, null);
});

testBoth('only the service writes what the service writes', async ({ api, gql, makePost }) => {
  const id = await makePost('Post');
  for (const type of ['STATUS_CHANGE', 'TITLE_CHANGE', 'MERGE_SOURCE', 'MERGE_TARGET']) {
    assert.equal((await gql(ADD, { id, text: 'x', type })).errors[0]?.extensions.field, 'type');
  }
  await api.updatePost({ id, title: 'New' });
  await api.updatePost({ id, title: 'New' });
  const comments = await api.comments(
    { postId: id, types: ['TITLE_CHANGE'] },
    { nodes: { id: true, text: true, user: { ssoId: true } } },
  );
  const [change] = comments.nodes;
  assert.deepEqual(comments.nodes, [
    { id: change?.id, text: 'Changed the title from “Post” to “New”', user: { ssoId: 'ada' } },
  ]);
  await assert.rejects(api.updateComment({ id: change?.id ?? '', text: 'x' }), { code: 'CONFLICT' });
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
  assert.equal((await app.api.post({ id }, { commentCount: true }))?.commentCount, 2);
  assert.equal((await app.api.as('bob').post({ id }, { commentCount: true }))?.commentCount, 0);
  const events = await app.api.events({ types: ['comment.created'] }, { nodes: { id: true } });
  assert.deepEqual(events.nodes, []);
});

testBoth('a comment is edited, and the first one edits its post', async (app) => {
  const id = await app.makePost('Post');
  const comments = await app.api.comments({ postId: id }, { nodes: { id: true } });
  app.clock.advance(1_000);
  const comment = await app.api.updateComment(
    { id: comments.nodes[0]?.id ?? '', text: ' New text ' },
    { text: true, dateUpdated: true },
  );
  assert.deepEqual(comment, { text: 'New text', dateUpdated: new Date(app.clock.now()).toISOString() });
  const post = await app.api.post({ id }, { content: true, excerpt: true });
  assert.deepEqual(post, { content: 'New text', excerpt: 'New text' });
  await assert.rejects(app.api.updateComment({ id: comments.nodes[0]?.id ?? '', text: ' ' }), { field: 'text' });
});

testBoth('comments(since:) gives what was written, edited or moderated since, whatever came between', async (app) => {
  const [id, other] = [await app.makePost('Post'), await app.makePost('Other')];
  const ids: string[] = [];
  for (const text of ['one', 'two', 'three']) ids.push((await app.ask(ADD, { id, text })).createComment.id);
  app.clock.advance(1_000);
  const since = new Date(app.clock.now()).toISOString();
  assert.deepEqual((await app.api.comments({ since, limit: 1 }, { nodes: { text: true } })).nodes, []);
  await app.api.updateComment({ id: ids[1] ?? '', text: 'two again' });
  await app.ask(ADD, { id: other, text: 'elsewhere' });
  await app.api.changeCommentModerationStatus({ id: ids[0] ?? '', moderationStatus: 'FLAGGED' });
  const seen: string[] = [];
  for (let cursor: string | null = null; ; ) {
    const comments: { nodes: { text: string }[]; cursor: string | null } = await app.api.comments(
      { since, cursor, limit: 1 },
      { nodes: { text: true }, cursor: true },
    );
    seen.push(...comments.nodes.map((node) => node.text));
    cursor = comments.cursor;
    if (cursor === null) break;
  }
  assert.deepEqual(seen.sort(), ['elsewhere', 'one', 'two again']);
  const bare = (await app.api.createPost({ title: 'Bare' })).id;
  app.clock.advance(1_000);
  const described = new Date(app.clock.now()).toISOString();
  await app.api.updatePost({ id: bare, comment: 'At last' });
  const late = (await app.api.comments({ since: described, limit: 1 }, { nodes: { text: true } })).nodes;
  assert.deepEqual(late, [{ text: 'At last' }]);
  const comments = await app.api.comments({ since, limit: 1, postId: other }, { nodes: { text: true }, cursor: true });
  assert.deepEqual(comments, { nodes: [{ text: 'elsewhere' }], cursor: null });
  const newest = await app.api.comments({ sort: 'NEWEST', limit: 100 }, { nodes: { text: true } });
  assert.equal(newest.nodes.length, 7);
});

testBoth('moderation tells of comments as they go and come', async (app) => {
  await app.makeUser('bob');
  const id = await app.makePost('Post');
  const { createComment } = await app.ask(ADD, { id, text: 'Buy my pills' }, { as: 'bob' });
  const moderate = (moderationStatus: CommentModerationStatus) =>
    app.api.changeCommentModerationStatus(
      { id: createComment.id, moderationStatus },
      { moderationStatus: true, moderator: { ssoId: true }, post: { commentCount: true } },
    );
  const rejected = await moderate('REJECTED');
  assert.deepEqual(rejected, { moderationStatus: 'REJECTED', moderator: { ssoId: 'ada' }, post: { commentCount: 1 } });
  await moderate('PENDING');
  const count = 'query($id: String!) { post(id: $id) { commentCount comments { nodes { text } } } }';
  assert.equal((await app.ask(count, { id }, { as: 'bob' })).post.commentCount, 0);
  assert.equal((await app.ask(count, { id }, { as: 'bob' })).post.comments.nodes.length, 2);
  await moderate('FLAGGED');
  await moderate('APPROVED');
  const events = await app.api.events({}, { nodes: { type: true, data: true } });
  assert.deepEqual(
    events.nodes.map(({ type, data }) => [type, (data as { comment?: { user: { name: string } } }).comment?.user.name]),
    [
      ['post.created', undefined],
      ['comment.created', 'bob'],
      ['comment.deleted', null],
      ['comment.created', 'bob'],
    ].map(([type, name]) => [type, name === null ? 'ada' : name]),
  );
  const first = await app.ask(count.replace('text', 'id'), { id });
  await assert.rejects(
    app.api.changeCommentModerationStatus({ id: first.post.comments.nodes[0].id, moderationStatus: 'REJECTED' }),
    { code: 'CONFLICT' },
  );
  assert.deepEqual(await recount(app.db.read), []);
});
