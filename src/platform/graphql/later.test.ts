import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Later } from './later.ts';

test('what follows a value runs as soon as it is there, before or after it came', () => {
  const seen: string[] = [];
  const later = new Later<number>();
  const follow = (name: string) =>
    later.follow(
      (value) => seen.push(`${name} ${value}`),
      () => seen.push(`${name} failed`),
    );
  follow('first');
  later.resolve(7);
  follow('second');
  assert.deepEqual(seen, ['first 7', 'second 7']);
});

test('it can be awaited and changed like a promise, and fails like one', async () => {
  const later = new Later<number>();
  const doubled = later.map((value) => value * 2);
  const refused = later.map(() => {
    throw new Error('not this one');
  });
  later.resolve(7);
  assert.equal(await later, 7);
  assert.equal(await doubled, 14);
  await assert.rejects(refused, /not this one/);
  const failing = new Later<number>();
  const changed = failing.map((value) => value);
  failing.reject(new Error('gone'));
  await assert.rejects(Promise.all([failing]), /gone/);
  assert.equal(await changed.catch(() => 'caught'), 'caught');
  assert.equal(await later.finally(() => {}), 7);
});
