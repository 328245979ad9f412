import type { Field } from '../../feedback/fields/fields.ts';
import { namesOf } from '../../feedback/fields/values.ts';
import { attributeList, readAttribute } from '../../feedback/posts/attributes.ts';
import type { Entry } from './entries.ts';

export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';
/** Files for people begin with it: without it Excel reads them in the machine's old code page. */
export const BYTE_ORDER_MARK = '\ufeff';

/** What has a row. */
type Row = Exclude<Entry, { kind: 'reaction' }>;
export type Cell = string | number | null;
/** A column: its name, and its value in the row of a post, a comment and a vote. */
type Column = [name: string, value: (entry: Row) => Cell];

const ofPost = (value: (entry: Extract<Row, { kind: 'post' }>) => Cell) => (entry: Row) =>
  entry.kind === 'post' ? value(entry) : null;
const ofComment = (value: (entry: Extract<Row, { kind: 'comment' }>) => Cell) => (entry: Row) =>
  entry.kind === 'comment' ? value(entry) : null;
const ofVote = (value: (entry: Extract<Row, { kind: 'vote' }>) => Cell) => (entry: Row) =>
  entry.kind === 'vote' ? value(entry) : null;

const attributeColumns = attributeList.map(
  (attribute): Column => [attribute.heading, ofPost(({ post }) => readAttribute(post, attribute)?.toString() ?? null)],
);
/** Attributes that came before there were fields; the others stand after these. */
const FIRST_ATTRIBUTES = 2;

/**
 * The columns by their position, which importers rely on: counted from 0, the columns 0, 1, 2, 5, 14, 23, 24, 25 and 28
 * never move, and from 31 on there are the fields of the board. A new one is added after those.
 */
const columns: readonly Column[] = [
  ['Post', ofPost(({ post }) => post.id)],
  ['URL', ofPost(({ url }) => url)],
  ['Title', ofPost(({ post }) => post.title)],
  ['Row', ({ kind }) => kind],
  ['ID', idOf],
  ['Upvotes', ofPost(({ post }) => post.upvotes)],
  ['Downvotes', ofPost(({ post }) => post.downvotes)],
  ['Comments', ofPost(({ commentCount }) => commentCount)],
  ['Number', ofPost(({ post }) => post.number)],
  ['External ID', ofPost(({ post }) => post.external_id)],
  ['Date created', (entry) => instant(rowOf(entry).date_created)],
  ['Date updated', updatedOf],
  ['Date completed', ofPost(({ post }) => instant(post.date_completed || null))],
  ['Status ID', ofPost(({ post }) => post.status_id)],
  ['Status', ofPost(({ status }) => status?.name ?? null)],
  ['Status type', ofPost(({ status }) => status?.type ?? null)],
  ...attributeColumns.slice(0, FIRST_ATTRIBUTES),
  ['Sample', ofPost(({ post }) => flag(post.is_sample))],
  ['Post ID', postIdOf],
  ['Reply to', ofComment(({ comment }) => comment.parent_id)],
  ['Vote type', ofVote(({ vote }) => vote.type)],
  ['Vote added by', ofVote(({ vote }) => vote.added_by)],
  ['Tags', ofPost(({ tags }) => tags.map((tag) => tag.name).join(', '))],
  ['Comment type', ofComment(({ comment }) => comment.type)],
  ['Text', textOf],
  ['Author ID', ({ person }) => person?.id ?? null],
  ['Author SSO type', ({ person }) => person?.sso_type ?? null],
  ['Author', ({ person }) => person?.name ?? null],
  ['Author SSO ID', ({ person }) => person?.sso_id ?? null],
  ['Author e-mail', ({ person }) => person?.email ?? null],
];

/** The header row, and the row of an entry, in the form of RFC 4180. */
export function makeCsv(fields: readonly Field[]): { header: string; toText: (entry: Entry) => string } {
  // By age, so that no column moves when the team puts the fields into another order.
  const byAge = fields.toSorted((a, b) => a.date_created - b.date_created || (a.id < b.id ? -1 : 1));
  const all = [...columns, ...byAge.map(columnOf), ...attributeColumns.slice(FIRST_ATTRIBUTES)];
  return {
    header: toLine(all.map(([name]) => name)),
    toText: (entry) => (entry.kind === 'reaction' ? '' : toLine(all.map(([, value]) => value(entry)))),
  };
}

function columnOf(field: Field): Column {
  const value = ofPost(({ properties }) => {
    const property = properties.find((other) => other.field.id === field.id);
    return property ? namesOf(field, property.values).join(', ') : null;
  });
  return [field.label, value];
}

/** A row of CSV, in which nothing is a formula. */
export function toLine(cells: readonly Cell[]): string {
  return `${cells.map(toCell).join(',')}\r\n`;
}

/**
 * How a formula begins, also in the full-width forms that East Asian spreadsheets accept, or after characters that they
 * skip.
 */
const FORMULA = /^[=+\-@＝＋－＠\t\r]/;

/** Text that a spreadsheet would execute as a formula gets an apostrophe, which makes it text. */
function toCell(value: Cell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function rowOf(entry: Row) {
  switch (entry.kind) {
    case 'post':
      return entry.post;
    case 'comment':
      return entry.comment;
    case 'vote':
      return entry.vote;
  }
}

function idOf(entry: Row): string {
  return rowOf(entry).id;
}

function postIdOf(entry: Row): string {
  return entry.kind === 'post' ? entry.post.id : entry.kind === 'comment' ? entry.comment.post_id : entry.vote.post_id;
}

function updatedOf(entry: Row): Cell {
  if (entry.kind === 'vote') return null;
  return instant(entry.kind === 'post' ? entry.post.date_updated : entry.comment.date_updated);
}

function textOf(entry: Row): Cell {
  if (entry.kind === 'vote') return null;
  return entry.kind === 'post' ? entry.text : entry.comment.text;
}

/** An instant as exports write it. */
export function instant(value: number | null): Cell {
  return value === null ? null : new Date(value).toISOString();
}

function flag(value: 0 | 1): string {
  return value === 1 ? 'true' : 'false';
}
