import type { Command } from 'commander';
import { makeFileFolder } from '../feedback/files/folder.ts';
import { checkStore, type Problem } from '../operations/check/check.ts';
import { readConfig } from '../platform/config.ts';
import { requireCurrentSchema } from '../platform/db/migrate.ts';
import { openDb } from '../platform/db/open.ts';
import { MINUTE_MS } from '../platform/lib/clock.ts';
import { quantity } from '../platform/lib/quantity.ts';
import { readSecretKey } from '../platform/lib/secret-key.ts';
import { makeProgressBar } from './progress.ts';
import { type Environment, requireStore } from './store.ts';
import { type OutputOptions, print, type Terminal } from './terminal.ts';

/** A statement of a check counts whole tables. */
const STATEMENT_LIMIT_MS = 30 * MINUTE_MS;

/** `check`: whether a store is whole, for example after it was restored. */
export function addCheck(program: Command, env: Environment, terminal: Terminal): void {
  program
    .command('check')
    .description(
      'check that the store is complete, for example after restoring a backup: counters, events, references, encrypted ' +
        'secrets and uploaded files. Changes nothing; exit status 1 if something is wrong',
    )
    .option('--json', 'print JSON')
    .action(async (options: OutputOptions) => {
      const problems = await check(env);
      print(terminal, options, { problems }, problems.length === 0 ? 'Nothing is wrong.' : describe(problems));
      if (problems.length > 0) throw new Error(`${quantity(problems.length, 'problem', 'problems')} found`);
    });
}

async function check(env: Environment): Promise<Problem[]> {
  const config = readConfig(env);
  requireStore(config);
  const db = openDb(config, undefined, STATEMENT_LIMIT_MS);
  try {
    await requireCurrentSchema(db);
    const secretKey = config.secretKey ?? readSecretKey(config);
    let bar: ReturnType<typeof makeProgressBar> | undefined;
    return await checkStore({ db, folder: makeFileFolder(config.dataDir), secretKey }, (done, all) => {
      bar ??= makeProgressBar(process.stderr, all, 'checks');
      bar.show(done);
    }).finally(() => bar?.end());
  } finally {
    await db.close();
  }
}

function describe(problems: readonly Problem[]): string {
  return problems
    .map(({ problem, examples, count }) => {
      const more = count - examples.length;
      return [`${problem}:`, ...examples, ...(more > 0 ? [`and ${more.toLocaleString('en')} more`] : [])].join('\n  ');
    })
    .join('\n');
}
