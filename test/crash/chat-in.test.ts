import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openDb } from '../../src/platform/db/open.ts';
import { SIGNING_SECRET, signOfSlack } from '../support/chat-in.ts';
import { findFreePort } from '../support/postgres.ts';
import { roundsOf } from '../support/rounds.ts';
import { CHANNEL, ROOT_TS, replyEvent } from '../support/slack-events.ts';
import { engines, makeStorePlace, type StorePlace } from '../support/store.ts';
import { until } from '../support/until.ts';
import { withReader } from './board.ts';
import { CREATE_POST, CREATE_USER, makeClient } from './client.ts';
import { makeRandom } from './random.ts';
import { recount } from './recount.ts';
import { askEarshot, startServer } from './server.ts';

const REPLIES = 200;
/** Each sends one event after the other, until it is taken, and some of them again after that. */
const SENDERS = 8;
/** A person may write 240 replies an hour, and events that come again count. */
const PEOPLE = 20;
const KILLS = roundsOf('CRASH_KILLS', { short: 5, long: 40 });

for (const engine of engines) {
  test(`a reply in a chat is one comment, and none that was taken is lost, in ${KILLS} kills [${engine}]`, async (t) => {
    const seed = Number(process.env.CRASH_SEED) || randomInt(2 ** 32);
    console.log(`${engine}: CRASH_SEED=${seed}`);
    const random = makeRandom(seed);
    const place = await makeStorePlace(t, engine);
    const port = await findFreePort();
    let server = await startServer(t, place, { port });
    const hook = await prepare(place, server.url);
    const waiting = Array.from({ length: REPLIES }, (_, n) => n).sort(() => random.next() - 0.5);
    const taken: number[] = [];
    const counts = { tries: 0 };
    const senders = Array.from({ length: SENDERS }, async () => {
      for (let n = waiting.shift(); n !== undefined; n = waiting.shift()) {
        const isDoubled = random.next() < 0.3;
        await Promise.all([sendUntilTaken(hook, n, counts), isDoubled && sendUntilTaken(hook, n, counts)]);
        taken.push(n);
        if (random.next() < 0.3) await sendUntilTaken(hook, n, counts);
      }
    });
    const all = Promise.all(senders);
    let kills = 0;
    while (kills < KILLS && waiting.length > 0) {
      kills++;
      const before = taken.length;
      await until('a reply is taken', () => taken.length > before || taken.length === REPLIES);
      await delay(random.next() * 100);
      await server.kill();
      const known = taken.map((n) => `Reply ${n}`);
      const found = new Set(await textsIn(place));
      assert.deepEqual(
        known.filter((text) => !found.has(text)),
        [],
        `after kill ${kills}`,
      );
      server = await startServer(t, place, { port });
    }
    await all;
    const expected = Array.from({ length: REPLIES }, (_, n) => `Reply ${n}`);
    assert.deepEqual((await textsIn(place)).sort(), expected.sort());
    assert.deepEqual(await withReader(place, recount), []);
    const names = await withReader(place, (reader) =>
      reader.selectFrom('users').select('name').where('sso_type', '=', 'earshot-chat').execute(),
    );
    assert.equal(names.length, PEOPLE);
    t.diagnostic(`${REPLIES} replies were sent ${counts.tries} times, with ${kills} kills`);
  });
}

/** Turns threads on, and links the message with an idea. @returns where Slack sends its events */
async function prepare(place: StorePlace, url: string): Promise<string> {
  const { key = '' } = await askEarshot(place, 'key', 'create', '--name', 'load', '--rate', 'none');
  const client = makeClient(url, key);
  await client.send(CREATE_USER, { id: 'ada' }, null);
  const { data } = await client.send(CREATE_POST, { title: 'Night theme' }, 'ada');
  const postId = data?.createPost?.id ?? assert.fail('no idea');
  const file = join(place.dataDir, 'slack-secret');
  writeFileSync(file, SIGNING_SECRET);
  await askEarshot(place, 'chat', 'update', '--slack-signing-secret-file', file, '--slack-threads', 'notes');
  const db = openDb(place);
  try {
    const board = await db.read.selectFrom('boards').select(['id', 'pid']).executeTakeFirstOrThrow();
    const row = {
      board_id: board.id,
      thread: `SLACK ${CHANNEL} ${ROOT_TS}`,
      post_id: postId,
      date_created: Date.now(),
    };
    await db.transaction((tx) => tx.insertInto('chat_threads').values(row).execute());
    return `${url}/api/v1/chat/${board.pid}/slack`;
  } finally {
    await db.close();
  }
}

/** Sends an event again after every failure, as Slack does, but sooner and more often. */
async function sendUntilTaken(hook: string, n: number, counts: { tries: number }): Promise<void> {
  for (let retry = 0; ; retry++) {
    counts.tries++;
    const body = JSON.stringify(replyEvent(n, { user: `W${n % PEOPLE}` }));
    const seconds = Math.floor(Date.now() / 1_000);
    const headers = {
      'content-type': 'application/json',
      'x-slack-request-timestamp': String(seconds),
      'x-slack-signature': signOfSlack(seconds, body),
      ...(retry > 0 && { 'x-slack-retry-num': String(retry), 'x-slack-retry-reason': 'http_error' }),
    };
    const status = await fetch(hook, { method: 'POST', headers, body }).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return;
    if (status >= 400 && status < 500) assert.fail(`answered with ${status}`);
    await delay(50);
  }
}

async function textsIn(place: StorePlace): Promise<string[]> {
  const rows = await withReader(place, (reader) =>
    reader.selectFrom('comments').select('text').where('is_first', '=', 0).execute(),
  );
  return rows.map(({ text }) => text);
}
