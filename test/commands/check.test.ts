import assert from 'node:assert/strict';
import { closeSync, existsSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { makeCommandLine, testCommandLine } from '../support/command-line.ts';
import { dumpStore } from '../support/dump.ts';
import { startServer } from '../support/process.ts';
import { engines, makeStorePlace } from '../support/store.ts';

/** Bytes of a page of SQLite. */
const PAGE = 4_096;

testCommandLine(
  'a sound store passes, even while it is served, and is not changed',
  async ({ run, json, place, env }, t) => {
    await json('board', 'create', '--name', 'Acme');
    await json('seed', '--posts', '300');
    const before = await dumpStore(place);
    assert.deepEqual(await run('check'), { status: 0, stdout: 'Nothing is wrong.\n', stderr: '' });
    assert.deepEqual(await dumpStore(place), before);

    const server = await startServer(t, env);
    assert.deepEqual(await json('check'), { problems: [] });
    await server.end('SIGTERM');
  },
);

for (const engine of engines) {
  test(`problems are reported as text and as JSON, with exit status 1 [${engine}]`, async (t) => {
    const place = await makeStorePlace(t, engine);
    const { run, json } = makeCommandLine(place);
    await json('board', 'create', '--name', 'Acme');
    await json('webhook', 'create', '--url', 'http://receiver.test/', '--signing-secret', 'open');
    const other = makeCommandLine(place, { SECRET_KEY: 'a key that is not the right one' });
    const wrong = await other.run('check');
    assert.deepEqual([wrong.status, wrong.stderr], [1, '1 problem found\n']);
    assert.match(
      wrong.stdout,
      /^Secrets that this SECRET_KEY does not open:\n {2}key_check store\n {2}webhooks [\w-]+\n$/,
    );
    const { status, stdout } = await other.run('check', '--json');
    const [{ problem, count }] = JSON.parse(stdout).problems;
    assert.deepEqual([status, problem, count], [1, 'Secrets that this SECRET_KEY does not open', 2]);
    assert.equal((await run('check')).status, 0);
  });
}

test('a damaged file, a broken reference, and a place without a store are distinguished', async (t) => {
  const { place, run, json } = makeCommandLine(await makeStorePlace(t, 'sqlite'));
  assert.match((await run('check')).stderr, /^There is no store in /);
  assert.ok(!existsSync(join(place.dataDir, 'earshot.db')));
  await json('board', 'create', '--name', 'Acme');
  await json('seed', '--posts', '50');
  const file = join(place.dataDir, 'earshot.db');
  const store = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  const { root } = store.prepare("select rootpage as root from sqlite_schema where name = 'posts_newest'").get() ?? {};
  store.exec('delete from boards');
  store.close();
  assert.match(
    (await run('check')).stdout,
    /^Rows that refer to missing ones:\n( {2}a row of \w+ refers to a missing row of boards\n)+/,
  );

  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(PAGE, 1), 0, PAGE, (Number(root) - 1) * PAGE);
  closeSync(handle);
  const { status, stdout } = await run('check');
  assert.equal(status, 1);
  assert.match(stdout, /^The file of the store is damaged: restore a backup:\n {2}/);

  for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
  writeFileSync(file, 'no store');
  assert.match((await run('check')).stderr, /^Cannot open the store .*: file is not a database/);
});
