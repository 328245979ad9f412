import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { makeTestApp, type TestApp } from '../../../test/support/app.ts';
import { until } from '../../../test/support/until.ts';
import { isLockAwaited } from '../../../test/support/waiting.ts';
import {
  addWebhook,
  callOf,
  makeTestSender,
  startHoldingReceiver,
  startWorker,
} from '../../../test/support/workers.ts';
import { lockBoard } from '../../identity/board/board.ts';
import { type Db, StoreUnavailableError } from '../../platform/db/db.ts';
import { openPostgres } from '../../platform/db/postgres.ts';
import { disableWebhook, enableWebhook } from '../managing/enabling.ts';

/** A worker whose attempt is in progress, and the receiver's end of it. */
async function startAttempt(t: TestContext) {
  const app = await makeTestApp(t, 'postgres');
  const receiver = await startHoldingReceiver(t);
  await addWebhook(app, `${receiver.origin}/hook`);
  const { worker, wrapTransactions } = startWorker(t, app);
  await app.makePost('Dark mode');
  return { app, receiver, worker, wrapTransactions, attempt: await receiver.next() };
}

/** Waits until nothing is due. Connections that were ended may answer one more statement, with an error. */
function settle(worker: { settled(): Promise<void> }): Promise<void> {
  return until('the worker is done', () =>
    worker.settled().then(
      () => true,
      () => false,
    ),
  );
}

/** Ends all connections to the database but the one that asks. */
async function endConnections({ db }: TestApp): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(db.read);
}

async function deliveriesOf({ db }: TestApp) {
  const rows = await db.read.selectFrom('deliveries').selectAll().orderBy('event_seq').execute();
  return rows.map(({ state, attempts, lease_token }) => ({ state, attempts, lease_token }));
}
const DELIVERED = { state: 'delivered', attempts: 1, lease_token: null };

test('connections that break while an attempt is in progress cost no event and repeat none', async (t) => {
  const { app, receiver, worker, attempt } = await startAttempt(t);
  await endConnections(app);
  attempt.answer(200);
  receiver.answerAll(200);
  await settle(worker);
  assert.deepEqual(await deliveriesOf(app), [DELIVERED]);
  assert.equal(receiver.arrivals.length, 1);
});

test('a database that turns read-only while an attempt is in progress costs no event and repeats none', async (t) => {
  const { app, receiver, worker, wrapTransactions, attempt } = await startAttempt(t);
  const setReadOnly = await makeSwitch(app);
  const refused = Promise.withResolvers<void>();
  wrapTransactions((run) =>
    run().catch((error) => {
      if (error instanceof StoreUnavailableError && isReadOnlyFault(error.cause)) refused.resolve();
      throw error;
    }),
  );
  await setReadOnly('on');
  attempt.answer(200);
  receiver.answerAll(200);
  await refused.promise;
  await setReadOnly('off');
  await settle(worker);
  assert.deepEqual(await deliveriesOf(app), [DELIVERED]);
  assert.equal(receiver.arrivals.length, 1);
});

/** Gives what makes the database read-only, as one is after a failover, or no longer so; its connections end. */
async function makeSwitch({ db }: TestApp): Promise<(value: 'on' | 'off') => Promise<void>> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db.read);
  const name = rows[0]?.name ?? '';
  return async (value) => {
    const server = openPostgres({ url: process.env.TEST_DATABASE_URL ?? '', poolSize: 1 });
    await sql`alter database ${sql.id(name)} set default_transaction_read_only = ${sql.lit(value)}`.execute(
      server.read,
    );
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`.execute(server.read);
    await server.close();
  };
}

/** https://postgresql.org/docs/current/errcodes-appendix.html: read_only_sql_transaction */
function isReadOnlyFault(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '25006';
}

test('an event that waits for its board while a webhook is being enabled is delivered to it', async (t) => {
  const app = await makeTestApp(t, 'postgres');
  const { origin } = await startHoldingReceiver(t);
  const { id } = await addWebhook(app, `${origin}/hook`);
  await disableWebhook(callOf(app), id);
  const postId = await app.makePost('Dark mode');
  const { db, isReached, commit } = holdCommit(app.db, 3);
  // Two transactions write the verification into the log, the third enables.
  const enabling = enableWebhook({ ...callOf(app), db }, makeTestSender(app), id, 'deliver');
  await isReached;
  const commenting = app.api.createComment({ postId, text: 'Yes' });
  await until('the comment waits for the board', () => isLockAwaited(app.db));
  commit();
  await Promise.all([enabling, commenting]);
  assert.deepEqual(await deliveriesOf(app), [{ state: 'waiting', attempts: 0, lease_token: null }]);
});

test('events are delivered, one after the other, while a transaction holds the row of their board', async (t) => {
  const app = await makeTestApp(t, 'postgres');
  const receiver = await startHoldingReceiver(t);
  await addWebhook(app, `${receiver.origin}/hook`);
  const id = await app.makePost('Dark mode');
  await app.api.createComment({ postId: id, text: 'And so' });
  receiver.answerAll(200);
  const { isReached, commit, db } = holdCommit(app.db, 1);
  const holding = db.transaction((tx) => lockBoard(tx, app.board.id));
  await isReached;
  await startWorker(t, app).worker.settled();
  assert.deepEqual(await deliveriesOf(app), [DELIVERED, DELIVERED]);
  assert.equal(receiver.arrivals.length, 2);
  commit();
  await holding;
});

test('posts and comments are made while a transaction that records deliveries is open', async (t) => {
  const app = await makeTestApp(t, 'postgres');
  const receiver = await startHoldingReceiver(t);
  await addWebhook(app, `${receiver.origin}/hook`);
  const id = await app.makePost('Dark mode');
  await app.api.createComment({ postId: id, text: 'And so' });
  receiver.answerAll(200);
  // The first transaction claims, the second records and claims the comment.
  const { isReached, commit, db } = holdCommit(app.db, 2);
  const { worker } = startWorker(t, { ...app, db });
  await isReached;
  await app.api.createComment({ postId: id, text: 'And so' });
  await app.api.as({ headers: { 'idempotency-key': 'once' } }).createComment({ postId: id, text: 'And so' });
  await app.makePost('Another');
  assert.equal(receiver.arrivals.length, 1);
  commit();
  await settle(worker);
  assert.deepEqual(await deliveriesOf(app), Array(5).fill(DELIVERED));
  assert.equal(receiver.arrivals.length, 5);
});

/** The store, with the transaction of this number kept open after its work is done, until told to commit. */
function holdCommit(db: Db, number: number): { db: Db; isReached: Promise<void>; commit: () => void } {
  const reached = Promise.withResolvers<void>();
  const committing = Promise.withResolvers<void>();
  let count = 0;
  const transaction: Db['transaction'] = (work) =>
    db.transaction(async (tx) => {
      const result = await work(tx);
      if (++count === number) {
        reached.resolve();
        await committing.promise;
      }
      return result;
    });
  return { db: { ...db, transaction }, isReached: reached.promise, commit: committing.resolve };
}
