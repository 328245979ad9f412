import { join } from 'node:path';
import { HOUR_MS } from '../lib/clock.ts';
import { makePrivate } from '../lib/private.ts';
import type { Db, StatementObserver } from './db.ts';
import { migrate, type Step } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

/** The URL of PostgreSQL, if it is used, the URL for listening if it differs, and that of a replica. */
type DatabasePlace = { databaseUrl: string | null; databaseListenUrl?: string | null; databaseReadUrl?: string | null };

type StorePlace = DatabasePlace & { dataDir: string; isReadOnce?: boolean };

/**
 * Opens the store that the settings name: PostgreSQL if there is a URL, else a file in the data folder.
 * @param isReadOnce whether a command reads a large store once (see `SqliteOptions`)
 * @param statementLimitMs how long a statement may take on PostgreSQL, if not the default
 */
export function openDb(
  { databaseUrl, databaseListenUrl, databaseReadUrl, dataDir, isReadOnce = false }: StorePlace,
  observe?: StatementObserver,
  statementLimitMs?: number,
): Db {
  makePrivate(dataDir);
  const observed = observe && { observe };
  const limited = statementLimitMs !== undefined && { statementLimitMs };
  const others = { listenUrl: databaseListenUrl ?? undefined, readUrl: databaseReadUrl ?? undefined };
  return databaseUrl
    ? openPostgres({ url: databaseUrl, ...others, ...observed, ...limited })
    : openSqlite({ file: join(dataDir, 'earshot.db'), isReadOnce, ...observed });
}

/** Connections to PostgreSQL for background work: each kind uses one, rarely two at once. */
const BACKGROUND_CONNECTIONS = 4;

/**
 * A second handle of the store, for the background work of a process that also serves requests: on PostgreSQL with its
 * own connections, so that deliveries do not wait for a request to release one. Hints of the process reach both.
 */
export function openBackgroundDb(
  db: Db,
  { databaseUrl, databaseListenUrl }: DatabasePlace,
  observe?: StatementObserver,
): Db {
  if (!databaseUrl) return db;
  const own = openPostgres({
    url: databaseUrl,
    listenUrl: databaseListenUrl ?? undefined,
    poolSize: BACKGROUND_CONNECTIONS,
    ...(observe && { observe }),
  });
  return { ...own, listen: db.listen, presence: db.presence, transaction: db.watchWrites(own.transaction) };
}

/** A step on millions of rows takes minutes, and other processes that migrate wait for it. */
const STEP_LIMIT_MS = 4 * HOUR_MS;

/** As `migrate`, for the store of these settings, whose statements may take as long as a large store needs. */
export async function migrateStore(
  db: Db,
  { databaseUrl: url }: DatabasePlace,
  now: number,
  onStep?: (step: Step) => void,
): Promise<string[]> {
  if (!url) return migrate(db, now, onStep);
  const patient = openPostgres({ url, poolSize: 1, statementLimitMs: STEP_LIMIT_MS });
  return migrate(patient, now, onStep).finally(() => patient.close());
}
