import { type Selectable, sql } from 'kysely';
import { findUsers, type UserRow } from '../../identity/users/users.ts';
import { pipelined, type Reader, type Tables } from '../../platform/db/db.ts';
import { isOneOf } from '../../platform/db/prepare.ts';
import { textForMail } from '../../platform/texts/mail-text.ts';
import { entryPath } from '../changelog/entries.ts';
import { kinds, REASONS } from '../notices/kinds.ts';
import { detailsOf, type NoticeRow } from '../notices/notices.ts';
import type { NotificationRow } from '../notices/notifications.ts';
import type { PostRow } from '../posts/posts.ts';
import { listStatuses } from '../statuses/statuses.ts';
import { seesComment } from '../visibility/comments.ts';
import { isTeam, seesPost } from '../visibility/posts.ts';
import { mayName } from '../visibility/statuses.ts';
import { type Change, moveOf } from './composing.ts';

/** A notification to send by mail, with its notice. */
export type Pending = Pick<NotificationRow, 'notice_id' | 'user_id' | 'post_id' | 'reasons'> &
  Pick<NoticeRow, 'kind' | 'comment_id' | 'entry_id' | 'actor_id' | 'details'> & {
    date_due: number;
    source_id: string;
  };

/** The current state of what notifications are about. */
export type Subjects = {
  post(id: string): PostRow | undefined;
  /** Whether a user may see what a notification is about, and has not muted it. */
  sees(user: UserRow, row: Pending): boolean;
  /** The change as this user may see it. */
  change(user: UserRow, row: Pending): Change;
  /** When a user voted on a post; null when they have not. */
  dateVoted(userId: string, postId: string): number | null;
};

/** Reads what notifications of some users on a board are about. */
export async function readSubjects(
  reader: Reader,
  boardId: string,
  users: readonly UserRow[],
  pending: readonly Pending[],
): Promise<Subjects> {
  const userIds = users.map(({ id }) => id);
  const postIds = unique(pending.map(({ post_id }) => post_id));
  const all = unique(pending.flatMap(({ post_id, source_id }) => [post_id, source_id]));
  const commentIds = unique(pending.flatMap(({ comment_id }) => comment_id ?? []));
  const entryIds = unique(pending.flatMap(({ entry_id }) => entry_id ?? []));
  const actorIds = unique(pending.flatMap(({ actor_id }) => actor_id ?? []));
  const [postRows, commentRows, entryRows, statusRows, actorRows, relations] = await pipelined([
    readRows(reader, 'posts', boardId, all),
    readRows(reader, 'comments', boardId, commentIds),
    readRows(reader, 'changelog_entries', boardId, entryIds),
    listStatuses(reader, boardId),
    findUsers(reader, boardId, actorIds, NAMES),
    readRelations(reader, boardId, userIds, postIds),
  ]);
  // A merge takes comments to another post.
  const moved = unique(commentRows.map(({ post_id }) => post_id)).filter((id) => !all.includes(id));
  const movedTo = moved.length === 0 ? [] : await readRows(reader, 'posts', boardId, moved);
  const [posts, comments, entries] = [byId([...postRows, ...movedTo]), byId(commentRows), byId(entryRows)];
  const [statuses, actors] = [byId(statusRows), byId(actorRows)];
  const changes = new Map<string, Omit<Change, 'reasons'>>();

  function makeChange(row: Pending): Omit<Change, 'reasons'> {
    const { kind, details, actor_id, comment_id, entry_id, post_id, source_id } = row;
    const comment = comments.get(comment_id ?? '');
    const entry = entries.get(entry_id ?? '');
    const excerpt = kinds[kind].quotesPost && comment_id === null ? (posts.get(post_id)?.excerpt ?? null) : null;
    return {
      kind,
      by: actors.get(actor_id ?? '')?.name ?? null,
      text: comment || entry ? textForMail((comment ?? entry)?.text ?? '') : excerpt && textForMail(excerpt),
      source: kind === 'MERGE' ? (posts.get(source_id)?.title ?? null) : null,
      move: moveOf(detailsOf({ details })),
      entry: entry ? { title: entry.title, path: entryPath(entry) } : null,
    };
  }

  return {
    post: (id) => posts.get(id),
    sees(user, { post_id, source_id, comment_id, entry_id, reasons, details }) {
      if (!seesIt(user, posts.get(post_id))) return false;
      const { to } = detailsOf({ details });
      if (to && !mayName(user, to, statuses.get(to.id ?? ''))) return false;
      if (entry_id !== null && !entries.get(entry_id)?.date_published) return false;
      if (reasons & REASONS.TEAM) return isTeam(user) && seesIts(user, comment_id);
      return (
        !relations.hasEnded(user.id, post_id) && !relations.hasEnded(user.id, source_id) && seesIts(user, comment_id)
      );
    },
    change(user, row) {
      // Most users of a step are notified of the same change.
      const known = changes.get(row.notice_id) ?? makeChange(row);
      changes.set(row.notice_id, known);
      const { from } = detailsOf(row);
      const isHidden = from !== undefined && !mayName(user, from, statuses.get(from.id ?? ''));
      const move = known.move && isHidden ? { ...known.move, from: null } : known.move;
      const source = seesIt(user, posts.get(row.source_id)) ? known.source : null;
      return { ...known, move, source, reasons: row.reasons };
    },
    dateVoted: (userId, postId) => relations.dateVoted(userId, postId),
  };

  function seesIt(user: UserRow, post: PostRow | undefined): boolean {
    const status = statuses.get(post?.status_id ?? '');
    return post !== undefined && status !== undefined && seesPost(user, post, status);
  }

  function seesIts(user: UserRow, commentId: string | null): boolean {
    if (commentId === null) return true;
    const comment = comments.get(commentId);
    return comment !== undefined && seesComment(user, comment) && seesIt(user, posts.get(comment.post_id));
  }
}

const NAMES = ['id', 'name'] as const;

/** Rows of a board by their ids, hidden ones included. */
async function readRows<Table extends 'posts' | 'comments' | 'changelog_entries'>(
  reader: Reader,
  table: Table,
  boardId: string,
  ids: readonly string[],
): Promise<Selectable<Tables[Table]>[]> {
  const rows = sql<Selectable<Tables[Table]>>`
    select * from ${sql.table(table)} where board_id = ${boardId} and ${isOneOf(reader, 'id', ids)}`;
  return (await rows.execute(reader)).rows;
}

/** How users voted on posts, and which posts they no longer follow. */
async function readRelations(reader: Reader, boardId: string, userIds: readonly string[], postIds: readonly string[]) {
  const pairs = (table: 'votes' | 'subscriptions') =>
    reader
      .selectFrom(table)
      .select(['user_id', 'post_id'])
      .where('board_id', '=', boardId)
      .where(isOneOf(reader, 'post_id', postIds))
      .where(isOneOf(reader, 'user_id', userIds));
  const [ended, votes] = await pipelined([
    pairs('subscriptions').where(sql<boolean>`date_ended is not null`).execute(),
    pairs('votes').select(sql<number>`date_created`.as('date')).execute(),
  ]);
  const key = (userId: string, postId: string) => `${userId} ${postId}`;
  const endedKeys = new Set(ended.map(({ user_id, post_id }) => key(user_id, post_id)));
  const dates = new Map(votes.map(({ user_id, post_id, date }) => [key(user_id, post_id), date]));
  return {
    hasEnded: (userId: string, postId: string) => endedKeys.has(key(userId, postId)),
    dateVoted: (userId: string, postId: string) => dates.get(key(userId, postId)) ?? null,
  };
}

function byId<Row extends { id: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}

function unique(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}
