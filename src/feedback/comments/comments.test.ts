import assert from 'node:assert/strict';
import { errorOf } from '../../../test/support/api.ts';
import { START, testBoth } from '../../../test/support/app.ts';

const ADD = `mutation($postId: String!, $text: String!, $author: UserRef, $dateCreated: DateTime) {
  createComment(postId: $postId, text: $text, author: $author, dateCreated: $dateCreated) {
    id text type isFirst dateCreated dateUpdated user { ssoId } post { id commentCount }
  }
}`;
const REMOVE = 'mutation($id: String!) { deleteComment(id: $id) { id post { commentCount } } }';
const LIST = `query($id: String!, $limit: Int, $cursor: String, $types: [CommentType!]) {
  post(id: $id) { commentCount comments(limit: $limit, cursor: $cursor, types: $types) {
    nodes { text isFirst } hasMore cursor chunkSize
  } }
}`;

testBoth('createComment adds a comment and counts it', async ({ api, ask, makePost }) => {
  const postId = await makePost('Post');
  const { createComment } = await ask(ADD, { postId, text: ' Hello\r\nthere ' });
  const { id, dateCreated, ...rest } = createComment;
  assert.match(id, /^[0-9a-f-]{36}$/);
  assert.equal(new Date(dateCreated).toISOString(), dateCreated);
  assert.deepEqual(rest, {
    text: 'Hello\nthere',
    type: 'BASIC',
    isFirst: false,
    dateUpdated: null,
    user: { ssoId: 'ada' },
    post: { id: postId, commentCount: 1 },
  });
  assert.deepEqual(await api.comment({ id }, { text: true }), {
    text: 'Hello\nthere',
  });
});

testBoth('comments are listed page by page, the description first', async ({ api, ask, makePost }) => {
  const id = await makePost('Post');
  for (let n = 1; n <= 5; n++) await api.createComment({ postId: id, text: `Comment ${n}` });
  const seen: string[] = [];
  for (let cursor: string | null = null; ; ) {
    const {
      comments,
    }: { comments: { nodes: { text: string }[]; hasMore: boolean; cursor: string; chunkSize: number } } = (
      await ask(LIST, { id, limit: 2, cursor })
    ).post;
    assert.equal(comments.chunkSize, 2);
    seen.push(...comments.nodes.map((node) => node.text));
    if (!comments.hasMore) break;
    cursor = comments.cursor;
  }
  assert.deepEqual(seen, ['Because.', 'Comment 1', 'Comment 2', 'Comment 3', 'Comment 4', 'Comment 5']);
  const { post } = await ask(LIST, { id, types: ['INTERNAL'] });
  assert.deepEqual(post.comments.nodes, []);
});

testBoth('comments of many posts keep to their post and to the page size', async ({ api, ask, makePost }) => {
  const ids = [await makePost('A'), await makePost('B'), await makePost('C')];
  for (const [n, postId] of ids.entries()) {
    for (let c = 0; c < n * 2; c++) await api.createComment({ postId, text: `${n}.${c}` });
  }
  const { posts } = await ask(
    '{ posts(sort: OLDEST) { nodes { title comments(limit: 3) { nodes { text } hasMore } } } }',
  );
  assert.deepEqual(posts.nodes, [
    { title: 'A', comments: { nodes: [{ text: 'Because.' }], hasMore: false } },
    { title: 'B', comments: { nodes: [{ text: 'Because.' }, { text: '1.0' }, { text: '1.1' }], hasMore: false } },
    { title: 'C', comments: { nodes: [{ text: 'Because.' }, { text: '2.0' }, { text: '2.1' }], hasMore: true } },
  ]);
});

testBoth('a comment is deleted by its author and by moderators, once', async (app) => {
  for (const name of ['bob', 'eve']) await app.makeUser(name);
  await app.makeUser('mod', 'MODERATOR');
  const postId = await app.makePost('Post');
  const add = async () => (await app.api.as('bob').createComment({ postId, text: 'x' })).id;
  const [first, second] = [await add(), await add()];
  assert.equal((await app.gql(REMOVE, { id: first }, { as: 'eve' })).errors[0]?.extensions.code, 'FORBIDDEN');
  assert.equal((await app.ask(REMOVE, { id: first }, { as: 'bob' })).deleteComment.post.commentCount, 1);
  assert.equal((await app.ask(REMOVE, { id: second }, { as: 'mod' })).deleteComment.post.commentCount, 0);
  assert.equal((await app.gql(REMOVE, { id: first }, { as: 'bob' })).errors[0]?.message, 'Comment not found');
  assert.equal(await app.api.comment({ id: first }), null);
});

