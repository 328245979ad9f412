import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDb } from '../../src/platform/db/open.ts';
import { engines, makeStorePlace } from '../support/store.ts';
import { until } from '../support/until.ts';
import { prepareBoard, withReader } from './board.ts';
import { askEarshot, runEarshot, startServer } from './server.ts';

const OTHER_KEY = 'another key, which is long enough';

/** Runs `serve` on a store that it must not touch, and gives the one line that it ends with. */
async function refusalOf(place: Parameters<typeof runEarshot>[0], env: Record<string, string> = {}): Promise<string> {
  const { status, stdout, stderr } = await runEarshot(place, ['serve'], { env: { PORT: '1', ...env } }).ended;
  assert.deepEqual([status, stdout, stderr.split('\n').length], [1, '', 2], stderr);
  return stderr;
}

test('a second server on a data folder is refused, until the first one ends, however it ends', async (t) => {
  const place = await makeStorePlace(t, 'sqlite');
  const first = await startServer(t, place);
  assert.match(await refusalOf(place), /^Another server is running on the data folder .*: stop it first, or give /);
  // Commands work beside it, those that write too.
  const { key = '' } = await askEarshot(place, 'key', 'create', '--name', 'beside');
  assert.match(key, /^esk_/);
  await first.kill();
  const second = await startServer(t, place);
  assert.match(await refusalOf(place), /Another server/);
  assert.equal((await second.stop()).status, 0);
  await startServer(t, place);
});

test('several servers share a store on PostgreSQL', async (t) => {
  const place = await makeStorePlace(t, 'postgres');
  await startServer(t, place);
  await startServer(t, place);
});

test('no empty store replaces one that is gone, unless requested', async (t) => {
  const place = await makeStorePlace(t, 'sqlite');
  const file = join(place.dataDir, 'earshot.db');
  await (await startServer(t, place)).stop();
  for (const end of ['', '-wal', '-shm']) if (existsSync(file + end)) renameSync(file + end, `${file}.kept${end}`);
  const begun = readdirSync(place.dataDir);
  const refusal =
    /^The store .*earshot\.db is missing, but .*secret\.key is there: put your backup back .* NEW_STORE=on\n$/;
  assert.match(await refusalOf(place), refusal);
  for (const command of [['migrate'], ['key', 'list'], ['board', 'create', '--name', 'Acme']]) {
    const { status, stderr } = await runEarshot(place, command).ended;
    assert.deepEqual([status, refusal.test(stderr)], [1, true], stderr);
  }
  assert.deepEqual(readdirSync(place.dataDir), begun);
  await (await startServer(t, place, { args: ['--new-store'] })).stop();
  await (await startServer(t, place)).stop();

  rmSync(join(place.dataDir, 'secret.key'));
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
  mkdirSync(join(place.dataDir, 'files'));
  const env = { SECRET_KEY: OTHER_KEY };
  assert.match(await refusalOf(place, env), /is missing, but .*files is there/);
  const first = await startServer(t, place, { env: { ...env, NEW_STORE: 'on' } });
  await first.stop();
  const second = await startServer(t, place, { env: { ...env, NEW_STORE: 'on' } });
  const warnings = ({ written }: typeof first) =>
    `${written.stdout}${written.stderr}`.match(
      /The store .*earshot\.db exists, so NEW_STORE .* has no effect: leave that setting out/g,
    )?.length;
  assert.deepEqual([warnings(first), warnings(second)], [undefined, 1]);
});

test('a store whose secret.key is gone is not served, and no new key is made', async (t) => {
  const place = await makeStorePlace(t, 'sqlite');
  const file = join(place.dataDir, 'secret.key');
  await (await startServer(t, place)).stop();
  renameSync(file, `${file}.kept`);
  assert.match(await refusalOf(place), /secret\.key is missing\. .*: restore it from your backup/);
  const create = ['webhook', 'create', '--url', 'http://127.0.0.1:9/'];
  const { status, stderr } = await runEarshot(place, create).ended;
  assert.deepEqual([status, /secret\.key is missing/.test(stderr)], [1, true]);
  assert.equal(existsSync(file), false);
  await startServer(t, place, { env: { SECRET_KEY: readFileSync(`${file}.kept`, 'utf8') } });
});

