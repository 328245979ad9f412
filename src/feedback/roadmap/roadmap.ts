import type { ViewerContext } from '../../identity/users/request-context.ts';
import { listStatuses, type StatusRow } from '../statuses/statuses.ts';
import { seesStatus } from '../visibility/posts.ts';

/** The statuses on the roadmap that the actor may see, in their order; null without a roadmap. */
export async function listRoadmap({ db, board, actor }: ViewerContext): Promise<StatusRow[] | null> {
  if (board.is_roadmap_enabled === 0) return null;
  const statuses = await listStatuses(db.read, board.id);
  return statuses.filter((status) => status.is_on_roadmap === 1 && seesStatus(actor, status));
}
