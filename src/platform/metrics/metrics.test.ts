import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTestClock } from '../../../test/support/app.ts';
import { makeMetrics } from './metrics.ts';
import type { StoreFigures } from './store.ts';

/** Metrics of a store that answers as the test says. */
function watch(answer: () => Promise<StoreFigures>) {
  const metrics = makeMetrics();
  const clock = makeTestClock();
  let asked = 0;
  metrics.watchAttempts(() => 3);
  const read = () => {
    asked++;
    return answer();
  };
  metrics.watchStore(clock, read, async () => true);
  return { metrics, clock, asked: () => asked };
}

const figures: StoreFigures = {
  webhooks: [{ state: 'disabled', disabledBy: 'service', count: 2 }],
  backlog: [{ state: 'failing', waiting: 7, oldestSeconds: 60 }],
  mails: { waiting: 4, retrying: 1, oldestSeconds: 9 },
  eventLogSeconds: 86_400,
};

const ofStore =
  /^earshot_(store_up|webhooks|webhook_backlog\w*|mail_(?:waiting|retrying|age_seconds)|event_log_age_seconds)\b.* .*$/gm;

test('metrics are available when the store is not, without the figures that come from it', async () => {
  let isThere = true;
  const { metrics, clock } = watch(async () => {
    if (!isThere) throw new Error('The store is gone');
    return figures;
  });
  assert.deepEqual((await metrics.print()).match(ofStore), [
    'earshot_store_up 1',
    'earshot_webhooks{state="disabled",disabled_by="service"} 2',
    'earshot_webhook_backlog{state="failing"} 7',
    'earshot_webhook_backlog_age_seconds{state="failing"} 60',
    'earshot_mail_waiting 4',
    'earshot_mail_retrying 1',
    'earshot_mail_age_seconds 9',
    'earshot_event_log_age_seconds 86400',
  ]);
  isThere = false;
  clock.advance(15_000);
  const text = await metrics.print();
  assert.deepEqual(text.match(ofStore), ['earshot_store_up 0']);
  assert.match(text, /^earshot_webhook_attempts_in_flight 3$/m);
  isThere = true;
  assert.equal((await metrics.print()).match(ofStore)?.length, 8);
});

test('the store is asked every 15 seconds, however often metrics are read', async () => {
  const { metrics, clock, asked } = watch(async () => figures);
  await Promise.all([metrics.print(), metrics.print()]);
  clock.advance(14_999);
  await metrics.print();
  assert.equal(asked(), 1);
  clock.advance(1);
  await metrics.print();
  assert.equal(asked(), 2);
});

test('a store that does not answer delays nothing, and is not queried again until it does', async () => {
  const silence = Promise.withResolvers<StoreFigures>();
  const { metrics, asked } = watch(() => silence.promise);
  const texts = await Promise.all([metrics.print(), metrics.print()]);
  for (const text of texts) assert.deepEqual(text.match(ofStore), ['earshot_store_up 0']);
  assert.equal(asked(), 1);
  silence.resolve(figures);
  assert.equal((await metrics.print()).match(ofStore)?.length, 8);
});

test('requests at the same time get the same text, and later ones a new text', async () => {
  const { metrics } = watch(async () => figures);
  const first = metrics.print();
  assert.equal(metrics.print(), first);
  metrics.countMail('sent');
  await first;
  metrics.countMail('sent');
  const next = metrics.print();
  assert.notEqual(next, first);
  assert.match(await next, /^earshot_mail_attempts_total\{outcome="sent"\} 2$/m);
});
