import { readdirSync } from 'node:fs';
import type { Engine, Tx } from './db.ts';

/**
 * One migration: its statements, in the dialect of one engine, and the function that fills new tables from other rows.
 */
export type Migration = {
  name: string;
  statements: (engine: Engine) => readonly string[];
  fill?: (tx: Tx) => Promise<void>;
  /** Checksums of statements that had the same result, and were too slow: stores that applied those are as good. */
  earlierChecksums?: readonly string[];
};

const folder = new URL('./migrations/', import.meta.url);
const files = readdirSync(folder).filter((file) => file.endsWith('.ts'));

/**
 * All migrations since the first release, in the order of file names. A released one is never edited; a change is a new
 * one. `scripts/build-server.ts` puts a list of imports in place of this module.
 */
export const migrations: readonly Migration[] = await Promise.all(
  files.sort().map((file) => import(new URL(file, folder).href)),
);
