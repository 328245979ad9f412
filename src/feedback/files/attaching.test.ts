import assert from 'node:assert/strict';
import type { CommentModerationStatus, CommentType } from '../../../sdk/src/schema.ts';
import { type GqlOptions, type TestApp, testBoth } from '../../../test/support/app.ts';
import { fetchFile, isEmpty, listBytes, PNG, upload } from '../../../test/support/files.ts';
import { deleteBoard } from '../../operations/boards/delete.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { purgeFilesOfComments, purgePosts } from '../lifecycle/purge.ts';
import { makeFileFolder } from './folder.ts';
import { cleanFiles, UNUSED_MS } from './removing.ts';

const READ = `query($id: String!) {
  post(id: $id) { files { id name contentType size url } comments { nodes { id isFirst files { id name url } } } }
}`;

async function uploadMany(app: TestApp, count: number, options?: GqlOptions): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++)
    ids.push((await upload(app, { filename: `${n}.txt`, bytes: `file ${n}` }, options)).id);
  return ids;
}

/** A post with a file, and a comment on it with another. */
async function makeStage(app: TestApp, type: CommentType = 'BASIC') {
  const [ofPost = '', ofComment = ''] = await uploadMany(app, 2);
  const id = (await app.api.createPost({ title: 'Broken', comment: 'See below.', files: [ofPost] })).id;
  const commentId = (await app.api.createComment({ postId: id, text: 'Here.', files: [ofComment], type })).id;
  const { post } = await app.ask(READ, { id });
  return { id, commentId, postUrl: post.files[0].url, commentUrl: post.comments.nodes[1].files[0].url };
}

async function clean({ db, clock, dataDir }: TestApp): Promise<void> {
  await cleanFiles({ db, clock, folder: makeFileFolder(dataDir) });
}

testBoth('files of posts and comments are kept, and listed in the order of their uploads', async (app) => {
  const picture = await upload(app, { filename: 'a.png', bytes: PNG });
  const [one = '', two = '', three = ''] = await uploadMany(app, 3);
  const id = (
    await app.api.createPost({ title: 'Broken', comment: 'See below.', files: [two, picture.id, null, two, one] })
  ).id;
  await app.api.createComment({ postId: id, text: 'Here.', files: [three] });
  await app.api.createComment({ postId: id, text: 'Here.', files: [] });
  const { post } = await app.ask(READ, { id });
  assert.deepEqual(post.files[0], { ...picture });
  assert.deepEqual(
    post.files.map((file: { id: string }) => file.id),
    [picture.id, one, two],
  );
  const ofComments = post.comments.nodes.map(({ files }: { files: { name: string }[] }) =>
    files.map(({ name }) => name),
  );
  assert.deepEqual(ofComments, [['a.png', '0.txt', '1.txt'], ['2.txt'], []]);
  app.clock.advance(2 * UNUSED_MS);
  await clean(app);
  assert.equal(listBytes(app).length, 4);
  assert.equal((await fetchFile(app, picture.url)).statusCode, 200);
});

testBoth('a post takes at most ten files of the acting user, each once, or nothing happens', async (app) => {
  await app.makeUser('ben');
  const own = await uploadMany(app, 11);
  const [bens = ''] = await uploadMany(app, 1, { as: 'ben' });
  const key = await app.makeKey({}, await app.makeBoard());
  await app.makeUser('ada', undefined, { key });
  const [elsewhere = ''] = await uploadMany(app, 1, { key });
  const [used = '', ...free] = own;
  await app.api.createPost({ title: 'Broken', comment: 'See below.', files: [used] });
  const refused: [files: string[], code: string, message: RegExp][] = [
    [own, 'BAD_REQUEST', /^files must have at most 10 files; it has 11$/],
    [[bens], 'NOT_FOUND', /^File not found$/],
    [[elsewhere], 'NOT_FOUND', /^File not found$/],
    [['nothing'], 'NOT_FOUND', /^File not found$/],
    [['\0'], 'NOT_FOUND', /^File not found$/],
    [[free[0] ?? '', bens], 'NOT_FOUND', /^File not found$/],
    [[used], 'CONFLICT', /already belongs to a post, comment or changelog entry/],
  ];
  const id = await app.makePost('Another');
  for (const [files, code, message] of refused) {
    await assert.rejects(app.api.createPost({ title: 'Broken', files }), { code, message });
    await assert.rejects(app.api.createComment({ postId: id, text: 'Here.', files }), { code, message });
  }
  assert.equal((await app.api.board({ postCount: true })).postCount, 2);
  assert.equal((await app.api.post({ id }, { commentCount: true }))?.commentCount, 0);
  const author = { ssotype: 'SSO', userId: 'ben' };
  await assert.rejects(app.api.createPost({ title: 'Broken', comment: 'See below.', files: [bens], author }), {
    code: 'NOT_FOUND',
  });
  await app.api.createPost({ title: 'Broken', comment: 'See below.', files: free, author });
});

