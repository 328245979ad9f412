import type { DemandOrder } from '#src/feedback/demand/demand.ts';
import { type Choice, choosePosts, narrowChoice } from '#src/feedback/finding/choosing.ts';
import { findPostsBy } from '#src/feedback/finding/finding.ts';
import type { PostFilter } from '#src/feedback/posts/filter.ts';
import type { PostRow } from '#src/feedback/posts/posts.ts';
import { parseSearch } from '#src/feedback/search/search.ts';
import type { SegmentFilter } from '#src/identity/companies/conditions.ts';
import { type Asked, hidesDone, orderOf, orders, PAGE, type Part } from '../../parts/frame/list-query.ts';
import type { View } from '../../parts/requests/joining.ts';
import type { FiltersView } from './filters.ts';

/** Ideas on a page of an export, which cannot filter and search. */
const STATIC_PAGE = 100;
/** Maximum number of pinned ideas that are shown first. */
const PINNED = 3;

/** Statuses and tags by their slugs; views have their ids. Those that no longer exist, or that the viewer may not see, are ignored. */
export function withKnownNames(asked: Asked, { statuses, tags }: FiltersView): Asked {
  const known = (names: string[], all: { slug: string; id: string }[]) =>
    names.flatMap((name) => all.find(({ slug, id }) => slug === name || id === name)?.slug ?? []);
  return { ...asked, statuses: known(asked.statuses, statuses), tags: known(asked.tags, tags) };
}

/** A page of the list, the words that it was searched for, where the next one begins, and how many posts there are in all. */
type Page = { posts: readonly PostRow[]; words: readonly string[] | null; next: string | null; count: number };

/** What the team narrows the list to beyond what everyone can, and the order by who is behind ideas. */
type Narrowing = {
  narrowed?: PostFilter | null;
  demand?: { order: DemandOrder; segment: SegmentFilter | null } | null;
};

/**
 * The requested posts. Pinned ones come first, except in a search. A truncated cursor, or one from another order, leads
 * to the first page.
 */
export async function findPage(
  { visit, context }: View,
  asked: Asked,
  filters: FiltersView,
  { after = null, shown = PAGE, narrowed = null, demand = null }: Part & Narrowing,
): Promise<Page> {
  const sort = orderOf(asked);
  if (sort === 'mine' && !context.actor) return { posts: [], words: null, next: null, count: 0 };
  const chosen = await choosePosts(context, [], {
    statusIds: statusesOf(asked, filters),
    tagIds: idsOf(asked.tags, filters.tags),
    author: sort === 'mine' && context.actor ? { id: context.actor.id } : null,
  });
  const narrow = narrowed ? narrowChoice(context, chosen, narrowed) : chosen;
  const choice = { ...narrow, ...(demand && { segment: demand.segment }) };
  const words = parseSearch(asked.words);
  const list = (from: Choice, cursor: string | null, limit: number) =>
    findPostsBy(context, { choice: from, words, order: demand?.order ?? orders[sort], cursor, limit }, null);
  const page = visit.isStatic ? STATIC_PAGE : shown;
  const found = await list(choice, after, page).catch((error) => {
    if (after === null) throw error;
    return list(choice, null, page);
  });
  const { nodes, cursor } = found.page;
  const count = await found.count();
  if (words || demand) return { posts: nodes, words, next: cursor, count };
  const pinnedOnes = { ...choice, filter: { ...choice.filter, isPinned: true } };
  const pinned = (await list(pinnedOnes, null, PINNED)).page.nodes;
  const others = nodes.filter(({ id }) => !pinned.some((post) => post.id === id));
  return { posts: after === null ? [...pinned, ...others] : others, words, next: cursor, count };
}

const idsOf = (names: string[], all: { slug: string; id: string }[]) =>
  all.filter(({ slug }) => names.includes(slug)).map(({ id }) => id);

/** The statuses of the posts to show; null: all. Merged posts are represented by the ones that they were merged into. */
function statusesOf(asked: Asked, { statuses }: FiltersView): string[] | null {
  if (asked.statuses.length > 0) return idsOf(asked.statuses, statuses);
  if (asked.sort === 'mine') return null;
  const left = statuses.filter(({ isMerged, isDone }) => !isMerged && !(isDone && hidesDone(asked)));
  return left.length === statuses.length ? null : left.map(({ id }) => id);
}