testBoth('many deletions of one comment at once count it once', async ({ api, ask, gql, makePost }) => {
  const postId = await makePost('Post');
  await api.createComment({ postId, text: 'stays' });
  const comment = await api.createComment({ postId, text: 'goes' });
  const calls = await Promise.all(Array.from({ length: 8 }, () => gql(REMOVE, { id: comment.id })));
  assert.equal(calls.filter(({ errors }) => errors.length === 0).length, 1);
  assert.equal((await ask(LIST, { id: postId })).post.commentCount, 1);
});

testBoth('the description of a post cannot be deleted', async ({ api, gql, makePost }) => {
  const id = await makePost('Post');
  const post = await api.post({ id }, { comments: { nodes: { id: true } } });
  const { errors } = await gql(REMOVE, { id: post?.comments.nodes[0]?.id });
  assert.equal(errors[0]?.message, 'The first comment of a post is its description and cannot be deleted');
  assert.equal(errors[0]?.extensions.code, 'CONFLICT');
});

testBoth('a locked post takes no comments and votes', async ({ api, makePost }) => {
  const postId = await makePost('Post');
  await api.updatePost({ id: postId, isLocked: true });
  await assert.rejects(api.createComment({ postId, text: 'x' }), { code: 'CONFLICT' });
  await assert.rejects(api.upvotePost({ postId }), { code: 'CONFLICT' });
});

testBoth('comments of a deleted post are gone with it', async ({ api, gql, makePost }) => {
  const postId = await makePost('Post');
  const comment = await api.createComment({ postId, text: 'x' });
  await api.deletePost({ postId });
  assert.equal(await api.comment({ id: comment.id }), null);
  assert.deepEqual((await api.user({ ssoId: 'ada' }, { comments: { nodes: { text: true } } }))?.comments.nodes, []);
  assert.equal((await gql(REMOVE, { id: comment.id })).errors[0]?.message, 'Comment not found');
  await assert.rejects(api.createComment({ postId, text: 'y' }), { message: 'Post not found' });
});

testBoth('the text of a comment has 1 to 20,000 characters', async ({ api, makePost }) => {
  const postId = await makePost('Post');
  const problem = async (text: string) => (await errorOf(api.createComment({ postId, text })))?.message;
  assert.equal(await problem('x'.repeat(20_000)), undefined);
  assert.equal(await problem('x'.repeat(20_001)), 'text must have 1 to 20,000 characters; it has 20,001');
  assert.equal(await problem(' '), 'text must have 1 to 20,000 characters; it is empty');
});

testBoth('an import comments for others and in the past', async (app) => {
  await app.makeUser('bob');
  const postId = await app.makePost('Post');
  const dateCreated = new Date(START - 1_000).toISOString();
  const input = { postId, text: 'x', author: { ssotype: 'SSO', userId: 'bob' }, dateCreated };
  const comment = await app.api.createComment(input, { dateCreated: true, user: { ssoId: true } });
  assert.deepEqual([comment.user?.ssoId, comment.dateCreated], ['bob', dateCreated]);
  await assert.rejects(app.api.as('bob').createComment(input), { code: 'FORBIDDEN' });
});

testBoth(
  'the comments of a person are listed from the newest, without descriptions',
  async ({ api, ask, makePost }) => {
    const postId = await makePost('Post');
    for (let n = 1; n <= 3; n++) await api.createComment({ postId, text: `Comment ${n}` });
    const query =
      'query($cursor: String) { user(ssoId: "ada") { comments(limit: 2, cursor: $cursor) { nodes { text } cursor } } }';
    const first = (await ask(query)).user.comments;
    const second = (await ask(query, { cursor: first.cursor })).user.comments;
    assert.deepEqual(first.nodes, [{ text: 'Comment 3' }, { text: 'Comment 2' }]);
    assert.deepEqual(second, { nodes: [{ text: 'Comment 1' }], cursor: null });
  },
);
