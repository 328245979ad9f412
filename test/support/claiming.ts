import type { TestContext } from 'node:test';
import type { DeliveryRow } from '../../src/events/deliveries.ts';
import { quote } from '../../src/platform/messages.ts';
import { type Claim, claimDeliveries } from '../../src/webhooks/delivery/claim.ts';
import { type Result, recordResults } from '../../src/webhooks/delivery/record.ts';
import type { Outcome } from '../../src/webhooks/diagnosis/outcome.ts';
import type { TestApp } from './app.ts';
import { testCipher } from './sender.ts';
import { addWebhook, startHoldingReceiver } from './workers.ts';

/** A webhook that may have eight attempts in flight; what is done with its deliveries is up to the test. */
export async function addReadyWebhook(app: TestApp, t: TestContext, path = '/hook'): Promise<string> {
  const { origin } = await startHoldingReceiver(t);
  const { id } = await addWebhook(app, origin + path);
  await app.db.transaction((tx) => tx.updateTable('webhooks').set({ ramp_limit: 8 }).execute());
  return id;
}

let claims = 0;

/** Claims what may be claimed, as a worker does. */
export async function claim({ db, clock }: TestApp): Promise<Claim[]> {
  const claimer = { token: `claim ${claims++}`, now: clock.now(), slots: 256, failingSlots: 192, full: [] };
  return (await db.transaction((tx) => claimDeliveries(tx, claimer))).claims;
}

type Kind = Outcome['kind'];

/** Records what came of attempts, and gives the results that counted. */
export async function record(app: TestApp, ended: readonly Claim[], kindOf: Kind | (() => Kind)): Promise<Result[]> {
  const results = ended.map((claim): Result => {
    const kind = typeof kindOf === 'string' ? kindOf : kindOf();
    const outcome = { kind, word: kind, sentence: quote('So it was.') };
    return { claim, attempt: { outcome, acceptedSecret: null, sends: [], retryAfterMs: null }, now: app.clock.now() };
  });
  return app.db.transaction(async (tx) => {
    const recorded = await recordResults(tx, results, { baseUrl: 'http://board.test', cipher: testCipher });
    await recorded.written;
    return recorded.results;
  });
}

/** The deliveries of the store in the order of their events. */
export async function deliveriesOf({ db }: TestApp): Promise<DeliveryRow[]> {
  return db.read.selectFrom('deliveries').selectAll().orderBy('event_seq').execute();
}
