import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Lane } from './lane.ts';

test('as many are let in as there are places, the others in their order, also after one that failed', async () => {
  const lane = new Lane(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const works = Array.from({ length: 5 }, (_, n) =>
    lane.within(async () => {
      begun.push(n);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (n === 1) throw new Error('failed');
      return n;
    }),
  );
  const settled = Promise.allSettled(works);
  const turns = async () => {
    for (let n = 0; n < 5; n++) await new Promise((resolve) => setImmediate(resolve));
  };
  for (const expected of [
    [0, 1],
    [0, 1, 2],
    [0, 1, 2, 3],
    [0, 1, 2, 3, 4],
  ]) {
    await turns();
    assert.deepEqual(begun, expected);
    ends[expected.length - 1]?.();
  }
  ends[0]?.();
  const results = (await settled).map((result) => (result.status === 'fulfilled' ? result.value : 'failed'));
  assert.deepEqual(results, [0, 'failed', 2, 3, 4]);
  assert.equal(await lane.within(() => 'free again'), 'free again');
});

test('a turn of the event loop lies between two that wait, also when their work is done at once', async () => {
  const lane = new Lane(1);
  const order: string[] = [];
  const first = lane.within(() => order.push('first'));
  const second = lane.within(() => order.push('second'));
  await first;
  order.push('between');
  await second;
  assert.deepEqual(order, ['first', 'between', 'second']);
});

test('those who ask take turns, however much one of them asks for', async () => {
  const lane = new Lane(1);
  const order: string[] = [];
  const ask = (asker: string, n: number) => lane.within(() => void order.push(`${asker}${n}`), asker);
  await Promise.all([...[1, 2, 3, 4].map((n) => ask('a', n)), ask('b', 1), ask('c', 1), ask('b', 2)]);
  assert.deepEqual(order, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});
