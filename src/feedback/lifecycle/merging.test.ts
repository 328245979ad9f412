import assert from 'node:assert/strict';
import { recount } from '../../../test/crash/recount.ts';
import { errorOf } from '../../../test/support/api.ts';
import { type TestApp, testBoth } from '../../../test/support/app.ts';

/** Everything of a post that merging touches. */
const LOOK = `query($id: String!) { post(id: $id) {
  title upvoteCount downvoteCount commentCount content status { name } viewerVote isSubscribed
  mergedInto { title } mergedPosts { title }
  votes(limit: 50) { nodes { id type user { ssoId } dateCreated } }
  comments(limit: 50) { nodes { id text type parent { text } replies { nodes { text } } } }
  subscribers(limit: 50) { totalCount nodes { ssoId } }
} }`;

async function setUp(app: TestApp) {
  const { api, ask, makeUser, makePost } = app;
  for (const name of ['bob', 'cleo', 'dan']) await makeUser(name);
  const ids = { a: await makePost('A', { as: 'bob' }), b: await makePost('B'), c: await makePost('C') };
  type Name = keyof typeof ids;
  const postOf = (name: Name) => ids[name];
  return {
    ids,
    look: async (name: Name) => (await ask(LOOK, { id: postOf(name) })).post,
    vote: (name: Name, as: string, field: 'upvotePost' | 'downvotePost' | 'removeVote' = 'upvotePost') =>
      api.as(as)[field]({ postId: postOf(name) }),
    comment: async (name: Name, text: string, as = 'cleo', parentId: string | null = null): Promise<string> =>
      (await api.as(as).createComment({ postId: postOf(name), text, parentId })).id,
    merge: (from: Name[], into: Name) => api.mergePosts({ sourceIds: from.map(postOf), targetId: postOf(into) }),
    unmerge: (name: Name) =>
      api.unmergePost({ id: postOf(name) }, { id: true, status: { name: true }, mergedInto: { id: true } }),
  };
}

testBoth('merging moves votes, comments and followers, and counts each user once', async (app) => {
  const { ids, look, vote, comment, merge } = await setUp(app);
  await vote('a', 'bob');
  await vote('a', 'cleo');
  await vote('a', 'dan', 'downvotePost');
  await vote('b', 'cleo', 'downvotePost');
  await comment('a', 'on A');
  await merge(['a'], 'b');
  const [a, b] = [await look('a'), await look('b')];
  assert.deepEqual([a.upvoteCount, a.downvoteCount, a.votes.nodes.length, a.subscribers.totalCount], [0, 0, 0, 0]);
  assert.deepEqual([a.status.name, a.mergedInto.title, a.content], ['Merged', 'B', 'Because.']);
  assert.deepEqual(
    a.comments.nodes.map((node: { text: string; type: string }) => [node.type, node.text]),
    [
      ['BASIC', 'Because.'],
      ['MERGE_SOURCE', 'Merged this post into #2'],
    ],
  );
  // cleo keeps the vote that she gave to B.
  assert.deepEqual([b.upvoteCount, b.downvoteCount, b.commentCount], [1, 2, 1]);
  assert.deepEqual(b.mergedPosts, [{ title: 'A' }]);
  assert.deepEqual(
    b.comments.nodes.map((node: { text: string }) => node.text),
    ['Because.', 'on A', 'Merged #1 into this post'],
  );
  const followers = b.subscribers.nodes.map((node: { ssoId: string }) => node.ssoId).sort();
  assert.deepEqual([followers, b.subscribers.totalCount], [['ada', 'bob', 'cleo', 'dan'], 4]);
  const user = await app.api.user({ ssoId: 'cleo' }, { votes: { nodes: { post: { title: true }, type: true } } });
  assert.deepEqual(user?.votes.nodes, [{ post: { title: 'B' }, type: 'DOWN' }]);
  const votes = await app.api.votes({ postId: ids.a }, { nodes: { user: { ssoId: true } } });
  assert.deepEqual(votes.nodes, []);
  assert.deepEqual(await recount(app.db.read), []);
});

testBoth('unmerging restores exactly what was before', async (app) => {
  const { look, vote, comment, merge, unmerge } = await setUp(app);
  await app.api.changePostStatus({
    postId: (await app.api.posts({ sort: 'OLDEST' }, { nodes: { id: true } })).nodes[0]?.id ?? '',
    statusType: 'COMPLETED',
  });
  for (const person of ['bob', 'cleo']) await vote('a', person);
  await vote('b', 'cleo');
  const parent = await comment('a', 'first', 'dan');
  await comment('a', 'reply', 'cleo', parent);
  const before = [await look('a'), await look('b'), await look('c')];
  await merge(['a', 'c'], 'b');
  const { status, mergedInto } = await unmerge('a');
  assert.deepEqual([status.name, mergedInto], ['Completed', null]);
  await unmerge('c');
  assert.deepEqual([await look('a'), await look('b'), await look('c')], before);
  assert.deepEqual(await recount(app.db.read), []);
});

