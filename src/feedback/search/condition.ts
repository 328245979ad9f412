import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import type { RequestContext } from '../../identity/users/request-context.ts';
import { postsWithGrams, rarestGrams } from './candidates.ts';
import { rowsWithIds } from './rows.ts';
import { newestFirst, readIndex } from './segments.ts';
import { statisticsOf } from './statistics.ts';
import { variantsOf, wordsCondition } from './words.ts';

/** Above this share of all posts, a page is found sooner by walking the list than by looking up all matches. */
const COMMON_SHARE = 0.003;
/** On a board of few posts nothing is common enough to matter. */
const FEW_POSTS = 3_000;

/** The condition that a post contains all the words: for lists in other orders, which return all such posts. */
export async function havingWords(context: RequestContext, words: readonly string[]): Promise<Expression<SqlBool>> {
  if (words.length === 0) return sql<SqlBool>`1 = 0`;
  const reader = context.db.slow;
  const boardId = context.board.id;
  const statistics = await statisticsOf(context);
  const variants = variantsOf(words);
  const contain = expressionBuilder().or(variants.map((variant) => wordsCondition(reader, 'post', variant)));
  const share = Math.max(...variants.map((variant) => statistics.shareWithWords('post', variant)));
  if (share >= COMMON_SHARE && statistics.countOf(share) >= FEW_POSTS) {
    // A subquery that returns a value instead of rows: planners turn `exists` into a join that begins with all posts.
    return sql<SqlBool>`(
      select ${contain} from post_search
      where post_search.board_id = posts.board_id and post_search.post_id = posts.id
    )`;
  }
  const index = await readIndex(reader, boardId);
  const found = await Promise.all(
    variants.map((variant) =>
      postsWithGrams(reader, boardId, index.segments, rarestGrams(statistics, 'post', variant)),
    ),
  );
  const rows = rowsWithIds(reader, { boardId, contain }, newestFirst([...index.pending, ...found.flat()]));
  const ids = sql`select post_search.post_id from ${rows}`;
  // unlikely: otherwise SQLite walks the whole list in its order and checks each post.
  return reader.engine === 'sqlite'
    ? sql<SqlBool>`unlikely(posts.id in (${ids}))`
    : sql<SqlBool>`posts.id = any(array(${ids}))`;
}
