import { changeOf } from '#src/feedback/comments/changes.ts';
import type { CommentRow } from '#src/feedback/comments/comments.ts';
import type { PostRow } from '#src/feedback/posts/posts.ts';
import type { StatusRow } from '#src/feedback/statuses/statuses.ts';
import { seesStatus, type Viewer } from '#src/feedback/visibility/posts.ts';
import { type StatusView, statusViewOf } from '../posts/statuses.ts';

/** A status on the way of a post, and since when it was there; null if that is not known or it has not been. */
export type Step = { id: string; status: StatusView; state: 'past' | 'now' | 'done' | 'next'; date: number | null };

/** Maximum number of steps for which there is room. */
const MAX_STEPS = 6;

/**
 * The way of a post through the statuses of its board, as far as the viewer may see them. Empty for a merged post.
 * @param changes of its status, the newest first
 */
export function viewSteps(
  viewer: Viewer,
  post: PostRow,
  statuses: readonly StatusRow[],
  changes: readonly CommentRow[],
): Step[] {
  const dates = datesOf(post, statuses, changes);
  const viewOf = statusViewOf(statuses);
  const now = statuses.find(({ id }) => id === post.status_id);
  if (!now || now.type === 'MERGED') return [];
  const way = statuses.filter((status) => isOnTheWay(status, now) && seesStatus(viewer, status));
  const place = way.indexOf(now);
  const steps = way.map((status, n): Step => {
    const isEnd = now.type === 'COMPLETED' || now.type === 'ARCHIVED';
    const state = n < place ? 'past' : n > place ? 'next' : isEnd ? 'done' : 'now';
    return { id: status.id, status: viewOf(status), state, date: n > place ? null : (dates.get(status.id) ?? null) };
  });
  return shorten(
    now.type === 'ARCHIVED' ? steps.filter(({ state, date }) => state === 'done' || date !== null) : steps,
  );
}

/** The statuses that a post may come into while it is shown. */
export function viewStatuses(viewer: Viewer, statuses: readonly StatusRow[]) {
  const viewOf = statusViewOf(statuses);
  return statuses
    .filter((status) => seesStatus(viewer, status))
    .map((status) => ({ id: status.id, ...viewOf(status) }));
}

function isOnTheWay({ type }: StatusRow, now: StatusRow): boolean {
  if (type === 'MERGED') return false;
  return now.type === 'ARCHIVED' ? type !== 'COMPLETED' : type !== 'ARCHIVED';
}

/** When the post came into each status last. */
function datesOf(post: PostRow, statuses: readonly StatusRow[], changes: readonly CommentRow[]): Map<string, number> {
  const first = changes.length > 0 ? statuses.find(({ type }) => type === 'UNASSIGNED')?.id : post.status_id;
  const dates = new Map([[first ?? '', post.date_created]]);
  for (const row of changes.toReversed()) {
    const change = changeOf(row);
    if (change?.type === 'STATUS_CHANGE' && change.to.id !== null) dates.set(change.to.id, row.date_created);
  }
  return dates;
}

/** Leaves out what was skipped, and then what is far away. */
function shorten(steps: readonly Step[]): Step[] {
  const known = steps.length > MAX_STEPS ? steps.filter(({ state, date }) => state !== 'past' || date !== null) : steps;
  const place = known.findIndex(({ state }) => state === 'now' || state === 'done');
  const from = Math.max(0, Math.min(place - 3, known.length - MAX_STEPS));
  return known.slice(from, from + MAX_STEPS);
}
