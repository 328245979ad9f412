import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, chownSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { openDb } from '../../src/platform/db/open.ts';
import { openSqlite } from '../../src/platform/db/sqlite.ts';
import { onEnd } from '../support/cleanup.ts';
import { makeStorePlace } from '../support/store.ts';
import { until } from '../support/until.ts';
import { serveInProcess } from './app.ts';
import { prepareBoard, withReader } from './board.ts';
import { type Client, CREATE_POST, makeClient, type Reply } from './client.ts';
import { findLosses, Ledger } from './ledger.ts';
import { type LoadOptions, startLoad } from './load.ts';
import { makeRandom } from './random.ts';
import { recount } from './recount.ts';
import { follow, runEarshot, startServer } from './server.ts';

/** The user and group `nobody`. */
const NOBODY = 65_534;
const POSTS = '{ posts { nodes { id title } } }';

test('while another process writes, reads continue, a write fails after the lock timeout, and later writes work', async (t) => {
  const { dataDir } = await makeStorePlace(t, 'sqlite');
  const file = join(dataDir, 'earshot.db');
  const client = await serveInProcess(t, openSqlite({ file, lockTimeoutMs: 3_000 }));
  await createPost(client, 'Before');
  const lock = await lockStore(t, file);
  const writing = createPost(client, 'Waiting');
  const first = await Promise.race([writing, client.send(POSTS, {}, 'ada')]);
  assert.deepEqual(first, { status: 200, data: { posts: { nodes: [titled(first, 'Before')] } }, errors: [] });
  const refused = await writing;
  assert.deepEqual(codesOf(refused), ['SERVICE_UNAVAILABLE']);
  assert.match(refused.errors[0]?.message ?? '', /^The store is locked by another process\. Try again later$/);
  await lock.release();
  assert.deepEqual(codesOf(await createPost(client, 'After')), []);
});

test('a write that waits for another process is carried out once that process is done', async (t) => {
  const { dataDir } = await makeStorePlace(t, 'sqlite');
  const file = join(dataDir, 'earshot.db');
  const client = await serveInProcess(t, openSqlite({ file }));
  const lock = await lockStore(t, file);
  const writes = Promise.all(Array.from({ length: 20 }, (_, n) => createPost(client, `Post ${n}`)));
  await client.send(POSTS, {}, 'ada');
  await lock.release();
  assert.deepEqual((await writes).flatMap(codesOf), []);
});

/** A store on a disk that has room for small posts and not for a large one; SQLite rolls back by itself when it is full. */
async function fillDisk(t: TestContext) {
  const { dataDir } = await makeStorePlace(t, 'sqlite');
  const db = openSqlite({ file: join(dataDir, 'earshot.db') });
  const client = await serveInProcess(t, db);
  const run = (statement: string) => db.transaction((tx) => sql.raw(statement).execute(tx));
  await run('create table filler as select zeroblob(32000) as room');
  await run('drop table filler');
  await run('pragma max_page_count = 1'); // as few pages as there are; those of the filler are free now
  return { db, client, makeRoom: () => run('pragma max_page_count = 1000000') };
}

const LARGE = 'x'.repeat(20_000);

test('on a full store a write that does not fit is refused clearly and changes nothing', async (t) => {
  const { db, client, makeRoom } = await fillDisk(t);
  const { errors } = await createPost(client, 'Large', LARGE);
  assert.deepEqual(
    errors.map((e) => [e.extensions.code, e.message]),
    [['SERVICE_UNAVAILABLE', 'The disk of the store is full. Try again later']],
  );
  assert.deepEqual(await recount(db.read), []);
  await makeRoom();
  assert.deepEqual(codesOf(await createPost(client, 'Large', LARGE)), []);
});

test('on a full store the writes that share a commit with one that does not fit never get an unclear error', async (t) => {
  const { db, client } = await fillDisk(t);
  const replies = await Promise.all(
    Array.from({ length: 30 }, (_, n) => createPost(client, `Post ${n}`, n % 5 === 2 ? LARGE : null)),
  );
  assert.deepEqual([...new Set(replies.flatMap(codesOf))], ['SERVICE_UNAVAILABLE']);
  const acknowledged = replies.flatMap((reply) => reply.data?.createPost?.title ?? []);
  assert.ok(acknowledged.length > 0);
  const stored = await db.read.selectFrom('posts').select('title').execute();
  assert.deepEqual(stored.map((post) => post.title).sort(), acknowledged.sort());
  assert.deepEqual(await recount(db.read), []);
});

test('a request with an Idempotency-Key that fails on a full store leaves nothing of its other fields', async (t) => {
  const { db, client } = await fillDisk(t);
  const query = `mutation($text: String!) {
    large: createPost(title: "Large", comment: $text) { id }
    small: createPost(title: "Small") { id }
  }`;
  const reply = await client.send(query, { text: LARGE }, 'ada', 'once');
  assert.deepEqual(codesOf(reply).slice(0, 1), ['SERVICE_UNAVAILABLE']);
  assert.deepEqual(await db.read.selectFrom('posts').select('title').execute(), []);
  assert.deepEqual(await recount(db.read), []);
});

