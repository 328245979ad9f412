import { UNREADABLE } from '../decoding.ts';
import { ImportError } from '../items.ts';
import type { TableRow } from '../table.ts';
import { bounded } from './bounds.ts';

/** Characters by which a column is recognized. */
const MAX_HEADER = 1_000;

/** A row whose cells are found by the name of their column; a missing one is empty. */
export type NamedRow<Name extends string> = {
  line: number;
  /** @throws RangeError if the cell is too long for a text, or cannot be read */
  get(name: Name): string;
  /** A cell with a list, of any length. */
  getList(name: Name): string;
};

/** Upper and lower case, spaces and punctuation of headers differ from version to version: `createdAt`, `Created at`. `#` is a number. */
export function keyOf(header: string): string {
  if (header.trim() === '#') return 'number';
  return header
    .slice(0, MAX_HEADER)
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** The rows after the first one, which has the names of the columns; `named` are those that are needed. */
export async function* byName<Name extends string>(
  rows: AsyncIterable<TableRow>,
  named: readonly Name[],
): AsyncGenerator<NamedRow<Name>> {
  let placeOf: ((name: Name) => number) | null = null;
  for await (const { line, cells } of rows) {
    if (!placeOf) {
      placeOf = readPlaces(cells, named);
      continue;
    }
    const findPlace = placeOf;
    const getList = (name: Name) => cells[findPlace(name)] ?? '';
    yield { line, get: (name) => readable(bounded(getList(name))), getList };
  }
  if (!placeOf) throw new ImportError('The file is empty');
}

/** A cell whose bytes mean something in the encoding of the file. @throws RangeError */
export function readable(cell: string): string {
  if (!cell.includes(UNREADABLE)) return cell;
  throw new RangeError('It has bytes that mean nothing in the encoding of the file');
}

/** Where a column is, by its name; -1 if there is none. Each name is looked for once in a file, not in each row. */
function readPlaces(header: readonly string[], named: readonly string[]): (name: string) => number {
  const keys = header.map(keyOf);
  const places = new Map<string, number>();
  const placeOf = (name: string) => {
    const place = places.get(name) ?? keys.indexOf(keyOf(name));
    places.set(name, place);
    return place;
  };
  const missing = named.filter((name) => placeOf(name) < 0);
  const repeated = named.find((name) => keys.indexOf(keyOf(name), placeOf(name) + 1) > 0);
  if (missing.length > 0) throw new ImportError(`The file has no column ${missing.join(', ')}`);
  if (repeated !== undefined) throw new ImportError(`The file has more than one column ${repeated}`);
  return placeOf;
}
