import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { makeRandom, type Random } from '../../test/crash/random.ts';
import { type TestApp, testBoth } from '../../test/support/app.ts';
import { addWebhook, callOf, startHoldingReceiver } from '../../test/support/workers.ts';
import type { DeliveryRow } from '../events/deliveries.ts';
import { MINUTE_MS, SECOND_MS } from '../lib/clock.ts';
import { say } from '../lib/say.ts';
import { type Claim, claimDeliveries, isAnythingDue, LEASE_MS } from './claim.ts';
import type { Attempt } from './deliver.ts';
import { LOOKED_AT, sweepLines } from './lines.ts';
import { replayDelivery, replaySelected } from './log.ts';
import { type Result, recordResults } from './record.ts';

const COMMENT = 'mutation($id: String!) { createComment(postId: $id, text: "And so") { id } }';

/** A webhook that may have eight attempts in flight; what is done with its deliveries is up to the test. */
async function addReadyWebhook(app: TestApp, t: TestContext, path = '/hook'): Promise<string> {
  const { origin } = await startHoldingReceiver(t);
  const { id } = await addWebhook(app, origin + path);
  await app.db.transaction((tx) => tx.updateTable('webhooks').set({ ramp_limit: 8 }).execute());
  return id;
}

let claims = 0;

/** Claims what may be claimed, as a worker does. */
async function claim({ db, clock }: TestApp): Promise<Claim[]> {
  const claimer = { token: `claim ${claims++}`, now: clock.now(), slots: 256, failingSlots: 192, full: [] };
  return (await db.transaction((tx) => claimDeliveries(tx, claimer))).claims;
}

type Kind = Attempt['outcome']['kind'];

/** Records what came of attempts, and gives the results that counted. */
async function record(app: TestApp, ended: readonly Claim[], kindOf: Kind | (() => Kind)): Promise<Result[]> {
  const results = ended.map((claim): Result => {
    const kind = typeof kindOf === 'string' ? kindOf : kindOf();
    const outcome = { kind, word: kind, sentence: say`So it was.` };
    return { claim, attempt: { outcome, acceptedSecret: null, sends: [], retryAfterMs: null }, now: app.clock.now() };
  });
  return app.db.transaction(async (tx) => {
    const recorded = await recordResults(tx, results, 'http://board.test');
    await recorded.written;
    return recorded.results;
  });
}

const seqsOf = (claimed: readonly Claim[]) => claimed.map(({ delivery }) => delivery.event_seq).sort();

/** A post with comments: events 1 to `events`, all in one line. */
async function makeLine(app: TestApp, events: number): Promise<string> {
  const id = await app.makePost('Dark mode');
  for (let n = 1; n < events; n++) await app.ask(COMMENT, { id });
  return id;
}

async function deliveriesOf({ db }: TestApp): Promise<DeliveryRow[]> {
  return db.read.selectFrom('deliveries').selectAll().orderBy('event_seq').execute();
}

testBoth(
  'of a line only the first is claimed, and the next one once that was delivered or given up',
  async (app, t) => {
    await addReadyWebhook(app, t);
    await makeLine(app, 3);
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
    const id = await makeLine(app, 2);
    await record(app, await claim(app), 'failed');
    await app.ask(COMMENT, { id });
    assert.deepEqual(await claim(app), []);
    app.clock.advance(6 * SECOND_MS);
    assert.deepEqual(seqsOf(await claim(app)), [1]);
  },
);

