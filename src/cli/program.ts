import { Command, CommanderError } from 'commander';
import { StoreUnavailableError } from '../platform/db/db.ts';
import { addBackup } from './backup.ts';
import { addBoard } from './board.ts';
import { addCheck } from './check.ts';
import { addCopy } from './copy.ts';
import { addExport } from './export.ts';
import { addImport, addUndoImport } from './import.ts';
import { addKey } from './key.ts';
import { addListen } from './listen.ts';
import { addMigrate } from './migrate.ts';
import { addOwner } from './owner.ts';
import { addSecretKey } from './secret-key.ts';
import { addSeed } from './seed.ts';
import { addServe } from './serve.ts';
import { addSso } from './sso.ts';
import type { Environment } from './store.ts';
import type { Terminal } from './terminal.ts';
import { addUser } from './user.ts';
import { addWebhook } from './webhook.ts';

/** Exit statuses: all well, the command failed, the command line is wrong. */
const EXIT = { ok: 0, failed: 1, usage: 2 } as const;

/** Runs a command line and returns the exit status. */
export async function runProgram(args: readonly string[], env: Environment, terminal: Terminal): Promise<number> {
  try {
    await makeProgram(env, terminal).parseAsync(args, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    terminal.error(describe(error as Error));
    return EXIT.failed;
  }
}

/** The command line also reports where the database was expected, and why it was not found. */
function describe(error: Error): string {
  const detail = error instanceof StoreUnavailableError ? error.detail : null;
  return detail === null ? error.message : `${error.message} at ${detail}`;
}

/** All commands. */
export function makeProgram(env: Environment, terminal: Terminal): Command {
  const program = new Command('earshot')
    .description('A feedback board that a team runs itself.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.error(text.trimEnd()),
    })
    .showHelpAfterError('(see --help)');
  const commands = [
    addServe,
    addMigrate,
    addBoard,
    addUser,
    addOwner,
    addKey,
    addSso,
    addWebhook,
    addListen,
    addSeed,
    addBackup,
    addCopy,
    addCheck,
    addExport,
    addImport,
    addUndoImport,
    addSecretKey,
  ];
  for (const add of commands) add(program, env, terminal);
  return program;
}