for (const engine of engines) {
  test(`a store is served with its own key only [${engine}]`, async (t) => {
    const place = await makeStorePlace(t, engine);
    await (await startServer(t, place)).stop();
    const refusal = /^SECRET_KEY is not the key that encrypted the secrets of this store: set it /;
    assert.match(await refusalOf(place, { SECRET_KEY: OTHER_KEY }), refusal);
    await askEarshot(place, 'board', 'list');
    await startServer(t, place);
  });

  test(`a store from before keys were checked is known by the secrets of its webhooks [${engine}]`, async (t) => {
    const place = await makeStorePlace(t, engine);
    await prepareBoard(t, place, 1).then(({ server }) => server.stop());
    const create = ['webhook', 'create', '--url', 'http://203.0.113.1/', '--signing-secret', 'hunter2 hunter2'];
    await runEarshot(place, create, { env: { WEBHOOK_ALLOW_CIDRS: '203.0.113.0/24' } }).ended;
    const db = openDb(place);
    await db.transaction((tx) => tx.deleteFrom('key_check').execute());
    await db.close();
    assert.match(await refusalOf(place, { SECRET_KEY: OTHER_KEY }), /SECRET_KEY is not the key/);
    await (await startServer(t, place)).stop();
    const kept = await withReader(place, (reader) => reader.selectFrom('key_check').selectAll().execute());
    assert.equal(kept.length, 1);
    assert.doesNotMatch(JSON.stringify(kept), /hunter2/);
  });

  test(`when a key is lost, the store can be used with another one on demand [${engine}]`, async (t) => {
    const place = await makeStorePlace(t, engine);
    await (await startServer(t, place)).stop();
    const env = { SECRET_KEY: OTHER_KEY };
    const { status } = await runEarshot(place, ['secret-key', 'accept'], { env }).ended;
    assert.equal(status, 0);
    await startServer(t, place, { env });
    if (engine === 'postgres') assert.match(await refusalOf(place), /SECRET_KEY is not the key/);
  });
}

test('a store that has lost its bytes is not replaced by an empty one', async (t) => {
  const place = await makeStorePlace(t, 'sqlite');
  const file = join(place.dataDir, 'earshot.db');
  await (await startServer(t, place)).stop();
  rmSync(file);
  writeFileSync(file, '');
  for (const command of [['serve'], ['migrate'], ['board', 'list']]) {
    const { status, stderr } = await runEarshot(place, command).ended;
    assert.deepEqual([status, statSync(file).size], [1, 0]);
    assert.match(
      stderr,
      /^Cannot open the store .*earshot\.db: it is empty, .*: restore it from your backup, or remove it and start .*NEW_STORE=on\n$/,
    );
  }
  rmSync(file);
  writeFileSync(`${file}-wal`, 'left over');
  assert.match(await refusalOf(place), /it is missing, but its log .*-wal exists/);
  assert.equal(existsSync(file), false);
});

test('a server that is killed as its store is made leaves one that can be started', async (t) => {
  for (let n = 0; n < 5; n++) {
    const place = await makeStorePlace(t, 'sqlite');
    const { child, ended } = runEarshot(place, ['serve'], { env: { PORT: '1' } });
    await until('the store appears', () => readdirSync(place.dataDir).some((name) => name.startsWith('earshot.db')));
    child.kill('SIGKILL');
    await ended;
    await askEarshot(place, 'migrate');
  }
});

test('a data folder that cannot be created is reported at once', async (t) => {
  const { dataDir } = await makeStorePlace(t, 'sqlite');
  const file = join(dataDir, 'a file');
  writeFileSync(file, '');
  // There the system says of a folder that is there that it does not exist, for ever.
  const endless = process.platform === 'linux' ? ['/proc/earshot', '/proc/earshot/data'] : [];
  for (const place of [file, join(file, 'data'), ...endless]) {
    for (const command of [['serve'], ['migrate']]) {
      const { status, stderr } = await runEarshot({ dataDir: place, databaseUrl: null }, command).ended;
      assert.equal(status, 1);
      assert.match(stderr, /^Cannot (use the data folder|open the store) .*: E[A-Z]+: [^\n]*\n$/);
    }
  }
});
