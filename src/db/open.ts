import { join } from 'node:path';
import type { Db, StatementObserver } from './db.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

/** Opens the store that the settings name: PostgreSQL when there is an address, else a file in the data folder. */
export function openDb(
  { databaseUrl, dataDir }: { databaseUrl: string | null; dataDir: string },
  observe?: StatementObserver,
): Db {
  const observed = observe && { observe };
  return databaseUrl
    ? openPostgres({ url: databaseUrl, ...observed })
    : openSqlite({ file: join(dataDir, 'earshot.db'), ...observed });
}
