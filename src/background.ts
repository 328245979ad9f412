import type { FastifyInstance } from 'fastify';
import { makeInbox, makeSandboxDial } from './api/sandbox/inbox.ts';
import { SANDBOX_IDLE_MS, sweepSandboxes } from './api/sandbox/sandbox.ts';
import { removeOldEvents } from './events/retention.ts';
import { publishDue } from './feedback/changelog/publishing.ts';
import { makeFileFolder } from './feedback/files/folder.ts';
import { cleanFiles } from './feedback/files/removing.ts';
import { purgeFilesOfComments, purgePosts } from './feedback/lifecycle/purge.ts';
import { forgetNotices } from './feedback/notifying/forgetting.ts';
import { Notifier } from './feedback/notifying/notifier.ts';
import { indexBoards } from './feedback/search/indexer.ts';
import { forgetOperations } from './identity/activity/activity.ts';
import { forgetOldUsage } from './identity/keys/usage.ts';
import { startErasing } from './operations/erasures/worker.ts';
import { forgetJobs } from './operations/imports/jobs.ts';
import type { Config } from './platform/config.ts';
import type { Db } from './platform/db/db.ts';
import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from './platform/lib/clock.ts';
import type { Logger } from './platform/lib/log.ts';
import { every } from './platform/lib/loop.ts';
import type { MailTransport } from './platform/mail/transport.ts';
import { MailWorker } from './platform/mail/worker.ts';
import type { Metrics } from './platform/metrics/metrics.ts';
import { DeliveryWorker } from './webhooks/delivery/worker.ts';
import type { Sender } from './webhooks/http/sender.ts';

/** What background work needs; tests pass their own. */
export type BackgroundDeps = {
  db: Db;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  sender: Sender;
  transport: MailTransport;
  config: Pick<Config, 'baseUrl' | 'dataDir'> & Partial<Pick<Config, 'eventsKeepDays'>>;
};

/** The work that no request waits for. */
export type Background = {
  /** Resolves once nothing is due at the clock's current time: for tests. */
  settled(): Promise<void>;
  /** Lets what is in progress finish, within the time that a stop may take. */
  stop(): Promise<void>;
};

/**
 * Starts delivering events and mail, publishing scheduled changelog entries, indexing new posts, and removing expired data
 * and erased users.
 */
export function startBackground({ config, sender, transport, ...deps }: BackgroundDeps): Background {
  const { cipher, version } = sender;
  const { baseUrl, dataDir, eventsKeepDays } = config;
  const dial = makeSandboxDial(makeInbox(deps.db, deps.clock, baseUrl), sender.dial);
  const deliveries = new DeliveryWorker({ ...deps, dial, cipher, version, baseUrl });
  const mails = new MailWorker({ ...deps, cipher, transport });
  const notifier = new Notifier({ ...deps, cipher, baseUrl });
  const folder = makeFileFolder(dataDir);
  const { db, clock, log } = deps;
  const publishing = every(SECOND_MS, (signal) => publishDue({ ...deps, baseUrl }, signal), {
    name: 'publish entries',
    log,
    failure: 'Scheduled changelog entries were not published',
  });
  const loops = [
    publishing,
    startErasing({ ...deps, baseUrl, transport }),
    every(SECOND_MS, (signal) => indexBoards(deps, { signal }), {
      name: 'index posts',
      log,
      failure: 'New posts were not indexed',
    }),
    every(SECOND_MS, () => db.giveBack(), {
      name: 'return free space',
      log,
      level: 'debug',
      failure: 'Free space was not returned to the file system',
    }),
    every(5 * SECOND_MS, () => db.analyzeGrown(), {
      name: 'analyze tables',
      log,
      level: 'debug',
      failure: 'Grown tables were not analyzed',
    }),
    every(MINUTE_MS, () => cleanFiles({ ...deps, folder }), {
      name: 'remove files',
      log,
      failure: 'Files were not removed',
    }),
    every(HOUR_MS, () => purgePosts({ ...deps, baseUrl }), {
      name: 'remove old posts',
      log,
      failure: 'Old posts were not removed',
    }),
    every(HOUR_MS, () => purgeFilesOfComments(deps), {
      name: 'remove files of comments',
      log,
      failure: 'Files of deleted comments were not removed',
    }),
    every(HOUR_MS, (signal) => forgetNotices(db, clock.now(), signal), {
      name: 'remove old notices',
      log,
      failure: 'Old notices were not removed',
    }),
    every(HOUR_MS, (signal) => forgetOperations(db, clock.now(), signal), {
      name: 'remove old operations',
      log,
      failure: 'Old operations were not removed',
    }),
    every(HOUR_MS, () => forgetJobs(db, clock.now()), {
      name: 'remove old imports',
      log,
      failure: 'Old uploads of imports were not removed',
    }),
    every(HOUR_MS, () => forgetOldUsage(db, clock.now()), {
      name: 'remove old usage',
      log,
      failure: 'Old usage figures of keys were not removed',
    }),
  ];
  if (eventsKeepDays) {
    const failure = 'Old events were not removed';
    loops.push(
      every(HOUR_MS, (signal) => removeOldEvents(db, clock.now(), eventsKeepDays, signal), {
        name: 'remove old events',
        log,
        failure,
      }),
    );
  }
  deliveries.start();
  notifier.start();
  mails.start();
  return {
    async settled() {
      publishing.wake();
      await publishing.looking;
      await deliveries.settled();
      await notifier.settled();
      await mails.settled();
    },
    async stop() {
      await Promise.all([deliveries, notifier, mails, ...loops].map((work) => work.stop()));
    },
  };
}

type UpkeepDeps = Pick<BackgroundDeps, 'db' | 'clock' | 'log'> & {
  app: FastifyInstance;
  config: Pick<Config, 'role' | 'sandbox'>;
};

/**
 * Starts what each process does besides serving requests: it saves the usage of keys, and deletes unused sandboxes, or
 * all of them if the sandbox is turned off.
 */
export function startUpkeep({ db, clock, log, app, config }: UpkeepDeps): Pick<Background, 'stop'> {
  const idleMs = config.sandbox ? SANDBOX_IDLE_MS : 0;
  const loops = [
    every(MINUTE_MS, () => app.saveUse(), { name: 'save usage', log, failure: 'The usage of API keys was not saved' }),
  ];
  if (config.role !== 'worker') {
    const failure = 'Sandboxes were not swept';
    loops.push(
      every(MINUTE_MS, () => sweepSandboxes(db, clock.now(), idleMs), { name: 'sweep sandboxes', log, failure }),
    );
  }
  const stop = async () => void (await Promise.all(loops.map((loop) => loop.stop())));
  return { stop };
}
