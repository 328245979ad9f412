import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { makeRandom, type Random } from '../../../test/crash/random.ts';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { addReadyWebhook, claim, deliveriesOf, record } from '../../../test/support/claiming.ts';
import { roundsOf } from '../../../test/support/rounds.ts';
import { callOf } from '../../../test/support/workers.ts';
import { SECOND_MS } from '../../platform/lib/clock.ts';
import { replayDelivery, replaySelected } from '../managing/replaying.ts';
import type { Claim } from './claim.ts';

const POSTS = 4;
const WEBHOOKS = 2;
const WORKERS = 3;
const CLIENTS = 4;
const EVENTS_PER_CLIENT = roundsOf('CRASH_EVENTS', { short: 10, long: 200 });

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
    await app.api.as({ headers }).createComment({ postId: random.pick(posts) ?? '', text: 'And so' });
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
  assert.ok(leaseEnd <= now, `${one.delivery.event_seq} is sent while ${other?.delivery.event_seq} is in progress`);
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
