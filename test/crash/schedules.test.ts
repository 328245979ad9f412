import assert from 'node:assert/strict';
import { type TestApp, testBoth } from '../support/app.ts';
import { makeRandom, type Random } from './random.ts';
import { recount } from './recount.ts';

const POSTS = 6;
const CLIENTS = 8;
const STEPS = 40;
const ROUNDS = 4;

/** What a client may do next, as a mutation; `p`, `q` are posts and `c` is a comment. */
const steps: readonly [weight: number, field: string][] = [
  [4, 'upvotePost(postId: $p) { id }'],
  [2, 'downvotePost(postId: $p) { id }'],
  [2, 'removeVote(postId: $p) { id }'],
  [4, 'createComment(postId: $p, text: "x") { id }'],
  [2, 'createComment(postId: $p, parentId: $c, text: "y") { id }'],
  [1, 'createComment(postId: $p, type: INTERNAL, text: "z") { id }'],
  [1, 'updateComment(id: $c, text: "edited") { id }'],
  [2, 'deleteComment(id: $c) { id }'],
  [4, 'mergePosts(sourceIds: [$p], targetId: $q) { id }'],
  [4, 'unmergePost(id: $p) { id }'],
  [2, 'deletePost(postId: $p) { id }'],
  [3, 'restorePost(id: $p) { id }'],
  [1, 'changePostStatus(postId: $p, statusType: COMPLETED) { id }'],
  [1, 'changePostStatus(postId: $p, statusType: UNASSIGNED) { id }'],
  [1, 'changePostModerationStatus(id: $p, moderationStatus: REJECTED) { id }'],
  [2, 'changePostModerationStatus(id: $p, moderationStatus: APPROVED) { id }'],
  [1, 'changeCommentModerationStatus(id: $c, moderationStatus: PENDING) { id }'],
  [1, 'changeCommentModerationStatus(id: $c, moderationStatus: APPROVED) { id }'],
  [1, 'subscribeToPost(postId: $p) { id }'],
  [1, 'unsubscribeFromPost(postId: $p) { id }'],
  [1, 'updatePost(id: $p, title: "Again") { node { id } }'],
];
const deck = steps.flatMap(([weight, field]) => Array.from({ length: weight }, () => field));

/** Errors that tell that the state of things did not allow it. */
const EXPECTED = new Set(['CONFLICT', 'NOT_FOUND', 'BAD_REQUEST']);

testBoth('whatever many people do with the same posts at once, the board stays right', async (app) => {
  const seed = Math.floor(Math.random() * 2 ** 32);
  console.log(`# seed ${seed}`);
  const random = makeRandom(seed);
  const people = Array.from({ length: CLIENTS }, (_, n) => `person-${n}`);
  for (const person of people) await app.makeUser(person, 'MODERATOR');
  const posts: string[] = [];
  for (let n = 0; n < POSTS; n++) posts.push(await app.makePost(`Post ${n}`));
  const comments: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all(people.map((as) => act(app, random, as, posts, comments)));
    assert.deepEqual(await recount(app.db.read), [], `seed ${seed}, round ${round}`);
  }
  await takeApart(app, posts);
  assert.deepEqual(await recount(app.db.read), [], `seed ${seed}, taken apart`);
});

async function act({ gql }: TestApp, random: Random, as: string, posts: string[], comments: string[]): Promise<void> {
  for (let n = 0; n < STEPS; n++) {
    const field = random.pick(deck) ?? '';
    const values = { p: random.pick(posts), q: random.pick(posts), c: random.pick(comments.slice(-20)) ?? posts[0] };
    const used = Object.entries(values).filter(([name]) => field.includes(`$${name}`));
    const head = used.map(([name]) => `$${name}: String!`).join(', ');
    const { data, errors } = await gql(`mutation(${head}) { ${field} }`, Object.fromEntries(used), { as });
    const [error] = errors;
    assert.ok(!error || EXPECTED.has(error.extensions.code), `${field}: ${error?.message}`);
    if (data?.createComment) comments.push(data.createComment.id);
  }
}

/** Undoes every merge, so that each post stands by itself again. */
async function takeApart({ gql, db }: TestApp, posts: readonly string[]): Promise<void> {
  for (const id of posts) await gql('mutation($id: String!) { restorePost(id: $id) { id } }', { id });
  for (const id of posts) await gql('mutation($id: String!) { unmergePost(id: $id) { id } }', { id });
  const left = await db.read.selectFrom('posts').select('id').where('merged_into_id', 'is not', null).execute();
  assert.deepEqual(left, []);
  const copies = await db.read.selectFrom('votes').select('id').where('merged_from', 'is not', null).execute();
  assert.deepEqual(copies, []);
}
