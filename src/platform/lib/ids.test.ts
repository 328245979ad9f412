import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isId, makeId } from './ids.ts';

test('ids made later sort later', () => {
  const ids = Array.from({ length: 20_000 }, makeId);
  assert.ok(ids.every((id, n) => n === 0 || id > (ids[n - 1] ?? '')));
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ids.every(isId));
  assert.ok(!isId('x') && !isId(makeId().toUpperCase()));
});
