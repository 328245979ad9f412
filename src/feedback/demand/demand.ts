import { type Expression, type SqlBool, sql } from 'kysely';
import type { SegmentFilter } from '../../identity/companies/conditions.ts';
import { isOfSegment } from '../../identity/customers/segments.ts';
import { type Actor, requireRight } from '../../identity/users/authority.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import type { Reader } from '../../platform/db/db.ts';
import { type Columns, isOneOf, rowLimit, selectColumns } from '../../platform/db/prepare.ts';
import { encodeCursor, makePage, type Page, type PageArgs, parseCursor } from '../../platform/lib/page.ts';
import { conditionsOf, type PostFilter } from '../posts/filter.ts';
import type { PostRow } from '../posts/posts.ts';
import { isVisiblePost, viewerFilterOf } from '../visibility/posts.ts';

/** Who is behind a post: people who upvoted it, the companies that they belong to, and what these pay a month in all. */
export type Demand = { people: number; companies: number; monthlyRevenue: number };

/** The orders of posts by who is behind them, and the figure that each goes by. */
export const demandOrders = {
  MOST_PEOPLE: 'people',
  MOST_COMPANIES: 'companies',
  MOST_REVENUE: 'revenue',
} as const;
export type DemandOrder = keyof typeof demandOrders;

/** Posts that are sorted by who is behind them: the most upvoted that fit. Reading the votes of all could take seconds. */
const MAX_SORTED = 1_000;

export const NO_DEMAND: Demand = { people: 0, companies: 0, monthlyRevenue: 0 };

type DemandRow = { post_id: string; people: number; companies: number; revenue: number };

/**
 * Figures of posts by their id: a company counts once for a post, however many of its people voted. Those of a merged post
 * are not used: its votes count on the post that it was merged into.
 * @param filter only people of a segment
 */
function demandOf(reader: Reader, boardId: string, filter: SegmentFilter | null, isCounted: Expression<SqlBool>) {
  const isOfPeople = filter ? isOfSegment(reader, boardId, 'votes.user_id', filter) : sql`1 = 1`;
  const votes = sql`votes where votes.board_id = ${boardId} and votes.type = 'UP' and ${isCounted} and ${isOfPeople}`;
  return sql<DemandRow>`(
    select by_people.post_id, by_people.people, coalesce(by_company.companies, 0) as companies,
      coalesce(by_company.revenue, 0) as revenue
    from (
      select votes.post_id, cast(count(*) as integer) as people from ${votes} group by votes.post_id
    ) as by_people
    left join (
      select belonging.post_id, cast(count(*) as integer) as companies, sum(companies.monthly_revenue) as revenue
      from (
        select distinct voted.post_id, company_users.company_id
        from (select votes.post_id, votes.user_id from ${votes}) as voted
        join company_users on company_users.board_id = ${boardId} and company_users.user_id = voted.user_id
      ) as belonging
      join companies on companies.board_id = ${boardId} and companies.id = belonging.company_id
      group by belonging.post_id
    ) as by_company on by_company.post_id = by_people.post_id)`;
}

/**
 * Who is behind each of these posts, which the caller has found for the actor.
 * @returns by the id of the post; a post without an entry has none
 * @throws FORBIDDEN
 */
export async function readDemand(
  { db, board, actor }: RequestContext & { actor: Actor },
  postIds: readonly string[],
  filter: SegmentFilter | null,
): Promise<Map<string, Demand>> {
  requireRight(actor, 'customer.see');
  if (postIds.length === 0) return new Map();
  const demand = demandOf(db.slow, board.id, filter, isOneOf(db.slow, 'votes.post_id', postIds));
  const { rows } = await sql<DemandRow>`select * from ${demand} as demand`.execute(db.slow);
  return new Map(
    rows.map(({ post_id, people, companies, revenue }) => [
      post_id,
      { people, companies, monthlyRevenue: Math.round(revenue * 100) / 100 },
    ]),
  );
}

/** Which posts, by which figure, of which segment. */
export type DemandQuery = PageArgs & {
  order: DemandOrder;
  segment: SegmentFilter | null;
  filter: PostFilter;
  conditions?: readonly Expression<SqlBool>[];
  columns?: Columns<PostRow>;
};

/**
 * A page of posts with the most people, companies or revenue behind them, of the thousand most upvoted ones that fit.
 * @throws FORBIDDEN; BAD_REQUEST for a bad cursor
 */
export async function listByDemand(
  context: RequestContext & { actor: Actor },
  query: DemandQuery,
): Promise<Page<PostRow>> {
  const { db, board, actor } = context;
  requireRight(actor, 'customer.see');
  const { order, segment, filter, conditions = [], cursor, limit, columns = null } = query;
  const reader = db.slow;
  const list = `posts:${order}`;
  const position = parseCursor(list, cursor, Number.isFinite);
  const fits = [
    isVisiblePost(viewerFilterOf(actor, board.id)),
    ...conditionsOf(reader, board.id, filter),
    ...conditions,
  ];
  let candidates = reader.selectFrom('posts').select('id').where('posts.board_id', '=', board.id);
  for (const condition of fits) candidates = candidates.where(condition);
  const most = candidates.orderBy('upvotes', 'desc').orderBy('id', 'desc').limit(MAX_SORTED);
  const { rows: found } = await sql<{ id: string }>`select id from (${most}) as most`.execute(reader);
  const ids = found.map(({ id }) => id);
  const demand = demandOf(reader, board.id, segment, isOneOf(reader, 'votes.post_id', ids));
  const value = sql<number>`coalesce(demand.${sql.ref(demandOrders[order])}, 0)`;
  let posts = selectColumns(reader.selectFrom('posts').where('posts.board_id', '=', board.id), columns, ['id'])
    .leftJoin(demand.as<'demand'>('demand'), (join) => join.onRef('demand.post_id', '=', 'posts.id'))
    .select(value.as('value'))
    .where(isOneOf(reader, 'posts.id', ids));
  if (segment) posts = posts.where(sql<SqlBool>`demand.people > 0`);
  if (position) posts = posts.where(sql<SqlBool>`(${value}, posts.id) < (${position[0]}, ${position[1]})`);
  const rows = await posts
    .orderBy('value', 'desc')
    .orderBy('posts.id', 'desc')
    .limit(rowLimit(limit + 1))
    .execute();
  return makePage(rows as (PostRow & { value: number })[], limit, (row) => encodeCursor(list, [row.value, row.id]));
}
