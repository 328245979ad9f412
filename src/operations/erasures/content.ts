import { sql } from 'kysely';
import { announceComment } from '../../feedback/comments/announcing.ts';
import { countComment, WRITTEN } from '../../feedback/comments/comments.ts';
import { isOfComment, removeFiles } from '../../feedback/files/removing.ts';
import { lockPosts } from '../../feedback/lifecycle/merging.ts';
import { erasePost } from '../../feedback/lifecycle/purge.ts';
import { setPost } from '../../feedback/posts/posts.ts';
import { isPublicComment } from '../../feedback/visibility/comments.ts';
import type { ServiceContext } from '../../identity/users/request-context.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { isFewOfBoard, isOneOf } from '../../platform/db/prepare.ts';
import { redactComment } from './redacting.ts';
import { findKeys, isOneOfKeys } from './rows.ts';

/**
 * Permanently removes what a user wrote: their posts with everything attached to them, and their comments elsewhere.
 * Each is removed in its own transaction, with its counts, and announced content is announced as deleted. Comments that
 * Earshot wrote in their name stay: they describe changes to posts of others.
 */
export async function removeContent(context: ServiceContext, userId: string): Promise<void> {
  const { db, board } = context;
  await clearComments(db, board.id, userId);
  const posts = { table: 'posts', key: 'id' };
  for await (const ids of findKeys<string>(db, board.id, posts, sql`author_id = ${userId}`)) {
    for (const id of ids) await db.transaction((tx) => erasePost(tx, context, id, userId));
  }
  const comments = { table: 'comments', key: 'id' };
  const isWritten = sql<boolean>`user_id = ${userId} and is_first = 0 and type in ${WRITTEN}`;
  for await (const ids of findKeys<string>(db, board.id, comments, isWritten)) {
    for (const id of ids) await db.transaction((tx) => eraseComment(tx, context, id, userId));
  }
}

/**
 * Removes the texts of comments from events and operations that refer to another post: what happened to a comment while
 * its post was merged, if the post no longer is.
 */
async function clearComments(db: Db, boardId: string, userId: string): Promise<void> {
  const isOnTheirs = (column: string) => sql<boolean>`exists (
    select 1 from comments as c where c.board_id = ${boardId} and c.id = ${sql.ref(column)} and c.user_id = ${userId})`;
  const events = { table: 'events', key: 'seq' };
  for await (const seqs of findKeys<number>(db, boardId, events, isOnTheirs('events.comment_id'))) {
    await db.transaction((tx) => redactTexts(tx, boardId, seqs));
  }
  const operations = { table: 'operations', key: 'operation_id' };
  const isChange = isOnTheirs('operations.thing_id');
  for await (const keys of findKeys<string>(db, boardId, operations, isChange)) {
    const rows = sql`where board_id = ${boardId} and ${isOneOfKeys('operation_id', keys)} and ${isChange}`;
    await db.transaction((tx) => sql`delete from operations ${rows}`.execute(tx));
  }
}

async function redactTexts(tx: Tx, boardId: string, seqs: readonly number[]): Promise<void> {
  const ofBoard = tx.selectFrom('events').select(['seq', 'body']).where('board_id', '=', boardId);
  for (const { seq, body } of await ofBoard.where('seq', 'in', seqs).execute()) {
    const event = tx.updateTable('events').set({ body: redactComment(body) });
    await event.where('board_id', '=', boardId).where('seq', '=', seq).execute();
  }
}

async function eraseComment(tx: Tx, context: ServiceContext, id: string, userId: string): Promise<void> {
  const boardId = context.board.id;
  const ofBoard = tx.selectFrom('comments').selectAll().where('board_id', '=', boardId);
  const find = () => ofBoard.where('id', '=', id).where('user_id', '=', userId).executeTakeFirst();
  const found = await find();
  const post = found && (await lockPosts(tx, boardId, [found.post_id])).get(found.post_id);
  // Until the post was locked, the comment could be moved with another post; the next round finds it there.
  const comment = await find();
  if (!post || !comment || comment.post_id !== post.id) return;
  const gone = { ...comment, text: '', date_deleted: context.clock.now() };
  await setPost(tx, post, countComment(post, comment, gone));
  await announceComment(tx, context, post, gone, context.actor);
  const postIds = [comment.post_id, comment.origin_id].filter((postId) => postId !== null);
  const events = await tx
    .selectFrom('events')
    .select(['seq', 'body'])
    .where('board_id', '=', boardId)
    .where('post_id', 'in', postIds)
    .where('comment_id', '=', id)
    .execute();
  for (const { seq, body } of events) {
    // There is no comment left to decide who may read them: what was public stays public.
    const isPublic = isPublicComment(comment);
    await tx
      .updateTable('events')
      .set({ body: redactComment(body), ...(isPublic && { comment_id: null }) })
      .where('board_id', '=', boardId)
      .where('seq', '=', seq)
      .execute();
  }
  await removeFiles(tx, boardId, isOfComment(id));
  const changes = tx.deleteFrom('operations').where(isFewOfBoard(tx, boardId, isOneOf(tx, 'post_id', postIds)));
  await changes.where('thing_id', '=', id).execute();
  await tx.deleteFrom('comment_reactions').where('board_id', '=', boardId).where('comment_id', '=', id).execute();
  await tx.deleteFrom('comments').where('board_id', '=', boardId).where('id', '=', id).execute();
}
