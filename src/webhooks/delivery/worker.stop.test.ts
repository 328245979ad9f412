import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { addWebhook, startHoldingReceiver, startWorker } from '../../../test/support/workers.ts';
import { StoreUnavailableError } from '../../platform/db/db.ts';
import { LEASE_MS } from './claim.ts';

/** A worker whose attempt about one post is in progress; an event about another post waits. */
async function startAttempt(app: TestApp, t: TestContext) {
  const receiver = await startHoldingReceiver(t);
  await addWebhook(app, `${receiver.origin}/hook`);
  const first = startWorker(t, app);
  await app.makePost('Dark mode');
  const attempt = await receiver.next();
  await app.makePost('Another');
  return { receiver, first, attempt };
}

async function deliveriesOf({ db }: TestApp) {
  const columns = ['state', 'attempts', 'lease_token', 'outcome'] as const;
  return db.read.selectFrom('deliveries').select(columns).orderBy('event_seq').execute();
}

const WAITING = { state: 'waiting', attempts: 0, lease_token: null, outcome: null };
const DELIVERED = { state: 'delivered', attempts: 1, lease_token: null, outcome: 'delivered' };

testBoth('a worker that stops lets the attempt in progress finish and begins no other', async (app, t) => {
  const { receiver, first, attempt } = await startAttempt(app, t);
  const stopped = first.worker.stop();
  attempt.answer(200);
  await stopped;
  assert.deepEqual(await deliveriesOf(app), [DELIVERED, WAITING]);
  assert.equal(receiver.arrivals.length, 1);
});

testBoth(
  'an attempt that does not finish in time is released, and the next worker repeats it at once',
  async (app, t) => {
    const { receiver, first, attempt } = await startAttempt(app, t);
    await first.worker.stop(20);
    assert.deepEqual(await deliveriesOf(app), [WAITING, WAITING]);
    receiver.answerAll(200);
    await startWorker(t, app).worker.settled();
    assert.deepEqual(await deliveriesOf(app), [DELIVERED, DELIVERED]);
    assert.deepEqual(
      receiver.arrivals.filter(({ id }) => id === attempt.id).map((each) => each.attempt),
      [1, 1],
    );
  },
);

testBoth('a worker stops although the store is gone; what it could not record is sent again', async (app, t) => {
  const { receiver, first, attempt } = await startAttempt(app, t);
  first.wrapTransactions(() => {
    throw new StoreUnavailableError('gone');
  });
  attempt.answer(200);
  await first.worker.stop();
  receiver.answerAll(200);
  app.clock.advance(LEASE_MS);
  await startWorker(t, app).worker.settled();
  assert.deepEqual(await deliveriesOf(app), [DELIVERED, DELIVERED]);
  assert.equal(receiver.arrivals.filter(({ id }) => id === attempt.id).length, 2);
});

testBoth('a stopped worker ignores later events', async (app, t) => {
  const { receiver, first, attempt } = await startAttempt(app, t);
  attempt.answer(200);
  receiver.answerAll(200);
  await first.worker.settled();
  await first.worker.stop();
  await app.makePost('Later');
  assert.deepEqual(await deliveriesOf(app), [DELIVERED, DELIVERED, WAITING]);
});
