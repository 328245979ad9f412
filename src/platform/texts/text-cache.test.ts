import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TextCache } from './text-cache.ts';

test('texts are kept up to a number of bytes; the most recently used stay', () => {
  const cache = new TextCache(1_000);
  const made = 'x'.repeat(150);
  cache.set('a', made);
  cache.set('b', made);
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.bytes], [made, made, 1_000]);
  cache.get('a');
  cache.set('c', 'y');
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], [made, undefined, 'y']);
  assert.equal(cache.bytes, 702);
});

test('a text that has no room is not kept, and takes that of no other', () => {
  const cache = new TextCache(1_000);
  cache.set('a', 'x'.repeat(399));
  assert.equal(cache.bytes, 998);
  cache.set('b', 'x'.repeat(401));
  assert.deepEqual([cache.get('a')?.length, cache.get('b')?.length], [399, undefined]);
  cache.set('c', 'x'.repeat(400));
  assert.deepEqual([cache.get('a')?.length, cache.get('c')?.length, cache.bytes], [undefined, 400, 1_000]);
});

test('texts are distinguished, however long and similar they are', () => {
  const cache = new TextCache(10_000);
  const long = 'x'.repeat(20_000);
  cache.set(long, 'one');
  cache.set(`${long} `, 'other');
  assert.deepEqual([cache.get(long), cache.get(`${long} `), cache.get(long.slice(1))], ['one', 'other', undefined]);
});
