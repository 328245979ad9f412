import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { changeOf } from '../comments/changes.ts';
import { listStatuses, type StatusRow } from '../statuses/statuses.ts';
import { isVisiblePost, seesStatus, viewerFilterOf } from '../visibility/posts.ts';

/** How far back changes are read, and how many of them. */
const YEAR_MS = 365 * DAY_MS;
const MAX_CHANGES = 10_000;

/** What became of the ideas that got a status within the last year. */
export type Outcome = {
  status: StatusRow;
  /** Ideas that got it, each counted once. */
  ideas: number;
  /** Of these, those that still have it, and those that are completed by now. */
  remaining: number;
  completed: number;
};

/**
 * Follows what the team has planned: for each status of its own, what became of the ideas that got it.
 * @throws FORBIDDEN
 */
export async function readOutcomes({ db, clock, board, actor }: ActorContext): Promise<Outcome[]> {
  requireRight(actor, 'post.status');
  const statuses = await listStatuses(db.read, board.id);
  const completed = statuses.find(({ type }) => type === 'COMPLETED')?.id;
  const changes = await db.slow
    .selectFrom('comments')
    .innerJoin('posts', (join) =>
      join.onRef('posts.board_id', '=', 'comments.board_id').onRef('posts.id', '=', 'comments.post_id'),
    )
    .select(['comments.details', 'posts.id', 'posts.status_id'])
    .where('comments.board_id', '=', board.id)
    .where('comments.date_created', '>', clock.now() - YEAR_MS)
    .where('comments.type', '=', 'STATUS_CHANGE')
    .where('comments.date_deleted', 'is', null)
    .where(isVisiblePost(viewerFilterOf(actor, board.id)))
    .orderBy('comments.date_created', 'desc')
    .limit(MAX_CHANGES)
    .execute();
  const ideasOf = new Map<string, Map<string, string>>();
  for (const { details, id, status_id } of changes) {
    const change = changeOf({ details });
    if (change?.type !== 'STATUS_CHANGE' || change.to.id === null) continue;
    ideasOf.set(change.to.id, (ideasOf.get(change.to.id) ?? new Map()).set(id, status_id));
  }
  return statuses
    .filter((status) => status.type === 'CUSTOM' && seesStatus(actor, status))
    .map((status) => {
      const now = [...(ideasOf.get(status.id)?.values() ?? [])];
      const count = (id: string | undefined) => now.filter((current) => current === id).length;
      return { status, ideas: now.length, remaining: count(status.id), completed: count(completed) };
    });
}
