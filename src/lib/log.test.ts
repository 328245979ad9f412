import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeQuiet } from './log.ts';

test('of the same trouble there is a line a second, which counts those left out, and of a full disk a line a minute', () => {
  let now = 0;
  const quiet = makeQuiet(() => now);
  const away = [{ requestId: '1', err: new Error('The database cannot be reached') }, 'The store is unavailable'];
  const full = [{ err: new Error('The disk of the store is full') }, 'The store is unavailable'];
  assert.deepEqual([quiet(away), quiet(away), quiet(full), quiet(full)], [0, null, 0, null]);
  now = 999;
  assert.deepEqual([quiet(away), quiet(full)], [null, null]);
  now = 1_000;
  assert.deepEqual([quiet(away), quiet(full), quiet(away)], [2, null, null]);
  now = 59_999;
  assert.deepEqual([quiet(away), quiet(full)], [1, null]);
  now = 60_000;
  assert.deepEqual([quiet(full), quiet(full)], [4, null]);
});

test('different troubles do not hide each other, however many there are', () => {
  const quiet = makeQuiet(() => 0);
  for (let n = 0; n < 1_000; n++) assert.equal(quiet([{ err: new Error(`trouble ${n}`) }, 'It failed']), 0);
  assert.equal(quiet(['in words alone']), 0);
  assert.equal(quiet(['in words alone']), null);
});
