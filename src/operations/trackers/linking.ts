import { addLink } from '../../feedback/issues/issues.ts';
import type { PostRow } from '../../feedback/posts/posts.ts';
import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { badRequest } from '../../platform/errors.ts';
import { msg } from '../../platform/messages.ts';
import { findTrackers, products, type TrackerRow } from './trackers.ts';

/** The issue to link: named by a person, or a new one, in the tracker with this id or the only one. */
export type IssueTarget = { named: string } | { trackerId?: string };

/**
 * Links a post to an issue of a connected project. A new issue is made in the background, with the text of the post.
 * @param target the issue by its address, or by its number or name if one project has it
 * @throws FORBIDDEN, NOT_FOUND, CONFLICT; BAD_REQUEST if it is no issue of a connected project
 */
export async function linkIssue(context: ActorContext, postId: string, target: IssueTarget): Promise<PostRow> {
  requireRight(context.actor, 'issue.link');
  const trackers = await findTrackers(context.db.read, context.board.id);
  const found = 'named' in target ? findNamed(trackers, target.named) : findNew(trackers, target.trackerId);
  if (!found) throw badRequest(msg('issueUnknown'), 'issue');
  return addLink(context, postId, found);
}

function findNamed(trackers: readonly TrackerRow[], named: string) {
  const found = trackers.flatMap(({ id: trackerId, kind, project, api_url: apiUrl }) => {
    const issue = products[kind].parseIssue({ project, apiUrl }, named);
    return issue ? [{ trackerId, ...issue }] : [];
  });
  return found.length === 1 ? found[0] : null;
}

function findNew([first, ...others]: readonly TrackerRow[], trackerId = others.length === 0 ? first?.id : undefined) {
  const found = [first, ...others].some((row) => row?.id === trackerId);
  return found && trackerId !== undefined ? { trackerId, issue: null, url: null } : null;
}
