import { sql } from 'kysely';
import { setComment } from '../../feedback/comments/comments.ts';
import { lockPosts } from '../../feedback/lifecycle/merging.ts';
import { excerptOf } from '../../feedback/posts/excerpt.ts';
import { setPost } from '../../feedback/posts/posts.ts';
import { indexPost } from '../../feedback/search/indexing.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { forgetMentions } from '../../platform/texts/mentions.ts';
import type { ErasureRow } from './erasures.ts';
import { findKeys, hasText, isOneOfKeys } from './rows.ts';

/** Removes an erased user from the texts of others that mention them, and from what waits to be notified of. */
export async function removeMentions(db: Db, { board_id: boardId, id }: ErasureRow): Promise<void> {
  const comments = { table: 'comments', key: 'id' };
  for await (const ids of findKeys<string>(db, boardId, comments, hasText('text', `](user:${id})`))) {
    for (const commentId of ids) await db.transaction((tx) => eraseMentions(tx, boardId, commentId, id));
  }
  for await (const ids of findKeys<string>(db, boardId, { table: 'notices', key: 'id' }, hasText('details', id))) {
    await db.transaction((tx) =>
      sql`update notices set details = replace(details, ${id}, '')
        where board_id = ${boardId} and ${isOneOfKeys('id', ids)}`.execute(tx),
    );
  }
}

async function eraseMentions(tx: Tx, boardId: string, commentId: string, userId: string): Promise<void> {
  const ofBoard = tx.selectFrom('comments').selectAll().where('board_id', '=', boardId);
  const find = () => ofBoard.where('id', '=', commentId).executeTakeFirst();
  const found = await find();
  const post = found && (await lockPosts(tx, boardId, [found.post_id])).get(found.post_id);
  // Until the post was locked, the comment could be changed or moved; the next round finds it then.
  const comment = await find();
  if (!post || !comment || comment.post_id !== post.id) return;
  const text = forgetMentions(comment.text, userId);
  await setComment(tx, comment, { text });
  if (comment.is_first === 0) return;
  await setPost(tx, post, { excerpt: excerptOf(text) });
  await indexPost(tx, post, text);
}
