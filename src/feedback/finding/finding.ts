import type { ViewerContext } from '../../identity/users/request-context.ts';
import type { Columns } from '../../platform/db/prepare.ts';
import { badRequest } from '../../platform/errors.ts';
import type { Page, PageArgs } from '../../platform/lib/page.ts';
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
  order: PostOrder | 'RELEVANCE' | null;
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
  const query = { viewer, order: order ?? ('TRENDING' as const), filter, ...page };
  return { page: await listPosts(reader, board.id, { ...query, columns }), count };
}

type Search = PostSearch & { words: readonly string[]; order: PostOrder | 'RELEVANCE' };

/** Posts that contain the words, best first or in the requested order. */
async function searchPosts(
  context: ViewerContext,
  { words, choice: { filter }, order, ...page }: Search,
): Promise<CountedPage> {
  const { db, board, actor: viewer } = context;
  const filters = conditionsOf(db.slow, board.id, filter);
  if (order === 'RELEVANCE') {
    const found = await searchByRelevance(context, { words, viewer, conditions: filters, ...page });
    return { page: found.page, count: async () => found.count };
  }
  const having = await havingWords(context, words);
  const query = { viewer, order, filter, conditions: [having], ...page };
  const conditions = [...filters, having];
  return {
    page: await listPosts(db.slow, board.id, query),
    count: () => countPostsWith(db.slow, board.id, viewer, conditions),
  };
}
