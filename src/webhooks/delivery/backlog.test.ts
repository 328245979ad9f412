import assert from 'node:assert/strict';
import { testBoth } from '../../../test/support/app.ts';
import { addWebhook, startHoldingReceiver } from '../../../test/support/workers.ts';
import { countWebhooks, readBacklog } from './backlog.ts';

testBoth('the backlog is by state, from the oldest event that waits, and without that of sandboxes', async (app, t) => {
  const { db, clock } = app;
  const none = { waiting: 0, oldestSeconds: 0 };
  assert.deepEqual(await readBacklog(db.slow, clock.now()), [
    { state: 'active', ...none },
    { state: 'failing', ...none },
    { state: 'disabled', ...none },
  ]);
  const { origin, answerAll } = await startHoldingReceiver(t);
  answerAll(200);
  await addWebhook(app, `${origin}/one`);
  await addWebhook(app, `${origin}/two`, ['post.created']);
  await app.makePost('First');
  clock.advance(90_000);
  await app.makePost('Second');
  const backlog = await readBacklog(db.slow, clock.now());
  assert.deepEqual(backlog[0], { state: 'active', waiting: 4, oldestSeconds: 90 });
  assert.deepEqual(await countWebhooks(db.slow), [
    { state: 'active', disabledBy: null, count: 2 },
    { state: 'failing', disabledBy: null, count: 0 },
    { state: 'disabled', disabledBy: null, count: 0 },
    { state: 'disabled', disabledBy: 'service', count: 0 },
  ]);
  await db.transaction((tx) => tx.updateTable('boards').set({ sandbox_visitor: 'visitor' }).execute());
  assert.deepEqual((await readBacklog(db.slow, clock.now()))[0], { state: 'active', ...none });
  assert.equal((await countWebhooks(db.slow))[0]?.count, 0);
});