testBoth(
  'a delivery that was released, and one whose lease ran out, are tried again before those behind',
  async (app, t) => {
    await addReadyWebhook(app, t);
    await makeLine(app, 2);
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
  testBoth(`what is replayed while a later one of its line is sent comes after that (${ending})`, async (app, t) => {
    await addReadyWebhook(app, t);
    await makeLine(app, 3);
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
  });
}

testBoth('replaying the last of a line that waits does not let it pass the others', async (app, t) => {
  await addReadyWebhook(app, t);
  await makeLine(app, 3);
  await record(app, await claim(app), 'failed');
  await replayDelivery(callOf(app), (await deliveriesOf(app))[2]?.id ?? '');
  assert.deepEqual(await claim(app), []);
  await replayDelivery(callOf(app), (await deliveriesOf(app))[0]?.id ?? '');
  assert.deepEqual(seqsOf(await claim(app)), [1]);
});

testBoth('ten thousand that wait behind one are looked at once, and then no more', async (app, t) => {
  const webhookId = await addReadyWebhook(app, t);
  const postId = await makeLine(app, 1);
  const waiting = 10_000;
  await app.db.transaction((tx) => insertBehind(tx.engine, app, webhookId, postId, waiting).execute(tx));
  const [first] = await claim(app);
  assert.equal(first?.delivery.event_seq, 1);
  let looks = 0;
  while (await isAnythingDue(app.db.read, app.clock.now(), [])) {
    assert.deepEqual(await claim(app), []);
    looks++;
  }
  assert.ok(looks <= Math.ceil(waiting / LOOKED_AT), `${looks} looks`);
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

testBoth('a line whose first one has no date, as an older version could leave it, goes on', async (app, t) => {
  await addReadyWebhook(app, t);
  await makeLine(app, 2);
  const other = await makeLine(app, 2);
  const [first] = await claim(app);
  await app.db.transaction((tx) =>
    tx.updateTable('deliveries').set({ date_due: null }).where('lease_token', 'is', null).execute(),
  );
  await app.db.transaction((tx) =>
    tx.updateTable('deliveries').set({ date_due: null, lease_token: null }).where('post_id', '=', other).execute(),
  );
  assert.deepEqual(await claim(app), []);
  await sweepLines(app.db, app.clock.now());
  const released = await claim(app);
  assert.deepEqual(
    released.map(({ delivery }) => delivery.post_id),
    [other],
  );
  assert.equal(first?.delivery.event_seq, 1);
});

const POSTS = 4;
const WEBHOOKS = 2;
const WORKERS = 3;
const CLIENTS = 4;
const EVENTS_PER_CLIENT = 25;

for (const hasReplays of [false, true]) {
  const name = `whatever ${WORKERS} workers and ${CLIENTS} clients do at once, lines keep their order and go on`;
  testBoth(`${name}${hasReplays ? ', replays included' : ''}`, async (app, t) => {
    const seed = Number(process.env.CRASH_SEED) || randomInt(2 ** 32);
    console.log(`# CRASH_SEED=${seed}`);
    const random = makeRandom(seed);
    const hooks: string[] = [];
    for (let n = 0; n < WEBHOOKS; n++) hooks.push(await addReadyWebhook(app, t, `/${n}`));
    const posts: string[] = [];
    for (let n = 0; n < POSTS; n++) posts.push(await app.makePost(`Post ${n}`));
    const play: Play = {
      app,
      random,
      hooks,
      posts,
      hasReplays,
      inFlight: new Map(),
      claimed: [],
      areClientsDone: false,
    };
    const clients = Promise.all(Array.from({ length: CLIENTS }, () => write(play)));
    const workers = Array.from({ length: WORKERS }, () => work(play));
    await clients;
    play.areClientsDone = true;
    await Promise.all(workers);
    const rows = await deliveriesOf(app);
    assert.equal(rows.length, WEBHOOKS * (POSTS + CLIENTS * EVENTS_PER_CLIENT));
    assert.deepEqual(new Set(rows.map(({ state }) => state)), new Set(['delivered']));
    if (!hasReplays) assert.deepEqual(findDisorder(play.claimed), []);
  });
}

/** What goes on in one run: the attempts in flight by their lines, and all claims in their order. */
type Play = {
  app: TestApp;
  random: Random;
  hooks: string[];
  posts: string[];
  inFlight: Map<string, Claim>;
  claimed: Claim[];
  hasReplays: boolean;
  areClientsDone: boolean;
};

/** A client that comments, with idempotency keys or without, and now and then replays. */
async function write({ app, random, posts, hooks, hasReplays }: Play): Promise<void> {
  for (let n = 0; n < EVENTS_PER_CLIENT; n++) {
    const headers = random.next() < 0.5 ? { 'idempotency-key': random.text() } : {};
    await app.ask(COMMENT, { id: random.pick(posts) }, { headers });
    if (!hasReplays || random.next() > 0.2) continue;
    const rows = await deliveriesOf(app);
    const { id = '' } = random.pick(rows) ?? {};
    await replayDelivery(callOf(app), id).catch((error) => assert.match(String(error), /being sent right now/));
    const some = rows.filter(() => random.next() < 0.1).map((row) => row.id);
    await replaySelected(callOf(app), random.pick(hooks) ?? '', some, true);
  }
}

/** A worker that claims, sends for a while and records, until nothing waits any more. It forgets some of what it sends. */
async function work(play: Play): Promise<void> {
  const { app, random } = play;
  for (;;) {
    const now = app.clock.now();
    const claimed = await claim(app);
    for (const one of claimed) begin(play, one, now);
    await requireSound(app);
    await delay(random.next() * 5);
    const remembered = claimed.filter(() => random.next() < 0.95);
    for (const one of remembered) if (play.inFlight.get(lineOf(one)) === one) play.inFlight.delete(lineOf(one));
    await record(
      app,
      remembered,
      () => random.pick(['delivered', 'delivered', 'delivered', 'failed', 'released']) ?? 'failed',
    );
    if (claimed.length > 0) continue;
    app.clock.advance(Math.floor(random.next() * 5 * SECOND_MS));
    const waiting = app.db.read.selectFrom('deliveries').select('id').where('state', '=', 'waiting').limit(1);
    if (play.areClientsDone && (await waiting.execute()).length === 0) return;
  }
}

const lineOf = ({ delivery }: Claim) => `${delivery.webhook_id} ${delivery.post_id}`;

function begin({ inFlight, claimed }: Play, one: Claim, now: number): void {
  const other = inFlight.get(lineOf(one));
  const leaseEnd = other?.delivery.date_due ?? 0;
  assert.ok(leaseEnd <= now, `${one.delivery.event_seq} is sent while ${other?.delivery.event_seq} is under way`);
  inFlight.set(lineOf(one), one);
  claimed.push(one);
}

/** In every line at most one is leased; where none is, the first has a date. */
async function requireSound({ db }: TestApp): Promise<void> {
  const { rows } = await sql`
    select line.webhook_id, line.post_id from deliveries as line
    where line.state = 'waiting' and line.post_id is not null
    group by line.board_id, line.webhook_id, line.post_id
    having count(line.lease_token) > 1 or count(line.lease_token) = 0 and (
      select first.date_due from deliveries as first
      where first.board_id = line.board_id and first.webhook_id = line.webhook_id and first.post_id = line.post_id
        and first.state = 'waiting'
      order by first.event_seq limit 1
    ) is null`.execute(db.read);
  assert.deepEqual(rows, []);
}

/** Claims of one line that came after a later one of it. */
function findDisorder(claimed: readonly Claim[]): string[] {
  const seqs = [...Map.groupBy(claimed, lineOf).values()].map((line) =>
    line.map(({ delivery }) => delivery.event_seq ?? 0),
  );
  return seqs.filter((line) => line.some((seq, n) => seq < (line[n - 1] ?? 0))).map(String);
}
