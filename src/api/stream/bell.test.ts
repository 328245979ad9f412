import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Bell } from './bell.ts';

const LONG = 3_600_000;

test('a bell is heard once, also by a later listener, and not after the timeout', async () => {
  const bell = new Bell();
  bell.ring();
  assert.equal(await bell.heard(LONG), true);
  assert.equal(await bell.heard(1), false);
  setTimeout(() => bell.ring(), 1);
  assert.equal(await bell.heard(LONG), true);
});

test('a closed bell does not keep its listeners waiting', async () => {
  const bell = new Bell();
  setTimeout(() => bell.close(), 1);
  assert.equal(await bell.heard(LONG), false);
  assert.equal(await bell.heard(LONG), false);
  assert.ok(bell.isClosed);
});
