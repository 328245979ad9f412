import { type RawBuilder, sql } from 'kysely';
import { accessKinds } from '../../identity/board/board.ts';
import { isPrivate } from '../../identity/users/entry.ts';
import type { Reader } from '../../platform/db/db.ts';
import { prepare, tableOf } from '../../platform/db/prepare.ts';
import { isVisibleAlone, viewerFilterOf } from '../visibility/posts.ts';

/** A post by its number on a board. */
export type PostPlace = { boardId: string; number: number };

/** What changes most of a post while it is shown, as an anonymous viewer may see it. */
export type PublicFacts = PostPlace & { votes: number; comments: number; statusId: string };

/** Reads posts of many boards in one statement; those that anonymous viewers may not see, or whose board they may not, are missing. */
export async function readPublicFacts(reader: Reader, places: readonly PostPlace[]): Promise<readonly PublicFacts[]> {
  return places.length === 0 ? [] : publicFacts(reader, { places: JSON.stringify(places) });
}

const open = sql.join(accessKinds.filter((access) => !isPrivate({ access })).map((access) => sql.lit(access)));

const publicFacts = prepare<{ places: string }, PublicFacts>(
  (reader, param) => sql<PublicFacts>`
    select posts.board_id as ${sql.ref('boardId')}, posts.number, posts.upvotes as votes,
      posts.comment_count as comments, posts.status_id as ${sql.ref('statusId')}
    from ${tableOf(reader, 'shown', { boardId: 'text', number: 'integer' }, param('places'))}
    ${postsOf(
      reader,
      sql`posts.board_id = shown.${sql.ref('boardId')} and posts.number = shown.number
        and ${isVisibleAlone(viewerFilterOf(null, ''))}
        and (select access from boards where boards.id = posts.board_id) in (${open})`,
    )}`,
);

/** The post of each place, by the index: planners would rather read all posts. */
function postsOf(reader: Reader, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return reader.engine === 'sqlite'
    ? sql`cross join posts on ${condition}`
    : sql`cross join lateral (select * from posts where ${condition} offset 0) as posts`;
}
