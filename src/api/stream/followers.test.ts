import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { makeTestApp, type TestApp, testBoth } from '../../../test/support/app.ts';
import { requireFirstBoard } from '../../identity/board/board.ts';
import { AppError } from '../../platform/errors.ts';
import { makeId } from '../../platform/lib/ids.ts';
import { FIRST_EVENTS, Followers, type Position } from './followers.ts';

const BEGINNING: Position = { after: null, types: null, limit: FIRST_EVENTS };

async function openLog(app: TestApp) {
  const { db, clock } = app;
  const context = { db, clock, baseUrl: 'http://localhost', board: await requireFirstBoard(db.read), actor: null };
  return { context, followers: new Followers(db, pino({ level: 'silent' })) };
}

/** Adds events of one type with bodies of a length. */
async function addEvents({ db, board }: TestApp, type: string, count: number, length = 0): Promise<void> {
  await db.transaction(async (tx) => {
    const { event_seq: last } = await requireFirstBoard(tx);
    const about = { post_id: null, actor_id: null, comment_id: null, entry_id: null, triggered_at: 0, type };
    const body = JSON.stringify({ event: type, data: 'x'.repeat(length) });
    for (let n = 1; n <= count; n += 500) {
      const rows = Array.from({ length: Math.min(500, count - n + 1) }, (_, k) => k + n + last);
      const events = rows.map((seq) => ({ board_id: board.id, seq, id: makeId(), body, ...about }));
      await tx.insertInto('events').values(events).execute();
    }
    await tx
      .updateTable('boards')
      .set({ event_seq: last + count })
      .execute();
  });
}

testBoth('what waits for a follower is bounded: many small events, few large ones, one at least', async (app) => {
  const { context, followers } = await openLog(app);
  await addEvents(app, 'post.created', 200, 10);
  await addEvents(app, 'post.deleted', 20, 30_000);
  await addEvents(app, 'post.created', 1, 200_000);
  const sizes: number[] = [];
  for (let position: Position = BEGINNING, more = true; more; ) {
    const { events, next, hasMore } = await followers.read(context, position);
    sizes.push(events.length);
    const characters = events.reduce((sum, { body }) => sum + body.length, 0);
    assert.ok(characters <= 65_536 || events.length === 1, `${events.length} events with ${characters} characters`);
    [position, more] = [next, hasMore];
  }
  assert.equal(
    sizes.reduce((sum, size) => sum + size),
    221,
  );
  assert.equal(sizes[0], FIRST_EVENTS);
  assert.ok(Math.max(...sizes) > 50, 'small events are read together');
});

testBoth('a follower of rare events examines 5,000 others at a time, and none of them twice', async (app) => {
  const { context, followers } = await openLog(app);
  await addEvents(app, 'post.created', 10_001);
  const rare = { ...BEGINNING, types: ['post.deleted'] };
  const first = await followers.read(context, rare);
  assert.deepEqual([first.events, first.hasMore, first.next.after?.seq], [[], true, 5_000]);
  const second = await followers.read(context, first.next);
  assert.deepEqual([second.events, second.hasMore, second.next.after?.seq], [[], true, 10_000]);
  const third = await followers.read(context, second.next);
  assert.deepEqual([third.events, third.hasMore, third.next.after?.seq], [[], false, 10_001]);
  await addEvents(app, 'post.deleted', 1);
  const { events } = await new Followers(app.db, pino({ level: 'silent' })).read(context, third.next);
  assert.deepEqual(
    events.map(({ seq }) => seq),
    [10_002],
  );
});

async function makeRooms(t: TestContext) {
  const { db } = await makeTestApp(t, 'sqlite');
  const followers = new Followers(db, pino({ level: 'silent' }));
  /** The codes of so many streams that are opened, null for those that have room. */
  const open = (id: string, count: number, visitor: string | null = null) => {
    const codes = Array.from({ length: count }, () => {
      try {
        followers.enter({ id, sandbox_visitor: visitor });
        return null;
      } catch (error) {
        return error instanceof AppError ? error.code : error;
      }
    });
    return [...new Set(codes)];
  };
  return { followers, open };
}

test('a board has 1,000 streams, and a process 2,000', async (t) => {
  const { followers, open } = await makeRooms(t);
  const { leave } = followers.enter({ id: 'one', sandbox_visitor: null });
  assert.deepEqual([open('one', 999), open('one', 1)], [[null], ['RATE_LIMIT_EXCEEDED']]);
  assert.deepEqual([open('another', 1_000), open('third', 1)], [[null], ['SERVICE_UNAVAILABLE']]);
  leave();
  assert.deepEqual([open('one', 1), open('one', 1), followers.count], [[null], ['RATE_LIMIT_EXCEEDED'], 2_000]);
});

test('a sandbox has 10 streams, and all of them 200, which leaves room for boards', async (t) => {
  const { followers, open } = await makeRooms(t);
  const { leave } = followers.enter({ id: 'sandbox', sandbox_visitor: 'visitor' });
  assert.deepEqual([open('sandbox', 9, 'visitor'), open('sandbox', 1, 'visitor')], [[null], ['RATE_LIMIT_EXCEEDED']]);
  for (let n = 1; n < 20; n++) assert.deepEqual(open(`sandbox ${n}`, 10, 'visitor'), [null]);
  assert.deepEqual([open('new', 1, 'visitor'), open('board', 1)], [['SERVICE_UNAVAILABLE'], [null]]);
  leave();
  assert.deepEqual([open('new', 1, 'visitor'), open('new', 1, 'visitor')], [[null], ['SERVICE_UNAVAILABLE']]);
});

testBoth('followers at the same position with the same view share a read', async (app) => {
  const { context, followers } = await openLog(app);
  await addEvents(app, 'post.created', 1);
  const [one, other, further] = await Promise.all([
    followers.read(context, BEGINNING),
    followers.read(context, { ...BEGINNING }),
    followers.read(context, { ...BEGINNING, after: { seq: 0, seenUntil: 3_600_000 } }),
  ]);
  assert.equal(one, other);
  assert.notEqual(one, further);
});
