import assert from 'node:assert/strict';
import { testBoth } from '../../../test/support/app.ts';
import { purgePosts } from '../lifecycle/purge.ts';

const REACT = `mutation($id: String!, $reaction: CommentReaction!) {
  addCommentReaction(id: $id, reaction: $reaction) { reactions { reaction count } viewerReactions }
}`;
const UNDO = 'mutation($id: String!) { removeCommentReaction(id: $id, reaction: HEART) { reactions { count } } }';
const READ = 'query($id: String!) { comment(id: $id) { reactions { reaction count } viewerReactions } }';
const WRITE = 'mutation($id: String!) { createComment(postId: $id, text: "Soon") { id } }';

testBoth('users react to a comment, in each way once, and take it back', async (app) => {
  await app.makeUser('bob');
  const { createComment } = await app.ask(WRITE, { id: await app.makePost('Post') });
  const { id } = createComment;
  await app.ask(REACT, { id, reaction: 'EYES' }, { as: 'bob' });
  await app.ask(REACT, { id, reaction: 'HEART' }, { as: 'bob' });
  await Promise.all(Array.from({ length: 4 }, () => app.ask(REACT, { id, reaction: 'HEART' })));
  const { comment } = await app.ask(READ, { id });
  assert.deepEqual(comment, {
    reactions: [
      { reaction: 'HEART', count: 2 },
      { reaction: 'EYES', count: 1 },
    ],
    viewerReactions: ['HEART'],
  });
  for (const as of ['ada', 'bob', 'bob']) await app.ask(UNDO, { id }, { as });
  assert.deepEqual((await app.ask(READ, { id })).comment, {
    reactions: [{ reaction: 'EYES', count: 1 }],
    viewerReactions: [],
  });
  const { events } = await app.ask('{ events { nodes { type } } }');
  assert.deepEqual(
    events.nodes.map(({ type }: { type: string }) => type),
    ['post.created', 'comment.created'],
  );
});

testBoth('nothing reacts to descriptions, to changes, or on a locked post', async (app) => {
  const id = await app.makePost('Post');
  const { createComment } = await app.ask(WRITE, { id });
  await app.ask('mutation($id: String!) { updatePost(id: $id, title: "New", isLocked: true) { node { id } } }', { id });
  const { post } = await app.ask('query($id: String!) { post(id: $id) { comments { nodes { id type } } } }', { id });
  assert.equal(post.comments.nodes.length, 3);
  for (const comment of post.comments.nodes) {
    const { errors } = await app.gql(REACT, { id: comment.id, reaction: 'HEART' });
    const words = comment.id === createComment.id ? /locked/ : /Only comments that users write take reactions/;
    assert.match(errors[0]?.message ?? '', words);
    assert.equal(errors[0]?.extensions.code, 'CONFLICT');
  }
});

testBoth('reactions go with what they are about', async (app) => {
  const id = await app.makePost('Post');
  const { createComment } = await app.ask(WRITE, { id });
  await app.ask(REACT, { id: createComment.id, reaction: 'HEART' });
  await app.ask('mutation($id: String!) { deletePost(postId: $id) { id } }', { id });
  app.clock.advance(30 * 86_400_000);
  await purgePosts({ ...app, baseUrl: 'http://board.test' });
  assert.deepEqual(await app.db.read.selectFrom('comment_reactions').selectAll().execute(), []);
});
