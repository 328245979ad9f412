import assert from 'node:assert/strict';
import type { EventData } from '../../../sdk/src/event-types.ts';
import { recount } from '../../../test/crash/recount.ts';
import { testBoth } from '../../../test/support/app.ts';
import { findTexts, finish, leaveTraces, texts } from '../../../test/support/erasing.ts';

testBoth('what an erased person wrote stays without an author, and their votes still count', async (app) => {
  const { postId } = await leaveTraces(app);
  await app.api.deleteUser({ ssoId: 'zq-77', keepContent: null });
  const query = `query($id: String!) {
    post(id: $id) { title content upvoteCount author { name } user { name } comments { nodes { user { name } } } votes { nodes { user { name } addedBy { name } } } }
    comments { nodes { text user { name } } }
    events(limit: 100) { nodes { type data actor { name } } }
    users { name } usersPage { totalCount }
  }`;
  const look = async () => app.ask(query, { id: postId });
  const check = ({ post, users, comments }: Awaited<ReturnType<typeof look>>) => {
    assert.deepEqual([post.title, post.content, post.upvoteCount], ['Their post', 'Because.', 2]);
    assert.deepEqual([post.author, post.user, post.comments.nodes[0].user], [null, null, null]);
    assert.ok(post.votes.nodes.some((vote: { user: unknown }) => vote.user === null));
    assert.ok(comments.nodes.some(({ text, user }: { text: string; user: unknown }) => text === 'A comment' && !user));
    assert.deepEqual(users, [{ name: 'ada' }, { name: null }]);
  };
  check(await look());
  await finish(app);
  const after = await look();
  check(after);
  assert.equal(after.usersPage.totalCount, 2);
  const created = after.events.nodes.find(
    (event: { data: { post?: { title: string } } }) => event.data.post?.title === 'Their post',
  );
  assert.deepEqual([created.data.post.user, created.actor], [null, null]);
});

testBoth('with keepContent: false what they wrote is deleted permanently, with counts and events', async (app) => {
  const { postId } = await leaveTraces(app);
  await app.makeUser('fan');
  await app.api.as('fan').upvotePost({ postId });
  await app.api.as('fan').createComment({ postId, text: 'Nice' });
  const seen = await app.api.events({ limit: 100 }, { nodes: { cursor: true } });
  const after = seen.nodes.at(-1)?.cursor;
  await app.api.deleteUser({ ssoId: 'zq-77', keepContent: false });
  await finish(app);
  assert.deepEqual(await findTexts(app.db, [...texts, 'their post', 'a comment', 'melted']), []);
  const { posts, board, comments } = await app.ask(
    '{ posts { nodes { title commentCount upvoteCount mergedPosts { id } } } board { postCount } comments { nodes { text type } } }',
  );
  assert.equal(board.postCount, 1);
  assert.deepEqual(posts.nodes, [{ title: 'Post of ada', commentCount: 0, upvoteCount: 1, mergedPosts: [] }]);
  assert.deepEqual(comments.nodes.map(({ type }: { type: string }) => type).sort(), ['BASIC', 'STATUS_CHANGE']);
  const told = await app.api.events({ after, limit: 100 }, { nodes: { type: true, data: true } });
  const deleted = told.nodes.filter(({ type }) => type.endsWith('.deleted'));
  assert.deepEqual(
    deleted.map(({ type, data }) => {
      const { post, comment } = data as Partial<EventData['post.deleted'] & EventData['comment.deleted']>;
      return [type, post?.title ?? comment?.text, post?.text ?? null];
    }),
    [
      ['post.deleted', '', null],
      ['post.deleted', '', null],
      ['comment.deleted', '', null],
    ],
  );
  const mistakes = (await recount(app.db.read)).filter((line) => !/^(boards\.post_number|post numbers)/.test(line));
  assert.deepEqual(mistakes, []);
});

testBoth('nothing of a comment remains on a post that its own was merged into, even after an unmerge', async (app) => {
  await app.makeUser('mia');
  const [id, target] = [await app.makePost('Dark mode'), await app.makePost('Night mode')];
  const merge = `mutation($id: String!, $target: String!) {
    createComment(postId: $id, text: "Why?") { id } mergePosts(sourceIds: [$id], targetId: $target) { id }
  }`;
  const parent = (await app.ask(merge, { id, target })).createComment.id;
  const comment = (await app.api.as('mia').createComment({ postId: target, text: 'Mumbled', parentId: parent })).id;
  await app.api.updateComment({ id: comment, text: 'Mumbling' });
  await app.api.unmergePost({ id });
  assert.deepEqual(await findTexts(app.db, ['mumbled']), [
    'events.body has mumbled',
    'operations.state_before has mumbled',
  ]);
  await app.api.deleteUser({ ssoId: 'mia', keepContent: false });
  await finish(app);
  assert.deepEqual(await findTexts(app.db, ['mumbl']), []);
  assert.deepEqual(await recount(app.db.read), []);
});
