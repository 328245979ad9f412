import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, linkSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../lib/folder.ts';

/** What is in a data folder next to its store, or after it: the key, and uploaded files. */
const TRACES = ['secret.key', 'files'];

/**
 * Makes sure that no empty store takes the place of one that is gone.
 * @throws if there is none where the settings expect it, but other files of one
 */
export function requireNoLostStore(place: { databaseUrl: string | null; dataDir: string; newStore: boolean }): void {
  const { databaseUrl, dataDir, newStore } = place;
  if (databaseUrl !== null || newStore) return;
  // Looked for first: another process may be creating a store, and then its key.
  const trace = TRACES.find((name) => existsSync(join(dataDir, name)));
  const file = join(dataDir, 'earshot.db');
  if (trace === undefined || existsSync(file) || existsSync(`${file}-wal`)) return;
  throw new Error(
    `The store ${file} is missing, but ${join(dataDir, trace)} is there: put your backup back as earshot.db ` +
      '(docs/self-hosting.md, "Backup"), set DATABASE_URL if the store is on PostgreSQL, or start with an empty store ' +
      'by `serve --new-store` or NEW_STORE=on',
  );
}

/** A warning if the settings allow an empty store although there is one: as long as they do, its loss goes unnoticed. */
export function describeNeedlessNewStore(place: Parameters<typeof requireNoLostStore>[0]): string | null {
  const file = join(place.dataDir, 'earshot.db');
  if (place.databaseUrl !== null || !place.newStore || !existsSync(file)) return null;
  return (
    `The store ${file} exists, so NEW_STORE or --new-store has no effect: leave that setting out, or an empty board ` +
    'takes the place of this store if the file is ever lost'
  );
}

/**
 * Creates the file of a store if there is none, readable only by its owner. It appears with its first page, so an empty
 * file is one that has lost its content.
 * @throws if the file is empty, or missing while its log exists
 */
export function requireStoreFile(file: string): void {
  const log = `${file}-wal`;
  const hasLog = existsSync(log); // checked first: another process may be creating both
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === 0) {
    throw new Error(
      'it is empty, so its content is lost: restore it from your backup, or remove it and start with an empty store ' +
        'by `serve --new-store` or NEW_STORE=on',
    );
  }
  if (size !== undefined) return;
  if (hasLog) {
    throw new Error(
      `it is missing, but its log ${log} exists: put both back, or restore your backup and remove the log`,
    );
  }
  makeFolder(dirname(file));
  const draft = `${file}.${randomUUID()}`;
  try {
    closeSync(openSync(draft, 'wx', 0o600));
    const store = new DatabaseSync(draft);
    // A file can be made shrinkable only before its first page is written (docs/decisions/0013).
    store.exec('pragma auto_vacuum = incremental; pragma journal_mode = wal');
    store.close();
    linkSync(draft, file);
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
