import assert from 'node:assert/strict';
import type { CommentModerationStatus } from '../../../sdk/src/schema.ts';
import { recount } from '../../../test/crash/recount.ts';
import { testBoth } from '../../../test/support/app.ts';

testBoth('replies have one level, and stay on their post', async ({ api, makePost }) => {
  const [id, other] = [await makePost('Post'), await makePost('Other')];
  const add = (text: string, parentId?: string) =>
    api.createComment(
      { postId: id, text, parentId, notifyOP: true, notifySubscribers: true },
      { id: true, parent: { text: true }, replies: { nodes: { text: true } } },
    );
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
  await assert.rejects(api.createComment({ postId: other, text: 'x', parentId: top.id }), { field: 'parentId' });
  for (const parentId of ['nothing', id]) {
    await assert.rejects(add('x', parentId), { message: 'Comment not found' });
  }
  await api.deleteComment({ id: top.id });
  assert.equal((await api.comment({ id: reply.id }, { parent: { text: true } }))?.parent, null);
});

testBoth('only the service writes what the service writes', async ({ api, makePost }) => {
  const id = await makePost('Post');
  for (const type of ['STATUS_CHANGE', 'TITLE_CHANGE', 'MERGE_SOURCE', 'MERGE_TARGET'] as const) {
    await assert.rejects(api.createComment({ postId: id, text: 'x', type }), { field: 'type' });
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
  const { id: parentId } = await app.api.createComment({ postId: id, text: 'secret', type: 'INTERNAL' });
  const reply = { postId: id, text: 'x', parentId };
  assert.equal((await app.api.createComment(reply, { type: true })).type, 'INTERNAL');
  await assert.rejects(app.api.createComment({ ...reply, type: 'BASIC' }), { field: 'type' });
  await assert.rejects(app.api.as('bob').createComment(reply), { message: 'Comment not found' });
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
  for (const text of ['one', 'two', 'three']) ids.push((await app.api.createComment({ postId: id, text })).id);
  app.clock.advance(1_000);
  const since = new Date(app.clock.now()).toISOString();
  assert.deepEqual((await app.api.comments({ since, limit: 1 }, { nodes: { text: true } })).nodes, []);
  await app.api.updateComment({ id: ids[1] ?? '', text: 'two again' });
  await app.api.createComment({ postId: other, text: 'elsewhere' });
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

testBoth('moderation emits events when comments disappear and come back', async (app) => {
  await app.makeUser('bob');
  const id = await app.makePost('Post');
  const comment = await app.api.as('bob').createComment({ postId: id, text: 'Buy my pills' });
  const moderate = (moderationStatus: CommentModerationStatus) =>
    app.api.changeCommentModerationStatus(
      { id: comment.id, moderationStatus },
      { moderationStatus: true, moderator: { ssoId: true }, post: { commentCount: true } },
    );
  const rejected = await moderate('REJECTED');
  assert.deepEqual(rejected, { moderationStatus: 'REJECTED', moderator: { ssoId: 'ada' }, post: { commentCount: 1 } });
  await moderate('PENDING');
  const seen = await app.api.as('bob').post({ id }, { commentCount: true, comments: { nodes: { text: true } } });
  assert.deepEqual(seen, { commentCount: 0, comments: { nodes: [{ text: 'Because.' }, { text: 'Buy my pills' }] } });
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
  const { nodes } = await app.api.comments({ postId: id }, { nodes: { id: true } });
  await assert.rejects(
    app.api.changeCommentModerationStatus({ id: nodes[0]?.id ?? '', moderationStatus: 'REJECTED' }),
    { code: 'CONFLICT' },
  );
  assert.deepEqual(await recount(app.db.read), []);
});
