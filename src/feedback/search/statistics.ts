import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { requireBoard } from '../../identity/board/board.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import type { Reader } from '../../platform/db/db.ts';
import { MINUTE_MS } from '../../platform/lib/clock.ts';
import { gramsOfPost } from '../../platform/texts/grams.ts';
import { isVisiblePost, viewerFilterOf } from '../visibility/posts.ts';
import { type FoldedPost, hasWords, type SearchField } from './words.ts';

/** Posts in a sample: enough to see what one post in a thousand has. */
const SAMPLE = 1_000;
/** Of each description; long ones are rare, and the sample stays in memory. */
const MAX_TEXT = 2_000;
/** Number of cached figures, for recurring words. */
const MAX_REMEMBERED = 20_000;
/** A board that grows from nothing is sampled again after this many posts, then whenever it has doubled. */
const SMALL_BOARD = 20;
const FRESH_MS = 10 * MINUTE_MS;
/** Boards whose samples are kept: some four megabytes each. */
const MAX_BOARDS = 8;
/** Posts that are processed before other work has its turn, about a millisecond. */
const POSTS_PER_TURN = 25;

/**
 * How common words and grams are on a board, from a sample of its posts. It decides how to search, which can be a
 * hundred times faster one way or the other, and never what is found. Only posts that every member may see count, so it
 * reveals nothing about others.
 */
export class Statistics {
  readonly #posts: readonly FoldedPost[];
  readonly #total: number;
  readonly #postsByGram = new Map<number, number[]>();
  readonly #remembered = new LRUCache<string, number>({ max: MAX_REMEMBERED });

  /** @param total how many posts the sample stands for */
  constructor(posts: readonly FoldedPost[], total: number) {
    this.#posts = posts;
    this.#total = total;
  }

  /** The share of all posts that have these words, from 0 to 1. */
  shareWithWords(field: SearchField, words: readonly string[]): number {
    return this.#share(this.#posts.filter((post) => hasWords(post, field, words)).length);
  }

  /** The share of all posts that have all these grams. */
  shareWithGrams(numbers: readonly number[]): number {
    const [rarest = [], ...others] = numbers
      .map((number) => this.#postsByGram.get(number) ?? [])
      .sort((a, b) => a.length - b.length);
    return this.#share(rarest.filter((post) => others.every((posts) => posts.includes(post))).length);
  }

  /** The number of posts that such a share amounts to. */
  countOf(share: number): number {
    return share * this.#total;
  }

  /** Grams with the rarest first. */
  byRarity(numbers: readonly number[]): number[] {
    return numbers.toSorted((a, b) => this.#count(a) - this.#count(b));
  }

  /** A figure that depends only on the sample, computed once. */
  remember(key: string, work: () => number): number {
    let figure = this.#remembered.get(key);
    if (figure === undefined) {
      figure = work();
      this.#remembered.set(key, figure);
    }
    return figure;
  }

  #count(number: number): number {
    return this.#postsByGram.get(number)?.length ?? 0;
  }

  #share(count: number): number {
    return this.#posts.length === 0 ? 0 : count / this.#posts.length;
  }

  /** Counts the grams of the sample, a few posts at a time. */
  async countGrams(): Promise<this> {
    for (const [n, { title, text }] of this.#posts.entries()) {
      for (const number of gramsOfPost(title.trim(), text.trim())) {
        const posts = this.#postsByGram.get(number);
        if (posts) posts.push(n);
        else this.#postsByGram.set(number, [n]);
      }
      if (n % POSTS_PER_TURN === 0) await nextTurn();
    }
    return this;
  }
}

type Known = { statistics: Promise<Statistics>; readAt: number; posts: number };

const known = new WeakMap<Reader, LRUCache<string, Known>>();

/** The statistics of a board: those of the last ten minutes, or older ones while newer ones are being computed. */
export function statisticsOf({ db, board, clock }: RequestContext): Promise<Statistics> {
  const reader = db.slow;
  const byBoard = known.get(reader) ?? new LRUCache<string, Known>({ max: MAX_BOARDS });
  known.set(reader, byBoard);
  const before = byBoard.get(board.id);
  const now = clock.now();
  const isFresh =
    before && Math.abs(now - before.readAt) < FRESH_MS && board.post_number <= 2 * before.posts + SMALL_BOARD;
  if (isFresh) return before.statistics;
  const statistics = readStatistics(reader, board.id);
  const entry = { statistics, readAt: now, posts: board.post_number };
  byBoard.set(board.id, entry);
  statistics.catch(() => {
    if (byBoard.get(board.id) === entry) byBoard.delete(board.id);
  });
  return before ? before.statistics : statistics;
}

async function readStatistics(reader: Reader, boardId: string): Promise<Statistics> {
  const { post_number: posts } = await requireBoard(reader, boardId);
  const size = Math.min(SAMPLE, posts);
  const numbers = Array.from({ length: size }, (_, n) => 1 + Math.floor((n * posts) / size));
  const isSampled =
    reader.engine === 'sqlite'
      ? sql<boolean>`posts.number in (select value from json_each(${numbers}))`
      : sql<boolean>`posts.number = any(${numbers}::bigint[])`;
  const rows = await reader
    .selectFrom('posts')
    .innerJoin('post_search', (join) =>
      join.onRef('post_search.board_id', '=', 'posts.board_id').onRef('post_search.post_id', '=', 'posts.id'),
    )
    .select(['post_search.title', sql<string>`substr(post_search.text, 1, ${sql.lit(MAX_TEXT)})`.as('text')])
    .where('posts.board_id', '=', boardId)
    .where(isSampled)
    .where(isVisiblePost(viewerFilterOf(null, boardId)))
    .orderBy('posts.id')
    .execute();
  return new Statistics(rows, posts).countGrams();
}
