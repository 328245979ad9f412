import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { decodeAs, type Encoding, guessEncoding } from './decoding.ts';
import { ImportError } from './items.ts';

/** Characters of one row: a description has at most 20,000. */
const MAX_ROW = 1_048_576;
const MAX_COLUMNS = 1_000;
/** The beginning of a file, from which its separator is guessed. */
const HEAD_BYTES = 65_536;
/** One in so many characters of a text may be a control character. */
const MAX_CONTROLS = 20;
/** A first line with which files tell Excel their separator. */
const SEPARATOR_LINE = /^"?sep=([,;\t|]?)"?[,;\t|]?$/i;

/** A row of a table: the line that it ends on, and its cells. */
export type TableRow = { line: number; cells: readonly string[] };

/** How a table is written. */
export type TableForm = { encoding: Encoding; delimiter: string };

/** The rows of a CSV file; how it is written is found out if it is not given. @throws ImportError */
export async function* readTable(file: string, known?: TableForm): AsyncGenerator<TableRow> {
  const { encoding, delimiter } = known ?? (await examineTable(file));
  const parser = Readable.from(decodeAs(file, encoding)).compose(
    parse({
      delimiter,
      bom: true,
      // Files that people put together have several.
      record_delimiter: ['\r\n', '\n', '\r'],
      info: true,
      relax_column_count: true,
      // As in `6" pipe`, which many programs write.
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: MAX_ROW,
    }),
  );
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      if (record.length > MAX_COLUMNS) throw new ImportError(`Line ${info.lines} has over ${MAX_COLUMNS} columns`);
      if (info.lines === 1 && SEPARATOR_LINE.test(record.join(delimiter))) continue;
      yield { line: info.lines, cells: record.map(withoutApostrophe) };
    }
  } catch (error) {
    throw error instanceof CsvError ? new ImportError(explain(error)) : error;
  }
}

/** The first row of a table; empty if there is none. @throws ImportError */
export async function readHeader(file: string, known?: TableForm): Promise<readonly string[]> {
  for await (const { cells } of readTable(file, known)) return cells;
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

/** How a table is written: guessed, if the encoding is not given. @throws ImportError if it is a ZIP file */
export async function examineTable(file: string, encoding?: Encoding): Promise<TableForm> {
  const head = await readHead(file);
  if (head.subarray(0, 2).toString('latin1') === 'PK') throw new ImportError('This is a ZIP file, not CSV');
  if (/^[\s\ufeff]*<(?:!doctype|html|\?xml)/i.test(head.subarray(0, 200).toString())) {
    throw new ImportError('This is a web page, not CSV: a session may have ended before the download');
  }
  const chosen = encoding ?? (await guessEncoding(file));
  const beginning = new TextDecoder(chosen).decode(head);
  if (countControls(beginning) * MAX_CONTROLS > beginning.length) throw new ImportError('This is not text, so not CSV');
  const [first = ''] = beginning.split(/[\r\n]/, 1);
  const named = SEPARATOR_LINE.exec(first)?.[1];
  const count = (separator: string) => first.split(separator).length;
  const guessed = [',', ';', '\t', '|'].reduce((best, next) => (count(next) > count(best) ? next : best));
  return { encoding: chosen, delimiter: named || guessed };
}

/** Characters that text does not have; a few are in some cells of what was pasted. */
function countControls(text: string): number {
  return text.match(/[^\P{Cc}\t\n\v\f\r\x80-\x9f]/gu)?.length ?? 0;
}

/** The beginning of a file. */
export async function readHead(file: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(file, { end: HEAD_BYTES - 1 })) chunks.push(chunk);
  return Buffer.concat(chunks);
}
