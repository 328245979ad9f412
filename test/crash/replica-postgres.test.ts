import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { onEnd } from '../support/cleanup.ts';
import { startPostgres } from '../support/postgres.ts';
import { roundsOf } from '../support/rounds.ts';
import { makeStorePlace } from '../support/store.ts';
import { until } from '../support/until.ts';
import { prepareBoard } from './board.ts';
import { CREATE_POST, makeClient } from './client.ts';
import { ADMIN } from './load.ts';
import { type Server, startServer } from './server.ts';

const ROUNDS = roundsOf('REPLICA_ROUNDS', { short: 1, long: 10 });
const CLIENTS = 3;
/** A page for visitors without a session may be a second old. */
const PAGE_AGE_MS = 1_050;
const AS_ADMIN = { ssotype: 'SSO', ssoid: ADMIN };
const SEARCH = 'query($word: String!) { posts(search: $word) { nodes { id } } }';

test('two servers with a replica that lags, dies and comes back: no caller reads less than they wrote', async (t) => {
  const primary = await startPostgres();
  onEnd(t, () => primary.remove());
  const standby = await primary.addStandby('replica');
  onEnd(t, () => standby.remove());
  const { dataDir } = await makeStorePlace(t, 'sqlite');
  const place = { dataDir, databaseUrl: primary.url };
  const env = { DATABASE_READ_URL: standby.url };
  const { server, key } = await prepareBoard(t, place, CLIENTS, { env });
  const servers = [server, await startServer(t, place, { env })] as const;
  await until('the replica is used', async () => (await readCounts(servers, 'replica')).every((count) => count > 0));
  for (const path of ['/b/feedback', '/b/feedback/roadmap', '/api/csv', '/api/jsonl?votes=true']) {
    const before = await readCounts(servers, 'replica');
    for (const { url } of servers) await read(url + path, key);
    const after = await readCounts(servers, 'replica');
    assert.ok(
      after.every((count, n) => count > (before[n] ?? 0)),
      `${path}: ${before} ${after}`,
    );
  }
  const stopped = { is: false };
  onEnd(t, () => void Object.assign(stopped, { is: true }));
  const callers = Array.from({ length: CLIENTS }, (_, n) => writeAndRead(servers, key, n, stopped));
  const more = async (store: 'replica' | 'primary') => {
    const before = await readCounts(servers, store);
    await until(`each server reads from the ${store}`, async () =>
      (await readCounts(servers, store)).every((count, n) => count > (before[n] ?? 0) + 10),
    );
  };
  for (let round = 0; round < ROUNDS; round++) {
    await more('replica');
    await standby.run('select pg_wal_replay_pause()');
    await more('primary');
    await standby.run('select pg_wal_replay_resume()');
    await more('replica');
    await standby.kill();
    await more('primary');
    await standby.start();
    await more('replica');
  }
  stopped.is = true;
  const written = (await Promise.all(callers)).reduce((sum, count) => sum + count, 0);
  for (const { written: output } of servers) assert.doesNotMatch(output.stderr, /"level":"error"/);
  console.log(
    `${written} posts were written and read again; reads on the replica: ${await readCounts(servers, 'replica')}`,
  );
});

type Servers = readonly [Server, Server];

/** Writes through one server and reads through the other. @returns how many posts */
async function writeAndRead(servers: Servers, key: string, n: number, stopped: { is: boolean }): Promise<number> {
  let count = 0;
  for (; !stopped.is; count++) {
    const [here, there] = count % 2 ? servers : servers.toReversed();
    if (!here || !there) break;
    const word = `idea${n}x${count}`;
    const { data, errors } = await makeClient(here.url, key).send(CREATE_POST, { title: word }, `writer-${n}`);
    assert.deepEqual(errors, []);
    const id = data?.createPost?.id;
    const written = performance.now();
    const found = await makeClient(there.url, key).send(SEARCH, { word }, `writer-${n}`);
    assert.ok(JSON.stringify(found).includes(`"${id}"`), `${word} is not found: ${JSON.stringify(found)}`);
    if (count % 5 === 1)
      assert.ok((await read(`${there.url}/api/jsonl`, key)).includes(`"${id}"`), 'not in the export');
    if (count % 10 === 2) {
      await delay(PAGE_AGE_MS - (performance.now() - written));
      assert.ok((await read(`${there.url}/b/feedback?sort=new`)).includes(word), `${word} is not on the page`);
    }
  }
  return count;
}

async function read(url: string, key?: string): Promise<string> {
  const response = await fetch(url, { headers: { ...(key !== undefined && { apikey: key, ...AS_ADMIN }) } });
  assert.equal(response.status, 200, url);
  return response.text();
}

/** How many reads each server has sent to the replica, or to the primary although they could run there. */
async function readCounts(servers: Servers, store: 'replica' | 'primary'): Promise<number[]> {
  // They are printed once a second.
  await delay(1_000);
  return Promise.all(
    servers.map(async ({ url }) => {
      const text = await read(`${url}/metrics`);
      return Number(new RegExp(`^earshot_replica_reads_total\\{store="${store}"\\} (\\d+)`, 'm').exec(text)?.[1]);
    }),
  );
}
