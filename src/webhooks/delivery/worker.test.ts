import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import {
  addWebhook,
  callOf,
  deliveriesOf,
  makeTestSender,
  startHoldingReceiver,
  startWorker,
  type TestWorker,
} from '../../../test/support/workers.ts';
import { deletePost } from '../../feedback/lifecycle/deleting.ts';
import { StoreUnavailableError, withinTransaction } from '../../platform/db/db.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { updateWebhook } from '../managing/changing.ts';
import { deleteWebhook } from '../webhook/webhooks.ts';
import { LEASE_MS } from './claim.ts';
import { LOG_DAYS } from './housekeeping.ts';
import { POLL_MS } from './worker.ts';

/** A post with a comment: two events that stand in line. */
async function makeCommentedPost({ api, makePost }: TestApp, title = 'Dark mode'): Promise<string> {
  const id = await makePost(title);
  await api.createComment({ postId: id, text: 'And so' });
  return id;
}

const DELIVERED = ['post.created delivered 1', 'comment.created delivered 1'];

/** Lets a worker die at a point of its way, and resolves when it has. */
type Death = (dying: TestWorker, receiver: Awaited<ReturnType<typeof startHoldingReceiver>>) => Promise<void>;

/** Runs transactions until the one with this number, the first being 0, and then lets the worker die before or after it. */
function dieAtTransaction({ wrapTransactions, death }: TestWorker, number: number, when: 'before' | 'after') {
  return new Promise<void>((resolve) => {
    let count = 0;
    wrapTransactions(async (run) => {
      if (count++ !== number) return run();
      if (when === 'after') await run();
      resolve();
      return death;
    });
  });
}

/** Where a process may die on the way of an event, and how often the event has arrived when another took over. */
const deaths: [point: string, arrivals: number, die: Death][] = [
  ['before its claim is committed', 1, (dying) => dieAtTransaction(dying, 0, 'before')],
  ['after its claim is committed', 1, (dying) => dieAtTransaction(dying, 0, 'after')],
  [
    'after the request, before the answer',
    2,
    async (dying, receiver) => {
      await receiver.next();
      dying.wrapTransactions(() => dying.death);
    },
  ],
  [
    'after the answer, before it is recorded',
    2,
    async (dying, receiver) => {
      const died = dieAtTransaction(dying, 1, 'before');
      (await receiver.next()).answer(200);
      await died;
    },
  ],
  [
    'after the answer is recorded, before it hears of that',
    1,
    async (dying, receiver) => {
      const died = dieAtTransaction(dying, 1, 'after');
      (await receiver.next()).answer(200);
      await died;
    },
  ],
];

for (const [point, arrivals, die] of deaths) {
  testBoth(`a worker that dies ${point} loses nothing and delays order in no way`, async (app, t) => {
    const receiver = await startHoldingReceiver(t);
    await addWebhook(app, `${receiver.origin}/hook`);
    const dying = startWorker(t, app);
    const died = die(dying, receiver);
    await makeCommentedPost(app);
    await died;
    receiver.answerAll(200);
    app.clock.advance(LEASE_MS);
    await startWorker(t, app).worker.settled();
    const events = await app.db.read.selectFrom('events').select(['id', 'body']).orderBy('seq').execute();
    const expected = events.flatMap(({ id, body }, n) => Array(n === 0 ? arrivals : 1).fill([id, body]));
    assert.deepEqual(
      receiver.arrivals.map(({ id, body }) => [id, body]),
      expected,
    );
    assert.deepEqual(await deliveriesOf(app), DELIVERED);
  });
}

testBoth('an event that was committed while no worker ran is delivered by the next one', async (app, t) => {
  const receiver = await startHoldingReceiver(t);
  await addWebhook(app, `${receiver.origin}/hook`);
  await makeCommentedPost(app);
  receiver.answerAll(200);
  await startWorker(t, app).worker.settled();
  assert.deepEqual(await deliveriesOf(app), DELIVERED);
});

