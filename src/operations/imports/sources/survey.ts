import { isAddressLike } from '../../../platform/texts/email.ts';
import { printable } from '../../../platform/texts/text.ts';
import { AmbiguousDate, type DateOrder, orderShownBy, parseDate } from '../dates.ts';
import type { Encoding } from '../decoding.ts';
import { ImportError, type TableSource } from '../items.ts';
import { looksLikeHtml } from '../markdown.ts';
import { examineTable, readTable, type TableForm } from '../table.ts';
import { keyOf } from './columns.ts';
import { type ColumnFacts, guessMeanings, isFlag, type Meaning } from './meanings.ts';
import { type Product, productOf } from './products.ts';

/** Rows by which columns are recognized. */
const LOOKED_AT = 200;
/** Rows of which a person sees the beginning of each cell. */
const SHOWN = 3;
const MAX_SAMPLE = 80;
/** Characters of a cell that are looked at. */
const MAX_LOOK = 2_000;
/** Characters that a cell with a few words has at most. */
const MAX_WORDS = 60;
/** Characters that a title mostly has at most. */
const MAX_TITLE = 300;

/** A column, what it is, and the beginning of its first cells. */
export type Column = { name: string; meaning: Meaning | null; isHtml: boolean; samples: readonly string[] };

/** How a table is read: found by looking at it, and by what a person has chosen. */
export type TableReading = TableForm & {
  source: TableSource;
  columns: readonly Column[];
  /** ASK: three numbers fit two ways, and nothing in the file tells which. Null where no date has that form. */
  dates: DateOrder | 'ASK' | null;
};

/** Whether a table has a comment or a vote in each row, and no ideas. */
export function isOfParts({ columns }: Pick<TableReading, 'columns'>): boolean {
  const has = (meaning: Meaning) => columns.some((column) => column.meaning === meaning);
  return has('idea') && !has('title');
}

/** What a person has chosen about a table; the rest is guessed. */
export type TableChoices = {
  source?: TableSource | undefined;
  encoding?: Encoding | undefined;
  dates?: DateOrder | undefined;
  /** What columns are, by their names. */
  mapping?: Mapping | undefined;
  /** What each column is, by its place; the others are not used. */
  meanings?: readonly (Meaning | null)[] | undefined;
};

/** Which column is what, by its name. */
export type Mapping = Partial<Record<Meaning, string>>;

/** Looks at a CSV file. @throws ImportError if it is empty or no table */
export async function surveyTable(file: string, choices: TableChoices = {}): Promise<TableReading> {
  const form = await examineTable(file, choices.encoding);
  const { header, rows } = await readBeginning(file, form);
  const facts = header.map((name, at) =>
    factsOf(
      name,
      rows.map((cells) => cells[at] ?? ''),
    ),
  );
  const product = productOf(header);
  const guessed = withProduct(guessMeanings(facts), header, product?.meanings ?? {});
  const chosen = choices.meanings ? header.map((_, at) => choices.meanings?.[at] ?? null) : guessed;
  const meanings = withMapping(chosen, header, choices.mapping ?? {});
  const columns = header.map((name, at) => ({
    name: printable(name) || `#${at + 1}`,
    meaning: meanings[at] ?? null,
    isHtml: facts[at]?.isHtml ?? false,
    samples: rows.slice(0, SHOWN).map((cells) => printable(cells[at] ?? '', MAX_SAMPLE)),
  }));
  const created = meanings.flatMap((meaning, at) => (meaning === 'created' ? [at] : []));
  const dates = choices.dates ?? (await findOrder(file, form, created, rows));
  return { ...form, source: choices.source ?? product?.source ?? 'csv', columns, dates };
}

async function readBeginning(file: string, form: TableForm) {
  const rows: (readonly string[])[] = [];
  for await (const { cells } of readTable(file, form)) {
    rows.push(cells);
    if (rows.length > LOOKED_AT) break;
  }
  const [header, ...others] = rows;
  if (!header) throw new ImportError('The file is empty');
  const single = others.filter((cells) => cells.length === 1 && cells[0]?.trim() !== '').length;
  if (header.length > 2 && single > others.length / 2)
    throw new ImportError(
      `The header has ${header.length} columns and most rows have one: whole lines may stand in quotation marks`,
    );
  return { header, rows: others };
}

function factsOf(header: string, cells: readonly string[]): ColumnFacts & { isHtml: boolean } {
  const filled = cells.map((cell) => cell.slice(0, MAX_LOOK).trim()).filter((cell) => cell !== '');
  const count = (is: (cell: string) => boolean) => filled.filter(is).length;
  const short = filled.filter((cell) => cell.length <= MAX_TITLE);
  return {
    header,
    filled: filled.length,
    dates: count((cell) => readingOf(cell) !== null),
    addresses: count(isAddressLike),
    lists: count(
      (cell) => /[,;\s]/.test(cell) && cell.split(/[,;\s]+/).every((part) => part === '' || isAddressLike(part)),
    ),
    numbers: count((cell) => /^-?\d+(?:[.,]\d+)?$/.test(cell)),
    flags: count(isFlag),
    different: new Set(short).size,
    long: count((cell) => cell.length > MAX_WORDS || cell.includes('\n')),
    isHtml: filled.length > 0 && count(looksLikeHtml) * 2 >= filled.length,
  };
}

/** Whether a cell is a date, or one that fits two ways; null for anything else. */
function readingOf(cell: string): 'date' | 'ambiguous' | null {
  try {
    return parseDate(cell) === null ? null : 'date';
  } catch (error) {
    return error instanceof AmbiguousDate ? 'ambiguous' : null;
  }
}

function withProduct(guessed: readonly (Meaning | null)[], header: readonly string[], known: Product['meanings']) {
  return guessed.map((meaning, at) => {
    const key = keyOf(header[at] ?? '');
    return Object.hasOwn(known, key) ? (known[key] ?? null) : meaning;
  });
}

/** What is named by a person goes before what was guessed: it has its meaning alone. */
function withMapping(guessed: readonly (Meaning | null)[], header: readonly string[], mapping: Mapping) {
  const meanings = [...guessed];
  for (const [meaning, name] of Object.entries(mapping) as [Meaning, string][]) {
    const places = header.flatMap((known, at) => (keyOf(known) === keyOf(name) ? [at] : []));
    if (places.length === 0) throw new ImportError(`The file has no column ${name}`);
    for (const [at, guess] of meanings.entries()) if (guess === meaning) meanings[at] = null;
    for (const at of places) meanings[at] = meaning;
  }
  return meanings;
}

/** Whether days or months come first, as the whole file shows. */
async function findOrder(
  file: string,
  form: TableForm,
  created: readonly number[],
  rows: readonly (readonly string[])[],
) {
  const cellsOf = (cells: readonly string[]) => created.map((at) => cells[at] ?? '');
  const isNumeric = (cell: string) => orderShownBy(cell) !== null || readingOf(cell) === 'ambiguous';
  if (!rows.some((cells) => cellsOf(cells).some(isNumeric))) return null;
  const shown = new Set<DateOrder>();
  for await (const { cells } of readTable(file, form)) {
    for (const cell of cellsOf(cells)) {
      const order = orderShownBy(cell);
      if (order) shown.add(order);
    }
  }
  const [order] = shown;
  return shown.size === 1 && order ? order : 'ASK';
}
