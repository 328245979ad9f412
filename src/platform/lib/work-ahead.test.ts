import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { workAhead } from './work-ahead.ts';

async function* count(to: number): AsyncGenerator<number> {
  for (let n = 1; n <= to; n++) yield n;
}

test('some work is done at a time, and the results come in order', async () => {
  let [active, most] = [0, 0];
  const work = async (n: number) => {
    most = Math.max(most, ++active);
    await delay(n % 2 === 0 ? 1 : 10);
    active--;
    return n;
  };
  assert.deepEqual(await Array.fromAsync(workAhead(count(10), 3, work)), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  assert.equal(most, 3);
});

test('after a failure nothing more is begun, and what was begun has ended', async () => {
  const ended: number[] = [];
  const work = async (n: number) => {
    await delay(n === 2 ? 1 : 10);
    if (n === 2) throw new Error('no');
    ended.push(n);
  };
  await assert.rejects(Array.fromAsync(workAhead(count(10), 3, work)), /no/);
  assert.deepEqual(ended, [1, 3, 4]);
});
