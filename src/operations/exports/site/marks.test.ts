import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Marks } from './marks.ts';

test('the marks of posts are kept by number, in a few bytes each', () => {
  const marks = new Marks();
  const full = 'Hf8ic33ro9jUcvAsLSce9b';
  assert.equal(marks.get(5_000_000), undefined);
  for (const [number, mark] of [
    [1, full],
    [7, ''],
    [9, 'gone'],
    [50_000, full],
  ] as const)
    marks.set(number, mark);
  marks.see(7);
  marks.set(1, 'gone');
  marks.set(7, full);
  assert.deepEqual([...marks.numbers()], [1, 7, 9, 50_000]);
  assert.deepEqual(
    [1, 2, 7, 9, 50_000].map((number) => marks.get(number)),
    ['gone', undefined, full, 'gone', full],
  );
  assert.deepEqual(
    [1, 7].map((number) => marks.hasSeen(number)),
    [false, true],
  );
  marks.seeNone();
  assert.equal(marks.hasSeen(7), false);
  marks.set(7, '');
  assert.equal(marks.get(7), '');
});
