import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { engines, openTestStore } from '../../../test/support/store.ts';

for (const engine of engines) {
  test(`others get turns of the event loop while a long transaction runs [${engine}]`, async (t) => {
    const db = await openTestStore(t, engine);
    let turns = 0;
    let isOver = false;
    const others = (async () => {
      for (; !isOver; turns++) await nextTurn();
    })();
    const during = await db.transaction(async (tx) => {
      const [start, before] = [performance.now(), turns];
      // A busy machine may leave this process little of a second.
      while (turns - before <= 2 && performance.now() < start + 10_000) {
        await sql`update boards set name = name`.execute(tx);
        await tx.run('select id from boards limit 1', []);
      }
      return turns - before;
    });
    isOver = true;
    await others;
    assert.ok(during > 2, `${during} turns`);
  });
}
