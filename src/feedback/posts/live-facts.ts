import { type RawBuilder, sql } from 'kysely';
import type { BoardRow } from '../../identity/board/board.ts';
import { isPrivate } from '../../identity/users/entry.ts';
import type { Reader } from '../../platform/db/db.ts';
import { prepare, tableOf } from '../../platform/db/prepare.ts';
import type { StatusRow } from '../statuses/statuses.ts';
import { seesPost, type Viewer } from '../visibility/posts.ts';
import type { PostRow } from './posts.ts';

/** A post by its number on a board. */
export type PostPlace = { boardId: string; number: number };

/** What changes most of a post while it is shown, and what decides who may see it. */
export type LiveFacts = PostPlace & {
  votes: number;
  comments: number;
  hiddenComments: number;
  statusId: string;
} & Pick<PostRow, 'author_id' | 'moderation_status' | 'date_deleted'> &
  Pick<StatusRow, 'post_visibility'> &
  Pick<BoardRow, 'access'>;

/** Reads posts of many boards in one statement, for all viewers: each gets only what `seesFacts` allows. */
export async function readLiveFacts(reader: Reader, places: readonly PostPlace[]): Promise<readonly LiveFacts[]> {
  return places.length === 0 ? [] : liveFacts(reader, { places: JSON.stringify(places) });
}

/**
 * Whether a viewer may see a post now.
 * @param isAdmitted whether the viewer may enter its board although that is private
 */
export function seesFacts(viewer: Viewer, isAdmitted: boolean, facts: LiveFacts): boolean {
  return (isAdmitted || !isPrivate(facts)) && seesPost(viewer, facts, facts);
}

const liveFacts = prepare<{ places: string }, LiveFacts>(
  (reader, param) => sql<LiveFacts>`
    select posts.board_id as ${sql.ref('boardId')}, posts.number, posts.upvotes as votes,
      posts.comment_count as comments, posts.hidden_comment_count as ${sql.ref('hiddenComments')},
      posts.status_id as ${sql.ref('statusId')}, posts.author_id, posts.moderation_status, posts.date_deleted,
      statuses.post_visibility, boards.access
    from ${tableOf(reader, 'shown', { boardId: 'text', number: 'integer' }, param('places'))}
    ${postsOf(reader, sql`posts.board_id = shown.${sql.ref('boardId')} and posts.number = shown.number`)}
    join statuses on statuses.board_id = posts.board_id and statuses.id = posts.status_id
    join boards on boards.id = posts.board_id`,
);

/** The post of each place, by the index: planners would rather read all posts. */
function postsOf(reader: Reader, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return reader.engine === 'sqlite'
    ? sql`cross join posts on ${condition}`
    : sql`cross join lateral (select * from posts where ${condition} offset 0) as posts`;
}
