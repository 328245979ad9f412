import { lookup } from 'node:dns/promises';
import type { AddressInfo } from 'node:net';
import type { Command } from 'commander';
import { createApp } from '../app.ts';
import { startBackground, startUpkeep } from '../background.ts';
import { openProvider, type SignInProviders } from '../identity/accounts/providers.ts';
import { MAX_AGE_MS } from '../pages/page-cache.ts';
import { findBuiltPages, type Pages } from '../pages/pages.ts';
import { type Config, readConfig } from '../platform/config.ts';
import type { Db } from '../platform/db/db.ts';
import { requireStoreKey } from '../platform/db/key-check.ts';
import { migrateStore, openBackgroundDb, openDb } from '../platform/db/open.ts';
import { lockForServing } from '../platform/db/serve-lock.ts';
import { startStoreClock } from '../platform/db/store-clock.ts';
import { describeNeedlessNewStore, requireNoLostStore } from '../platform/db/store-file.ts';
import { shareConnections } from '../platform/http/connection-shares.ts';
import { SECOND_MS, systemClock } from '../platform/lib/clock.ts';
import { type Logger, makeLog } from '../platform/lib/log.ts';
import { type Metrics, makeMetrics } from '../platform/metrics/metrics.ts';
import { startTracing } from '../platform/tracing/tracing.ts';
import { describeUnused } from '../platform/unused-variables.ts';
import { makeSender } from '../webhooks/http/sender.ts';
import { listEncryptedSecrets } from '../webhooks/webhook/encrypted-secrets.ts';
import { greet } from './greeting.ts';
import { listenIfAsked, makeMails } from './mails.ts';
import { makeStop } from './stopping.ts';
import type { Environment } from './store.ts';
import type { Terminal } from './terminal.ts';
import { makeUpgrading } from './upgrading.ts';

/**
 * New connections that may wait until they are taken in, as far as the system allows (`net.core.somaxconn` of Linux, 4,096).
 * One that finds no place tries again a second later: with Node's 511, a flood took most of them from everyone else.
 */
const QUEUED_CONNECTIONS = 4_096;

/** `serve`: what `npm start` runs. */
export function addServe(program: Command, env: Environment, terminal: Terminal): void {
  program
    .command('serve')
    .description('run the server; docs/configuration.md lists its environment variables')
    .option('--new-store', 'start with an empty store if the one that was in the data folder is gone; else refuse')
    .action(({ newStore }: { newStore?: true }) =>
      serve(newStore ? { ...env, NEW_STORE: 'on' } : env, terminal, findBuiltPages()),
    );
}

