import { listTriage } from '#src/feedback/finding/triage.ts';
import { changePosts, mergeTogether, planMerge } from '#src/feedback/lifecycle/bulk.ts';
import type { PostRow } from '#src/feedback/posts/posts.ts';
import { listStatuses } from '#src/feedback/statuses/statuses.ts';
import { listTags } from '#src/feedback/tags/tags.ts';
import { narrowPosts } from '#src/feedback/views/parameters.ts';
import { countMerged } from '#src/feedback/votes/merge-forecast.ts';
import type { ActorContext } from '#src/identity/users/request-context.ts';
import { findTrackers } from '#src/operations/trackers/trackers.ts';
import type { Visit } from '#src/pages/visit.ts';
import { DAY_MS } from '#src/platform/lib/clock.ts';
import { orErrorPage } from '../parts/requests/failure.ts';
import { viewStatuses } from '../post/steps.ts';
import { givenStatuses, viewTeam } from '../post/view.ts';
import { viewPosts } from '../posts/posts.ts';
import { openDesk } from '../posts/team/desk.ts';
import { type TriageView, triageViews } from '../posts/triage-views.ts';

/** Ideas on one page. */
const PAGE = 50;

/** A page of a list of triage, with what its ideas can be given. */
export async function viewTriage(visit: Visit, context: ActorContext, view: TriageView, query: URLSearchParams) {
  const after = query.get('after');
  const statuses = await listStatuses(visit.db.read, context.board.id);
  const { desk, reading } = await openDesk(context, 'TRIAGE', query, { list: [view] });
  const list = {
    name: view,
    filter: narrowPosts('TRIAGE', desk.conditions, reading),
    isNarrowed: Object.keys(desk.conditions).length > 1,
  };
  const hasTrackers = (await findTrackers(visit.db.read, context.board.id)).length > 0;
  const page = await orErrorPage(listTriage(context, list, { cursor: after, limit: PAGE }));
  return {
    view,
    /** Issues ask the team only on boards that have a tracker. */
    views: triageViews.filter((name) => name !== 'issues' || view === 'issues' || hasTrackers),
    desk,
    after,
    next: page.cursor,
    posts: await viewPosts({ visit, context, browser: null }, page.nodes, statuses),
    statuses: givenStatuses(statuses),
    allStatuses: viewStatuses(context.actor, statuses),
    tags: (await listTags(visit.db.read, context.board.id, context.actor)).map(({ id, name }) => ({ id, name })),
    team: await viewTeam(context),
  };
}

export type TriagePage = Awaited<ReturnType<typeof viewTriage>>;

/** What will be merged into what, with the votes together, before it is done. */
export async function viewMerging(context: ActorContext, ids: readonly string[]) {
  const { target, sources } = await planMerge(context, ids);
  const brief = ({ id, number, title, upvotes }: PostRow) => ({ id, number, title, votes: upvotes });
  const together = await countMerged(context, target, sources);
  return { target: brief(target), sources: sources.map(brief), together };
}

export type MergingView = Awaited<ReturnType<typeof viewMerging>>;

/** Does with the chosen ideas what the button of the form stands for, and returns how many there are. */
export async function changeMany(context: ActorContext, ids: readonly string[], action: string): Promise<number> {
  const [kind = '', value = ''] = action.split(':');
  switch (kind) {
    case 'status':
    case 'tag':
    case 'assign':
      return changePosts(context, ids, { kind, id: value });
    case 'triage': {
      const days = Number(value);
      return changePosts(context, ids, { kind, from: days > 0 ? context.clock.now() + days * DAY_MS : null });
    }
    case 'delete':
      return changePosts(context, ids, { kind });
    case 'merge-now':
      return mergeTogether(context, ids);
    default:
      throw new Response(null, { status: 400 });
  }
}
