import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines, openTestStore } from '../../../test/support/store.ts';
import { PATIENCE_MS } from '../../../test/support/until.ts';
import { startStoreClock } from './store-clock.ts';

for (const engine of engines) {
  test(`the clock of a store keeps its own time, whatever the machine's clock does [${engine}]`, async (t) => {
    const db = await openTestStore(t, engine);
    const clock = await startStoreClock(db);
    t.after(() => clock.stop());
    assert.ok(Math.abs(clock.now() - Date.now()) < PATIENCE_MS);
    assert.ok(Number.isSafeInteger(clock.now()));
    if (engine === 'sqlite') return;
    t.mock.timers.enable({ apis: ['Date'], now: 0 });
    assert.ok(clock.now() > Date.parse('2026-01-01'));
  });
}
