import type { AddressInfo } from 'node:net';
import type { Command } from 'commander';
import type { FastifyInstance } from 'fastify';
import { createApp } from '../app.ts';
import { startBackground } from '../background.ts';
import { type Config, readConfig } from '../config.ts';
import { migrate } from '../db/migrate.ts';
import { openDb } from '../db/open.ts';
import { startStoreClock } from '../db/store-clock.ts';
import { SECOND_MS, systemClock } from '../lib/clock.ts';
import { type Logger, makeLog } from '../lib/log.ts';
import { requireSecretKey } from '../lib/secret-key.ts';
import { mailFolder, makeTransport } from '../mail/transport.ts';
import { makeMetrics } from '../metrics.ts';
import { findBuiltPages, type Pages } from '../web/pages.ts';
import { makeSender } from '../webhooks/make-sender.ts';
import { greet } from './greeting.ts';
import type { Environment } from './store.ts';
import type { Terminal } from './terminal.ts';

/** How long requests in flight may take to finish once the process is told to stop. */
const STOP_LIMIT_MS = 10 * SECOND_MS;

/** `serve`: what `npm start` runs. */
export function addServe(program: Command, env: Environment, terminal: Terminal): void {
  program
    .command('serve')
    .description('run the server; docs/configuration.md lists the environment variables it reads')
    .action(() => serve(env, terminal, findBuiltPages()));
}

/** Runs the server until the process is told to stop. */
export async function serve(env: Environment, terminal: Terminal, pages: Pages | null): Promise<void> {
  const config = readConfig(env);
  const log = makeLog(config.logLevel);
  const metrics = makeMetrics();
  const db = openDb(config, metrics.observeStatement);
  try {
    const applied = await migrate(db, systemClock.now());
    if (applied.length > 0) log.info({ applied }, 'schema brought up to date');
    const clock = await startStoreClock(db);
    const deps = { db, clock, log, metrics, config, sender: makeSender(config, clock) };
    const transport = makeTransport(config);
    const post = { transport, server: smtpHost(config), from: config.mailFrom, folder: mailFolder(config.dataDir) };
    const app = await createApp({ ...deps, web: pages && { pages, secretKey: requireSecretKey(config), post } });
    const background = config.role === 'web' ? null : startBackground({ ...deps, transport });
    try {
      await app.listen({ port: config.port, host: config.host });
      log.info({ ...(app.server.address() as AddressInfo), role: config.role, store: db.engine }, 'listening');
      if (config.role !== 'worker') await greet(db, clock, config, terminal);
      const signal = await stopSignal();
      log.info({ signal }, 'stopping');
    } finally {
      await Promise.all([stop(app, log), background?.stop()]);
      transport.close();
      clock.stop();
    }
  } finally {
    metrics.stop();
    await db.close();
  }
}

function smtpHost({ smtpUrl }: Config): string | null {
  return smtpUrl === null ? null : new URL(smtpUrl).host;
}

/** The first signal to stop. Later ones do nothing: with npm in between, each comes twice, from npm and to the group. */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, resolve);
  });
}

/** Takes no new connections, lets requests finish, and after the limit closes what is left. */
async function stop(app: FastifyInstance, log: Logger): Promise<void> {
  const limit = setTimeout(() => {
    log.warn('requests in flight did not finish in time');
    app.server.closeAllConnections();
  }, STOP_LIMIT_MS);
  // A connection that was busy when the closing began is idle later, and its client may keep it open for long.
  const idle = setInterval(() => app.server.closeIdleConnections(), 50);
  await app.close();
  clearInterval(idle);
  clearTimeout(limit);
}
