import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { pino } from 'pino';
import { testBoth } from '../../../test/support/app.ts';
import { requireFirstBoard } from '../../identity/board/board.ts';
import { follow } from './follow.ts';
import { FIRST_EVENTS, Followers, type Position } from './followers.ts';

const PAUSES = { heartbeatMs: 150, checkMs: 50 };

testBoth(
  'a follower without events often gets a heartbeat with its position, and is checked each time',
  async (app) => {
    const { db, clock } = app;
    const board = await requireFirstBoard(db.read);
    const context = { db, clock, baseUrl: 'http://localhost', board, actor: null };
    const followers = new Followers(db, pino({ level: 'silent' }));
    const { bell, leave } = followers.enter(board);
    const from: Position = { after: null, types: ['post.created'], limit: FIRST_EVENTS };
    let looks = 0;
    const look = async () => looks++;
    const read = (position: Position) => followers.read(context, position);
    const sources = { bell, look, read, write: () => 'an event' };
    const texts = follow(sources, from, await read(from), PAUSES);
    const next = async () => String((await texts.next()).value);
    assert.equal(await next(), 'retry: 3000\n\n');
    const sent: string[] = [];
    const start = performance.now();
    for (let n = 0; n < 3; n++) sent.push(await next());
    assert.ok(performance.now() - start < 5_000, 'a heartbeat comes in time');
    for (const text of sent) assert.match(text, /^id: \S+\n\n$/);
    assert.equal(new Set(sent).size, 1);
    assert.ok(looks >= 3, `${looks} looks`);

    // What it has not asked for moves its position on; what it has asked for needs no heartbeat.
    const id = await app.makePost('Seen');
    let event = await next();
    while (sent.includes(event)) event = await next();
    assert.equal(event, 'an event');
    await app.api.deletePost({ postId: id });
    let moved = await next();
    while (sent.includes(moved)) moved = await next();
    assert.match(moved, /^id: \S+\n\n$/);

    bell.close();
    while (!(await texts.next()).done);
    leave();
    assert.equal(followers.count, 0);
  },
);
