import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addBlock, blockOf, decodeList, encodeBlocks, findList, type Postings } from './blocks.ts';

const ids = fc.array(fc.maxSafeNat(), { minLength: 1, maxLength: 20 });
const grams = fc.array(fc.tuple(fc.nat(2 ** 32 - 1), ids), { maxLength: 40 });
const blockCounts = fc.constantFrom(1, 2, 256, 2 ** 16);

/** The lists as they are to be read: each id once, in ascending order. */
function sorted(postings: Postings): Postings {
  return new Map([...postings].map(([gram, list]) => [gram, [...new Set(list)].sort((a, b) => a - b)]));
}

test('lists are read from blocks as they were written, one by one and all together', () => {
  fc.assert(
    fc.property(grams, blockCounts, (entries, blockCount) => {
      const postings: Postings = new Map(entries);
      const firstId = Math.min(...[...postings.values()].flat());
      const blocks = encodeBlocks(postings, blockCount, firstId);
      const all: Postings = new Map();
      for (const [number, block] of blocks) addBlock(all, { block, number, blockCount, firstId });
      assert.deepEqual(new Map([...all].toSorted()), new Map([...sorted(postings)].toSorted()));
      for (const [gram, list] of sorted(postings)) {
        const number = blockOf(gram, blockCount);
        const stored = findList(blocks.get(number) ?? new Uint8Array(), number, blockCount, gram);
        assert.deepEqual(stored && decodeList(stored, firstId), list);
      }
    }),
  );
});

test('a gram that is in no list is not found', () => {
  fc.assert(
    fc.property(grams, blockCounts, fc.nat(2 ** 32 - 1), (entries, blockCount, gram) => {
      const postings: Postings = new Map(entries);
      postings.delete(gram);
      const blocks = encodeBlocks(postings, blockCount, 0);
      const number = blockOf(gram, blockCount);
      assert.equal(findList(blocks.get(number) ?? new Uint8Array(), number, blockCount, gram), null);
    }),
  );
});

test('the ids of lists may be far apart, and lists of neighbours take a byte for each', () => {
  const far = [1, 2 ** 31, 2 ** 40, Number.MAX_SAFE_INTEGER];
  const near = Array.from({ length: 1_000 }, (_, n) => 2 ** 40 + n);
  const blocks = encodeBlocks(
    new Map([
      [0, far],
      [2 ** 32 - 1, near],
    ]),
    1,
    1,
  );
  const block = blocks.get(0) ?? new Uint8Array();
  assert.deepEqual(decodeList(findList(block, 0, 1, 0) ?? new Uint8Array(), 1), far);
  assert.equal(findList(block, 0, 1, 2 ** 32 - 1)?.length, 6 + 999);
});
