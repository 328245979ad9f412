import { type Generated, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Reader } from '../../platform/db/db.ts';
import { tableOf } from '../../platform/db/prepare.ts';
import { blockOf, decodeList, findList } from './blocks.ts';

declare module '../../platform/db/db.ts' {
  interface Tables {
    search_pending: { id: Generated<number>; board_id: string; search_id: number };
    search_segments: SegmentTable;
    search_blocks: { board_id: string; segment_id: string; number: number; lists: Uint8Array };
  }
}

type SegmentTable = {
  board_id: string;
  id: string;
  post_count: number;
  byte_count: number;
  /** A power of two: blocks have equal ranges of the numbers of grams. */
  block_count: number;
  /** No post has a smaller id in `post_search`, and none a greater one. */
  first_search_id: number;
  last_search_id: number;
  /** When a larger segment replaced it; it is kept for searches in progress. */
  date_replaced: Generated<number | null>;
};

export type Segment = Selectable<SegmentTable>;

/** The state of a board's index: its segments, the newest first, and the posts that are in none yet. */
export type Index = { boardId: string; segments: readonly Segment[]; pending: readonly number[] };

/**
 * Maximum number of pending posts that a search examines, the newest. There are more only while a store without an
 * index gets one, or if no process builds it.
 */
const MAX_PENDING = 10_000;

/** Both in one statement: a post moves from one to the other, and must not be missed in between. */
export async function readIndex(reader: Reader, boardId: string): Promise<Index> {
  const { rows } = await sql<Segment & { search_id: number | null }>`
    select board_id, id, post_count, byte_count, block_count, first_search_id, last_search_id, null as search_id
    from search_segments where board_id = ${boardId} and date_replaced is null
    union all
    select board_id, null, null, null, null, null, null, search_id
    from (
      select board_id, search_id from search_pending where board_id = ${boardId}
      order by id desc limit ${sql.lit(MAX_PENDING)}
    ) as pending`.execute(reader);
  return {
    boardId,
    segments: rows.filter((row) => row.search_id === null).sort((a, b) => b.last_search_id - a.last_search_id),
    pending: newestFirst(rows.flatMap(({ search_id }) => search_id ?? [])),
  };
}

/** Each id once, the greatest first. */
export function newestFirst(ids: readonly number[]): number[] {
  const sorted = Float64Array.from(ids).sort();
  const newest: number[] = [];
  for (let n = sorted.length - 1; n >= 0; n--) {
    if (sorted[n] !== sorted[n + 1]) newest.push(sorted[n] as number);
  }
  return newest;
}

/** The first segments that together have this many posts. */
export function takeSegments(segments: readonly Segment[], posts: number): Segment[] {
  let sum = 0;
  return segments.filter(({ post_count }) => {
    const isWanted = sum < posts;
    sum += post_count;
    return isWanted;
  });
}

/** The grams requested from a segment. */
export type Question = { segment: Segment; grams: readonly number[] };

/** Lists of segments: for each of them, the list of each gram that it has. */
export type Lists = ReadonlyMap<Segment, ReadonlyMap<number, Uint8Array>>;

/** Reads the lists of grams, all in one statement. */
export async function readLists(reader: Reader, boardId: string, questions: readonly Question[]): Promise<Lists> {
  const wanted = new Map<string, { segment: Segment; number: number; grams: Set<number> }>();
  for (const { segment, grams } of questions) {
    for (const gram of grams) {
      const number = blockOf(gram, segment.block_count);
      const key = `${segment.id} ${number}`;
      const block = wanted.get(key);
      if (block) block.grams.add(gram);
      else wanted.set(key, { segment, number, grams: new Set([gram]) });
    }
  }
  const lists = new Map(questions.map(({ segment }) => [segment, new Map<number, Uint8Array>()]));
  for (const { segment_id, number, lists: block } of await readBlocks(reader, boardId, [...wanted.values()])) {
    const { segment, grams } = wanted.get(`${segment_id} ${number}`) ?? {};
    if (!segment || !grams) continue;
    for (const gram of grams) {
      const list = findList(block, number, segment.block_count, gram);
      if (list) lists.get(segment)?.set(gram, list);
    }
  }
  return lists;
}

type Block = { segment_id: string; number: number; lists: Uint8Array };

async function readBlocks(
  reader: Reader,
  boardId: string,
  blocks: readonly { segment: Segment; number: number }[],
): Promise<Block[]> {
  if (blocks.length === 0) return [];
  const wanted = JSON.stringify(blocks.map(({ segment, number }) => ({ segment_id: segment.id, number })));
  const { rows } = await sql<Block>`
    select search_blocks.segment_id, search_blocks.number, search_blocks.lists
    from ${tableOf(reader, 'wanted', { segment_id: 'text', number: 'integer' }, wanted)}
    ${blocksOf(
      reader,
      sql`search_blocks.board_id = ${boardId} and search_blocks.segment_id = wanted.segment_id
        and search_blocks.number = wanted.number`,
    )}`.execute(reader);
  return rows;
}

/** The blocks for each row of a table of wanted ones: by the index, while planners would rather read all blocks. */
export function blocksOf(reader: Reader, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return reader.engine === 'sqlite'
    ? sql`cross join search_blocks on ${condition}`
    : sql`cross join lateral (select * from search_blocks where ${condition} offset 0) as search_blocks`;
}

/** The posts of a segment that have all the grams, in ascending order. */
export function postsWithAll(segment: Segment, lists: Lists, grams: readonly number[]): number[] {
  const found = grams.map((gram) => lists.get(segment)?.get(gram));
  const known = found.filter((list) => list !== undefined).sort((a, b) => a.length - b.length);
  const [shortest, ...others] = known;
  if (!shortest || known.length < grams.length) return [];
  let ids = decodeList(shortest, segment.first_search_id);
  for (const list of others) {
    if (ids.length === 0) break;
    ids = inBoth(ids, decodeList(list, segment.first_search_id));
  }
  return ids;
}

function inBoth(few: readonly number[], many: readonly number[]): number[] {
  const both: number[] = [];
  let n = 0;
  for (const id of few) {
    while (n < many.length && (many[n] as number) < id) n++;
    if (many[n] === id) both.push(id);
  }
  return both;
}
