import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Insertable, sql } from 'kysely';
import { pipelined, type Reader, type Tables, type Tx } from '../../platform/db/db.ts';
import { prepareInsert, tableOf } from '../../platform/db/prepare.ts';
import { makeId } from '../../platform/lib/ids.ts';
import { addBlock, encodeBlocks, type Postings } from './blocks.ts';
import { blocksOf, type Segment } from './segments.ts';

/** A segment as it is to be stored. */
export type NewSegment = { row: Insertable<Tables['search_segments']>; blocks: ReadonlyMap<number, Uint8Array> };

/** Bytes of a block, about: a search reads a block for each of its grams. */
const BLOCK_BYTES = 1_024;

/** Makes a segment of lists. */
export function makeSegment(boardId: string, postings: Postings, postCount: number): NewSegment {
  let [entries, first, last] = [0, Number.MAX_SAFE_INTEGER, 0];
  for (const ids of postings.values()) {
    entries += ids.length;
    for (const id of ids) {
      if (id < first) first = id;
      if (id > last) last = id;
    }
  }
  const blockCount = blockCountFor(entries + 4 * postings.size);
  return describe(boardId, encodeBlocks(postings, blockCount, first), { postCount, blockCount, first, last });
}

/** Makes one segment of several, a part of the numbers of grams at a time, so that other work has its turn. */
export async function mergeSegments(
  reader: Reader,
  boardId: string,
  segments: readonly Segment[],
): Promise<NewSegment> {
  const sum = (count: (segment: Segment) => number) => segments.reduce((total, segment) => total + count(segment), 0);
  const first = Math.min(...segments.map((segment) => segment.first_search_id));
  const last = Math.max(...segments.map((segment) => segment.last_search_id));
  const blockCount = blockCountFor(sum((segment) => segment.byte_count));
  // The ranges of numbers that each segment can give in whole blocks.
  const ranges = Math.min(blockCount, ...segments.map((segment) => segment.block_count));
  const blocks = new Map<number, Uint8Array>();
  for (let range = 0; range < ranges; range++) {
    const postings: Postings = new Map();
    for (const { segment, number, lists } of await readRange(reader, boardId, segments, { range, ranges })) {
      const { block_count: blockCount, first_search_id: firstId } = segment;
      addBlock(postings, { block: lists, number, blockCount, firstId });
    }
    for (const [number, block] of encodeBlocks(postings, blockCount, first)) blocks.set(number, block);
    await nextTurn();
  }
  return describe(boardId, blocks, { postCount: sum((segment) => segment.post_count), blockCount, first, last });
}

/** The blocks of a part of the numbers, which is a whole number of blocks in every segment. */
async function readRange(
  reader: Reader,
  boardId: string,
  segments: readonly Segment[],
  { range, ranges }: { range: number; ranges: number },
): Promise<{ segment: Segment; number: number; lists: Uint8Array }[]> {
  const parts = segments.map(({ id, block_count }, n) => {
    const size = block_count / ranges;
    return { n, id, first: range * size, last: (range + 1) * size - 1 };
  });
  const types = { n: 'integer', id: 'text', first: 'integer', last: 'integer' } as const;
  const { rows } = await sql<{ n: number; number: number; lists: Uint8Array }>`
    select part.n, search_blocks.number, search_blocks.lists
    from ${tableOf(reader, 'part', types, JSON.stringify(parts))}
    ${blocksOf(
      reader,
      sql`search_blocks.board_id = ${boardId} and search_blocks.segment_id = part.id
        and search_blocks.number between part.first and part.last`,
    )}
    order by part.n, search_blocks.number`.execute(reader);
  return rows.flatMap(({ n, ...block }) => {
    const segment = segments[n];
    return segment ? { segment, ...block } : [];
  });
}

function blockCountFor(bytes: number): number {
  return 2 ** Math.max(0, Math.round(Math.log2(bytes / BLOCK_BYTES)));
}

function describe(
  boardId: string,
  blocks: ReadonlyMap<number, Uint8Array>,
  { postCount, blockCount, first, last }: Record<'postCount' | 'blockCount' | 'first' | 'last', number>,
): NewSegment {
  let bytes = 0;
  for (const block of blocks.values()) bytes += block.length;
  const row = {
    board_id: boardId,
    id: makeId(),
    post_count: postCount,
    byte_count: bytes,
    block_count: blockCount,
    first_search_id: first,
    last_search_id: last,
  };
  return { row, blocks };
}

/** Blocks that are sent to the store before it has answered. */
const BLOCKS_AT_ONCE = 200;

/** Adds a segment to the index. */
export async function insertSegment(tx: Tx, { row, blocks }: NewSegment): Promise<void> {
  await tx.insertInto('search_segments').values(row).execute();
  let sent: unknown[] = [];
  for (const [number, lists] of blocks) {
    sent.push(insertBlock(tx, { board_id: row.board_id, segment_id: row.id, number, lists }));
    if (sent.length < BLOCKS_AT_ONCE) continue;
    await pipelined(sent);
    sent = [];
  }
  await pipelined(sent);
}

const insertBlock = prepareInsert('search_blocks', ['board_id', 'segment_id', 'number', 'lists']);