testBoth('a change that is rolled back leaves no event and no delivery', async (app, t) => {
  const receiver = await startHoldingReceiver(t);
  await addWebhook(app, `${receiver.origin}/hook`);
  const id = await app.makePost('Dark mode');
  const actor = await app.db.read.selectFrom('users').selectAll().executeTakeFirstOrThrow();
  const undone = app.db.transaction(async (tx) => {
    const context = { ...callOf(app), db: withinTransaction(app.db, tx), actor };
    await deletePost(context, id);
    assert.equal((await tx.selectFrom('deliveries').select('id').execute()).length, 2);
    throw new Error('undone');
  });
  await assert.rejects(undone, /undone/);
  receiver.answerAll(200);
  await startWorker(t, app).worker.settled();
  assert.equal((await app.db.read.selectFrom('events').select('id').execute()).length, 1);
  assert.deepEqual(await deliveriesOf(app), ['post.created delivered 1']);
});

/** A worker whose attempt is in progress, and the receiver's end of it. */
async function startAttempt(app: TestApp, t: TestContext) {
  const receiver = await startHoldingReceiver(t);
  await addWebhook(app, `${receiver.origin}/hook`);
  const first = startWorker(t, app);
  await app.makePost('Dark mode');
  return { receiver, first, attempt: await receiver.next() };
}

testBoth('what waits for a receiver that hangs takes no locks until an attempt ends', async (app, t) => {
  const { receiver, first, attempt } = await startAttempt(app, t);
  let transactions = 0;
  first.wrapTransactions((run) => {
    transactions++;
    return run();
  });
  await app.makePost('Light mode');
  await delay(POLL_MS + 500);
  assert.equal(transactions, 0);
  attempt.answer(200);
  (await receiver.next()).answer(200);
  await first.worker.settled();
  assert.deepEqual(await deliveriesOf(app), ['post.created delivered 1', 'post.created delivered 1']);
});

testBoth('a late failure does not overwrite what another worker has delivered since', async (app, t) => {
  const { receiver, first, attempt } = await startAttempt(app, t);
  app.clock.advance(LEASE_MS);
  const second = startWorker(t, app);
  (await receiver.next()).answer(200);
  await second.worker.settled();
  attempt.answer(500);
  await first.worker.settled();
  assert.deepEqual(await deliveriesOf(app), ['post.created delivered 1']);
  assert.equal((await app.db.read.selectFrom('webhooks').selectAll().executeTakeFirstOrThrow()).failures_in_row, 0);
});

testBoth('a late success does not end the attempt that another worker makes since', async (app, t) => {
  const { receiver, first, attempt } = await startAttempt(app, t);
  app.clock.advance(LEASE_MS);
  const second = startWorker(t, app);
  const again = await receiver.next();
  attempt.answer(200);
  await first.worker.settled();
  assert.deepEqual(await deliveriesOf(app), ['post.created waiting 0 leased']);
  again.answer(500);
  await second.worker.settled();
  assert.deepEqual(await deliveriesOf(app), ['post.created waiting 1']);
});

/** Resolves when a transaction that the worker begins from now on has ended. */
function nextTransaction({ wrapTransactions }: TestWorker): Promise<void> {
  return new Promise((resolve) => {
    wrapTransactions((run) => run().finally(resolve));
  });
}

testBoth('a worker that repeats an attempt of its own goes by the later one', async (app, t) => {
  const { receiver, first, attempt } = await startAttempt(app, t);
  app.clock.advance(LEASE_MS);
  await app.makePost('Something that wakes it');
  const again = await receiver.next();
  assert.equal(again.id, attempt.id);
  const recorded = nextTransaction(first);
  attempt.answer(500);
  await recorded;
  again.answer(200);
  receiver.answerAll(200);
  await first.worker.settled();
  assert.equal(receiver.arrivals.length, 3);
  assert.deepEqual(await deliveriesOf(app), ['post.created delivered 1', 'post.created delivered 1']);
});

