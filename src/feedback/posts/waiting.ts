import type { UserRow } from '../../identity/users/users.ts';
import { isTeam } from '../visibility/posts.ts';
import type { PostRow } from './posts.ts';

type Triage = Pick<PostRow, 'triage_date'>;

/**
 * What a new comment changes about the triage of its post: an answer of the team ends it, and a snoozed post is back with
 * the next comment of anyone else.
 */
export function triageAfter(
  { triage_date: date }: Triage,
  type: string,
  author: UserRow,
  now: number,
): Partial<Triage> {
  if (type === 'INTERNAL') return {};
  if (isTeam(author)) return { triage_date: 0 };
  return date > now ? { triage_date: now } : {};
}
