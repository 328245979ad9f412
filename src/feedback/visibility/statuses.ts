import type { PostVisibility, StatusRow } from '../statuses/statuses.ts';
import { seesStatus, type Viewer } from './posts.ts';

/**
 * A status as a change names it: it may have another name by now, or no longer exist. One that not everyone might see
 * says so, since its name stays hidden once it is deleted.
 */
export type NamedStatus = { id: string | null; name: string; visibility?: PostVisibility };

/** A status for a change to name. */
export function nameStatus({ id, name, post_visibility: visibility }: StatusRow): NamedStatus & { id: string } {
  return visibility === 'PUBLIC' ? { id, name } : { id, name, visibility };
}

/** Whether a change may name a status to the viewer. @param now the status, unless it was deleted since then */
export function mayName(
  viewer: Viewer,
  { visibility = 'PUBLIC' }: Pick<NamedStatus, 'visibility'>,
  now: StatusRow | undefined,
): boolean {
  return seesStatus(viewer, now ?? { post_visibility: visibility });
}
