import assert from 'node:assert/strict';
import { testBoth } from '../../../test/support/app.ts';
import { purgePosts } from '../lifecycle/purge.ts';

const REACT = `mutation($id: String!, $reaction: CommentReaction!) {
  addCommentReaction(id: $id, reaction: $reaction) { reactions { reaction count } viewerReactions }
}`;
const READ = 'query($id: String!) { comment(id: $id) { reactions { reaction count } viewerReactions } }';

testBoth('users add each reaction to a comment once, and remove it', async (app) => {
  await app.makeUser('bob');
  const createComment = await app.api.createComment({ postId: await app.makePost('Post'), text: 'Soon' });
  const { id } = createComment;
  await app.api.as('bob').addCommentReaction({ id, reaction: 'EYES' });
  await app.api.as('bob').addCommentReaction({ id, reaction: 'HEART' });
  await Promise.all(Array.from({ length: 4 }, () => app.ask(REACT, { id, reaction: 'HEART' })));
  const { comment } = await app.ask(READ, { id });
  assert.deepEqual(comment, {
    reactions: [
      { reaction: 'HEART', count: 2 },
      { reaction: 'EYES', count: 1 },
    ],
    viewerReactions: ['HEART'],
  });
  for (const as of ['ada', 'bob', 'bob']) await app.api.as(as).removeCommentReaction({ id, reaction: 'HEART' });
  assert.deepEqual((await app.ask(READ, { id })).comment, {
    reactions: [{ reaction: 'EYES', count: 1 }],
    viewerReactions: [],
  });
  const events = await app.api.events({}, { nodes: { type: true } });
  assert.deepEqual(
    events.nodes.map(({ type }) => type),
    ['post.created', 'comment.created'],
  );
});

testBoth('nothing reacts to descriptions, to changes, or on a locked post', async (app) => {
  const id = await app.makePost('Post');
  const createComment = await app.api.createComment({ postId: id, text: 'Soon' });
  await app.api.updatePost({ id, title: 'New', isLocked: true });
  const { nodes } = await app.api.comments({ postId: id }, { nodes: { id: true, type: true } });
  assert.equal(nodes.length, 3);
  for (const comment of nodes) {
    const { errors } = await app.gql(REACT, { id: comment.id, reaction: 'HEART' });
    const words = comment.id === createComment.id ? /locked/ : /Only comments that users write take reactions/;
    assert.match(errors[0]?.message ?? '', words);
    assert.equal(errors[0]?.extensions.code, 'CONFLICT');
  }
});

testBoth('reactions go with what they are about', async (app) => {
  const id = await app.makePost('Post');
  const comment = await app.api.createComment({ postId: id, text: 'Soon' });
  await app.api.addCommentReaction({ id: comment.id, reaction: 'HEART' });
  await app.api.deletePost({ postId: id });
  app.clock.advance(30 * 86_400_000);
  await purgePosts({ ...app, baseUrl: 'http://board.test' });
  assert.deepEqual(await app.db.read.selectFrom('comment_reactions').selectAll().execute(), []);
});
