import { makeInbox, makeSandboxDial } from './api/sandbox/inbox.ts';
import { makeFileFolder } from './feedback/files/folder.ts';
import { cleanFiles } from './feedback/files/removing.ts';
import { startPurging } from './feedback/lifecycle/purge.ts';
import { startIndexing } from './feedback/search/indexer.ts';
import { forgetOldUsage } from './identity/keys/usage.ts';
import { startErasing } from './operations/erasures/worker.ts';
import type { Config } from './platform/config.ts';
import type { Db } from './platform/db/db.ts';
import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from './platform/lib/clock.ts';
import type { Logger } from './platform/lib/log.ts';
import { repeat } from './platform/lib/repeat.ts';
import type { MailTransport } from './platform/mail/transport.ts';
import { MailWorker } from './platform/mail/worker.ts';
import type { Metrics } from './platform/metrics/metrics.ts';
import { DeliveryWorker } from './webhooks/delivery/worker.ts';
import type { Sender } from './webhooks/verification/enabling.ts';

/** What background work needs; tests pass their own. */
export type BackgroundDeps = {
  db: Db;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  sender: Sender;
  transport: MailTransport;
  config: Pick<Config, 'baseUrl' | 'dataDir'>;
};

/** The work that no request waits for. */
export type Background = {
  /** Resolves once nothing is due at the clock's present time: for tests. */
  settled(): Promise<void>;
  /** Lets what is in progress finish, within the time that a stop may take. */
  stop(): Promise<void>;
};

/**
 * Begins to deliver events and mail, to index new posts, and to remove what is kept for some time only and who was
 * erased.
 */
export function startBackground({ config, sender, transport, ...deps }: BackgroundDeps): Background {
  const { cipher, version } = sender;
  const { baseUrl, dataDir } = config;
  const dial = makeSandboxDial(makeInbox(deps.db, deps.clock, baseUrl), sender.dial);
  const deliveries = new DeliveryWorker({ ...deps, dial, cipher, version, baseUrl });
  const mails = new MailWorker({ ...deps, cipher, transport });
  const stopPurging = startPurging({ ...deps, baseUrl });
  const stopForgetting = repeat(
    HOUR_MS,
    () => forgetOldUsage(deps.db, deps.clock.now()),
    (err) => deps.log.warn({ err }, 'Old figures of keys were not removed'),
  );
  const stopAnalyzing = repeat(
    5 * SECOND_MS,
    () => deps.db.analyzeGrown(),
    (err) => deps.log.debug({ err }, 'Tables that have grown were not analyzed'),
  );
  const stopGivingBack = repeat(
    SECOND_MS,
    () => deps.db.giveBack(),
    (err) => deps.log.debug({ err }, 'Free space was not given back'),
  );
  const folder = makeFileFolder(dataDir);
  const stopCleaning = repeat(
    MINUTE_MS,
    () => cleanFiles({ ...deps, folder }),
    (err) => deps.log.warn({ err }, 'Files were not removed'),
  );
  const stopIndexing = startIndexing(deps);
  const stopErasing = startErasing({ ...deps, baseUrl, transport });
  deliveries.start();
  mails.start();
  return {
    async settled() {
      await deliveries.settled();
      await mails.settled();
    },
    async stop() {
      const stops = [stopPurging(), stopForgetting(), stopCleaning(), stopIndexing(), stopErasing(), stopAnalyzing()];
      await Promise.all([deliveries.stop(), mails.stop(), stopGivingBack(), ...stops]);
    },
  };
}
