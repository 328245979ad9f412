import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { sweepSandboxes } from '../api/sandbox/sandbox.ts';
import { makeFileFolder, pathIn } from '../feedback/files/folder.ts';
import { copyFiles } from '../operations/copy/files.ts';
import type { Db } from '../platform/db/db.ts';
import { openSqlite } from '../platform/db/sqlite.ts';
import { quantity } from '../platform/lib/quantity.ts';
import { type Environment, withStore } from './store.ts';
import { type OutputOptions, print, type Terminal } from './terminal.ts';

/** `backup`: a consistent copy of the embedded store while it runs. */
export function addBackup(program: Command, env: Environment, terminal: Terminal): void {
  program
    .command('backup')
    .description(
      'back up the embedded store to a file and uploaded files to <file>.files; consistent even while the server is running',
    )
    .argument('<file>', 'output file; must not exist')
    .option('--json', 'print JSON')
    .action((file: string, options: OutputOptions) =>
      withStore(env, async ({ db, clock, config }) => {
        const folder = `${file}.files`;
        for (const path of [file, folder]) {
          if (existsSync(path)) throw new Error(`${path} already exists: choose another name`);
        }
        const parent = dirname(resolve(file));
        if (!existsSync(parent)) throw new Error(`The folder ${parent} does not exist: create it first`);
        await db.backup(file);
        const files = await withCopy(file, async (copy) => {
          // Sandboxes are not worth keeping, and must not come back after a restore.
          await sweepSandboxes(copy, clock.now(), 0);
          const to = { pathOf: (id: string) => pathIn(folder, id) };
          // A file that was removed since then is no loss.
          return (await copyFiles(copy.read, makeFileFolder(config.dataDir), to)).copied;
        });
        const bytes = statSync(file).size;
        const words = `Backed up to ${file} (${(bytes / 1_048_576).toFixed(1)} MiB)`;
        const more = files > 0 ? `, and ${quantity(files, 'uploaded file', 'uploaded files')} to ${folder}` : '';
        print(terminal, options, { file, bytes, files, filesFolder: files > 0 ? folder : null }, `${words}${more}.`);
      }),
    );
}

async function withCopy<T>(file: string, work: (copy: Db) => Promise<T>): Promise<T> {
  const copy = openSqlite({ file });
  try {
    return await work(copy);
  } finally {
    await copy.close();
  }
}
