import { listAssignments } from '#src/feedback/assignments/assignments.ts';
import { findIssues } from '#src/feedback/issues/issues.ts';
import { findPost, type PostRow } from '#src/feedback/posts/posts.ts';
import type { StatusRow } from '#src/feedback/statuses/statuses.ts';
import { listTeam } from '#src/identity/team/members.ts';
import { type Action, may } from '#src/identity/users/authority.ts';
import type { RequestContext } from '#src/identity/users/request-context.ts';
import { findUsers } from '#src/identity/users/users.ts';
import { readFailure } from '#src/operations/trackers/fault.ts';
import { findTrackers, products } from '#src/operations/trackers/trackers.ts';
import { renderMarkdown } from '#src/pages/rendering.ts';
import { asTyped, mentionedIn, nameMentions } from '#src/platform/texts/mentions.ts';
import { localize } from '../lib/localize.ts';
import type { View } from '../parts/requests/joining.ts';
import { peopleOf } from '../parts/requests/people.ts';
import { versionsOf } from '../parts/requests/versions.ts';

/** Whether moderators trust or block the author of a post, for those who may change it; null for everyone else. */
export async function viewAuthorStanding({ visit: { db }, context: { board, actor } }: View, post: PostRow) {
  if (actor === null || post.author_id === null || !may(actor, 'user.standing')) return null;
  const [author] = await findUsers(db.read, board.id, [post.author_id], ['standing', 'role']);
  return author?.role === 'MEMBER' ? { id: author.id, standing: author.standing } : null;
}

/** What the viewer may do with a post. */
export function rightsOn({ context: { actor } }: View, post: PostRow) {
  const can = (action: Action) => actor !== null && may(actor, action, post.author_id);
  return {
    edit: can('post.edit'),
    remove: can('post.delete'),
    status: can('post.status'),
    tags: can('post.tags'),
    lock: can('post.lock'),
    moderate: can('post.moderate'),
    merge: can('post.merge'),
    official: can('comment.official'),
    internal: can('comment.internal'),
    assign: can('post.assign'),
  };
}

/** What the panel of a post shows to the team. */
export async function viewTeamParts(view: View, post: PostRow) {
  return { ...(await viewAssignees(view, post)), issues: await viewIssues(view, post) };
}

/**
 * The issues of a post, for the team: null for everyone else, and if no tracker is connected.
 * `asking` is there while the team has yet to decide what follows from them.
 */
async function viewIssues({ context }: View, post: PostRow) {
  const { db, board, actor } = context;
  if (!actor || !may(actor, 'issue.link')) return null;
  const trackers = await findTrackers(db.read, board.id);
  if (trackers.length === 0) return null;
  const rows = await findIssues(db.read, post);
  const nameOf = (id: string, issue: string | null) => {
    const { kind, project = '' } = trackers.find((tracker) => tracker.id === id) ?? {};
    return kind && issue !== null ? products[kind].nameIssue(project, issue) : project;
  };
  const asking = rows.filter((row) => row.asks === 1);
  return {
    trackers: post.merged_into_id === null ? trackers.map(({ id, project }) => ({ id, name: project })) : [],
    linked: rows.map(({ id, tracker_id, issue, url, title, state, release, failure }) => {
      const label = nameOf(tracker_id, issue);
      return { id, label, url, title, state, release, failure: sayFailure(failure) };
    }),
    asking: asking.length === 0 ? null : { release: asking.find((row) => row.release !== null)?.release ?? null },
  };
}

/** A stored failure in the language of the page. */
function sayFailure(stored: string | null): string | null {
  const failure = readFailure(stored);
  return failure && localize(failure.text, failure);
}

export type IssuesView = NonNullable<Awaited<ReturnType<typeof viewIssues>>>;

/** Who takes care of a post, and who could; for the team only. */
export async function viewAssignees({ context }: View, post: PostRow) {
  const { actor } = context;
  if (!actor || !may(actor, 'post.assign')) return { team: [], assignees: [], assigneeVersions: {} };
  const page = await listAssignments(context, [post.id], { cursor: null, limit: MAX_TEAM });
  const ids = new Set(page.get(post.id)?.nodes.map(({ user_id }) => user_id));
  const team = await viewTeam(context);
  const assigneeVersions = versionsOf({ assignee: [...ids].sort().join() });
  return { team, assignees: team.filter(({ id }) => ids.has(id)), assigneeVersions };
}

/** Team members to choose from. */
const MAX_TEAM = 200;

/** The team members to whom posts can be assigned. */
export async function viewTeam(context: RequestContext): Promise<{ id: string; name: string }[]> {
  const team = (await listTeam(context)).slice(0, MAX_TEAM);
  return team.map(({ id, name }) => ({ id, name: name ?? '' }));
}

/** The statuses that can be assigned to a post: all except MERGED. */
export function givenStatuses(statuses: readonly StatusRow[]) {
  return statuses.filter(({ type }) => type !== 'MERGED').map(({ id, name }) => ({ id, name }));
}

/** The post that another one was merged into; null if the viewer may not see it. */
export async function viewTarget({ visit: { db }, context: { board, actor } }: View, post: PostRow) {
  if (post.merged_root_id === null) return null;
  const target = await findPost(db.read, board.id, post.merged_root_id, actor);
  return target ? { number: target.number, title: target.title } : null;
}

/** A text as HTML and as people type it, with the current names of the users that it mentions. */
export async function viewText(view: View, text: string): Promise<{ html: string; source: string }> {
  const personOf = await peopleOf(view, mentionedIn(text));
  const nameOf = (id: string) => personOf(id)?.name;
  return { html: nameMentions(await renderMarkdown(text), nameOf), source: asTyped(text, nameOf) };
}
