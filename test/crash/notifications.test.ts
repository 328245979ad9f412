import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Reader } from '../../src/platform/db/db.ts';
import { openDb } from '../../src/platform/db/open.ts';
import { MINUTE_MS } from '../../src/platform/lib/clock.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { roundsOf } from '../support/rounds.ts';
import { engines, makeStorePlace, type StorePlace } from '../support/store.ts';
import { until } from '../support/until.ts';
import { prepareBoard, withReader } from './board.ts';
import { CREATE_COMMENT, CREATE_POST, makeClient, UPVOTE } from './client.ts';
import { makeRandom } from './random.ts';
import { type Server, startServer } from './server.ts';

/** Rounds with two kills each: while notifications are made, and while mails are sent. */
const ROUNDS = roundsOf('CRASH_KILLS', { short: 2, long: 20 });
const FOLLOWERS = 30;
/** From the start of a server, with mails that are due, to the kill. */
const LONGEST_RUN_MS = 400;
/** What the mail server takes for a mail, so that some are in flight at a kill; as many at once as there are connections. */
const SMTP_MS = 20;
const MOST_IN_FLIGHT = 5;
const DRAIN_LIMIT_MS = 120_000;

const NEW_USER =
  'mutation($id: String!, $email: String) { createUser(ssotype: "SSO", userId: $id, email: $email) { id } }';

for (const engine of engines) {
  test(`everyone is notified once although the server is killed ${2 * ROUNDS} times [${engine}]`, async (t) => {
    const seed = Number(process.env.CRASH_SEED) || randomInt(2 ** 32);
    console.log(`${engine}: CRASH_SEED=${seed}`);
    const random = makeRandom(seed);
    const place = await makeStorePlace(t, engine);
    const smtp = await startMailServer(t, { onMailFrom: (_, __, done) => setTimeout(done, SMTP_MS) });
    const env = { SMTP_URL: smtp.url };
    const { key, server: first } = await prepareBoard(t, place, 1, { env });
    let server = first;
    const postId = await follow(server.url, key);
    const inFlight = new Set<string>();
    async function die({ kill }: Server): Promise<void> {
      const before = inFlight.size;
      await kill();
      for (const token of await withReader(place, readLeases)) inFlight.add(token);
      assert.ok(inFlight.size <= before + MOST_IN_FLIGHT);
    }
    for (let round = 1; round <= ROUNDS; round++) {
      const { errors } = await makeClient(server.url, key).send(CREATE_COMMENT, { postId, text: `${round}` }, 'writer');
      assert.deepEqual(errors, []);
      await delay(random.next() * LONGEST_RUN_MS); // while notifications are made
      await die(server);
      await passTime(place, 3 * MINUTE_MS);
      server = await startServer(t, place, { env });
      await delay(random.next() * LONGEST_RUN_MS); // while mails are queued and sent
      await die(server);
      await passTime(place, 3 * MINUTE_MS); // what was in flight may be sent again
      server = await startServer(t, place, { env });
    }
    await untilDrained(place);
    await server.stop();
    const repeated = await findRepeated(place, smtp);
    assert.ok(repeated <= inFlight.size, `${repeated} mails came twice, ${inFlight.size} were in flight`);
    console.log(`${engine}: ${smtp.mails.length} mails; of ${inFlight.size} in flight at kills ${repeated} came twice`);
  });
}

/** The leases of mails that were in flight when the server died, now or before. */
async function readLeases(reader: Reader): Promise<string[]> {
  const rows = await reader.selectFrom('mails').select('lease_token').where('lease_token', 'is not', null).execute();
  return rows.map(({ lease_token }) => lease_token ?? '');
}

/** Makes users with an address who follow a post of `writer`. @returns its id */
async function follow(url: string, key: string): Promise<string> {
  const { send } = makeClient(url, key);
  await send(NEW_USER, { id: 'writer' }, null);
  const postId = (await send(CREATE_POST, { title: 'Dark mode' }, 'writer')).data?.createPost?.id ?? '';
  for (let n = 0; n < FOLLOWERS; n++) {
    await send(NEW_USER, { id: `user-${n}`, email: `user-${n}@example.com` }, null);
    await send(UPVOTE, { postId }, `user-${n}`);
    await send('mutation($postId: String!) { subscribeToPost(postId: $postId) { id } }', { postId }, `user-${n}`);
  }
  return postId;
}

/** Makes everything that is due later due by so much earlier, while no server runs. */
async function passTime(place: StorePlace, milliseconds: number): Promise<void> {
  const db = openDb(place);
  try {
    await db.transaction(async (tx) => {
      for (const table of ['notifications', 'mails'] as const) {
        const rows = tx.updateTable(table).where('date_due', 'is not', null);
        await rows.set((e) => ({ date_due: e('date_due', '-', milliseconds) })).execute();
      }
    });
  } finally {
    await db.close();
  }
}

/** Waits until nothing is left to do; what is gathered for two minutes is made due. */
async function untilDrained(place: StorePlace): Promise<void> {
  const db = openDb(place);
  const find = async () => {
    const [notice, pending, mail] = await Promise.all([
      db.read.selectFrom('notices').select('id').where('date_ready', 'is not', null).limit(1).execute(),
      db.read.selectFrom('notifications').select('notice_id').where('date_due', 'is not', null).limit(1).execute(),
      db.read.selectFrom('mails').select('id').where('state', '=', 'waiting').limit(1).execute(),
    ]);
    return notice.length + pending.length + mail.length === 0;
  };
  try {
    await until(
      'everyone is notified',
      async () => {
        if (await find()) return true;
        await passTime(place, 3 * MINUTE_MS);
        await delay(200);
        return false;
      },
      DRAIN_LIMIT_MS,
    );
  } finally {
    await db.close();
  }
}

/** Compares what arrived with the store. @returns the mails that came twice, which have one id */
async function findRepeated(place: StorePlace, smtp: MailServer): Promise<number> {
  const ids = smtp.mails.map(({ headers }) => headers['message-id']?.slice(1).split('@')[0] ?? '');
  await withReader(place, async (reader) => {
    const mails = await reader.selectFrom('mails').select(['id', 'state', 'body']).execute();
    assert.deepEqual(new Set(ids), new Set(mails.map(({ id }) => id)), 'a mail was lost, or is none of the store');
    assert.ok(mails.every(({ state, body }) => state === 'sent' && body === ''));
    const rows = await reader.selectFrom('notifications').select(['notice_id', 'user_id', 'mail_id']).execute();
    assert.equal(rows.length, ROUNDS * FOLLOWERS);
    assert.ok(rows.every(({ mail_id }) => mail_id !== null && ids.includes(mail_id)));
  });
  // Each comment came to each follower in exactly one mail, or in one that came twice.
  const told = new Map<string, Set<string>>();
  for (const [n, { to, text }] of smtp.mails.entries()) {
    for (const [, comment] of text.matchAll(/^> (\d+)$/gm)) {
      const key = `${to[0]} ${comment}`;
      told.set(key, (told.get(key) ?? new Set()).add(ids[n] ?? ''));
    }
  }
  assert.equal(told.size, ROUNDS * FOLLOWERS);
  assert.ok([...told.values()].every((mails) => mails.size === 1));
  return ids.length - new Set(ids).size;
}
