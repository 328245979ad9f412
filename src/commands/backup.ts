import { existsSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import { openSqlite } from '../db/sqlite.ts';
import { sweepSandboxes } from '../sandbox/sandbox.ts';
import { type Environment, withStore } from './store.ts';
import { type OutputOptions, print, type Terminal } from './terminal.ts';

/** `backup`: a consistent copy of the embedded store while it runs. */
export function addBackup(program: Command, env: Environment, terminal: Terminal): void {
  program
    .command('backup')
    .description('copy the embedded store to a file, consistently and while the server runs')
    .argument('<file>', 'where to; it must not exist')
    .option('--json', 'print one JSON object')
    .action((file: string, options: OutputOptions) =>
      withStore(env, async ({ db, clock }) => {
        if (existsSync(file)) throw new Error(`${file} exists already: choose another name`);
        await db.backup(file);
        await dropSandboxes(file, clock.now());
        const bytes = statSync(file).size;
        print(terminal, options, { file, bytes }, `Backed up to ${file} (${(bytes / 1_048_576).toFixed(1)} MiB).`);
      }),
    );
}

/** What visitors try is nobody's data, and nothing to come back after a restore. */
async function dropSandboxes(file: string, now: number): Promise<void> {
  const copy = openSqlite({ file });
  try {
    await sweepSandboxes(copy, now, 0);
  } finally {
    await copy.close();
  }
}
