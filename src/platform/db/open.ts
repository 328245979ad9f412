import { join } from 'node:path';
import { makePrivate } from '../lib/private.ts';
import type { Db, StatementObserver } from './db.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

/** Where PostgreSQL is, if it is used, and where to listen to it when that is another address. */
type DatabasePlace = { databaseUrl: string | null; databaseListenUrl?: string | null };

/** Opens the store that the settings name: PostgreSQL when there is an address, else a file in the data folder. */
export function openDb(
  { databaseUrl, databaseListenUrl, dataDir }: DatabasePlace & { dataDir: string },
  observe?: StatementObserver,
): Db {
  makePrivate(dataDir);
  const observed = observe && { observe };
  return databaseUrl
    ? openPostgres({ url: databaseUrl, listenUrl: databaseListenUrl ?? undefined, ...observed })
    : openSqlite({ file: join(dataDir, 'earshot.db'), ...observed });
}

/** Connections to PostgreSQL of the work that no request waits for: each kind of it uses one, seldom two at once. */
const BACKGROUND_CONNECTIONS = 4;

/**
 * The store once more, for the background work of a process that answers requests as well: on PostgreSQL with connections
 * of its own, so that deliveries do not wait until a request lets go of one. Hints of the process are heard in both.
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
  return { ...own, listen: db.listen };
}
