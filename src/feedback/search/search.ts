import { hash } from 'node:crypto';
import type { Expression, SqlBool } from 'kysely';
import type { RequestContext } from '../../identity/users/request-context.ts';
import { badRequest } from '../../platform/errors.ts';
import { encodeCursor, makePage, type Page, parseCursor } from '../../platform/lib/page.ts';
import { isDense } from '../../platform/texts/fold.ts';
import { findPosts, type PostRow } from '../posts/posts.ts';
import { isVisiblePost, type Viewer, viewerFilterOf } from '../visibility/posts.ts';
import { findCandidates } from './candidates.ts';
import { chooseFeatures, forgiving } from './features.ts';
import { findResembling } from './resembling.ts';
import { type Index, readIndex } from './segments.ts';
import { type Statistics, statisticsOf } from './statistics.ts';
import { forgivingRelevance } from './typos.ts';
import { parseWords, variantsOf } from './words.ts';

const MAX_CHARACTERS = 200;
/** Maximum number of posts that a search by relevance returns, the newest of all matches. */
export const MAX_MATCHES = 300;
/** If fewer posts match exactly, near matches are added. */
const ENOUGH = 10;

/**
 * The words of a search; null if there are none.
 * @throws BAD_REQUEST when it is too long
 */
export function parseSearch(search: string | null | undefined): readonly string[] | null {
  if (search == null) return null;
  if (search.length > MAX_CHARACTERS) {
    throw badRequest(`search must have at most ${MAX_CHARACTERS} characters; it has ${search.length}`, 'search');
  }
  return search.trim() === '' ? null : parseWords(search);
}

export type SearchQuery = {
  words: readonly string[];
  viewer: Viewer;
  /** Further conditions on the posts. */
  conditions: readonly Expression<SqlBool>[];
};

type Scored = { id: string; score: number };

/** Posts that match the words, the best first: at most `MAX_MATCHES`. */
export async function findMatches(
  context: RequestContext,
  { words, viewer, conditions: others }: SearchQuery,
): Promise<Scored[]> {
  if (words.length === 0) return [];
  const { db, board } = context;
  const conditions = [isVisiblePost(viewerFilterOf(viewer, board.id)), ...others];
  const statistics = await statisticsOf(context);
  const index = await readIndex(db.slow, board.id);
  const variants = variantsOf(words);
  const [joined = words] = variants;
  const found = new Map<string, number>();
  for (const field of ['title', 'post'] as const) {
    for (const variant of variants) {
      if (found.size >= MAX_MATCHES) break;
      const query = { words: variant, field, conditions, limit: MAX_MATCHES };
      for (const { id, title } of await findCandidates(db.slow, statistics, index, query)) {
        if (found.size >= MAX_MATCHES) break;
        found.set(id, Math.max(...variants.map((others) => relevanceOf(title, others))));
      }
    }
  }
  if (found.size < ENOUGH) {
    for (const { id, score } of await findNearly(context, statistics, index, { words: joined, conditions })) {
      if (!found.has(id)) found.set(id, score);
    }
  }
  return [...found].map(([id, score]) => ({ id, score })).sort(byScore);
}

/** Near matches: misspelled words, or compounds written apart. */
async function findNearly(
  { db }: RequestContext,
  statistics: Statistics,
  index: Index,
  { words, conditions }: Pick<SearchQuery, 'words' | 'conditions'>,
): Promise<Scored[]> {
  const features = chooseFeatures(statistics, { title: words, text: [], how: forgiving });
  const posts = await findResembling(db.slow, index, { features, conditions });
  return posts
    .map(({ id, title, text }) => ({
      id,
      score: forgivingRelevance(`${title.trim()} ${text.trim()}`.split(' '), words),
    }))
    .filter(({ score }) => score > 0);
}

/**
 * A page of `findMatches`. The next page begins after the last post in the order of relevance, which depends only on
 * the words and the post: posts added in the meantime move nothing.
 */
export async function searchByRelevance(
  context: RequestContext,
  query: SearchQuery & { cursor: string | null; limit: number },
): Promise<{ page: Page<PostRow>; count: number }> {
  const { cursor, limit, words, viewer } = query;
  const list = `posts:RELEVANCE:${hash('sha256', words.join(' '), 'base64url').slice(0, 8)}`;
  const position = parseCursor(list, cursor, Number.isFinite);
  const matches = await findMatches(context, query);
  const [score = 0, id = ''] = position ?? [];
  const rest = position ? matches.filter((match) => byScore({ score, id }, match) < 0) : matches;
  const page = makePage(rest, limit, (match) => encodeCursor(list, [match.score, match.id]));
  const ids = page.nodes.map((match) => match.id);
  const posts = new Map(
    (await findPosts(context.db.read, context.board.id, ids, viewer)).map((post) => [post.id, post]),
  );
  const nodes = ids.flatMap((postId) => posts.get(postId) ?? []);
  return { page: { nodes, hasMore: page.hasMore, cursor: page.cursor }, count: matches.length };
}

/** The better one first, then the newer one. */
function byScore(a: Scored, b: Scored): number {
  if (a.score !== b.score) return b.score - a.score;
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0;
}

/** How a word occurs in a title: as a whole word, at the beginning of one, within one, or not at all. */
const WHOLE = 1;
const BEGINNING = 0.9;
const WITHIN = 0.75;
const ONLY_IN_TEXT = 0.4;

/**
 * How well a post fits the words that it was found by, from 1 to 2: where its title has them, whether they are adjacent
 * and in order there, and how much of the title they make up. It is computed from the post alone, so it is the same on
 * every page, on both engines and whatever other posts there are.
 * @param title folded, with a space at both ends
 */
function relevanceOf(title: string, words: readonly string[]): number {
  const places = words.map((word) => placeOf(title, word));
  const place = places.reduce((sum, value) => sum + value, 0) / words.length;
  const inOrder = words.length > 1 && title.includes(words.join(' ')) ? 1 : 0;
  const letters = words.reduce((sum, word) => sum + (title.includes(word) ? word.length : 0), 0);
  const coverage = Math.min(1, letters / Math.max(1, title.length - 2));
  return 1 + 0.7 * place + (words.length > 1 ? 0.2 * inOrder : 0.2 * place) + 0.1 * coverage;
}

function placeOf(title: string, word: string): number {
  if (title.includes(` ${word} `)) return WHOLE;
  if (title.includes(` ${word}`)) return BEGINNING;
  if (isDense(word)) return title.includes(word) ? BEGINNING : ONLY_IN_TEXT;
  return word.length > 2 && title.includes(word) ? WITHIN : ONLY_IN_TEXT;
}
