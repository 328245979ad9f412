import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, constants, open, openSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { makeTestApp } from '../../test/support/app.ts';
import { onEnd } from '../../test/support/cleanup.ts';
import { isAnswered } from '../../test/support/waiting.ts';

/** Threads of libuv's pool, which syncs files; Node starts as many unless told otherwise. */
const POOL_THREADS = 4;

/** Keeps every thread of the pool busy, so that no file is synced until they are let go. */
async function holdSyncs(t: TestContext, folder: string): Promise<{ release(): Promise<void> }> {
  const pipe = join(folder, 'pipe');
  assert.equal(spawnSync('mkfifo', [pipe]).status, 0);
  // Opening a pipe to read waits until it is opened for writing.
  const held = Array.from({ length: POOL_THREADS }, () => promisify(open)(pipe, constants.O_RDONLY));
  let isHeld = true;
  const release = async () => {
    if (!isHeld) return;
    isHeld = false;
    const writer = openSync(pipe, constants.O_RDWR);
    for (const reader of await Promise.all(held)) closeSync(reader);
    closeSync(writer);
  };
  onEnd(t, release);
  await delay(50); // the threads have taken the calls up
  return { release };
}

test('while the log cannot be synced, SQLite shows no event that a loss of power could take back', {
  timeout: 60_000,
}, async (t) => {
  const app = await makeTestApp(t, 'sqlite');
  const before = [await app.makePost('Before'), await app.makePost('Also before')];
  const events = '{ events { nodes { post { id } } } }';
  const eventsOf = 'query($id: String!) { post(id: $id) { events { nodes { id } } } }';
  const create = 'mutation { createPost(title: "Waiting", externalId: "x") { id } }';
  const withKey = { headers: { 'idempotency-key': 'k1' } };
  const readExport = (format: string) => app.app.inject({ url: `/api/${format}`, headers: { apikey: app.key } });
  await readExport('csv'); // the thread that reads for exports needs the pool to begin

  const syncs = await holdSyncs(t, app.dataDir);
  const creating = app.ask(create, {}, withKey);
  const { createPost } = await until(async () => {
    const row = await app.db.read.selectFrom('posts').select('id').where('title', '=', 'Waiting').executeTakeFirst();
    return row && { createPost: row };
  });
  const waiting = {
    creating,
    again: app.ask(create, {}, withKey),
    sameExternalId: app.ask(create),
    events: app.ask(events),
    eventsOf: app.ask(eventsOf, { id: createPost.id }),
    csv: readExport('csv'),
    jsonl: readExport('jsonl'),
  };
  for (const [name, answer] of Object.entries(waiting)) {
    assert.equal(await isAnswered(answer, 100), false, `${name} is answered before it is on disk`);
  }
  // What is known to be on disk needs no sync.
  const known = await app.api.events({ limit: 1 }, { nodes: { post: { id: true } } });
  assert.deepEqual(known.nodes, [{ post: { id: before[0] } }]);

  const readiness = async () => (await app.app.inject('/readyz')).json();
  await until(async () => ((await readiness()).status === 'unavailable' ? true : undefined));
  assert.match((await readiness()).reason, /^Writes have waited for the disk/);

  await syncs.release();
  for (const made of [waiting.creating, waiting.again, waiting.sameExternalId]) {
    assert.deepEqual(await made, { createPost });
  }
  assert.equal((await waiting.eventsOf).post.events.nodes.length, 1);
  assert.deepEqual(
    (await waiting.events).events.nodes.map((event: { post: { id: string } }) => event.post.id),
    [...before, createPost.id],
  );
  for (const file of [await waiting.csv, await waiting.jsonl]) assert.match(file.body, /Waiting/);
});

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found) return found;
    await delay(5);
  }
}
