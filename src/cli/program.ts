import { Command, CommanderError } from 'commander';
import { StoreUnavailableError } from '../platform/db/db.ts';
import { VERSION } from '../platform/version.ts';
import type { Environment } from './store.ts';
import type { Terminal } from './terminal.ts';

/** Exit statuses: all well, the command failed, the command line is wrong. */
const EXIT = { ok: 0, failed: 1, usage: 2 } as const;

/** Runs a command line and returns the exit status. */
export async function runProgram(args: readonly string[], env: Environment, terminal: Terminal): Promise<number> {
  try {
    await (await makeProgram(env, terminal, args[0])).parseAsync(args, { from: 'user' });
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

type AddCommand = (program: Command, env: Environment, terminal: Terminal) => void;

/** Every command by its name. Only the one that runs is loaded: with the others, `serve` would take 40 MB more. */
const commands: Readonly<Record<string, () => Promise<AddCommand>>> = {
  serve: async () => (await import('./serve.ts')).addServe,
  migrate: async () => (await import('./migrate.ts')).addMigrate,
  board: async () => (await import('./board.ts')).addBoard,
  user: async () => (await import('./user.ts')).addUser,
  owner: async () => (await import('./owner.ts')).addOwner,
  key: async () => (await import('./key.ts')).addKey,
  'publishable-key': async () => (await import('./publishable-key.ts')).addPublishableKey,
  sso: async () => (await import('./sso.ts')).addSso,
  chat: async () => (await import('./chat.ts')).addChat,
  tracker: async () => (await import('./tracker.ts')).addTracker,
  webhook: async () => (await import('./webhook/webhook.ts')).addWebhook,
  listen: async () => (await import('./listen.ts')).addListen,
  seed: async () => (await import('./seed.ts')).addSeed,
  backup: async () => (await import('./backup.ts')).addBackup,
  copy: async () => (await import('./copy.ts')).addCopy,
  check: async () => (await import('./check.ts')).addCheck,
  doctor: async () => (await import('./doctor.ts')).addDoctor,
  dump: async () => (await import('./board-file.ts')).addDump,
  plan: async () => (await import('./board-file.ts')).addPlan,
  apply: async () => (await import('./board-file.ts')).addApply,
  export: async () => (await import('./export.ts')).addExport,
  import: async () => (await import('./import.ts')).addImport,
  'undo-import': async () => (await import('./import.ts')).addUndoImport,
  'secret-key': async () => (await import('./secret-key.ts')).addSecretKey,
  upgrade: async () => (await import('./upgrade.ts')).addUpgrade,
  completion: async () => {
    const { addCompletion } = await import('./completion.ts');
    return (program, env, terminal) => addCompletion(program, terminal, () => makeProgram(env, terminal));
  },
  version: async () => (await import('./version.ts')).addVersion,
};

/** The program with the command of this name, or with all of them if there is none. */
export async function makeProgram(env: Environment, terminal: Terminal, name = ''): Promise<Command> {
  const program = new Command('earshot')
    .description('A feedback board that a team runs itself.')
    .version(VERSION, '--version', 'print the version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.error(text.trimEnd()),
    })
    .showHelpAfterError('(see --help)');
  const chosen = Object.hasOwn(commands, name) ? [commands[name]] : Object.values(commands);
  for (const load of chosen) (await load?.())?.(program, env, terminal);
  return program;
}
