import type { Command } from 'commander';

/** Where a command writes: results to standard output, errors to standard error. */
export type Terminal = { out(text: string): void; error(text: string): void };

/** The option of every command: one JSON object instead of text. */
export type OutputOptions = { json?: boolean };

export type BoardOptions = OutputOptions & { board?: string };

/** Adds the options of a command about a board. */
export function withBoardOptions(command: Command): Command {
  return command.option('--board <pid>', 'board to use (default: the first)').option('--json', 'print JSON');
}

/** Prints one thing: as JSON, or in words. */
export function print(terminal: Terminal, options: OutputOptions, value: object, words: string): void {
  terminal.out(options.json ? JSON.stringify(value) : words);
}

/** Prints a list: `{"items":[…]}`, or a table with a column for each key of its rows. */
export function printList(
  terminal: Terminal,
  options: OutputOptions,
  items: readonly object[],
  rows: readonly Record<string, string | number>[],
  whenEmpty: string,
): void {
  print(terminal, options, { items }, rows.length === 0 ? whenEmpty : makeTable(rows));
}

function makeTable(rows: readonly Record<string, string | number>[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const lines = [columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? '')))];
  const widths = columns.map((_, n) => Math.max(...lines.map((line) => line[n]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, n) => cell.padEnd(widths[n] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** An instant as people and scripts read it. */
export function formatInstant(instant: number | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}
