import { existsSync, statSync } from 'node:fs';
import type { Command } from 'commander';
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
      withStore(env, async ({ db }) => {
        if (existsSync(file)) throw new Error(`${file} exists already: choose another name`);
        await db.backup(file);
        const bytes = statSync(file).size;
        print(terminal, options, { file, bytes }, `Backed up to ${file} (${(bytes / 1_048_576).toFixed(1)} MiB).`);
      }),
    );
}
