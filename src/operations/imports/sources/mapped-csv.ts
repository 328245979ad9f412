import { createHash } from 'node:crypto';
import { quantity } from '../../../platform/lib/quantity.ts';
import { isAddressLike } from '../../../platform/texts/email.ts';
import { makeExcerpt, printable } from '../../../platform/texts/text.ts';
import { parseDate } from '../dates.ts';
import { ImportError, type ImportedPerson, type ImportedValues, type ImportItem } from '../items.ts';
import { statusOf } from '../labels.ts';
import { plainOf } from '../markdown.ts';
import { readTable, type TableRow } from '../table.ts';
import { parseNames, personOf } from '../values.ts';
import { type Meaning, YES } from './meanings.ts';
import { PartRows } from './part-rows.ts';
import { type Cell, MAX_ID, type ProblemItem, type Report, RowCells, shortId } from './row-cells.ts';
import { itemListOf, rowOf, textOf } from './rows.ts';
import { isOfParts, type TableReading } from './survey.ts';

/** Characters of a title that is the beginning of a text. */
const TITLE_FROM_TEXT = 80;
/** The mark in “1,234”. */
const THOUSANDS = /[,.\s](?=\d{3}(?:\D|$))/g;
/** A comment of Jira: when, by whom, and what. */
const DATED = /^([^;]{6,40});([^;]{0,200});(.*)$/s;

/**
 * The items of a CSV file, read as has been found out or chosen: an idea in each row, or a comment or vote on one.
 * @throws ImportError
 */
export async function* readMappedCsv(file: string, reading: TableReading): AsyncGenerator<ImportItem> {
  const rows = isOfParts(reading) ? new PartRows(reading) : new Rows(reading);
  let isHeader = true;
  for await (const row of readTable(file, reading)) {
    if (!isHeader) yield* rows.itemsOf(row);
    isHeader = false;
  }
}

class Rows {
  readonly #cells: RowCells;
  readonly #reading: TableReading;
  readonly #hasHtml: boolean;
  readonly #ids = new Set<string>();
  readonly #said = new Set<string>();

  constructor(reading: TableReading) {
    this.#reading = reading;
    this.#cells = new RowCells(reading);
    if (!this.#cells.has('title') && !this.#cells.has('text')) throw new ImportError(withoutTitle(reading));
    this.#hasHtml = this.#cells.placesOf('text').some((place) => this.#cells.isHtml(place));
  }

  /** What is wrong with a cell costs the cell; the idea is added without it. */
  *itemsOf(row: TableRow): Generator<ImportItem> {
    const problems: ProblemItem[] = [];
    const { line } = row;
    const cells = this.#cells;
    const { tagOf, dateOf } = cells.product;
    const report: Report = (place, message) => problems.push(cells.problemAt(line, place, message));
    const read = (meaning: Meaning) => cells.read(row, meaning, report);
    const first = (meaning: Meaning) => read(meaning)[0]?.text ?? '';
    const texts = read('text').map((cell) => cells.textOf(cell));
    const text = texts.join('\n\n');
    const title = this.#titleOf(first('title'), text);
    const person = cells.personOf({ author: first('author'), email: read('email')[0] }, report);
    const [given] = read('id');
    if (!given && this.#isRepeated(`${title}\n${text}\n${person?.email ?? person?.name ?? ''}\n${first('created')}`)) {
      yield {
        kind: 'problem',
        line,
        message: 'An earlier line says the same at the same time: only that one is imported',
      };
      return;
    }
    const id = this.#idOf(given, title, `${text} ${person?.email ?? person?.name ?? ''} ${first('created')}`, report);
    const surplus = row.cells.slice(this.#reading.columns.length).filter((cell) => cell.trim() !== '').length;
    if (surplus > 0) problems.push({ kind: 'problem', line, message: surplusOf(surplus) });
    const tags = read('tags').flatMap(({ text: names }) => parseNames(names));
    yield {
      kind: 'post',
      line,
      id,
      title,
      text: text || null,
      author: person,
      dateCreated: cells.dateOf(read('created')[0], report) ?? dateOf?.(id) ?? null,
      status: statusOf(first('status').replaceAll('_', ' ').trim() || null, YES.test(first('archived'))),
      tags: [...new Set(tagOf ? tags.map(tagOf) : tags)],
      fields: this.#fieldsOf(read),
    };
    yield* this.#votesOf(row, id);
    yield* this.#voteCountOf(row, id);
    for (const { text: cell, place } of read('comments')) {
      for (const written of commentsIn(cell))
        if (written.text.trim() !== '') yield this.#commentOf(written, place, id, line);
    }
    yield* problems;
  }

  /** Reviews and answers have no title: their beginning is one. */
  #titleOf(title: string, text: string): string {
    if (!this.#cells.has('title')) return makeExcerpt(text, TITLE_FROM_TEXT);
    return this.#hasHtml ? plainOf(title) : title;
  }

  /** Whether a row without an id says what an earlier one said, at the same time. */
  #isRepeated(said: string): boolean {
    const digest = createHash('sha256').update(said).digest('base64').slice(0, 16);
    const isRepeated = this.#said.has(digest);
    this.#said.add(digest);
    return isRepeated;
  }

  /**
   * Without ids, a file can be imported again as long as its titles stay the same, and what tells equal titles apart:
   * text, person and date.
   */
  #idOf(given: Cell | undefined, title: string, rest: string, report: Report): string {
    const id = shortId(given?.text ?? title);
    const isTaken = this.#ids.has(id);
    this.#ids.add(id);
    if (isTaken && given)
      report(given.place, `“${printable(id)}” is on an earlier line, too: only that idea is imported`);
    return isTaken && !given ? shortId(`${title} ${rest}`.padEnd(MAX_ID + 1)) : id;
  }