/** Runs the server until the process is asked to stop. */
export async function serve(env: Environment, terminal: Terminal, pages: Pages | null): Promise<void> {
  const config = readConfig(env);
  const log = makeLog(config.logLevel);
  for (const line of describeUnused(env)) log.warn(line);
  const tracing = await startTracing(config, log);
  requireNoLostStore(config);
  const needless = describeNeedlessNewStore(config);
  if (needless !== null) log.warn(needless);
  const unlock = lockForServing(config);
  const metrics = makeMetrics({ watchesProcess: true });
  const observe = tracing.observing(metrics.observeStatement);
  const db = tracing.watch(openDb(config, observe));
  const ownDb = config.role === 'all' ? openBackgroundDb(db, config, observe) : db;
  const backgroundDb = ownDb === db ? db : tracing.watch(ownDb);
  watchConnections(metrics, config, db, backgroundDb);
  metrics.watchReplica(() => db.replica());
  try {
    await db.requireStatements();
    const upgrading = await makeUpgrading(config, log);
    const applied = await migrateStore(db, config, systemClock.now(), upgrading.begin).finally(upgrading.end);
    if (applied.length > 0) log.info({ applied }, 'schema migrated');
    const clock = await startStoreClock(db);
    const secretKey = await requireStoreKey(db, config, listEncryptedSecrets);
    const deps = { db, clock, log, metrics, config, sender: makeSender(config, secretKey, clock) };
    const { mailIn, transport, mail } = makeMails(config, { ...deps, secretKey });
    const stopping = new AbortController();
    const signInProviders = { providers: config.signInProviders, domains: config.signInDomains };
    const web = pages && { pages, secretKey, mail, signInProviders, maxPageAgeMs: MAX_AGE_MS };
    const app = await createApp({ ...deps, web, mailIn, stopping: stopping.signal });
    const stop = makeStop(app, log);
    // Heard before there is work in progress: until then a signal ends the process at once.
    const stopAsked = stopSignal();
    const upkeep = startUpkeep({ ...deps, app });
    const background = config.role === 'web' ? null : startBackground({ ...deps, db: backgroundDb, transport });
    let drainMs = 0;
    let listener: Awaited<ReturnType<typeof listenIfAsked>> = null;
    shareConnections(app.server, config.maxConnections, config.trustProxy);
    try {
      // Only the first address of `localhost`, as for every other name: a port on a second one would be stopped
      // differently.
      const { address } = await lookup(config.host, { order: 'ipv4first' });
      await app.listen({ port: config.port, host: address, backlog: QUEUED_CONNECTIONS });
      log.info({ ...(app.server.address() as AddressInfo), role: config.role, store: db.engine }, 'listening');
      listener = await listenIfAsked(mailIn, config);
      void warnIfDeaf(db, log);
      void reportReplica(db, log);
      if (config.role !== 'worker') void reportProvider(signInProviders, log);
      if (config.role !== 'worker') await greet(db, clock, config, terminal);
      const signal = await stopAsked;
      // After Ctrl-C someone is waiting at the terminal, and a worker gets no requests.
      if (signal === 'SIGTERM' && config.role !== 'worker') drainMs = config.drainDelayMs;
      log.info({ signal, drainMs }, 'stopping');
    } finally {
      stopping.abort();
      await listener?.close();
      await Promise.all([stop(drainMs), upkeep.stop(), background?.stop()]);
      transport.close();
      clock.stop();
    }
  } finally {
    if (backgroundDb !== db) await backgroundDb.close();
    await db.close();
    await tracing.stop();
    unlock();
  }
}

function watchConnections(metrics: Metrics, config: Config, db: Db, backgroundDb: Db): void {
  metrics.watchConnections(() => {
    const replica = db.replica();
    return {
      [config.role === 'worker' ? 'background' : 'requests']: db.connections(),
      ...(backgroundDb !== db && { background: backgroundDb.connections() }),
      ...(replica && { replica: replica.connections }),
    };
  });
}

/** Hints only make background work prompt: without them it polls, every second or, for mail, every five. */
async function warnIfDeaf(db: Db, log: Logger): Promise<void> {
  if (!(await db.hearsHints(HINT_LIMIT_MS))) log.warn(DEAF);
}

const HINT_LIMIT_MS = 5 * SECOND_MS;
const DEAF =
  'Database notifications do not arrive, so deliveries and mail start up to 5 s late. If DATABASE_URL points ' +
  'to a pooler, set DATABASE_LISTEN_URL to the address of the database itself (docs/self-hosting.md, "PgBouncer")';

/** Without the replica nothing fails, so an operator would not notice. */
async function reportReplica(db: Db, log: Logger): Promise<void> {
  const replica = await db.checkReplica().catch(() => null);
  if (replica?.problem === null)
    log.info('Searches, exports and pages without a session are read from DATABASE_READ_URL');
  else if (replica) log.warn({ problem: replica.problem }, NO_REPLICA);
}

const NO_REPLICA =
  'DATABASE_READ_URL cannot be used now: until it can, everything is read from DATABASE_URL (docs/self-hosting.md, ' +
  '"A replica for reads")';

/** What is wrong with an OpenID provider would otherwise be noticed by the first person who signs in with it. */
async function reportProvider(providers: SignInProviders, log: Logger): Promise<void> {
  const openId = await openProvider(providers);
  await openId
    ?.metadata()
    .catch((fault: Error) => log.warn(`Sign-in with the OpenID provider does not work: ${fault.message}`));
}

/** The first signal to stop. Later ones do nothing: with npm in between, each comes twice, from npm and to the group. */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, resolve);
  });
}
