/** A table of figures. */
export type Table = { title: string; columns: readonly string[]; rows: readonly (readonly string[])[] };

/** A promise of the contract beside what was measured; null when this run could not tell. */
export type Target = { what: string; target: string; measured: string; isMet: boolean | null };

/** What one part of the benchmark found; `samples` are all single measurements, for the JSON file. */
export type PartResult = { tables: readonly Table[]; targets: readonly Target[]; samples: unknown };

/** The report as Markdown. */
export function toMarkdown(conditions: readonly string[], results: readonly PartResult[]): string {
  const targets = results.flatMap((result) => result.targets);
  const verdicts = targets.map(({ what, target, measured, isMet }) => [
    what,
    target,
    measured,
    isMet === null ? 'not measured' : isMet ? 'met' : '**missed**',
  ]);
  const summary: Table = { title: 'Targets', columns: ['', 'target', 'measured', ''], rows: verdicts };
  const tables = [...results.flatMap((result) => result.tables), summary];
  return `${['# Earshot bench', conditions.map((line) => `- ${line}`).join('\n'), ...tables.map(tableText)].join('\n\n')}\n`;
}

function tableText({ title, columns, rows }: Table): string {
  const widths = columns.map((name, n) => Math.max(3, name.length, ...rows.map((row) => row[n]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, n) => (n === 0 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0))).join(' | ')} |`;
  const rule = `| ${widths.map((width, n) => (n === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [`## ${title}`, '', line(columns), rule, ...rows.map(line)].join('\n');
}

/** A number with thousands separated and as many decimals as it needs to be told from its neighbours. */
export function format(value: number | null, unit = ''): string {
  if (value === null || Number.isNaN(value)) return '–';
  const decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
  return `${value.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })}${unit}`;
}