testBoth('what people do on the target stays there when a post leaves it', async (app) => {
  const { look, vote, comment, merge, unmerge } = await setUp(app);
  for (const person of ['bob', 'cleo', 'dan']) await vote('a', person);
  const moved = await comment('a', 'on A', 'bob');
  await merge(['a'], 'b');
  await vote('b', 'bob', 'removeVote');
  await vote('b', 'cleo');
  await vote('b', 'ada');
  await comment('b', 'on B', 'bob');
  await comment('b', 'reply to A', 'bob', moved);
  await unmerge('a');
  const [a, b] = [await look('a'), await look('b')];
  const names = (post: { votes: { nodes: { user: { ssoId: string } }[] } }) =>
    post.votes.nodes.map(({ user }) => user.ssoId).sort();
  assert.deepEqual(
    [names(a), names(b)],
    [
      ['bob', 'cleo', 'dan'],
      ['ada', 'cleo'],
    ],
  );
  assert.deepEqual([a.upvoteCount, b.upvoteCount], [3, 2]);
  const texts = (post: { comments: { nodes: { text: string }[] } }) => post.comments.nodes.map(({ text }) => text);
  assert.deepEqual(
    [texts(a), texts(b)],
    [
      ['Because.', 'on A', 'reply to A'],
      ['Because.', 'on B'],
    ],
  );
  assert.deepEqual(await recount(app.db.read), []);
});

testBoth('a voter on two merged posts still counts when one of them leaves', async (app) => {
  const { look, vote, merge, unmerge } = await setUp(app);
  await vote('a', 'bob');
  await vote('b', 'bob', 'downvotePost');
  await merge(['a', 'b'], 'c');
  assert.equal((await look('c')).votes.nodes.length, 1);
  await unmerge('a');
  assert.deepEqual([(await look('c')).downvoteCount, (await look('c')).upvoteCount], [1, 0]);
  await unmerge('b');
  assert.equal((await look('c')).votes.nodes.length, 0);
  assert.deepEqual(await recount(app.db.read), []);
});

testBoth('chains of merged posts are shown flat, and are unmerged in any order', async (app) => {
  const { look, vote, comment, merge, unmerge } = await setUp(app);
  await vote('a', 'bob');
  await vote('b', 'cleo');
  await vote('c', 'dan');
  await comment('a', 'on A');
  const start = [await look('a'), await look('b'), await look('c')];
  await merge(['a'], 'b');
  const pair = await look('b');
  await merge(['b'], 'c');
  assert.equal((await look('c')).upvoteCount, 3);
  assert.deepEqual((await look('c')).mergedPosts, [{ title: 'A' }, { title: 'B' }]);
  assert.deepEqual([(await look('a')).mergedInto, (await look('b')).mergedPosts], [{ title: 'C' }, []]);
  await unmerge('b');
  assert.deepEqual(await look('b'), pair);
  await merge(['b'], 'c');
  await unmerge('a');
  assert.deepEqual([await look('a'), (await look('c')).upvoteCount], [start[0], 2]);
  await unmerge('b');
  assert.deepEqual([await look('a'), await look('b'), await look('c')], start);
  assert.deepEqual(await recount(app.db.read), []);
});

testBoth('what cannot be merged is a conflict, and changes nothing', async (app) => {
  const { api } = app;
  const { ids, merge, look } = await setUp(app);
  await app.makeUser('mod', 'MODERATOR');
  const code = async (s: string[], t: string, as = 'mod') =>
    (await errorOf(app.api.as(as).mergePosts({ sourceIds: s, targetId: t })))?.code;
  assert.equal(await code([ids.a], ids.a), 'CONFLICT');
  assert.equal(await code([], ids.a), 'BAD_REQUEST');
  assert.equal(await code([ids.a], 'nothing'), 'NOT_FOUND');
  assert.equal(await code([ids.a], ids.b, 'bob'), 'FORBIDDEN');
  await api.deletePost({ postId: ids.c });
  assert.deepEqual([await code([ids.c], ids.b), await code([ids.a, ids.b], ids.c)], ['CONFLICT', 'CONFLICT']);
  await api.restorePost({ id: ids.c });
  await api.updatePost({ id: ids.c, isLocked: true });
  assert.equal(await code([ids.a], ids.c), 'CONFLICT');
  await api.changePostModerationStatus({ id: ids.c, moderationStatus: 'PENDING' });
  assert.equal(await code([ids.c], ids.b), 'CONFLICT');
  await merge(['a'], 'b');
  assert.deepEqual([await code([ids.a], ids.b), await code([ids.b], ids.a)], ['CONFLICT', 'CONFLICT']);
  const postId = ids.a;
  for (const call of [
    () => api.upvotePost({ postId }),
    () => api.createComment({ postId, text: 'x' }),
    () => api.deletePost({ postId }),
    () => api.changePostStatus({ postId, statusType: 'COMPLETED' }),
    () => api.subscribeToPost({ postId }),
    () => api.unmergePost({ id: ids.b }),
  ]) {
    await assert.rejects(call, { code: 'CONFLICT' });
  }
  assert.equal((await look('a')).status.name, 'Merged');
  assert.deepEqual(await recount(app.db.read), []);
});

