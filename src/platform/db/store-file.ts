import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, linkSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../lib/folder.ts';

/**
 * Makes the file of a store if there is none, for its owner only. It appears at once with its first page, so an empty
 * file is one that has lost what was in it.
 * @throws when the file is empty, or gone while its log is there
 */
export function requireStoreFile(file: string): void {
  const log = `${file}-wal`;
  const hasLog = existsSync(log); // looked at first: another process may be making both
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === 0) {
    throw new Error(
      'it is empty, so its content is lost: restore it from your backup, or remove it to start from scratch',
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
    // Only before the first page is written can a file learn to shrink (docs/decisions/0013).
    store.exec('pragma auto_vacuum = incremental; pragma journal_mode = wal');
    store.close();
    linkSync(draft, file);
  } catch (error) {
    // Another process that came at the same time was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
