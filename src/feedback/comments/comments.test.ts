import assert from 'node:assert/strict';
import { errorOf } from '../../../test/support/api.ts';
import { START, testBoth } from '../../../test/support/app.ts';

const LIST = `query($id: String!, $cursor: String) {
  post(id: $id) { comments(limit: 2, cursor: $cursor) { nodes { text isFirst } hasMore cursor chunkSize } }
}`;
type Page = { nodes: { text: string }[]; hasMore: boolean; cursor: string; chunkSize: number };

testBoth('createComment adds a comment and counts it', async ({ api, makePost }) => {
  const postId = await makePost('Post');
  const { id, dateCreated, ...rest } = await api.createComment(
    { postId, text: ' Hello\r\nthere ' },
    {
      id: true,
      text: true,
      type: true,
      isFirst: true,
      dateCreated: true,
      dateUpdated: true,
      post: { commentCount: true },
    },
  );
  assert.match(id, /^[0-9a-f-]{36}$/);
  assert.equal(new Date(dateCreated).toISOString(), dateCreated);
  assert.deepEqual(rest, {
    text: 'Hello\nthere',
    type: 'BASIC',
    isFirst: false,
    dateUpdated: null,
    post: { commentCount: 1 },
  });
  const seen = { text: 'Hello\nthere', user: { ssoId: 'ada' }, post: { id: postId } };
  assert.deepEqual(await api.comment({ id }, { text: true, user: { ssoId: true }, post: { id: true } }), seen);
});

testBoth('comments are listed page by page, the description first', async ({ api, ask, makePost }) => {
  const id = await makePost('Post');
  for (let n = 1; n <= 5; n++) await api.createComment({ postId: id, text: `Comment ${n}` });
  const seen: string[] = [];
  for (let cursor: string | null = null; ; ) {
    const { comments }: { comments: Page } = (await ask(LIST, { id, cursor })).post;
    assert.equal(comments.chunkSize, 2);
    seen.push(...comments.nodes.map((node) => node.text));
    if (!comments.hasMore) break;
    cursor = comments.cursor;
  }
  assert.deepEqual(seen, ['Because.', 'Comment 1', 'Comment 2', 'Comment 3', 'Comment 4', 'Comment 5']);
  const internal = await api.comments({ postId: id, types: ['INTERNAL'] }, { nodes: { text: true } });
  assert.deepEqual(internal.nodes, []);
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
  const remove = (id: string, as: string) => app.api.as(as).deleteComment({ id }, { post: { commentCount: true } });
  await assert.rejects(remove(first, 'eve'), { code: 'FORBIDDEN' });
  assert.equal((await remove(first, 'bob')).post.commentCount, 1);
  assert.equal((await remove(second, 'mod')).post.commentCount, 0);
  await assert.rejects(remove(first, 'bob'), { message: 'Comment not found' });
  assert.equal(await app.api.comment({ id: first }), null);
});

testBoth('many deletions of one comment at once count it once', async ({ api, makePost }) => {
  const postId = await makePost('Post');
  await api.createComment({ postId, text: 'stays' });
  const { id } = await api.createComment({ postId, text: 'goes' });
  const errors = await Promise.all(Array.from({ length: 8 }, () => errorOf(api.deleteComment({ id }))));
  assert.equal(errors.filter((error) => error === undefined).length, 1);
  assert.equal((await api.post({ id: postId }, { commentCount: true }))?.commentCount, 1);
});

testBoth('the description of a post cannot be deleted', async ({ api, makePost }) => {
  const id = await makePost('Post');
  const { nodes } = await api.comments({ postId: id }, { nodes: { id: true } });
  await assert.rejects(api.deleteComment({ id: nodes[0]?.id ?? '' }), {
    code: 'CONFLICT',
    message: 'The first comment of a post is its description and cannot be deleted',
  });
});

testBoth('a locked post takes no comments and votes', async ({ api, makePost }) => {
  const postId = await makePost('Post');
  await api.updatePost({ id: postId, isLocked: true });
  await assert.rejects(api.createComment({ postId, text: 'x' }), { code: 'CONFLICT' });
  await assert.rejects(api.upvotePost({ postId }), { code: 'CONFLICT' });
});

testBoth('comments of a deleted post are gone with it', async ({ api, makePost }) => {
  const postId = await makePost('Post');
  const comment = await api.createComment({ postId, text: 'x' });
  await api.deletePost({ postId });
  assert.equal(await api.comment({ id: comment.id }), null);
  assert.deepEqual((await api.user({ ssoId: 'ada' }, { comments: { nodes: { text: true } } }))?.comments.nodes, []);
  await assert.rejects(api.deleteComment({ id: comment.id }), { message: 'Comment not found' });
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

testBoth('the comments of a person are listed from the newest, without descriptions', async ({ api, makePost }) => {
  const postId = await makePost('Post');
  for (let n = 1; n <= 3; n++) await api.createComment({ postId, text: `Comment ${n}` });
  const list = async (cursor: string | null = null) => {
    const comments = { $args: { limit: 2, cursor }, nodes: { text: true }, cursor: true } as const;
    return (await api.user({ ssoId: 'ada' }, { comments }))?.comments;
  };
  const first = await list();
  assert.deepEqual(first?.nodes, [{ text: 'Comment 3' }, { text: 'Comment 2' }]);
  assert.deepEqual(await list(first?.cursor), { nodes: [{ text: 'Comment 1' }], cursor: null });
});
