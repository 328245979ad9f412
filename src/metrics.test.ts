import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeMetrics } from './metrics.ts';

test('metrics are there when the store is not, without the figures that only it can tell', async (t) => {
  const metrics = makeMetrics();
  t.after(() => metrics.stop());
  let isThere = true;
  metrics.watchDeliveries({
    countInFlight: () => 3,
    async readBacklog() {
      if (!isThere) throw new Error('The store is gone');
      return [{ state: 'failing', waiting: 7, oldestSeconds: 60 }];
    },
  });
  const backlog = /^earshot_webhook_backlog(_age_seconds)?\{state="failing"\}.*$/gm;
  assert.deepEqual((await metrics.print()).match(backlog), [
    'earshot_webhook_backlog{state="failing"} 7',
    'earshot_webhook_backlog_age_seconds{state="failing"} 60',
  ]);
  isThere = false;
  const text = await metrics.print();
  assert.doesNotMatch(text, backlog);
  assert.match(text, /^earshot_webhook_attempts_in_flight 3$/m);
});
