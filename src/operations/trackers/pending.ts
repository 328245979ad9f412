import { sql } from 'kysely';
import type { IssueLinkRow } from '../../feedback/issues/issues.ts';
import type { Reader } from '../../platform/db/db.ts';
import { isOneOf } from '../../platform/db/prepare.ts';
import type { Taken } from './slots.ts';

/** A link of which something is to be asked of its tracker. */
export type PendingLink = IssueLinkRow & {
  /** Where its tracker is. */
  api_url: string;
  /** When the idea was deleted: nothing is made of it. */
  post_deleted: number | null;
  /**
   * What a comment on the issue is to be about: votes, status and title of the idea, or of the one that it was merged into;
   * null if there is to be none, as for an idea that not everyone sees who sees the board.
   */
  says: string | null;
};

/**
 * Links that are not as their tracker has them, or whose tracker has not been told how their idea is, oldest first. What is
 * told is compared with what is so: no change can be missed, and many of them are one request.
 * @param now only those that may be asked about at this time, of trackers that do not fail
 * @param taken trackers that are not to be asked now, as they, their boards or their servers are asked enough already
 */
export async function findPending(
  reader: Reader,
  now: number,
  { taken, limit }: { taken: Taken; limit: number },
): Promise<PendingLink[]> {
  const { rows } = await sql<PendingLink>`
    select * from (
      select l.*, t.api_url, p.date_deleted as post_deleted, case
        when l.is_removed = 0 and t.tells_issues = 1 and p.date_deleted is null
          and p.moderation_status = 'APPROVED' and s.post_visibility = 'PUBLIC'
        then cast(p.upvotes as text) || ' ' || p.status_id || ' ' || p.title
      end as says
      from issue_links l
      join trackers t on t.board_id = l.board_id and t.id = l.tracker_id and t.failures = 0
      join posts own on own.board_id = l.board_id and own.id = l.post_id
      join posts p on p.board_id = l.board_id and p.id = coalesce(own.merged_root_id, own.id)
      join statuses s on s.board_id = p.board_id and s.id = p.status_id
      where l.date_due <= ${now} and not ${isOneOf(reader, 'l.tracker_id', taken.trackers)}
        and not ${isOneOf(reader, 'l.board_id', taken.boards)} and not ${isOneOf(reader, 't.api_url', taken.servers)}
    ) as pending
    where (issue is null and is_removed = 0 and post_deleted is null) or (issue is not null and (
      (is_read = 0 and is_removed = 0) or (state is not null and told is distinct from says)))
    order by date_due, id
    limit ${limit}`.execute(reader);
  return rows;
}
