import { sql } from 'kysely';
import type { ViewerContext } from '../../identity/users/request-context.ts';
import { HELD, viewerId, viewerScopeOf } from '../visibility/posts.ts';

/**
 * How many posts with each tag the viewer may not see, by the tag's id; tags without any are missing. Its cost grows
 * with the number of such posts, which are usually few.
 */
export async function countHiddenPosts({ db, board, actor }: ViewerContext): Promise<Map<string, number>> {
  const scope = viewerScopeOf(actor);
  if (scope === 'ALL') return new Map();
  const boardId = board.id;
  const isMember = scope === 'MEMBER';
  const closed = sql`(
    select id from statuses where board_id = ${boardId} and ${
      isMember ? sql`post_visibility <> 'PUBLIC'` : sql`post_visibility = 'HIDDEN'`
    })`;
  const held = sql`
    union all
    select id from posts
    where board_id = ${boardId} and date_deleted is null and moderation_status in ${HELD}
      and (author_id is null or author_id <> ${viewerId(actor)}) and status_id not in ${closed}`;
  const { rows } = await sql<{ tag_id: string; count: number }>`
    select post_tags.tag_id, count(*) as count
    from (
      select id from posts where board_id = ${boardId} and date_deleted is null and status_id in ${closed}
      ${isMember ? held : sql``}
    ) hidden
    join post_tags on post_tags.board_id = ${boardId} and post_tags.post_id = hidden.id
    group by post_tags.tag_id`.execute(db.read);
  return new Map(rows.map(({ tag_id, count }) => [tag_id, count]));
}