  #fieldsOf(read: (meaning: Meaning) => { text: string }[]): ImportedValues[] {
    return this.#cells.fields().map((meaning) => ({
      label: meaning.slice('field '.length),
      values: read(meaning).map(({ text }) => text),
    }));
  }

  /** Votes of people whose addresses are there. The cell has any length: it is read address by address. */
  *#votesOf({ cells, line }: TableRow, postId: string): Generator<ImportItem> {
    for (const place of this.#cells.placesOf('voters')) {
      for (const name of addressesIn(cells[place] ?? '')) {
        const voter = isAddressLike(name) ? personOf({ email: name }) : null;
        if (voter?.email) yield { kind: 'vote', line, postId, voter, dateCreated: null };
        else yield this.#cells.problemAt(line, place, `The voter “${printable(name)}” is not an address`);
      }
    }
  }

  /** Votes of which only the number is in the file. */
  *#voteCountOf({ cells, line }: TableRow, postId: string): Generator<ImportItem> {
    const place = this.#cells.placesOf('votes').find((at) => (cells[at] ?? '').trim() !== '');
    if (place === undefined) return;
    const addresses = this.#cells.placesOf('voters').flatMap((at) => [...addressesIn(cells[at] ?? '')]);
    const count = (Number.parseInt((cells[place] ?? '').replace(THOUSANDS, ''), 10) || 0) - addresses.length;
    // Without a column for them, other tables may name voters.
    if (count > 0) yield { kind: 'voteCount', line, postId, count, isTotal: !this.#cells.has('voters') };
  }

  #commentOf({ text, by, on }: Written, place: number, postId: string, line: number): ImportItem {
    return {
      kind: 'comment',
      line,
      // A file without ids of comments can still be imported again.
      id: shortId(`${postId} ${place} ${on ?? ''} ${text}`),
      postId,
      parentId: null,
      type: 'BASIC',
      text: this.#cells.textOf({ text, place }),
      author: personOf(by),
      dateCreated: on,
    };
  }
}

/** Addresses that are separated by commas, semicolons or spaces; they are looked at one after the other. */
function* addressesIn(cell: string): Generator<string> {
  for (const [address] of cell.matchAll(/[^\s,;]+/g)) yield address;
}

/** A comment in a cell. */
type Written = { text: string; by: ImportedPerson; on: number | null };

/** The comments of a cell: a text, Jira's date, author and text, or Plane's list of objects. */
function commentsIn(cell: string): Written[] {
  const list = cell.startsWith('[') ? listIn(cell) : null;
  if (list) return list;
  const [, date = '', id = '', text = ''] = DATED.exec(cell) ?? [];
  const on = dateOrNull(date);
  return [on === null ? { text: cell, by: {}, on } : { text, by: { id }, on }];
}

/** The comments of a list; null if something in it is none. */
function listIn(cell: string): Written[] | null {
  try {
    const comments = itemListOf(JSON.parse(cell)).map((entry) => {
      const { comment, text, body, created_by, author, by: address, created_at, date } = rowOf(entry);
      const by = { name: textOf(created_by) || textOf(author), email: textOf(address) };
      return { text: textOf(entry) || textOf(comment ?? text ?? body), by, on: dateOrNull(textOf(created_at ?? date)) };
    });
    return comments.every(({ text }) => text !== '') ? comments : null;
  } catch {
    return null;
  }
}

function surplusOf(cells: number): string {
  return `${quantity(cells, 'cell is', 'cells are')} left out, as the header has fewer: quotation marks may be missing`;
}

function dateOrNull(text: string): number | null {
  try {
    return parseDate(text);
  } catch {
    return null;
  }
}

function withoutTitle({ columns }: TableReading): string {
  const name = columns.find((column) => column.name !== '')?.name ?? 'Subject';
  return `No column is the title: choose one, on the command line with --map "title=${name}"`;
}
