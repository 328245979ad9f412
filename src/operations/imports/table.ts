import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { decode, type Encoding } from './decoding.ts';
import { ImportError } from './items.ts';

/** Characters of one row: a description has at most 20,000. */
const MAX_ROW = 1_048_576;
const MAX_COLUMNS = 1_000;
/** The beginning of a file, from which its separator is guessed. */
const HEAD_BYTES = 65_536;

/** A row of a table: the line that it ends on, and its cells. */
export type TableRow = { line: number; cells: readonly string[] };

/** The rows of a CSV file in UTF-8 or UTF-16, separated by commas, semicolons or tabs. @throws ImportError */
export async function* readTable(file: string): AsyncGenerator<TableRow> {
  const { encoding, delimiter } = await examine(file);
  const parser = Readable.from(decode(file, encoding)).compose(
    parse({
      delimiter,
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: MAX_ROW,
    }),
  );
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      if (record.length > MAX_COLUMNS) throw new ImportError(`Line ${info.lines} has over ${MAX_COLUMNS} columns`);
      yield { line: info.lines, cells: record.map(withoutApostrophe) };
    }
  } catch (error) {
    throw error instanceof CsvError ? new ImportError(explain(error)) : error;
  }
}

/** The first row of a table; empty if there is none. @throws ImportError */
export async function readHeader(file: string): Promise<readonly string[]> {
  for await (const { cells } of readTable(file)) return cells;
  return [];
}

/** Exports write an apostrophe before text that a spreadsheet would execute as a formula. */
function withoutApostrophe(cell: string): string {
  return /^'[=+\-@＝＋－＠\t\r]/.test(cell) ? cell.slice(1) : cell;
}

function explain(error: CsvError): string {
  const line = `Line ${String(error.lines ?? '?')}`;
  if (error.code === 'CSV_MAX_RECORD_SIZE')
    return `${line} is longer than 1 MB: a quotation mark may be missing before it`;
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return 'The file ends within quotation marks: it may be cut off';
  return `${line} is not CSV: ${error.message}`;
}

async function examine(file: string): Promise<{ encoding: Encoding; delimiter: string }> {
  const head = await readHead(file);
  if (head.subarray(0, 2).toString('latin1') === 'PK') throw new ImportError('This is a ZIP file, not CSV');
  const encoding = encodingOf(head);
  const [first = ''] = new TextDecoder(encoding).decode(head).split(/[\r\n]/, 1);
  const count = (separator: string) => first.split(separator).length;
  const delimiter = [',', ';', '\t'].reduce((best, next) => (count(next) > count(best) ? next : best));
  return { encoding, delimiter };
}

/** The encoding of the mark at the beginning; without one, every second byte of a header in UTF-16 is 0. */
function encodingOf([first, second]: Buffer): Encoding {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== 0) ? 'utf-16be' : 'utf-8';
}

/** The beginning of a file. */
export async function readHead(file: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(file, { end: HEAD_BYTES - 1 })) chunks.push(chunk);
  return Buffer.concat(chunks);
}
