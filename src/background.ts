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
import { forgetRecords } from './operations/agents/records.ts';
import { startErasing } from './operations/erasures/worker.ts';
import { forgetJobs } from './operations/imports/jobs.ts';
import { TrackerWorker } from './operations/trackers/worker.ts';
import type { Config } from './platform/config.ts';
import type { Db } from './platform/db/db.ts';
import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from './platform/lib/clock.ts';
import { returnFreeMemory } from './platform/lib/free-memory.ts';
import type { Logger } from './platform/lib/log.ts';
import { every, type LoopOptions } from './platform/lib/loop.ts';
import type { MailTransport } from './platform/mail/transport.ts';
import { MailWorker } from './platform/mail/worker.ts';
import type { Metrics } from './platform/metrics/metrics.ts';
import { DeliveryWorker } from './webhooks/delivery/worker.ts';
import type { Sender } from './webhooks/http/sender.ts';

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

/** What a job does each time, until the signal is aborted. */
type Work = (signal: AbortSignal) => Promise<unknown>;

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
  const trackers = new TrackerWorker({ ...deps, baseUrl, sender });
  const notifier = new Notifier({ ...deps, cipher, baseUrl });
  const folder = makeFileFolder(dataDir);
  const { db, clock, log } = deps;
  const job = (ms: number, name: string, failure: string, work: Work, level: LoopOptions['level'] = 'warn') =>
    every(ms, work, { name, log, failure, level });
  const publishing = job(SECOND_MS, 'publish entries', 'Scheduled changelog entries were not published', (signal) =>
    publishDue({ ...deps, baseUrl }, signal),
  );
  const loops = [
    publishing,
    startErasing({ ...deps, baseUrl, transport }),
    job(SECOND_MS, 'index posts', 'New posts were not indexed', (signal) => indexBoards(deps, { signal })),
    job(SECOND_MS, 'return free space', 'Free space was not returned to the file system', () => db.giveBack(), 'debug'),
    job(5 * SECOND_MS, 'analyze tables', 'Grown tables were not analyzed', () => db.analyzeGrown(), 'debug'),
    job(MINUTE_MS, 'remove files', 'Files were not removed', () => cleanFiles({ ...deps, folder })),
    job(HOUR_MS, 'remove old posts', 'Old posts were not removed', () => purgePosts({ ...deps, baseUrl })),
    job(HOUR_MS, 'remove files of comments', 'Files of deleted comments were not removed', () =>
      purgeFilesOfComments(deps),
    ),
    job(HOUR_MS, 'remove old sign-ins of agents', 'Old sign-ins of agents were not removed', () => forgetRecords(deps)),
    job(HOUR_MS, 'remove old notices', 'Old notices were not removed', (signal) =>
      forgetNotices(db, clock.now(), signal),
    ),
    job(HOUR_MS, 'remove old operations', 'Old operations were not removed', (signal) =>
      forgetOperations(db, clock.now(), signal),
    ),
    job(HOUR_MS, 'remove old imports', 'Old uploads of imports were not removed', () => forgetJobs(db, clock.now())),
    job(HOUR_MS, 'remove old usage', 'Old usage figures of keys were not removed', () =>
      forgetOldUsage(db, clock.now()),
    ),
    ...(eventsKeepDays
      ? [
          job(HOUR_MS, 'remove old events', 'Old events were not removed', (signal) =>
            removeOldEvents(db, clock.now(), eventsKeepDays, signal),
          ),
        ]
      : []),
  ];
  deliveries.start();
  notifier.start();
  mails.start();
  trackers.start();
  return {
    async settled() {
      publishing.wake();
      await publishing.looking;
      await deliveries.settled();
      await trackers.settled();
      await notifier.settled();
      await mails.settled();
    },
    async stop() {
      await Promise.all([deliveries, notifier, mails, trackers, ...loops].map((work) => work.stop()));
    },
  };
}

type UpkeepDeps = Pick<BackgroundDeps, 'db' | 'clock' | 'log'> & {
  app: FastifyInstance;
  config: Pick<Config, 'role' | 'sandbox'>;
};

/**
 * Starts what each process does besides serving requests: it saves the usage of keys, returns memory that it does not
 * need, and deletes unused sandboxes, or all of them if the sandbox is turned off.
 */
export function startUpkeep({ db, clock, log, app, config }: UpkeepDeps): Pick<Background, 'stop'> {
  const idleMs = config.sandbox ? SANDBOX_IDLE_MS : 0;
  const loops = [
    every(MINUTE_MS, () => app.saveUse(), { name: 'save usage', log, failure: 'The usage of API keys was not saved' }),
    every(MINUTE_MS, () => db.freeMemory().then(returnFreeMemory), {
      name: 'return memory',
      log,
      failure: 'Memory was not returned to the system',
      level: 'debug',
    }),
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
