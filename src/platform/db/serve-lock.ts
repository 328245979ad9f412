import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../lib/folder.ts';
import { StoreUnavailableError } from './db.ts';

/** The advice for a second server. */
const SERVE_ELSEWHERE = 'stop it first, or give this one its own DATA_DIR';

/**
 * Keeps other servers away from the embedded store until the returned function is called or the process ends, however
 * it ends. Commands still work alongside the server; for several servers there is PostgreSQL.
 * @param advice what to do if another server is running
 * @throws StoreUnavailableError if another server uses the store
 */
export function lockForServing(
  { databaseUrl, dataDir }: { databaseUrl: string | null; dataDir: string },
  advice = SERVE_ELSEWHERE,
): () => void {
  if (databaseUrl !== null) return () => {};
  // Node has no file locks, but SQLite has them on every system, and the system releases them when a process dies.
  const lock = new DatabaseSync(makeLockFile(dataDir), { timeout: 0 });
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    lock.close();
    throw new StoreUnavailableError(`Another server is running on the data folder ${dataDir}: ${advice}`, {
      cause: error,
    });
  }
  return () => lock.close();
}

function makeLockFile(dataDir: string): string {
  const file = join(dataDir, 'serve.lock');
  try {
    makeFolder(dataDir);
    closeSync(openSync(file, 'a', 0o600));
  } catch (error) {
    throw new StoreUnavailableError(`Cannot use the data folder ${dataDir}: ${(error as Error).message}`);
  }
  return file;
}
