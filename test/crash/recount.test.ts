import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { type TestApp, testBoth } from '../support/app.ts';
import { recount, recountBoards } from './recount.ts';

const MUTATIONS = `mutation($id: String!) {
  upvotePost(postId: $id) { id }
  changePostStatus(postId: $id, statusType: COMPLETED, comment: "Done") { id }
  createComment(postId: $id, text: "Thanks") { id }
}`;

/** A post with a tag. */
async function makeTaggedPost({ ask, makePost }: TestApp, title: string): Promise<string> {
  const id = await makePost(title);
  const { createTag } = await ask('mutation($name: String!) { createTag(name: $name) { id } }', { name: title });
  const tagIds = [createTag.id];
  const query = 'mutation($id: String!, $tagIds: [String!]) { updatePost(id: $id, tagIds: $tagIds) { node { id } } }';
  await ask(query, { id, tagIds });
  return id;
}

testBoth('the recount finds nothing wrong after ordinary use', async (app) => {
  const id = await makeTaggedPost(app, 'Dark mode');
  await app.ask(MUTATIONS, { id });
  const gone = await makeTaggedPost(app, 'Gone');
  await app.ask('mutation($id: String!) { deletePost(postId: $id) { id } }', { id: gone });
  assert.deepEqual(await recount(app.db.read), []);
});

const damages = [
  ['boards.post_count', 'update boards set post_count = post_count + 1'],
  ['boards.post_number', 'update boards set post_number = post_number + 1'],
  ['event seq has no gaps', "delete from events where type = 'comment.created'"],
  ['event seq ends', 'update boards set event_seq = event_seq + 1'],
  ['statuses.post_count', 'update statuses set post_count = post_count + 1'],
  ['tags.post_count', 'update tags set post_count = post_count + 1'],
  ['tags.post_count', 'delete from post_tags'],
  ['post_tags belong to a tag', 'delete from tags'],
  ['post_tags belong to a post', "update post_tags set post_id = 'nothing'"],
  ['posts.upvotes', 'delete from votes'],
  ['posts.comment_count', "delete from comments where type = 'STATUS_CHANGE'"],
  ['description of a post', 'delete from comments where is_first = 1'],
  ['post.created of a post', "delete from events where type = 'post.created'"],
  ['post.deleted of a deleted post', 'update posts set date_deleted = 1'],
  ['comment.created of the comments', "delete from events where type = 'comment.created'"],
  ['comment.deleted of the deleted', 'update comments set date_deleted = 1'],
  ['status of', 'update posts set status_id = (select id from statuses order by position limit 1)'],
  ['votes belong to a post', "update votes set post_id = 'nothing'"],
] as const;

testBoth('the recount finds each kind of damage', async (app) => {
  const id = await makeTaggedPost(app, 'Dark mode');
  await app.ask(MUTATIONS, { id });
  for (const [found, statement] of damages) {
    const undone = new Error('undone');
    const damage = app.db.transaction(async (tx) => {
      await sql.raw(statement).execute(tx);
      const mistakes = await recount(tx);
      assert.ok(
        mistakes.some((mistake) => mistake.startsWith(found)),
        `${statement}: ${mistakes.join('; ')}`,
      );
      throw undone;
    });
    await assert.rejects(damage, (error) => error === undone);
  }
  assert.deepEqual(await recountBoards(app.db.read), []);
});
