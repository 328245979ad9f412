import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { prepare, prepareVariants, rowLimit } from '../../platform/db/prepare.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import type { Page, PageArgs } from '../../platform/lib/page.ts';
import { addFilter, type FilterValues, type PostFilter, shapeOf, valuesOf } from '../posts/filter.ts';
import { listPosts, type PostOrder } from '../posts/list.ts';
import type { PostRow } from '../posts/posts.ts';
import type { StatusRow, StatusType } from '../statuses/statuses.ts';
import { isVisiblePost, type ViewerScope, viewerId, viewerScopeOf } from '../visibility/posts.ts';

const MONTH_MS = 30 * DAY_MS;
const OPEN: readonly StatusType[] = ['UNASSIGNED', 'CUSTOM'];

/** Who reads a list, and when. */
type Reading = { now: number; viewerId: string; statuses: readonly StatusRow[] };
type Listed = { of: readonly StatusType[]; filter?: (reading: Reading) => PostFilter; order?: PostOrder };

/** The lists of the team: in which statuses their posts are, what else they have in common, and which comes first. */
const lists = {
  unanswered: { of: ['UNASSIGNED'], filter: ({ now }) => ({ waitingAt: now }) },
  mine: { of: OPEN, filter: ({ viewerId }) => ({ assigneeId: viewerId }) },
  issues: { of: [...OPEN, 'COMPLETED', 'ARCHIVED'], filter: () => ({ isAsked: true }) },
  'no-status': { of: ['UNASSIGNED'] },
  'most-asked': { of: OPEN, filter: ({ now }) => ({ createdFrom: now - MONTH_MS }), order: 'TOP' },
  snoozed: { of: ['UNASSIGNED'], filter: ({ now }) => ({ snoozedAt: now }) },
} satisfies Record<string, Listed>;

export type TriageList = keyof typeof lists;
export const triageLists = Object.keys(lists) as [TriageList, ...TriageList[]];

/** The filter of a list. */
export function filterOfList(name: TriageList, reading: Reading): PostFilter {
  const { of, filter }: Listed = lists[name];
  return { ...filter?.(reading), statusIds: idsOf(reading.statuses, of) };
}

/** A page of a list of the team. @param filter that of the list; `isNarrowed` says whether it has further conditions */
export async function listTriage(
  { db, board, actor: viewer }: ActorContext,
  { name, filter, isNarrowed }: { name: TriageList; filter: PostFilter; isNarrowed: boolean },
  page: PageArgs,
): Promise<Page<PostRow>> {
  requireRight(viewer, 'post.assign');
  const { order = 'NEWEST' }: Listed = lists[name];
  // Posts that meet further conditions, or are newer, may be far down in their order.
  const reader = order === 'TOP' || isNarrowed ? db.slow : db.read;
  return listPosts(reader, board.id, { viewer, order, filter, ...page });
}

/** More posts than these are not counted. */
export const MAX_WAITING = 100;

/** How many posts wait for the team, up to a limit. */
export async function countWaiting({ db, clock, board, actor }: ActorContext): Promise<number> {
  const values = { boardId: board.id, viewerId: viewerId(actor), limit: MAX_WAITING };
  const [row] = await waiting(viewerScopeOf(actor))(db.read, { ...values, ...valuesOf({ waitingAt: clock.now() }) });
  return row?.count ?? 0;
}

type Values = FilterValues & { viewerId: string; limit: number };

const waiting = prepareVariants<ViewerScope, Values, { count: number }>((scope) =>
  prepare((reader, param) => {
    const first = reader.selectFrom('statuses').select('id').where('board_id', '=', param('boardId'));
    const found = reader
      .selectFrom('posts')
      .select('id')
      .where('board_id', '=', param('boardId'))
      .where('status_id', 'in', first.where('type', '=', 'UNASSIGNED'))
      .where(isVisiblePost({ scope, boardId: param('boardId'), viewerId: param('viewerId') }));
    const few = addFilter(reader, found, shapeOf({ waitingAt: 0 }), param).limit(rowLimit(param('limit')));
    return reader.selectFrom(few.as('found')).select((e) => e.fn.countAll<number>().as('count'));
  }),
);

function idsOf(statuses: readonly StatusRow[], types: readonly StatusType[]): string[] {
  return statuses.filter(({ type }) => types.includes(type)).map(({ id }) => id);
}
