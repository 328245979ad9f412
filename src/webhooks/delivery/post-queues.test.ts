import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { addReadyWebhook, claim, deliveriesOf, record } from '../../../test/support/claiming.ts';
import { callOf } from '../../../test/support/workers.ts';
import { MINUTE_MS, SECOND_MS } from '../../platform/lib/clock.ts';
import { replayDelivery } from '../managing/replaying.ts';
import { type Claim, isAnythingDue, LEASE_MS } from './claim.ts';
import { SCANNED, sweepQueues } from './post-queues.ts';

const seqsOf = (claimed: readonly Claim[]) => claimed.map(({ delivery }) => delivery.event_seq).sort();

/** A post with comments: events 1 to `events`, all in one line. */
async function makeQueue(app: TestApp, events: number): Promise<string> {
  const id = await app.makePost('Dark mode');
  for (let n = 1; n < events; n++) await app.api.createComment({ postId: id, text: 'And so' });
  return id;
}

testBoth(
  'only the first delivery of a post’s queue is claimed, and the next once that is delivered or given up',
  async (app, t) => {
    await addReadyWebhook(app, t);
    await makeQueue(app, 3);
    const first = await claim(app);
    assert.deepEqual(seqsOf(first), [1]);
    assert.deepEqual(await claim(app), []);
    await record(app, first, 'delivered');
    const second = await claim(app);
    assert.deepEqual(seqsOf(second), [2]);
    await app.db.transaction((tx) =>
      tx.updateTable('deliveries').set({ tries: 10 }).where('event_seq', '=', 2).execute(),
    );
    await record(app, [{ ...second[0], delivery: { ...second[0]?.delivery, tries: 10 } } as Claim], 'failed');
    assert.deepEqual(
      (await deliveriesOf(app)).map(({ state }) => state),
      ['delivered', 'given_up', 'waiting'],
    );
    assert.deepEqual(seqsOf(await claim(app)), [3]);
  },
);

testBoth(
  'what stands behind a delivery that is retried waits for it, also when it was announced later',
  async (app, t) => {
    await addReadyWebhook(app, t);
    const id = await makeQueue(app, 2);
    await record(app, await claim(app), 'failed');
    await app.api.createComment({ postId: id, text: 'And so' });
    assert.deepEqual(await claim(app), []);
    app.clock.advance(6 * SECOND_MS);
    assert.deepEqual(seqsOf(await claim(app)), [1]);
  },
);

testBoth(
  'a delivery that was released, and one whose lease ran out, are tried again before those behind',
  async (app, t) => {
    await addReadyWebhook(app, t);
    await makeQueue(app, 2);
    await record(app, await claim(app), 'released');
    const again = await claim(app);
    assert.deepEqual(seqsOf(again), [1]);
    app.clock.advance(LEASE_MS - 1);
    assert.deepEqual(await claim(app), []);
    app.clock.advance(1);
    const taken = await claim(app);
    assert.deepEqual(seqsOf(taken), [1]);
    assert.deepEqual(await record(app, again, 'delivered'), []);
    assert.deepEqual(await claim(app), []);
    assert.equal((await record(app, taken, 'delivered')).length, 1);
    assert.deepEqual(seqsOf(await claim(app)), [2]);
  },
);

for (const ending of ['delivered', 'failed', 'its lease runs out'] as const) {
  testBoth(
    `a delivery replayed while a later one of its queue is being sent follows that one (${ending})`,
    async (app, t) => {
      await addReadyWebhook(app, t);
      await makeQueue(app, 3);
      await record(app, await claim(app), 'delivered');
      const sending = await claim(app);
      assert.deepEqual(seqsOf(sending), [2]);
      const [first] = await deliveriesOf(app);
      await replayDelivery(callOf(app), first?.id ?? '');
      assert.deepEqual(await claim(app), []);
      if (ending === 'its lease runs out') {
        app.clock.advance(LEASE_MS);
        const again = await claim(app);
        assert.deepEqual(seqsOf(again), [2]);
        await record(app, again, 'delivered');
      } else await record(app, sending, ending);
      const replayed = await claim(app);
      assert.deepEqual(seqsOf(replayed), [1]);
      await record(app, replayed, 'delivered');
      app.clock.advance(MINUTE_MS);
      assert.deepEqual(seqsOf(await claim(app)), [ending === 'failed' ? 2 : 3]);
    },
  );
}

testBoth('replaying the last delivery of a waiting queue does not let it pass the others', async (app, t) => {
  await addReadyWebhook(app, t);
  await makeQueue(app, 3);
  await record(app, await claim(app), 'failed');
  await replayDelivery(callOf(app), (await deliveriesOf(app))[2]?.id ?? '');
  assert.deepEqual(await claim(app), []);
  await replayDelivery(callOf(app), (await deliveriesOf(app))[0]?.id ?? '');
  assert.deepEqual(seqsOf(await claim(app)), [1]);
});

testBoth('ten thousand deliveries that wait behind one are examined once, and then no more', async (app, t) => {
  const webhookId = await addReadyWebhook(app, t);
  const postId = await makeQueue(app, 1);
  const waiting = 10_000;
  await app.db.transaction((tx) => insertBehind(tx.engine, app, webhookId, postId, waiting).execute(tx));
  const [first] = await claim(app);
  assert.equal(first?.delivery.event_seq, 1);
  let looks = 0;
  while (await isAnythingDue(app.db.read, app.clock.now(), [])) {
    assert.deepEqual(await claim(app), []);
    looks++;
  }
  assert.ok(looks <= Math.ceil(waiting / SCANNED), `${looks} looks`);
  await record(app, [first as Claim], 'delivered');
  const due = (await deliveriesOf(app)).filter(({ date_due }) => date_due !== null);
  assert.deepEqual(
    due.map(({ event_seq }) => event_seq),
    [2],
  );
});

function insertBehind(
  engine: 'sqlite' | 'postgres',
  { board, clock }: TestApp,
  hook: string,
  post: string,
  count: number,
) {
  const numbers =
    engine === 'sqlite'
      ? sql`(with recursive n(seq) as (select 2 union all select seq + 1 from n where seq <= ${count}) select seq from n)`
      : sql`(select generate_series(2, ${count}::int + 1) as seq)`;
  return sql`
    insert into deliveries (board_id, id, webhook_id, event_id, event_type, event_seq, post_id, state, date_created, date_due)
    select ${board.id}, 'delivery ' || seq, ${hook}, 'event ' || seq, 'comment.created', seq, ${post}, 'waiting',
      ${sql.lit(clock.now())}, ${sql.lit(clock.now())} from ${numbers} as numbers`;
}

testBoth('a queue whose first delivery has no date, as an older version could leave it, continues', async (app, t) => {
  await addReadyWebhook(app, t);
  await makeQueue(app, 2);
  const other = await makeQueue(app, 2);
  const [first] = await claim(app);
  await app.db.transaction((tx) =>
    tx.updateTable('deliveries').set({ date_due: null }).where('lease_token', 'is', null).execute(),
  );
  await app.db.transaction((tx) =>
    tx.updateTable('deliveries').set({ date_due: null, lease_token: null }).where('post_id', '=', other).execute(),
  );
  assert.deepEqual(await claim(app), []);
  await sweepQueues(app.db, app.clock.now());
  const released = await claim(app);
  assert.deepEqual(
    released.map(({ delivery }) => delivery.post_id),
    [other],
  );
  assert.equal(first?.delivery.event_seq, 1);
});
