import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encodeCursor, makePage, parseCursor } from './page.ts';

test('a cursor is read back only by the list that gave it', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.uuid(), (value, id) => {
      const cursor = encodeCursor('posts:TOP', [value, id]);
      assert.deepEqual(parseCursor('posts:TOP', cursor), [value, id]);
      assert.throws(() => parseCursor('posts:NEWEST', cursor), /cursor/);
    }),
  );
  assert.equal(parseCursor('x', null), null);
  assert.deepEqual(parseCursor('x', encodeCursor('x', [0.5, '']), Number.isFinite), [0.5, '']);
  for (const cursor of ['', '!', 'bnVsbA', 'W10', 'WyJ4IiwxXQ'])
    assert.throws(() => parseCursor('x', cursor), /cursor/);
});

test('a page shows whether there is more', () => {
  const cursorOf = (row: number) => `after ${row}`;
  assert.deepEqual(makePage([1, 2, 3], 2, cursorOf), { nodes: [1, 2], hasMore: true, cursor: 'after 2' });
  assert.deepEqual(makePage([1, 2], 2, cursorOf), { nodes: [1, 2], hasMore: false, cursor: null });
  assert.deepEqual(makePage([], 2, cursorOf), { nodes: [], hasMore: false, cursor: null });
});
