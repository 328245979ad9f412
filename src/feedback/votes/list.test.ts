import assert from 'node:assert/strict';
import { testBoth } from '../../../test/support/app.ts';

const LIST = `query($postId: String, $ssoId: String, $since: DateTime, $cursor: String, $limit: Int) {
  votes(postId: $postId, ssoId: $ssoId, ssoType: SSO, since: $since, cursor: $cursor, limit: $limit) {
    nodes { type user { ssoId } addedBy { ssoId } post { title } } hasMore cursor
  }
}`;

testBoth('votes are listed by post, by person and since a time, page by page', async (app) => {
  for (const name of ['bob', 'cleo']) await app.makeUser(name);
  const ids = [await app.makePost('A'), await app.makePost('B')];
  const vote = (id: string | undefined, as: string, field: 'upvotePost' | 'downvotePost' = 'upvotePost') =>
    app.api.as(as)[field]({ postId: id ?? '' });
  await vote(ids[0], 'bob');
  await app.api.upvotePost({ postId: ids[1] ?? '', voter: { ssotype: 'SSO', userId: 'cleo' } });
  app.clock.advance(1_000);
  const since = new Date(app.clock.now()).toISOString();
  await vote(ids[1], 'bob');
  const list = async (variables: object) => {
    const { nodes } = (await app.ask(LIST, { ...variables })).votes;
    return nodes.map((node: { post: { title: string }; user: { ssoId: string }; type: string; addedBy: unknown }) =>
      [node.post.title, node.user.ssoId, node.type, node.addedBy === null ? '' : 'added'].join(' ').trim(),
    );
  };
  assert.deepEqual(await list({}), ['A bob UP', 'B cleo UP added', 'B bob UP']);
  assert.deepEqual(await list({ postId: ids[1] }), ['B cleo UP added', 'B bob UP']);
  assert.deepEqual(await list({ ssoId: 'bob' }), ['A bob UP', 'B bob UP']);
  assert.deepEqual(await list({ ssoId: 'bob', postId: ids[0] }), ['A bob UP']);
  assert.deepEqual(await list({ since }), ['B bob UP']);
  await vote(ids[0], 'bob', 'downvotePost');
  assert.deepEqual((await list({ since })).sort(), ['A bob DOWN', 'B bob UP']);
  const first = (await app.ask(LIST, { limit: 2 })).votes;
  const second = (await app.ask(LIST, { limit: 2, cursor: first.cursor })).votes;
  assert.deepEqual([first.nodes.length, first.hasMore, second.nodes.length, second.hasMore], [2, true, 1, false]);
  const post = await app.api.post(
    { id: ids[1] ?? '' },
    { votes: { $args: { limit: 1 }, nodes: { user: { ssoId: true } }, cursor: true } },
  );
  assert.deepEqual([post?.votes.nodes, typeof post?.votes.cursor], [[{ user: { ssoId: 'cleo' } }], 'string']);
  assert.equal((await app.gql(LIST, { postId: 'nothing' })).errors[0]?.message, 'Post not found');
  assert.equal((await app.gql(LIST, { ssoId: 'nobody' })).errors[0]?.message, 'User not found');
  assert.equal((await app.gql(LIST, { cursor: 'x' })).errors[0]?.extensions.field, 'cursor');
});
