import { sql } from 'kysely';
import type { ActorContext } from '../../identity/users/request-context.ts';
import type { UserRow } from '../../identity/users/users.ts';
import type { Reader } from '../../platform/db/db.ts';
import { prepare } from '../../platform/db/prepare.ts';
import { encodeCursor, makePage, type Page, type PageArgs, parseCursor } from '../../platform/lib/page.ts';
import { isKnownNotice } from '../notices/notices.ts';
import type { PostRow } from '../posts/posts.ts';
import { WAYS, type Way } from '../subscriptions/subscriptions.ts';
import { isVisiblePost, viewerFilterOf } from '../visibility/posts.ts';
import type { Change } from './composing.ts';
import { type Pending, readSubjects } from './subjects.ts';

/** A change on a post that the actor was notified of. */
export type InboxEntry = {
  id: string;
  post: PostRow;
  change: Change;
  commentId: string | null;
  date: number;
  /** Whether it is newer than the user's last visit to the inbox. */
  isNew: boolean;
};

/** The actor's notifications, mailed or not, newest first; those that the actor may no longer see are omitted. */
export async function listInbox(
  { db, board, actor }: ActorContext,
  { cursor, limit }: PageArgs,
): Promise<Page<InboxEntry>> {
  const seenAt = actor.date_inbox_seen ?? 0;
  const page = makePage(await readRows(db.read, board.id, actor.id, { cursor, limit }), limit, ({ notice_id }) =>
    encodeCursor('inbox', [0, notice_id]),
  );
  const subjects = await readSubjects(db.read, board.id, [actor], page.nodes);
  const entries = page.nodes.flatMap((row) => {
    const post = subjects.post(row.post_id);
    if (!post || !subjects.sees(actor, row)) return [];
    const isNew = row.date_created > seenAt;
    return [{ id: row.notice_id, post, change: subjects.change(actor, row), ...detailsOf(row), isNew }];
  });
  return { nodes: entries, hasMore: page.hasMore, cursor: page.cursor };
}

type InboxRow = Pending & { date_created: number };

function detailsOf({ comment_id, date_created }: InboxRow) {
  return { commentId: comment_id, date: date_created };
}

function readRows(reader: Reader, boardId: string, userId: string, { cursor, limit }: PageArgs): Promise<InboxRow[]> {
  const [, before] = parseCursor('inbox', cursor) ?? [];
  let query = reader
    .selectFrom('notifications as n')
    .innerJoin('notices', (join) =>
      join.onRef('notices.board_id', '=', 'n.board_id').onRef('notices.id', '=', 'n.notice_id'),
    )
    .select(['n.notice_id', 'n.user_id', 'n.post_id', 'n.reasons'])
    .select(sql<number>`coalesce(n.date_due, 0)`.as('date_due'))
    .select(['notices.kind', 'notices.comment_id', 'notices.entry_id', 'notices.actor_id', 'notices.details'])
    .select('notices.date_created')
    .select('notices.post_id as source_id')
    .where('n.board_id', '=', boardId)
    .where('n.user_id', '=', userId)
    .where(isKnownNotice());
  if (before !== undefined) query = query.where('n.notice_id', '<', before);
  return query
    .orderBy('n.notice_id', 'desc')
    .limit(limit + 1)
    .execute();
}

const newestNotice = prepare<{ boardId: string; userId: string }, { date_created: number }>((reader, param) =>
  reader
    .selectFrom('notifications as n')
    .innerJoin('notices', (join) =>
      join.onRef('notices.board_id', '=', 'n.board_id').onRef('notices.id', '=', 'n.notice_id'),
    )
    .select('notices.date_created')
    .where('n.board_id', '=', param('boardId'))
    .where('n.user_id', '=', param('userId'))
    .where(isKnownNotice())
    .orderBy('n.notice_id', 'desc')
    .limit(sql.lit(1)),
);

/** Whether anything is newer than the actor's last visit to the inbox. */
export async function hasNews({ db, board, actor }: ActorContext): Promise<boolean> {
  const [newest] = await newestNotice(db.read, { boardId: board.id, userId: actor.id });
  return newest !== undefined && newest.date_created > (actor.date_inbox_seen ?? 0);
}

/** Marks everything up to now as seen. @returns the updated actor */
export function markInboxSeen({ db, clock, board, actor }: ActorContext): Promise<UserRow> {
  const set = { date_inbox_seen: clock.now() };
  return db.transaction((tx) =>
    tx
      .updateTable('users')
      .set(set)
      .where('board_id', '=', board.id)
      .where('id', '=', actor.id)
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
}

/** The actor's relations to posts, as the lists are named; `null` is everything the actor follows. */
export const involvements: Readonly<Record<'ideas' | 'votes' | 'comments' | 'following', Way | null>> = {
  ideas: WAYS.WROTE,
  votes: WAYS.VOTED,
  comments: WAYS.COMMENTED,
  following: null,
};

/** Posts that the actor wrote, voted for, commented on or follows, the newest first. */
export async function listInvolved(
  { db, board, actor }: ActorContext,
  involvement: keyof typeof involvements,
  { cursor, limit }: PageArgs,
): Promise<Page<PostRow>> {
  const [, before] = parseCursor('involved', cursor) ?? [];
  const way = involvements[involvement];
  let query = db.read
    .selectFrom('subscriptions as s')
    .innerJoin('posts', (join) => join.onRef('posts.board_id', '=', 's.board_id').onRef('posts.id', '=', 's.post_id'))
    .selectAll('posts')
    .where('s.board_id', '=', board.id)
    .where('s.user_id', '=', actor.id)
    .where(isVisiblePost(viewerFilterOf(actor, board.id)));
  if (way === null) query = query.where('s.date_ended', 'is', null);
  else query = query.where(sql<boolean>`s.ways & cast(${way} as integer) <> 0`);
  if (before !== undefined) query = query.where('s.post_id', '<', before);
  const rows = await query
    .orderBy('s.post_id', 'desc')
    .limit(limit + 1)
    .execute();
  return makePage(rows, limit, ({ id }) => encodeCursor('involved', [0, id]));
}
