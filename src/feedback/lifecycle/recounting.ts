import { sql } from 'kysely';
import type { Tx } from '../../platform/db/db.ts';
import { WRITTEN } from '../comments/comments.ts';
import { hotScore, type PostRow, setPost } from '../posts/posts.ts';
import { HELD } from '../visibility/posts.ts';
import { unattributedOf } from '../votes/unattributed.ts';

type Counts = { upvotes: number; downvotes: number; comment_count: number; hidden_comment_count: number };

/** Recounts the votes and comments of a locked post, after many of them were added or removed, and returns the row. */
export async function recountPost(tx: Tx, post: PostRow): Promise<PostRow> {
  const isHidden = sql`(type = 'INTERNAL' or moderation_status in ${HELD})`;
  const ofPost = sql`board_id = ${post.board_id} and post_id = ${post.id}`;
  const written = sql`${ofPost} and date_deleted is null and is_first = 0 and type in ${WRITTEN}`;
  const { rows } = await sql<Counts>`
    select
      (select count(*) from votes where ${ofPost} and type = 'UP') + ${unattributedOf(sql.val(post.board_id), sql.val(post.id))} as upvotes,
      (select count(*) from votes where ${ofPost} and type = 'DOWN') as downvotes,
      (select count(*) from comments where ${written} and not ${isHidden}) as comment_count,
      (select count(*) from comments where ${written} and ${isHidden}) as hidden_comment_count`.execute(tx);
  const counts = rows[0] as Counts;
  // The votes of a merged post are kept, but count on the post it was merged into.
  if (post.merged_into_id !== null) Object.assign(counts, { upvotes: 0, downvotes: 0 });
  const hot = hotScore(counts.upvotes, counts.downvotes, post.date_created);
  return setPost(tx, post, { ...counts, hot });
}
