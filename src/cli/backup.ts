import { existsSync, statSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { sweepSandboxes } from '../api/sandbox/sandbox.ts';
import { makeFileFolder, pathIn } from '../feedback/files/folder.ts';
import type { Db } from '../platform/db/db.ts';
import { openSqlite } from '../platform/db/sqlite.ts';
import { makeFolder } from '../platform/lib/folder.ts';
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
        await db.backup(file);
        const files = await withCopy(file, async (copy) => {
          // Sandboxes are not worth keeping, and must not come back after a restore.
          await sweepSandboxes(copy, clock.now(), 0);
          return copyFiles(copy, config.dataDir, folder);
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

/**
 * Copies the bytes of the files that a copied store knows; returns their number. One that was removed since is no
 * loss.
 */
async function copyFiles(copy: Db, dataDir: string, target: string): Promise<number> {
  const source = makeFileFolder(dataDir);
  let copied = 0;
  for (const { id } of await copy.read.selectFrom('files').select('id').execute()) {
    const to = pathIn(target, id);
    makeFolder(dirname(to));
    try {
      await copyFile(source.pathOf(id), to);
      copied++;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return copied;
}
