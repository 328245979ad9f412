import type { Actor } from '../../identity/users/authority.ts';
import type { ViewerContext } from '../../identity/users/request-context.ts';
import type { Columns } from '../../platform/db/prepare.ts';
import { badRequest, forbidden } from '../../platform/errors.ts';
import type { Page, PageArgs } from '../../platform/lib/page.ts';
import { type DemandOrder, demandOrders, listByDemand } from '../demand/demand.ts';
import { countPostsWith } from '../posts/counting.ts';
import { conditionsOf } from '../posts/filter.ts';
import { listPosts, type PostOrder } from '../posts/list.ts';
import type { PostRow } from '../posts/posts.ts';
import { havingWords } from '../search/condition.ts';
import { searchByRelevance } from '../search/search.ts';
import type { Choice } from './choosing.ts';

/** A page of posts, and how many there are in all. */
export type CountedPage = { page: Page<PostRow>; count: () => Promise<number> };

/** Which posts to find, in which order: by default with a search the best first, otherwise the trending ones. */
export type PostSearch = PageArgs & {
  choice: Choice;
  words: readonly string[] | null;
  order: PostOrder | DemandOrder | 'RELEVANCE' | null;
};

/** Posts that fit the conditions, contain the words if there are any, and are visible to the actor. */
export async function findPostsBy(
  context: ViewerContext,
  { choice, words, order, ...page }: PostSearch,
  columns: Columns<PostRow>,
): Promise<CountedPage> {
  const { board, actor: viewer } = context;
  const { filter, reader, count } = choice;
  if (words) return searchPosts(context, { choice, words, order: order ?? 'RELEVANCE', ...page });
  if (order === 'RELEVANCE') throw badRequest('sort: RELEVANCE needs a search', 'sort');
  if (isDemandOrder(order)) {
    return { page: await listByDemand(requireActor(context), { ...choice, order, columns, ...page }), count };
  }
  const query = { viewer, order: order ?? ('TRENDING' as const), filter, ...page };
  return { page: await listPosts(reader, board.id, { ...query, columns }), count };
}

function isDemandOrder(order: PostSearch['order']): order is DemandOrder {
  return order !== null && Object.hasOwn(demandOrders, order);
}

/** @throws FORBIDDEN */
function requireActor(context: ViewerContext): ViewerContext & { actor: Actor } {
  const { actor } = context;
  if (!actor) throw forbidden('Sign in to see who is behind ideas');
  return { ...context, actor };
}

type Search = PostSearch & { words: readonly string[]; order: PostOrder | DemandOrder | 'RELEVANCE' };

/** Posts that contain the words, best first or in the requested order. */
async function searchPosts(context: ViewerContext, { words, choice, order, ...page }: Search): Promise<CountedPage> {
  const { db, board, actor: viewer } = context;
  const { filter, segment } = choice;
  const filters = conditionsOf(db.slow, board.id, filter);
  if (order === 'RELEVANCE') {
    const found = await searchByRelevance(context, { words, viewer, conditions: filters, ...page });
    return { page: found.page, count: async () => found.count };
  }
  const having = await havingWords(context, words);
  const conditions = [...filters, having];
  const query = { filter, conditions: [having], ...page };
  return {
    page: isDemandOrder(order)
      ? await listByDemand(requireActor(context), { ...query, order, segment })
      : await listPosts(db.slow, board.id, { ...query, viewer, order }),
    count: () => countPostsWith(db.slow, board.id, viewer, conditions),
  };
}
