import { createHash } from 'node:crypto';
import { quantity } from '../../../platform/lib/quantity.ts';
import { isAddressLike } from '../../../platform/texts/email.ts';
import { makeExcerpt, printable, storableText } from '../../../platform/texts/text.ts';
import { AmbiguousDate, parseDate } from '../dates.ts';
import { UNREADABLE } from '../decoding.ts';
import { ImportError, type ImportedPerson, type ImportedValues, type ImportItem, type Problem } from '../items.ts';
import { markdownOf, plainOf } from '../markdown.ts';
import { readTable, type TableRow } from '../table.ts';
import { parseNames, personOf } from '../values.ts';
import { bounded } from './bounds.ts';
import { isField, type Meaning } from './meanings.ts';
import { productNamed } from './products.ts';
import { itemListOf, rowOf, textOf } from './rows.ts';
import type { TableReading } from './survey.ts';

/** Characters of an id, which is kept together with the name of its product. */
const MAX_ID = 200;
/** Characters of a title that is the beginning of a text. */
const TITLE_FROM_TEXT = 80;
/** The mark in “1,234”. */
const THOUSANDS = /[,.\s](?=\d{3}(?:\D|$))/g;
/** “Ann Lee <ann@example.com>”. */
const MAILBOX = /^([^<>]{0,200}?)\s*<([^<>\s]{3,254})>$/;
/** A comment of Jira: when, by whom, and what. */
const DATED = /^([^;]{6,40});([^;]{0,200});(.*)$/s;

/** The ideas of a CSV file with one in each row, read as has been found out or chosen. @throws ImportError */
export async function* readMappedCsv(file: string, reading: TableReading): AsyncGenerator<ImportItem> {
  const rows = new Rows(reading);
  let isHeader = true;
  for await (const row of readTable(file, reading)) {
    if (!isHeader) yield* rows.itemsOf(row);
    isHeader = false;
  }
}

class Rows {
  readonly #places = new Map<Meaning, number[]>();
  readonly #reading: TableReading;
  readonly #hasHtml: boolean;
  readonly #toMarkdown: (text: string) => string;
  readonly #tagOf: (name: string) => string;
  readonly #dateById: (id: string) => number | null;
  readonly #order;
  readonly #ids = new Set<string>();
  /** One question is asked for all dates of a file. */
  #isAsked = false;

  constructor(reading: TableReading) {
    this.#reading = reading;
    for (const [place, { meaning }] of reading.columns.entries()) {
      if (meaning !== null) this.#places.set(meaning, [...(this.#places.get(meaning) ?? []), place]);
    }
    if (!this.#places.has('title') && !this.#places.has('text')) throw new ImportError(withoutTitle(reading));
    const { toMarkdown, tagOf, dateOf } = productNamed(reading.source) ?? {};
    this.#toMarkdown = toMarkdown ?? ((text) => text);
    this.#tagOf = tagOf ?? ((name) => name);
    this.#dateById = dateOf ?? (() => null);
    this.#hasHtml = this.#placesOf('text').some((place) => reading.columns[place]?.isHtml);
    this.#order = reading.dates === 'ASK' ? null : reading.dates;
  }

  /** What is wrong with a cell costs the cell; the idea is added without it. */
  *itemsOf(row: TableRow): Generator<ImportItem> {
    const problems: (Problem & { kind: 'problem' })[] = [];
    const { line } = row;
    const report = (place: number, message: string) => {
      problems.push({ kind: 'problem', line, column: this.#reading.columns[place]?.name, message });
    };
    const read = (meaning: Meaning) => this.#cellsOf(row, meaning, report);
    const first = (meaning: Meaning) => read(meaning)[0]?.text ?? '';
    const texts = read('text').map((cell) => this.#textOf(cell.text, cell.place));
    const text = texts.join('\n\n');
    const title = this.#titleOf(first('title'), text);
    const person = this.#personOf(first('author'), read('email')[0], report);
    const [given] = read('id');
    const id = this.#idOf(given, title, `${text} ${person?.email ?? person?.name ?? ''}`, report);
    const surplus = row.cells.slice(this.#reading.columns.length).filter((cell) => cell.trim() !== '').length;
    if (surplus > 0) problems.push({ kind: 'problem', line, message: surplusOf(surplus) });
    yield {
      kind: 'post',
      line,
      id,
      title,
      text: text || null,
      author: person,
      dateCreated: this.#dateOf(read('created')[0], report) ?? this.#dateById(id),
      status: first('status').replaceAll('_', ' ') || null,
      tags: [
        ...new Set(
          read('tags')
            .flatMap(({ text }) => parseNames(text))
            .map(this.#tagOf),
        ),
      ],
      fields: this.#fieldsOf(read),
    };
    yield* this.#votesOf(row, id);
    yield* this.#voteCountOf(row, id);
    for (const { text, place } of read('comments')) {
      for (const written of commentsIn(text)) yield this.#commentOf(written, place, id, line);
    }
    yield* problems;
  }

  /** Reviews and answers have no title: their beginning is one. */
  #titleOf(title: string, text: string): string {
    if (!this.#places.has('title')) return makeExcerpt(text, TITLE_FROM_TEXT);
    return this.#hasHtml ? plainOf(title) : title;
  }

  /** Without ids, a file can be imported again as long as its titles stay the same, and what tells equal titles apart. */
  #idOf(given: Cell | undefined, title: string, rest: string, report: Report): string {
    const id = shortId(given?.text ?? title);
    const isRepeated = this.#ids.has(id);
    this.#ids.add(id);
    if (isRepeated && given)
      report(given.place, `“${printable(id)}” is on an earlier line, too: only that idea is imported`);
    return isRepeated && !given ? shortId(`${title} ${rest}`.padEnd(MAX_ID + 1)) : id;
  }

  #personOf(author: string, email: Cell | undefined, report: Report) {
    const [, name = author, address = ''] = MAILBOX.exec(author) ?? [];
    const written = email?.text || address || (isAddressLike(author) ? author : '');
    const person = personOf({ email: written, name: isAddressLike(name) ? '' : name });
    if (email && !person?.email) report(email.place, `“${printable(email.text)}” is not an address`);
    return person;
  }

  #placesOf(meaning: Meaning): readonly number[] {
    return this.#places.get(meaning) ?? [];
  }

  /** The cells that are not empty, without what cannot be stored. */
  #cellsOf({ cells }: TableRow, meaning: Meaning, report: Report): Cell[] {
    return this.#placesOf(meaning).flatMap((place) => {
      const raw = cells[place]?.trim() ?? '';
      if (raw.includes(UNREADABLE)) report(place, `It has bytes that mean nothing in ${this.#reading.encoding}`);
      const text = this.#boundedCell(raw, place, report);
      return text === '' ? [] : [{ text, place }];
    });
  }

