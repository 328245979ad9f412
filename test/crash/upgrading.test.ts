import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDb } from '../../src/platform/db/open.ts';
import { VERSION } from '../../src/platform/version.ts';
import { onEnd } from '../support/cleanup.ts';
import { makeOldStore } from '../support/old-store.ts';
import { findFreePort } from '../support/postgres.ts';
import { isLong } from '../support/rounds.ts';
import { engines, makeStorePlace } from '../support/store.ts';
import { until } from '../support/until.ts';
import { runEarshot, startServer } from './server.ts';

/** The promise: a store of 100,000 posts is upgraded within a minute. */
const SIZE = isLong ? { users: 20_000, posts: 100_000 } : { users: 200, posts: 3_000 };
const LIMIT_MS = 60_000;

for (const engine of engines) {
  test(`an old store of many posts is upgraded while the server reports its progress [${engine}]`, async (t) => {
    const place = await makeStorePlace(t, engine);
    await makeOldStore(place, SIZE);
    const port = await findFreePort();
    const look = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null);
      return response && { status: response.status, body: await response.text() };
    };
    const env = { LOG_LEVEL: 'info', PORT: String(port) };
    // Killed in the middle, it goes on where it was.
    const killed = runEarshot(place, ['serve'], { env });
    await until('a step is told', () => /Upgrading the store/.test(killed.written.stdout + killed.written.stderr));
    await until('it is told at the port, too', async () => /upgrading/.test((await look('/healthz'))?.body ?? ''));
    const ready = await look('/readyz');
    const { status, version } = JSON.parse(ready?.body ?? '{}');
    assert.deepEqual([ready?.status, status, version], [503, 'upgrading', VERSION]);
    killed.child.kill('SIGKILL');
    await killed.ended;
    const begun = performance.now();
    const server = await startServer(t, place, { env, port });
    const tookMs = performance.now() - begun;
    t.diagnostic(`${SIZE.posts} posts: ${Math.round(tookMs)} ms after the kill`);
    assert.ok(tookMs < LIMIT_MS);
    assert.deepEqual(await look('/healthz'), { status: 200, body: JSON.stringify({ status: 'ok', version: VERSION }) });
    await server.stop();
    const db = openDb(place);
    onEnd(t, () => db.close());
    const count = async (table: 'posts' | 'comments' | 'votes') =>
      Number(
        (
          await db.read
            .selectFrom(table)
            .select(({ fn }) => fn.countAll().as('n'))
            .executeTakeFirst()
        )?.n,
      );
    const counts = [await count('posts'), await count('comments'), await count('votes')];
    assert.deepEqual(counts, [SIZE.posts, 4 * SIZE.posts + SIZE.users, 4 * SIZE.posts]);
  });
}
