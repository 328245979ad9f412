import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const SYNCS = 200;
const BLOCK = Buffer.alloc(4_096, 1);
/** No disk and no SSD without a cache of its own syncs this often: the folder is in memory, or syncing does nothing. */
const IMPLAUSIBLE_PER_SECOND = 50_000;

/** How often the disk of a folder syncs small writes: the most commits a second that one after the other can reach. */
export function describeDisk(folder: string): string {
  const file = join(folder, 'sync');
  const descriptor = openSync(file, 'w');
  const start = performance.now();
  for (let n = 0; n < SYNCS; n++) {
    writeSync(descriptor, BLOCK);
    fdatasyncSync(descriptor);
  }
  const perSecond = (SYNCS / (performance.now() - start)) * 1_000;
  closeSync(descriptor);
  rmSync(file);
  const words = `the disk syncs ${Math.round(perSecond).toLocaleString('en')} small writes a second, one after the other`;
  const doubt = '; that is no real disk: set TMPDIR to a folder on one, or the writes mean nothing';
  return perSecond > IMPLAUSIBLE_PER_SECOND ? words + doubt : words;
}
