import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes everything created from now on accessible only to the user of this process: files 0600, folders 0700. Windows
 * has no such modes.
 */
export function keepPrivate(): void {
  process.umask(0o077);
}

/** What an earlier version has left open to other users of the machine. */
const FOLDERS = ['', 'files', 'mail'];
const FILES = ['earshot.db', 'earshot.db-wal', 'earshot.db-shm', 'secret.key'];

/** Removes access for other users from the data folder and the secrets in it, if we own them. */
export function makePrivate(dataDir: string): void {
  if (process.platform === 'win32') return;
  for (const name of [...FOLDERS, ...FILES]) tighten(join(dataDir, name));
}

/** A folder with the sticky bit, such as `/tmp`, is shared. */
function tighten(path: string): void {
  try {
    const { mode } = statSync(path);
    if ((mode & 0o077) !== 0 && (mode & 0o1000) === 0) chmodSync(path, mode & 0o700);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['ENOENT', 'ENOTDIR', 'EPERM', 'EACCES', 'EROFS', 'ENOTSUP'].includes(code)) throw error;
  }
}
