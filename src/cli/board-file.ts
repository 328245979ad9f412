import { type Command, Option } from 'commander';
import { dump } from 'js-yaml';
import { applyBoardFile, dumpBoard, type FileReport } from '../operations/board-file/board-file.ts';
import { MAX_FILE_BYTES, parseBoardFile, schemaOfFile } from '../operations/board-file/form.ts';
import { quantity } from '../platform/lib/quantity.ts';
import { printable } from '../platform/texts/text.ts';
import { readInput } from './input.ts';
import { type Environment, withBoard } from './store.ts';
import { type BoardOptions, print, type Terminal, withBoardOptions } from './terminal.ts';

/** Characters of what is said about a change. */
const MAX_LINE = 400;
/** What a reader of the file should know. */
const HEADER =
  '# Settings of a board: `earshot plan` shows what a change of this file would do, `earshot apply` does it.\n';

/** `dump`: the settings of a board as a file. */
export function addDump(program: Command, env: Environment, terminal: Terminal): void {
  withBoardOptions(
    program
      .command('dump')
      .description(
        'print the settings of a board as YAML, for plan and apply; it has no secrets (docs/settings-as-code.md)',
      )
      .addOption(new Option('--schema', 'instead, print the JSON schema of the file, for editors')),
  ).action(async (options: BoardOptions & { schema?: true }) => {
    if (options.schema) return terminal.out(JSON.stringify(schemaOfFile(), null, 2));
    return withBoard(env, options.board, async (context) => {
      const file = await dumpBoard(context);
      terminal.out(
        options.json ? JSON.stringify(file) : HEADER + dump(file, { lineWidth: 120, noRefs: true }).trimEnd(),
      );
    });
  });
}

/** `plan`: what a file would change. */
export function addPlan(program: Command, env: Environment, terminal: Terminal): void {
  addRun(program, env, terminal, 'plan', 'show what a file of settings would change; nothing changes');
}

/** `apply`: gives a board the settings of a file. */
export function addApply(program: Command, env: Environment, terminal: Terminal): void {
  addRun(program, env, terminal, 'apply', 'give a board the settings of a file, in one operation that can be undone');
}

function addRun(
  program: Command,
  env: Environment,
  terminal: Terminal,
  name: 'plan' | 'apply',
  description: string,
): void {
  withBoardOptions(
    program.command(name).description(description).argument('<file>', 'a file as dump prints it; - for standard input'),
  ).action(async (path: string, options: BoardOptions) => {
    const file = parseBoardFile(await readInput(path, MAX_FILE_BYTES));
    return withBoard(env, options.board, async (context) => {
      const report = await applyBoardFile(context, file, { isPlan: name === 'plan' });
      print(terminal, options, report, describe(report, name));
    });
  });
}

function describe({ changes, others }: FileReport, name: 'plan' | 'apply'): string {
  const lines = changes.map(({ of, property, before, after }) =>
    property === null
      ? `+ ${of}: ${JSON.stringify(after)}`
      : `~ ${of}: ${property}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`,
  );
  const kept = others.map((other) => `  ${other} is not in the file, and stays`);
  const count = quantity(changes.length, 'change', 'changes');
  const summary =
    changes.length === 0 ? 'Nothing to change.' : name === 'plan' ? `${count} to make.` : `${count} made.`;
  return [...[...lines, ...kept].map((line) => printable(line, MAX_LINE)), summary].join('\n');
}