  #boundedCell(raw: string, place: number, report: Report): string {
    try {
      const text = storableText(bounded(raw)).trim();
      const lost = raw.replaceAll('\r\n', '\n').length - text.length;
      if (lost > 0) report(place, `Its control characters (${lost}) are left out`);
      return text;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      report(place, error.message);
      return '';
    }
  }

  #textOf(text: string, place: number): string {
    return this.#reading.columns[place]?.isHtml ? markdownOf(text) : this.#toMarkdown(text);
  }

  #dateOf(cell: Cell | undefined, report: Report): number | null {
    if (!cell) return null;
    try {
      return parseDate(cell.text, this.#order);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      if (!(error instanceof AmbiguousDate)) report(cell.place, error.message);
      else if (!this.#isAsked) {
        this.#isAsked = true;
        report(cell.place, `${error.message}; until then, no idea has a date that fits two ways`);
      }
      return null;
    }
  }

  #fieldsOf(read: (meaning: Meaning) => { text: string }[]): ImportedValues[] {
    return [...this.#places.keys()].filter(isField).map((meaning) => ({
      label: meaning.slice('field '.length),
      values: read(meaning).map(({ text }) => text),
    }));
  }

  /** Votes of people whose addresses are there. The cell has any length: it is read address by address. */
  *#votesOf({ cells, line }: TableRow, postId: string): Generator<ImportItem> {
    for (const place of this.#placesOf('voters')) {
      for (const name of addressesIn(cells[place] ?? '')) {
        const voter = isAddressLike(name) ? personOf({ email: name }) : null;
        if (voter?.email) yield { kind: 'vote', line, postId, voter, dateCreated: null };
        else {
          const message = `The voter “${printable(name)}” is not an address`;
          yield { kind: 'problem', line, column: this.#reading.columns[place]?.name, message };
        }
      }
    }
  }

  /** Votes of which only the number is in the file. */
  *#voteCountOf({ cells, line }: TableRow, postId: string): Generator<ImportItem> {
    const place = this.#placesOf('votes').find((at) => (cells[at] ?? '').trim() !== '');
    if (place === undefined) return;
    const addresses = this.#placesOf('voters').flatMap((at) => [...addressesIn(cells[at] ?? '')]);
    const count = (Number.parseInt((cells[place] ?? '').replace(THOUSANDS, ''), 10) || 0) - addresses.length;
    if (count > 0) yield { kind: 'voteCount', line, postId, count };
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
      text: this.#textOf(text, place),
      author: personOf(by),
      dateCreated: on,
    };
  }
}

/** A cell that is not empty, and its column. */
type Cell = { text: string; place: number };
type Report = (place: number, message: string) => void;

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
      const { comment, text, body, created_by, author, created_at } = rowOf(entry);
      const by = { name: textOf(created_by) || textOf(author) };
      return { text: textOf(entry) || textOf(comment ?? text ?? body), by, on: dateOrNull(textOf(created_at)) };
    });
    return comments.every(({ text }) => text !== '') ? comments : null;
  } catch {
    return null;
  }
}

function surplusOf(cells: number): string {
  return `${quantity(cells, 'cell is', 'cells are')} left out, as the header has fewer: quotation marks may be missing`;
}

/** An id that can be kept, also of a title that cannot. */
function shortId(id: string): string {
  if (id.length <= MAX_ID) return id;
  return `${id.slice(0, MAX_ID / 2)} ${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
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