testBoth('results of attempts while the store was gone are recorded when it is back', async (app, t) => {
  const { receiver, first, attempt } = await startAttempt(app, t);
  let failures = 0;
  first.wrapTransactions((run) => {
    if (failures++ < 2) throw new StoreUnavailableError('gone');
    return run();
  });
  attempt.answer(200);
  app.clock.advance(LEASE_MS);
  await first.worker.settled();
  assert.equal(receiver.arrivals.length, 1);
  assert.deepEqual(await deliveriesOf(app), ['post.created delivered 1']);
});

testBoth('a commit whose answer was lost counts once', async (app, t) => {
  const { receiver, first, attempt } = await startAttempt(app, t);
  let count = 0;
  first.wrapTransactions(async (run) => {
    const result = await run();
    if (count++ === 0) throw new StoreUnavailableError('gone');
    return result;
  });
  attempt.answer(200);
  await first.worker.settled();
  assert.equal(receiver.arrivals.length, 1);
  assert.deepEqual(await deliveriesOf(app), ['post.created delivered 1']);
  assert.equal((await app.db.read.selectFrom('attempts').select('id').where('kind', '=', 'event').execute()).length, 1);
});

testBoth('events are delivered while an old log is being cleared', async (app, t) => {
  const receiver = await startHoldingReceiver(t);
  const { id } = await addWebhook(app, `${receiver.origin}/hook`);
  app.clock.advance((LOG_DAYS + 1) * DAY_MS);
  const first = startWorker(t, app);
  const [begun, cleared] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  first.wrapTransactions(async (run) => {
    first.wrapTransactions((next) => next());
    begun.resolve();
    await cleared.promise;
    return run();
  });
  await begun.promise; // a post before would let the first transaction be the one that delivers it
  await app.makePost('Dark mode');
  (await receiver.next()).answer(200);
  cleared.resolve();
  await first.worker.settled();
  assert.deepEqual(await deliveriesOf(app), ['post.created delivered 1']);
  const log = await app.db.read.selectFrom('attempts').select('kind').where('webhook_id', '=', id).execute();
  assert.deepEqual(log, [{ kind: 'event' }]);
});

testBoth('a deleted webhook takes its pending deliveries along, and the others continue', async (app, t) => {
  const receiver = await startHoldingReceiver(t);
  const { id } = await addWebhook(app, `${receiver.origin}/deleted`);
  const { worker } = startWorker(t, app);
  await makeCommentedPost(app);
  const attempt = await receiver.next();
  await addWebhook(app, `${receiver.origin}/kept`);
  await deleteWebhook(callOf(app), id);
  attempt.answer(200);
  receiver.answerAll(200);
  await app.makePost('Another');
  await worker.settled();
  assert.deepEqual(await deliveriesOf(app), ['post.created delivered 1']);
  assert.deepEqual(
    receiver.arrivals.map(({ path }) => path),
    ['/deleted', '/kept'],
  );
});

testBoth('the events of a post that was deleted in the meantime are delivered as they happened', async (app, t) => {
  const receiver = await startHoldingReceiver(t);
  await addWebhook(app, `${receiver.origin}/hook`);
  const id = await makeCommentedPost(app);
  await app.api.deletePost({ postId: id });
  receiver.answerAll(200);
  await startWorker(t, app).worker.settled();
  const bodies = await app.db.read.selectFrom('events').select('body').orderBy('seq').execute();
  assert.deepEqual(
    receiver.arrivals.map(({ body }) => body),
    bodies.map(({ body }) => body),
  );
  assert.deepEqual(await deliveriesOf(app), [...DELIVERED, 'post.deleted delivered 1']);
});

testBoth('what waits is delivered although its type is no longer wanted; nothing of it is added', async (app, t) => {
  const receiver = await startHoldingReceiver(t);
  const { id } = await addWebhook(app, `${receiver.origin}/hook`);
  await makeCommentedPost(app);
  await updateWebhook(callOf(app), makeTestSender(app), id, { events: ['comment.created'] });
  await makeCommentedPost(app, 'Another');
  receiver.answerAll(200);
  await startWorker(t, app).worker.settled();
  assert.deepEqual(await deliveriesOf(app), [...DELIVERED, 'comment.created delivered 1']);
});
