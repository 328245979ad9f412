import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { onEnd } from '../../../test/support/cleanup.ts';
import { every, Loop, type LoopOptions } from './loop.ts';

const HOUR_MS = 3_600_000;

/** A loop that looks as a test says; and what it told. */
function startLoop(t: TestContext, options: Pick<LoopOptions, 'look'> & Partial<LoopOptions>) {
  const told: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line) => told.push(JSON.parse(line).err.message) });
  const loop = new Loop({ name: 'test', pollMs: HOUR_MS, log, failure: 'It failed', ...options }).start();
  onEnd(t, () => loop.stop());
  return { loop, told };
}

test('hints during a look cause one more look, never two at the same time', async (t) => {
  let looks = 0;
  let atOnce = 0;
  const { loop } = startLoop(t, {
    async look() {
      assert.equal(atOnce++, 0);
      looks++;
      if (looks === 1) for (let hint = 0; hint < 3; hint++) loop.wake();
      await nextTurn();
      atOnce--;
      return HOUR_MS;
    },
  });
  await loop.looking;
  assert.equal(looks, 2);
});

test('the loop looks again when something is due, and at the latest after the polling interval', async (t) => {
  const enough = Promise.withResolvers<void>();
  let looks = 0;
  const look = async () => {
    if (++looks === 3) enough.resolve();
    return looks === 1 ? 1 : Number.POSITIVE_INFINITY;
  };
  startLoop(t, { look, pollMs: 2 });
  const process = setTimeout(() => {}, HOUR_MS);
  await enough.promise;
  clearTimeout(process);
});

test('repeated failures are reported once, and hints are ignored until the next try', async (t) => {
  const enough = Promise.withResolvers<void>();
  const failures = ['away', 'away', 'broken', null, 'broken'];
  let looks = 0;
  const { loop, told } = startLoop(t, {
    retryMs: 1,
    pollMs: 1,
    async look() {
      const failure = failures[looks++];
      if (looks > failures.length) enough.resolve();
      if (failure) throw new Error(failure);
      return 0;
    },
  });
  await loop.looking;
  loop.wake();
  assert.equal(loop.looking, null);
  const process = setTimeout(() => {}, HOUR_MS);
  await enough.promise;
  clearTimeout(process);
  assert.deepEqual(told, ['away', 'broken', 'broken']);
});

test('stopping aborts the look in progress and waits for it, which is not a failure', async (t) => {
  let isHeard = true;
  const { loop, told } = startLoop(t, {
    listen: () => () => {
      isHeard = false;
    },
    async look(signal) {
      while (!signal.aborted) await nextTurn();
      throw new Error('stopped');
    },
  });
  await loop.stop();
  loop.wake();
  assert.deepEqual({ isHeard, looking: loop.looking, told }, { isHeard: false, looking: null, told: [] });
});

test('what is done every hour is not done at the start', async (t) => {
  let count = 0;
  const log = pino({ level: 'silent' });
  const loop = every(HOUR_MS, async () => count++, { name: 'count', log, failure: 'It failed' });
  onEnd(t, () => loop.stop());
  await nextTurn();
  assert.equal(count, 0);
});
