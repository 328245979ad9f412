import { createHash } from 'node:crypto';
import { isAddressLike } from '../../../platform/texts/email.ts';
import { printable, storableText } from '../../../platform/texts/text.ts';
import { AmbiguousDate, parseDate } from '../dates.ts';
import { UNREADABLE } from '../decoding.ts';
import type { ImportedPerson, Problem } from '../items.ts';
import { markdownOf } from '../markdown.ts';
import type { TableRow } from '../table.ts';
import { personOf } from '../values.ts';
import { bounded } from './bounds.ts';
import { isField, type Meaning } from './meanings.ts';
import { type Product, productNamed } from './products.ts';
import type { TableReading } from './survey.ts';

/** Characters of an id, which is kept together with the name of its product. */
export const MAX_ID = 200;
/** “Ann Lee <ann@example.com>”. */
const MAILBOX = /^([^<>]{0,200}?)\s*<([^<>\s]{3,254})>$/;

/** A cell that is not empty, and its column. */
export type Cell = { text: string; place: number };
/** Takes what is wrong with the cell at a place. */
export type Report = (place: number, message: string) => void;
/** A problem as one of the items of a source. */
export type ProblemItem = Problem & { kind: 'problem' };

/** Reads the cells of a table's rows by what their columns are. What is wrong with a cell costs the cell, and is reported. */
export class RowCells {
  readonly product: Partial<Product>;
  readonly #places = new Map<Meaning, number[]>();
  readonly #reading: TableReading;
  readonly #order;
  /** One question is asked for all dates of a file. */
  #isAsked = false;

  constructor(reading: TableReading) {
    this.#reading = reading;
    for (const [place, { meaning }] of reading.columns.entries()) {
      if (meaning !== null) this.#places.set(meaning, [...(this.#places.get(meaning) ?? []), place]);
    }
    this.product = productNamed(reading.source) ?? {};
    this.#order = reading.dates === 'ASK' ? null : reading.dates;
  }

  has(meaning: Meaning): boolean {
    return this.#places.has(meaning);
  }

  placesOf(meaning: Meaning): readonly number[] {
    return this.#places.get(meaning) ?? [];
  }

  /** The columns that are for fields of the board. */
  fields(): `field ${string}`[] {
    return [...this.#places.keys()].filter(isField);
  }

  isHtml(place: number): boolean {
    return this.#reading.columns[place]?.isHtml ?? false;
  }

  /** A problem with a cell of a row. */
  problemAt(line: number, place: number, message: string): ProblemItem {
    return { kind: 'problem', line, column: this.#reading.columns[place]?.name, message };
  }

  /** The cells that are not empty, without what cannot be stored. */
  read({ cells }: TableRow, meaning: Meaning, report: Report): Cell[] {
    return this.placesOf(meaning).flatMap((place) => {
      const raw = cells[place]?.trim() ?? '';
      if (raw.includes(UNREADABLE)) report(place, `It has bytes that mean nothing in ${this.#reading.encoding}`);
      const text = boundedCell(raw, place, report);
      return text === '' ? [] : [{ text, place }];
    });
  }

  /** The text of a cell as Markdown. */
  textOf({ text, place }: Cell): string {
    return this.isHtml(place) ? markdownOf(text) : (this.product.toMarkdown?.(text) ?? text);
  }

  personOf({ id, author, email }: { id?: string; author: string; email: Cell | undefined }, report: Report) {
    const [, name = author, address = ''] = MAILBOX.exec(author) ?? [];
    const written = email?.text || address || (isAddressLike(author) ? author : '');
    const given: ImportedPerson = { id, email: written, name: isAddressLike(name) ? '' : name };
    const person = personOf(given);
    if (email && !person?.email) report(email.place, `“${printable(email.text)}” is not an address`);
    return person;
  }

  dateOf(cell: Cell | undefined, report: Report): number | null {
    if (!cell) return null;
    try {
      return parseDate(cell.text, this.#order);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      if (!(error instanceof AmbiguousDate)) report(cell.place, error.message);
      else if (!this.#isAsked) {
        this.#isAsked = true;
        report(cell.place, `${error.message}; until then, nothing has a date that fits two ways`);
      }
      return null;
    }
  }
}

function boundedCell(raw: string, place: number, report: Report): string {
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

/** An id that can be kept, also of a title that cannot. */
export function shortId(id: string): string {
  if (id.length <= MAX_ID) return id;
  return `${id.slice(0, MAX_ID / 2)} ${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
}
