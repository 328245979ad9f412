import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { testBoth } from '../../../test/support/app.ts';
import { addWebhook, startHoldingReceiver } from '../../../test/support/workers.ts';
import { claimDeliveries } from './claim.ts';

testBoth('a claim takes no more than may be in flight, also when the database knows of few rows', async (app, t) => {
  const { origin } = await startHoldingReceiver(t);
  await addWebhook(app, `${origin}/hook`);
  await app.db.transaction((tx) => tx.updateTable('webhooks').set({ ramp_limit: 8 }).execute());
  await app.makePost('The only one there was when the figures were made');
  await app.db.transaction((tx) => sql`analyze`.execute(tx));
  for (let n = 0; n < 20; n++) await app.makePost('Another');
  const claimer = { now: app.clock.now(), slots: 256, failingSlots: 192, full: [] };
  const claim = (token: string) => app.db.transaction((tx) => claimDeliveries(tx, { ...claimer, token }));
  assert.equal((await claim('first')).claims.length, 8);
  assert.equal((await claim('second')).claims.length, 0);
});
