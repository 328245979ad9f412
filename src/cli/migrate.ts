import type { Command } from 'commander';
import { readConfig } from '../platform/config.ts';
import { migrateStore, openDb } from '../platform/db/open.ts';
import { requireNoLostStore } from '../platform/db/store-file.ts';
import { systemClock } from '../platform/lib/clock.ts';
import type { Environment } from './store.ts';
import { type OutputOptions, print, type Terminal } from './terminal.ts';

/** `migrate`: brings the schema up to date and exits. */
export function addMigrate(program: Command, env: Environment, terminal: Terminal): void {
  program
    .command('migrate')
    .description('migrate the schema of the store and exit; `serve` does so at startup')
    .option('--json', 'print JSON')
    .action(async (options: OutputOptions) => {
      const config = readConfig(env);
      requireNoLostStore(config);
      const db = openDb(config);
      try {
        const applied = await migrateStore(db, config, systemClock.now());
        const words = applied.length === 0 ? 'The schema is up to date.' : `Applied ${applied.join(', ')}.`;
        print(terminal, options, { applied }, words);
      } finally {
        await db.close();
      }
    });
}
