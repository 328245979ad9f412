import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { environmentFor, runCommand, startServer } from '../support/process.ts';
import { makeStorePlace } from '../support/store.ts';

const isPosix = process.platform !== 'win32';
process.umask(0o022);

/** What below a path others than its owner may use, as `name mode`. */
function openToOthers(path: string): string[] {
  const { mode } = statSync(path);
  const own = isPosix && (mode & 0o077) !== 0 ? [`${path} ${(mode & 0o777).toString(8)}`] : [];
  const inside = statSync(path).isDirectory()
    ? readdirSync(path).flatMap((name) => openToOthers(join(path, name)))
    : [];
  return [...own, ...inside];
}

test('nothing that the server and the commands write is open to other users of the machine', async (t) => {
  const place = await makeStorePlace(t, 'sqlite');
  const dataDir = join(place.dataDir, 'new', 'data');
  const env = { ...environmentFor(place), DATA_DIR: dataDir };
  const server = await startServer(t, env);
  await runCommand(['owner', 'invite', '--email', 'olga@example.com'], env);
  const out = join(dataDir, 'export.csv');
  assert.equal((await runCommand(['export', '--out', out], env)).status, 0);
  const copy = join(dataDir, 'copy.db');
  assert.equal((await runCommand(['backup', copy], env)).status, 0);
  assert.deepEqual(openToOthers(dataDir), []);
  assert.equal((await server.end('SIGTERM')).status, 0);
  assert.deepEqual(openToOthers(dataDir), []);
  assert.ok(['earshot.db', 'secret.key', 'export.csv', 'copy.db'].every((name) => readdirSync(dataDir).includes(name)));
});

test('files that an earlier version left open are closed at the start, and a folder shared by all users is not', async (t) => {
  const place = await makeStorePlace(t, 'sqlite');
  const env = environmentFor(place);
  assert.equal((await runCommand(['board', 'create', '--name', 'Acme'], env)).status, 0);
  mkdirSync(join(place.dataDir, 'mail'));
  writeFileSync(join(place.dataDir, 'secret.key'), 'k'.repeat(43), { flag: 'a' });
  const left = ['', 'mail'].map((name) => join(place.dataDir, name));
  for (const folder of left) chmodSync(folder, 0o755);
  const files = ['earshot.db', 'secret.key'].map((name) => join(place.dataDir, name));
  for (const file of files) chmodSync(file, 0o644);
  assert.equal((await runCommand(['board', 'list'], env)).status, 0);
  assert.deepEqual(
    [...left, ...files].flatMap((path) => openToOthers(path)),
    [],
  );
  chmodSync(place.dataDir, 0o1777);
  assert.equal((await runCommand(['board', 'list'], env)).status, 0);
  if (isPosix) assert.equal(statSync(place.dataDir).mode & 0o1777, 0o1777);
  chmodSync(place.dataDir, 0o700);
});
