import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { EVENTS_PER_STEP } from '../../src/events/retention.ts';
import { createBoard } from '../../src/operations/boards/create.ts';
import type { Db } from '../../src/platform/db/db.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { openDb } from '../../src/platform/db/open.ts';
import { systemClock } from '../../src/platform/lib/clock.ts';
import { makeId } from '../../src/platform/lib/ids.ts';
import { onEnd } from '../support/cleanup.ts';
import { inheritedEnvironment } from '../support/process.ts';
import { roundsOf } from '../support/rounds.ts';
import { engines, makeStorePlace, type StorePlace } from '../support/store.ts';
import { until } from '../support/until.ts';
import { follow } from './server.ts';

const KILLS = roundsOf('RETENTION_KILLS', { short: 2, long: 20 });
const STEPS_PER_KILL = 6;
const REMOVER = fileURLToPath(new URL('remove-events.ts', import.meta.url));

for (const engine of engines) {
  test(`a process that is killed while it removes old events leaves no gap that the board does not know of [${engine}]`, async (t) => {
    const place = await makeStorePlace(t, engine);
    const db = openDb(place);
    onEnd(t, () => db.close());
    await migrate(db, 0);
    const { id: boardId } = await createBoard(db, systemClock, { name: 'Acme' });
    const count = KILLS * STEPS_PER_KILL * EVENTS_PER_STEP;
    await addOldEvents(db, boardId, count);
    for (let kill = 0; kill < KILLS; kill++) {
      const before = (await readLog(db)).length;
      const { child, ended } = startRemover(place);
      await until('some are removed', async () => {
        const left = (await readLog(db)).length;
        return left < before || left === 0;
      });
      await delay(Math.random() * 150);
      child.kill('SIGKILL');
      await ended;
      const { events_removed: removed } = await db.read.selectFrom('boards').selectAll().executeTakeFirstOrThrow();
      const kept = (await readLog(db)).filter((seq) => seq > removed);
      assert.deepEqual(
        [kept.length, kept.at(-1) ?? count],
        [count - removed, count],
        'events are gone that should not be',
      );
    }
    const { status, stderr } = await startRemover(place).ended;
    assert.deepEqual([status, stderr, await readLog(db)], [0, '', []]);
  });
}

function startRemover(place: StorePlace) {
  return follow(spawn(process.execPath, [REMOVER, JSON.stringify(place)], { env: inheritedEnvironment() }));
}

async function readLog(db: Db): Promise<number[]> {
  const rows = await db.read.selectFrom('events').select('seq').orderBy('seq').execute();
  return rows.map(({ seq }) => seq);
}

async function addOldEvents(db: Db, boardId: string, count: number): Promise<void> {
  await db.transaction(async (tx) => {
    for (let seq = 1; seq <= count; seq++) {
      const event = { board_id: boardId, seq, id: makeId(), type: 'post.created', triggered_at: 0, body: '{}' };
      const about = { post_id: null, actor_id: null, comment_id: null, entry_id: null };
      await tx
        .insertInto('events')
        .values({ ...event, ...about })
        .execute();
    }
    await tx.updateTable('boards').set({ event_seq: count }).execute();
  });
}
