import assert from 'node:assert/strict';
import { type TestApp, testBoth } from '../../test/support/app.ts';
import { comment, testWebhooks } from '../../test/support/webhooks.ts';
import { readStoreFigures } from '../operations/store-figures.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../platform/lib/clock.ts';
import { makeId } from '../platform/lib/ids.ts';
import { LOG_DAYS, sweepLog } from '../webhooks/delivery/housekeeping.ts';
import { EVENTS_PER_STEP, readRemoved, removeOldEvents } from './retention.ts';

const KEEP_DAYS = 10;
const LOG = `query($after: String, $types: [String!], $limit: Int) {
  events(after: $after, types: $types, limit: $limit) { nodes { cursor type post { title } } hasMore cursor }
}`;

const sweep = ({ db, clock }: TestApp) => removeOldEvents(db, clock.now(), KEEP_DAYS);

/** The titles of the posts that the log tells of, read from a position on. */
async function titlesAfter({ ask }: TestApp, after: string | null): Promise<string[]> {
  const { events } = await ask(LOG, { after, limit: 100 });
  return events.nodes.map((event: { post: { title: string } }) => event.post.title);
}

testBoth('events go once they are older than the limit, and not before', async (app) => {
  const { db, clock } = app;
  await app.makePost('Above');
  clock.advance(1);
  await app.makePost('At');
  clock.advance(1);
  await app.makePost('Below');
  clock.advance(KEEP_DAYS * DAY_MS - 2);
  await sweep(app);
  assert.deepEqual(await titlesAfter(app, null), ['Above', 'At', 'Below']);
  clock.advance(1);
  await sweep(app);
  assert.deepEqual(await titlesAfter(app, null), ['At', 'Below']);
  assert.equal((await readStoreFigures(db, clock)).eventLogSeconds, (KEEP_DAYS * DAY_MS) / 1_000);
  clock.advance(DAY_MS);
  await sweep(app);
  assert.deepEqual(await titlesAfter(app, null), []);
  assert.equal((await readStoreFigures(db, clock)).eventLogSeconds, 0);
  await app.makePost('Later');
  assert.deepEqual(await titlesAfter(app, null), ['Later']);
  const rows = await db.read.selectFrom('events').select('seq').execute();
  assert.deepEqual(rows, [{ seq: 4 }], 'numbers go on');
});

testBoth('a follower whose next events are gone gets an error that names where to start again', async (app) => {
  const { api, ask, gql, clock } = app;
  const ids: string[] = [];
  for (const title of ['One', 'Two', 'Three']) ids.push(await app.makePost(title));
  const cursors: string[] = (await ask(LOG)).events.nodes.map((event: { cursor: string }) => event.cursor);
  clock.advance(KEEP_DAYS * DAY_MS + 1);
  await app.makePost('Four');
  await sweep(app);
  for (const query of [LOG, `query($after: String) { post(id: "${ids[0]}") { events(after: $after) { hasMore } } }`]) {
    const { status, errors } = await gql(query, { after: cursors[1] });
    const [{ message, extensions } = assert.fail('there is no error')] = errors;
    assert.deepEqual(
      [status, message, extensions.code, extensions.field],
      [200, 'Events after this cursor are no longer kept: start again from oldestCursor', 'CURSOR_EXPIRED', 'after'],
    );
    assert.deepEqual(await titlesAfter(app, String(extensions.oldestCursor)), ['Four']);
  }
  assert.deepEqual(await titlesAfter(app, cursors[2] ?? ''), ['Four'], 'one that has seen all that is gone goes on');
  const post = await api.post({ id: `${ids[0]}` }, { events: { nodes: { id: true } } });
  assert.deepEqual(post?.events.nodes, []);
});

