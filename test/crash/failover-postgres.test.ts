import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { onEnd } from '../support/cleanup.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { roundsOf } from '../support/rounds.ts';
import { makeStorePlace } from '../support/store.ts';
import { startSwitchingProxy } from '../support/switching-proxy.ts';
import { until } from '../support/until.ts';
import { prepareBoard } from './board.ts';
import { type Client, CREATE_POST, makeClient } from './client.ts';

const FAILOVERS = roundsOf('FAILOVERS', { short: 1, long: 10 });
const CLIENTS = 6;
/** How long clients write after the standby has frozen: what they are promised then, a failover would take back. */
const FROZEN_MS = 1_000;
/** A client that gets no answer repeats its request with the same key after this time. */
const PATIENCE_MS = 250;

for (let failover = 1; failover <= FAILOVERS; failover++) {
  test(`a failover to a standby that was frozen takes back nothing that was answered or shown [${failover}]`, async (t) => {
    const primary = await startPostgres();
    onEnd(t, () => primary.remove());
    const standby = await primary.addStandby('standby');
    onEnd(t, () => standby.remove());
    await requireStandby(primary);
    const proxy = await startSwitchingProxy(portOf(primary.url));
    onEnd(t, () => proxy.close());
    const { dataDir } = await makeStorePlace(t, 'sqlite');
    const url = new URL(primary.url);
    url.port = String(proxy.port);
    const { server, key } = await prepareBoard(t, { dataDir, databaseUrl: url.href }, CLIENTS);
    const client = makeClient(server.url, key);
    const stopped: Stopped = { writing: false, reading: false };
    onEnd(t, () => Object.assign(stopped, { writing: true, reading: true }));
    const writers = Array.from({ length: CLIENTS }, (_, n) => write(client, n, stopped));
    const follower = follow(client, stopped);
    await until('posts are seen', () => follower.seen.size > 20, 60_000);

    await freeze(standby);
    await delay(FROZEN_MS);
    await primary.kill();
    await promote(standby);
    proxy.switchTo(portOf(standby.url));

    const before = follower.seen.size;
    await until('posts are seen again', () => follower.seen.size > before + 20, 60_000);
    stopped.writing = true;
    const acknowledged = new Map((await Promise.all(writers)).flatMap((posts) => [...posts]));
    const rows = await standby.run<{ id: string; title: string }>('select id, title from posts');
    const titles = new Map(rows.map(({ id, title }) => [id, title]));
    const lost = [...acknowledged].filter(([id, title]) => titles.get(id) !== title);
    assert.deepEqual(lost, [], 'acknowledged, and lost');
    await until('all of them are seen', () => [...acknowledged.keys()].every((id) => follower.posts.has(id)), 60_000);
    stopped.reading = true;
    await follower.ended;
    assert.equal(new Set(titles.values()).size, rows.length, 'a post is there twice');
    const log = await standby.run<{ id: string; seq: string }>('select id, seq from events order by seq');
    assert.deepEqual(
      [...follower.seen],
      log.map(({ id }) => id),
      'what the follower saw is not the log',
    );
    console.log(`${acknowledged.size} posts were acknowledged, ${follower.seen.size} events seen`);
  });
}

/** What clients are told at the end: to write no more, to read no more. */
type Stopped = { writing: boolean; reading: boolean };

/** Creates posts one after the other, each repeated with its key until it is acknowledged; gives their ids and titles. */
async function write(client: Client, n: number, stopped: Stopped): Promise<Map<string, string>> {
  const acknowledged = new Map<string, string>();
  for (let i = 0; !stopped.writing; i++) {
    const title = `Post ${n} ${i}`;
    const id = await createUntilAcknowledged(client, n, title, stopped);
    if (id !== null) acknowledged.set(id, title);
  }
  return acknowledged;
}

async function createUntilAcknowledged(
  client: Client,
  n: number,
  title: string,
  stopped: Stopped,
): Promise<string | null> {
  const key = title.replaceAll(' ', '-');
  while (!stopped.reading) {
    const sending = client.send(CREATE_POST, { title }, `writer-${n}`, key).catch(() => null);
    const reply = await Promise.race([sending, delay(PATIENCE_MS, null)]);
    const id = reply?.data?.createPost?.id;
    if (id) return id;
    await delay(20);
  }
  return null;
}

/** Reads the log of events from its beginning, on and on. */
function follow(client: Client, stopped: Stopped) {
  const seen = new Set<string>();
  const posts = new Set<string>();
  const readOn = async () => {
    for (let after: string | null = null; !stopped.reading; await delay(10)) {
      const page = await readPage(client, after);
      for (const { id, post } of page?.nodes ?? []) {
        seen.add(id);
        if (post) posts.add(post.id);
      }
      after = page?.cursor ?? after;
    }
  };
  return { seen, posts, ended: readOn() };
}

type EventsPage = { nodes: { id: string; post: { id: string } | null }[]; cursor: string | null };

/** Null unless all of it was read: a post that could not be read is null, and its error is beside the data. */
async function readPage(client: Client, after: string | null): Promise<EventsPage | null> {
  const query = 'query($after: String) { events(after: $after, limit: 50) { nodes { id post { id } } cursor } }';
  const reply = await client.send(query, { after }, 'writer-0').catch(() => null);
  if (!reply?.data || reply.errors.length > 0) return null;
  return (reply.data as unknown as { events: EventsPage }).events;
}

async function requireStandby(primary: PostgresServer): Promise<void> {
  await primary.run("alter system set synchronous_standby_names = 'standby'");
  await primary.run('select pg_reload_conf()');
  await until('the standby is synchronous', async () => {
    const rows = await primary.run<{ sync_state: string }>('select sync_state from pg_stat_replication');
    return rows[0]?.sync_state === 'sync';
  });
}

/** Stops what receives the log on the standby. It is killed once the primary is dead, before it could read what is left. */
async function freeze(standby: PostgresServer): Promise<void> {
  process.kill(await receiverOf(standby), 'SIGSTOP');
}

async function receiverOf(standby: PostgresServer): Promise<number> {
  const [row] = await standby.run<{ pid: number }>('select pid from pg_stat_wal_receiver');
  if (!row) throw new Error('The standby receives nothing');
  return row.pid;
}

async function promote(standby: PostgresServer): Promise<void> {
  process.kill(await receiverOf(standby), 'SIGKILL');
  await until('the standby leads', async () => {
    // Asked again, because recovering from that kill forgets it; it fails until then, and once the standby leads.
    await standby.run('select pg_promote(false)').catch(() => {});
    const rows = await standby.run<{ follows: boolean }>('select pg_is_in_recovery() as follows').catch(() => []);
    return rows[0]?.follows === false;
  });
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