testBoth('a merge reveals no post to users who may not see it', async (app) => {
  const { ids, look } = await setUp(app);
  const visibility = { a: 'TEAM', b: 'HIDDEN', c: 'PUBLIC' } as const;
  for (const name of ['a', 'b', 'c'] as const) {
    const status = await app.api.createStatus({ name, color: '#123456' });
    await app.api.updateStatus({ id: status.id, postVisibility: visibility[name] });
    await app.api.changePostStatus({ postId: ids[name], statusType: 'CUSTOM', statusId: status.id });
  }
  const merge = (source: string, target: string) =>
    errorOf(app.api.mergePosts({ sourceIds: [source], targetId: target }));
  for (const [source, target] of [
    [ids.a, ids.c],
    [ids.b, ids.c],
    [ids.b, ids.a],
    // The status MERGED is public.
    [ids.a, ids.b],
  ] as const) {
    const error = await merge(source, target);
    assert.equal(error?.code, 'CONFLICT');
    assert.match(error.message, /Fewer people may see #\d+ than/);
  }
  assert.equal(await merge(ids.c, ids.a), undefined);
  assert.equal((await look('c')).status.name, 'Merged');
  await app.api.unmergePost({ id: ids.c });
  const statuses = await app.api.listStatuses({ id: true, type: true });
  const merged = statuses.find(({ type }) => type === 'MERGED');
  await app.api.updateStatus({ id: merged?.id ?? '', postVisibility: 'TEAM' });
  assert.equal(await merge(ids.a, ids.b), undefined, 'no more people see it');
});

/** Lets only some see what is in a status, and puts a post into it. */
async function hide({ api }: TestApp, id: string, visibility: 'TEAM' | 'HIDDEN') {
  const status = await api.createStatus({ name: 'Inside', color: '#123456' });
  await api.updateStatus({ id: status.id, postVisibility: visibility });
  await api.changePostStatus({ postId: id, statusType: 'CUSTOM', statusId: status.id });
}

testBoth('a reply that was written where not everyone reads it stays there when posts are unmerged', async (app) => {
  const { ids, comment, look, merge, unmerge } = await setUp(app);
  const first = await comment('a', 'on A');
  await merge(['a'], 'b');
  await comment('b', 'in public', 'cleo', first);
  await hide(app, ids.b, 'TEAM');
  await comment('b', 'inside', 'ada', first);
  await unmerge('a');
  const textsOf = (post: { comments: { nodes: { text: string; parent: object | null }[] } }) =>
    post.comments.nodes.map(({ text, parent }) => [text, parent !== null]);
  assert.deepEqual(textsOf(await look('a')), [
    ['Because.', false],
    ['on A', false],
    ['in public', true],
  ]);
  assert.deepEqual(textsOf(await look('b')).at(-1), ['inside', false]);
  assert.deepEqual(await recount(app.db.read), []);
});

testBoth('events show a comment to those who see the post that it is on now', async (app) => {
  const { ids, comment, merge, unmerge } = await setUp(app);
  await comment('a', 'on A');
  await merge(['a'], 'b');
  const read = async () =>
    JSON.stringify(await app.ask('{ events(limit: 100) { nodes { type data } } }', {}, { as: 'bob' }));
  assert.match(await read(), /on A/);
  await app.api.deletePost({ postId: ids.b });
  assert.doesNotMatch(await read(), /on A/);
  await app.api.restorePost({ id: ids.b });
  await hide(app, ids.b, 'HIDDEN');
  assert.doesNotMatch(await read(), /on A/);
  await unmerge('a');
  assert.match(await read(), /on A/);
});

testBoth('a merge emits a change of status for each source', async (app) => {
  const { ids, merge, unmerge } = await setUp(app);
  await merge(['a', 'c'], 'b');
  await unmerge('c');
  const { events } = await app.ask('{ events(types: ["post.status.updated"]) { nodes { data actor { ssoId } } } }');
  assert.deepEqual(
    events.nodes.map(({ data, actor }: { data: never; actor: { ssoId: string } }) => {
      const { post, status, previousStatus } = data as Record<string, { id: string; name: string }>;
      return [post?.id, previousStatus?.name, status?.name, actor.ssoId];
    }),
    [
      [ids.a, 'Open', 'Merged', 'ada'],
      [ids.c, 'Open', 'Merged', 'ada'],
      [ids.c, 'Merged', 'Open', 'ada'],
    ],
  );
});
