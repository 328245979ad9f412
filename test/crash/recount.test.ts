import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { type TestApp, testBoth } from '../support/app.ts';
import { makeField, put } from '../support/fields.ts';
import { recount, recountBoards } from './recount.ts';

/** A post with a tag, and with something in a field. */
async function makeTaggedPost(app: TestApp, title: string): Promise<string> {
  const { api, makePost } = app;
  const id = await makePost(title);
  const tag = await api.createTag({ name: title });
  const tagIds = [tag.id];
  await api.updatePost({ id, tagIds });
  await api.updatePost({ id, properties: [put(await makeField(app, title), 'x')] });
  return id;
}

testBoth('the recount finds nothing wrong after ordinary use', async (app) => {
  const id = await makeTaggedPost(app, 'Dark mode');
  await app.api.upvotePost({ postId: id });
  await app.api.changePostStatus({ postId: id, statusType: 'COMPLETED', comment: 'Done' });
  await app.api.createComment({ postId: id, text: 'Thanks' });
  const gone = await makeTaggedPost(app, 'Gone');
  await app.api.deletePost({ postId: gone });
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
  ['post_properties belong to a field', 'delete from fields'],
  ['post_properties belong to a post', "update post_properties set post_id = 'nothing'"],
  ['posts.upvotes', 'delete from votes'],
  ['posts.comment_count', "delete from comments where type = 'BASIC' and is_first = 0"],
  ['description of a post', 'delete from comments where is_first = 1'],
  ['events of the coming and going of a post', "delete from events where type = 'post.created'"],
  ['a post is announced when', 'update posts set date_deleted = 1'],
  ['events of the coming and going of a comment', "delete from events where type = 'comment.created'"],
  ['a comment is announced when', 'update comments set date_deleted = 1'],
  ['statuses.held_count', "update posts set moderation_status = 'PENDING'"],
  ['posts.hidden_comment_count', "update comments set type = 'INTERNAL'"],
  ['a merged post has the status MERGED', 'update posts set merged_into_id = id, merged_root_id = id'],
  ['merged_root_id is where', 'update posts set merged_into_id = id, merged_root_id = id'],
  ['votes that were taken over', 'update votes set merged_from = post_id'],
  ['subscriptions that were taken over', 'update subscriptions set merged_from = post_id'],
  ['comments that came from a merged post', 'update comments set origin_id = post_id'],
  ['a reply is on the post', 'update comments set parent_id = id'],
  ['subscriptions belong to a post', "update subscriptions set post_id = 'nothing'"],
  ['status of', 'update posts set status_id = (select id from statuses order by position limit 1)'],
  ['votes belong to a post', "update votes set post_id = 'nothing'"],
] as const;

testBoth('the recount finds each kind of damage', async (app) => {
  const id = await makeTaggedPost(app, 'Dark mode');
  await app.api.upvotePost({ postId: id });
  await app.api.changePostStatus({ postId: id, statusType: 'COMPLETED', comment: 'Done' });
  await app.api.createComment({ postId: id, text: 'Thanks' });
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