testBoth('a post that is there already takes no files', async (app) => {
  const [first = '', second = ''] = await uploadMany(app, 2);
  const id = (await app.api.createPost({ title: 'Broken', comment: 'See below.', files: [first], externalId: 'x' })).id;
  assert.equal(
    (await app.api.createPost({ title: 'Broken', comment: 'See below.', files: [second], externalId: 'x' })).id,
    id,
  );
  const { post } = await app.ask(READ, { id });
  assert.deepEqual(
    post.files.map((file: { id: string }) => file.id),
    [first],
  );
});

testBoth('what is hidden from the board cannot be opened by an address from before', async (app) => {
  const { api, ask } = app;
  await app.makeUser('mod', 'MODERATOR');
  const { id, commentId, postUrl, commentUrl } = await makeStage(app);
  const urls = async () => {
    const { post } = await ask(READ, { id }, { as: 'mod' });
    return [post.files[0].url, post.comments.nodes[1]?.files[0].url];
  };
  const opens = async (...addresses: string[]) => {
    const answers = await Promise.all(addresses.map((url) => fetchFile(app, url)));
    return answers.map(({ statusCode }) => statusCode === 200);
  };
  assert.deepEqual(await opens(postUrl, commentUrl), [true, true]);
  assert.deepEqual(await urls(), [postUrl, commentUrl]);

  const moderate = (moderationStatus: CommentModerationStatus) =>
    api.changeCommentModerationStatus({ id: commentId, moderationStatus });
  await moderate('REJECTED');
  assert.deepEqual(await opens(postUrl, commentUrl), [true, false]);
  const [samePost, held] = await urls();
  assert.equal(samePost, postUrl);
  assert.deepEqual(await opens(held), [true]);
  await moderate('APPROVED');
  assert.deepEqual(await opens(commentUrl, held), [true, true]);

  await api.changePostModerationStatus({ id, moderationStatus: 'PENDING' });
  assert.deepEqual(await opens(postUrl, commentUrl), [false, false]);
  assert.deepEqual(await opens(...(await urls())), [true, true]);
  const heldUrls = await urls();
  await api.deletePost({ postId: id });
  assert.deepEqual(await opens(postUrl, commentUrl, ...heldUrls), [false, false, false, false]);
  await api.restorePost({ id });
  assert.deepEqual(await opens(postUrl, commentUrl, ...heldUrls), [false, false, true, true]);
});

testBoth('the address of a file of an internal comment is the team’s alone', async (app) => {
  const { commentUrl, commentId } = await makeStage(app, 'INTERNAL');
  assert.equal((await fetchFile(app, commentUrl)).statusCode, 200);
  const file = await app.db.read
    .selectFrom('files')
    .select(['public_token', 'held_token'])
    .where('comment_id', '=', commentId)
    .executeTakeFirstOrThrow();
  assert.ok(commentUrl.includes(file.held_token));
  const guessed = commentUrl.replace(file.held_token, file.public_token);
  assert.equal((await fetchFile(app, guessed)).statusCode, 404);
});

testBoth('files go with what they belong to, their bytes too', async (app) => {
  const { api, db, clock, board } = app;
  const first = await makeStage(app);
  await api.deleteComment({ id: first.commentId });
  await clean(app);
  assert.equal((await fetchFile(app, first.commentUrl)).statusCode, 404);
  assert.equal(listBytes(app).length, 2);
  await api.restoreComment({ id: first.commentId });
  assert.equal((await fetchFile(app, first.commentUrl)).statusCode, 200);
  await api.deleteComment({ id: first.commentId });
  clock.advance(31 * DAY_MS);
  await purgeFilesOfComments({ db, clock });
  await clean(app);
  assert.equal(listBytes(app).length, 1);

  const target = await makeStage(app);
  const moved = await makeStage(app);
  await api.mergePosts({ sourceIds: [moved.id], targetId: target.id });
  assert.equal((await fetchFile(app, moved.commentUrl)).statusCode, 200);
  await api.deletePost({ postId: target.id });
  clock.advance(31 * DAY_MS);
  await purgePosts({ db, clock, baseUrl: '' });
  await clean(app);
  // The comment that came with the merged post went back to it before.
  assert.equal(listBytes(app).length, 3);
  assert.equal((await fetchFile(app, moved.commentUrl)).statusCode, 200);

  await db.transaction((tx) => deleteBoard(tx, board.id));
  await clean(app);
  assert.ok(await isEmpty(app));
});

testBoth('an export lists the files', async (app) => {
  const { id, postUrl, commentUrl } = await makeStage(app);
  const { body } = await app.app.inject({ url: '/api/jsonl?comments=true', headers: { apikey: app.key } });
  const rows = body
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const urls = rows.map((row) => [row.row, row.files.map((file: { url: string }) => file.url)]);
  assert.deepEqual(urls, [
    ['post', [postUrl]],
    ['comment', [commentUrl]],
  ]);
  const { post } = await app.ask(READ, { id });
  assert.deepEqual(rows[0].files, post.files);
});
