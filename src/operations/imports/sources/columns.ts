import { ImportError } from '../items.ts';
import type { TableRow } from '../table.ts';

/** A row whose cells are found by the name of their column; a missing one is empty. */
export type NamedRow<Name extends string> = { line: number; get(name: Name): string };

/** Upper and lower case, spaces and punctuation of headers differ from version to version. */
export function keyOf(header: string): string {
  return header
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** The rows after the first one, which has the names of the columns; `named` are those that are needed. */
export async function* byName<Name extends string>(
  rows: AsyncIterable<TableRow>,
  named: readonly Name[],
): AsyncGenerator<NamedRow<Name>> {
  let at: Map<string, number> | null = null;
  for await (const { line, cells } of rows) {
    if (at) {
      const places = at;
      yield { line, get: (name) => cells[places.get(keyOf(name)) ?? -1] ?? '' };
      continue;
    }
    at = new Map(cells.map((cell, n) => [keyOf(cell), n]));
    const missing = named.filter((name) => !at?.has(keyOf(name)));
    const repeated = named.find((name) => cells.filter((cell) => keyOf(cell) === keyOf(name)).length > 1);
    if (repeated !== undefined) throw new ImportError(`The file has more than one column ${repeated}`);
    if (missing.length > 0) throw new ImportError(`The file has no column ${missing.join(', ')}`);
  }
  if (!at) throw new ImportError('The file is empty');
}
