import { type LiveFacts, seesFacts } from '../../feedback/posts/live-facts.ts';
import { isTeam } from '../../feedback/visibility/posts.ts';
import type { BoardRow } from '../../identity/board/board.ts';
import type { Actor } from '../../identity/users/authority.ts';
import { isPrivate } from '../../identity/users/entry.ts';
import type { People } from '../people.ts';
import type { Opener } from './presence.ts';

/** Who has a page open, as their rights were when the stream began. */
export type LiveViewer = {
  readonly user: (Actor & Opener) | null;
  /** Whether they may enter the board although it is private. */
  readonly isAdmitted: boolean;
};

/** What is known of a post on open pages. */
export type PostState = { readonly facts: LiveFacts | null; readonly open: readonly Opener[] };

/** Names of other team members who have an idea open; further ones are counted. */
const NAMES = 3;

/** Who a visitor of a board is; null if they may not enter it. */
export async function findViewer(people: People, board: BoardRow): Promise<LiveViewer | null> {
  if (!(await people.mayEnter(board))) return null;
  const user = await people.on(board);
  const isAdmitted = isPrivate(board);
  if (user === null) return { user, isAdmitted };
  const { id, name, role, standing, is_api_user } = user;
  return { user: { id, name: name ?? '', role, standing, is_api_user }, isAdmitted };
}

/** Whether two viewers get the same. */
export function isSameViewer(one: LiveViewer, other: LiveViewer | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * The message about a post: its number, votes, comments and status; for the team also how many comments others do not
 * see, and who else has it open. Null if the viewer may not see the post.
 */
export function writeMessage({ facts, open }: PostState, { user, isAdmitted }: LiveViewer): string | null {
  if (facts === null || !seesFacts(user, isAdmitted, facts)) return null;
  const { number, votes, comments, hiddenComments, statusId } = facts;
  const others = open.filter(({ id, name }) => id !== user?.id && name !== '').map(({ name }) => name);
  const team = isTeam(user) && {
    hiddenComments,
    open: others.slice(0, NAMES),
    more: Math.max(0, others.length - NAMES),
  };
  return `data: ${JSON.stringify({ number, votes, comments, statusId, ...team })}\n\n`;
}