testBoth('a follower that has read to the end of the log continues, whatever it had asked for', async (app) => {
  const { ask, gql, clock } = app;
  await app.makePost('One');
  const types = ['post.created'];
  const others = ['comment.created'];
  const idle = (await ask(LOG, { types: others })).events.cursor;
  const more = (await ask(LOG, { types, limit: 1 })).events.cursor;
  await app.makePost('Two');
  const half = (await ask(LOG, { types, limit: 1 })).events;
  assert.ok(half.hasMore);
  clock.advance(2 * HOUR_MS);
  const { cursor: late } = (await ask(LOG, { after: idle, types: others })).events;
  assert.equal((await ask(LOG, { after: late, types: others })).events.cursor, late, 'it changes once an hour at most');
  clock.advance(KEEP_DAYS * DAY_MS - 2 * HOUR_MS + MINUTE_MS);
  await app.makePost('Three');
  await sweep(app);
  assert.deepEqual((await ask(LOG, { after: late, types: others })).events.nodes, []);
  assert.deepEqual(await titlesAfter(app, late), ['Three']);
  for (const after of [idle, more, half.cursor]) {
    assert.equal((await gql(LOG, { after, types: others })).errors[0]?.extensions.code, 'CURSOR_EXPIRED');
  }
});

testWebhooks('the event of a delivery stays until that has left the delivery log', async (app) => {
  const { db, clock } = app;
  const { id: webhookId } = await app.makeWebhook();
  app.reply(() => 500);
  const post = await app.makePost('Waits');
  await app.pass();
  await comment(app, post, 'behind it');
  clock.advance((KEEP_DAYS + 1) * DAY_MS);
  await sweep(app);
  const kept = async () =>
    (await db.read.selectFrom('events').select('type').orderBy('seq').execute()).map((e) => e.type);
  assert.deepEqual(await kept(), ['post.created', 'comment.created']);
  assert.deepEqual(await titlesAfter(app, null), [], 'those who read the log see where it begins');
  app.takeEvents();
  app.reply(() => 200);
  for (let n = 0; n < 3; n++) await app.pass(DAY_MS);
  assert.deepEqual([...new Set(app.takeEvents().map(({ event }) => event))], ['post.created', 'comment.created']);
  await sweep(app);
  assert.equal((await kept()).length, 2, 'they can be sent again');
  clock.advance((LOG_DAYS + 1) * DAY_MS);
  await sweepLog(db, clock.now(), () => false);
  assert.deepEqual(await app.deliveries(webhookId), []);
  await sweep(app);
  assert.deepEqual(await kept(), []);
});

testBoth('a reader of the log misses no event without an error while the log is shortened', async (app) => {
  const { db, clock, board } = app;
  const count = 3 * EVENTS_PER_STEP + 10;
  await addEvents(app, count);
  clock.advance(KEEP_DAYS * DAY_MS + 1);
  let isDone = false;
  const sweeping = sweep(app).finally(() => {
    isDone = true;
  });
  const expired: number[] = [];
  while (!isDone) {
    for (const seq of [0, EVENTS_PER_STEP, 2 * EVENTS_PER_STEP]) {
      const after = Buffer.from(JSON.stringify(['events', seq, ''])).toString('base64url');
      const { data, errors } = await app.gql(
        'query($after: String) { events(after: $after, limit: 2) { nodes { id } } }',
        {
          after,
        },
      );
      const ids = data?.events.nodes.map(({ id }: { id: string }) => id);
      if (ids) assert.deepEqual(ids, [idOf(seq + 1), idOf(seq + 2)]);
      else assert.equal(errors[0]?.extensions.code, 'CURSOR_EXPIRED');
      if (!ids) expired.push(seq);
    }
  }
  await sweeping;
  assert.ok(expired.includes(0), 'the sweep was seen under way');
  assert.equal((await readRemoved(db.read, board.id)).seq, count);
  assert.deepEqual(await db.read.selectFrom('events').select('seq').execute(), []);
});

const first = makeId();
const idOf = (seq: number) => `${first.slice(0, 24)}${String(seq).padStart(12, '0')}`;

async function addEvents({ db, board, clock }: TestApp, count: number): Promise<void> {
  await db.transaction(async (tx) => {
    for (let seq = 1; seq <= count; seq++) {
      const event = { board_id: board.id, seq, id: idOf(seq), type: 'post.created', triggered_at: clock.now() };
      const about = { post_id: null, actor_id: null, comment_id: null, entry_id: null, body: '{"data":{}}' };
      await tx
        .insertInto('events')
        .values({ ...event, ...about })
        .execute();
    }
    await tx.updateTable('boards').set({ event_seq: count }).where('id', '=', board.id).execute();
  });
}