if (platform() !== 'win32') {
  test('a disk that takes no more fails writes clearly, keeps reads going and loses nothing', async (t) => {
    const place = await makeStorePlace(t, 'sqlite');
    const { server, key, statuses } = await prepareBoard(t, place, 16, { fileBlocks: 8_000 });
    const ledger = new Ledger();
    let refusals = 0;
    const unexpected: LoadOptions['unexpected'] = (code, message) => {
      if (code === 'SERVICE_UNAVAILABLE') refusals++;
      return code === 'NOT_FOUND' || code === 'SERVICE_UNAVAILABLE' ? null : `${code} ${message}`;
    };
    const client = makeClient(server.url, key);
    const options = { client, ledger, random: makeRandom(1), statuses, unexpected };
    // What is left for a small write after those that shared a commit failed is filled by a client that writes alone.
    let writers = 16;
    await until('the disk stays full', async () => {
      refusals = 0;
      const load = startLoad(options, writers);
      writers = 1;
      await until('the disk is full', () => refusals > 100);
      const read = await client.send(POSTS, {}, 'writer-1');
      assert.deepEqual(codesOf(read), []);
      load.stop();
      await load.ended;
      await delay(2_500); // it tries to write a little itself
      const readiness = await fetch(`${server.url}/readyz`);
      const { reason } = (await readiness.json()) as { reason?: string };
      if (readiness.status === 200) return false;
      assert.deepEqual([readiness.status, reason], [503, 'The disk of the store is failing']);
      return true;
    });
    assert.match(await (await fetch(`${server.url}/metrics`)).text(), /^earshot_store_up 0$/m);
    assert.deepEqual(ledger.problems, []);
    await server.kill();
    const next = await startServer(t, place);
    assert.equal((await fetch(`${next.url}/readyz`)).status, 200);
    assert.deepEqual(await withReader(place, (reader) => findLosses(reader, ledger)), []);
    assert.deepEqual(await withReader(place, recount), []);
    assert.deepEqual(codesOf(await createPost(makeClient(next.url, key), 'Room again', null, 'writer-1')), []);
  });

  for (const state of ['empty', 'used'] as const) {
    test(`the start on a folder that may only be read fails with one clear line [${state}]`, async (t) => {
      const place = await makeStorePlace(t, 'sqlite');
      if (state === 'used') await runEarshot(place, ['migrate']).ended;
      const isRoot = process.getuid?.() === 0;
      if (isRoot) chownSync(place.dataDir, 0, 0);
      chmodSync(place.dataDir, 0o555);
      onEnd(t, () => chmodSync(place.dataDir, 0o755));
      const program = runEarshot(place, ['serve'], isRoot ? { uid: NOBODY } : {});
      const { status, stderr, stdout } = await program.ended;
      assert.deepEqual([status, stdout], [1, '']);
      assert.match(stderr, /^Cannot use the data folder .+: EACCES: permission denied.*\n$/);
    });
  }
}

test('a store that a newer version has written is refused with a clear line', async (t) => {
  for (const engine of ['sqlite', 'postgres'] as const) {
    const place = await makeStorePlace(t, engine);
    await runEarshot(place, ['migrate']).ended;
    const db = openDb(place);
    await db.transaction((tx) => tx.insertInto('migrations').values({ name: '9999-later', date_applied: 1 }).execute());
    await db.close();
    for (const command of [['serve'], ['migrate'], ['key', 'list']]) {
      const { status, stderr } = await runEarshot(place, command).ended;
      assert.deepEqual(
        [status, stderr],
        [
          1,
          'The store was written by a newer version of Earshot (it has the migration 9999-later): run that version\n',
        ],
      );
    }
  }
});

function createPost(client: Client, title: string, text: string | null = null, as = 'ada'): Promise<Reply> {
  return client.send(CREATE_POST, { title, text }, as);
}

function codesOf(reply: Reply): string[] {
  return reply.errors.map((error) => error.extensions.code);
}

function titled({ data }: Reply, title: string) {
  const posts = data?.posts as unknown as { nodes: { id: string; title: string }[] } | undefined;
  return { id: posts?.nodes[0]?.id, title };
}

const HOLD_LOCK = `
  const { DatabaseSync } = require('node:sqlite');
  const db = new DatabaseSync(process.argv[1], { timeout: 5000 });
  db.exec('begin immediate');
  console.log('locked');
  process.stdin.on('end', () => db.exec('rollback')).resume();
`;

/** Lets another process hold the write lock until it is told to release it. */
async function lockStore(t: TestContext, file: string): Promise<{ release(): Promise<unknown> }> {
  const child = spawn(process.execPath, ['-e', HOLD_LOCK, file], { stdio: 'pipe' });
  onEnd(t, () => child.kill('SIGKILL'));
  const { written, ended } = follow(child);
  await until('the store is locked', () => written.stdout.includes('locked'));
  return {
    release() {
      child.stdin.end();
      return ended;
    },
  };
}
