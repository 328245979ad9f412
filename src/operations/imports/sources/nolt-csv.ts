import { parseDate } from '../dates.ts';
import { ImportError, type ImportedPerson, type ImportItem } from '../items.ts';
import { readTable } from '../table.ts';
import { parseNames, personOf } from '../values.ts';
import { bounded, caught } from './bounds.ts';
import { keyOf, readable } from './columns.ts';

/** Columns by their position, counted from 0, which is what exports in this form promise. */
const AT = { id: 0, title: 2, status: 14, tags: 23, commentType: 24, text: 25, author: 28 } as const;
/** Further ones, which only some have, by their header. */
const BY_HEADER = { created: 'date created', rowId: 'id', ssoId: 'author sso id', email: 'author e mail' } as const;

/** Whether a header is that of an export in this form. */
export function isNoltCsv(header: readonly string[]): boolean {
  const keys = header.map(keyOf);
  const has = (name: 'title' | 'status' | 'tags') => keys[AT[name]]?.includes(name) ?? false;
  return header.length > AT.author && has('title') && has('status') && has('tags');
}

type Cell = (name: keyof typeof AT | keyof typeof BY_HEADER) => string;

/** The CSV export of Nolt, which is that of Earshot as well: the row of an idea, then those of its comments and votes. */
export async function* readNoltCsv(file: string): AsyncGenerator<ImportItem> {
  let header: readonly string[] | null = null;
  let postId = '';
  for await (const { line, cells } of readTable(file)) {
    if (!header) {
      header = cells.map(keyOf);
      if (header.length <= AT.text) throw new ImportError('The file has too few columns for an export of Nolt');
      continue;
    }
    const cell = cellOf(header, cells);
    yield* caught(line, () => {
      postId = cell('id') || postId;
      return cell('id') === '' ? partOf(line, postId, cell) : [postOf(line, cell)];
    });
  }
  if (!header) throw new ImportError('The file is empty');
}

function cellOf(header: readonly string[], cells: readonly string[]): Cell {
  return (name) => {
    const at = name in AT ? AT[name as keyof typeof AT] : header.indexOf(BY_HEADER[name as keyof typeof BY_HEADER]);
    return readable(bounded(cells[at] ?? ''));
  };
}

function authorOf(cell: Cell): ImportedPerson | null {
  return personOf({ id: cell('ssoId'), email: cell('email'), name: cell('author') });
}

function postOf(line: number, cell: Cell): ImportItem {
  return {
    kind: 'post',
    line,
    id: cell('id'),
    title: cell('title'),
    text: cell('text') || null,
    author: authorOf(cell),
    dateCreated: parseDate(cell('created')),
    status: cell('status') || null,
    tags: parseNames(cell('tags')),
  };
}

/** Comments of other types are lines of the history, such as a changed status. */
const COMMENT_TYPES = { BASIC: 'BASIC', INTERNAL: 'INTERNAL', OFFICIAL: 'OFFICIAL', '': 'BASIC' } as const;

function partOf(line: number, postId: string, cell: Cell): ImportItem[] {
  const author = authorOf(cell);
  const dateCreated = parseDate(cell('created'));
  const type = COMMENT_TYPES[cell('commentType').toUpperCase() as keyof typeof COMMENT_TYPES];
  const text = cell('text');
  if (text !== '') {
    if (!type) return [];
    // A file without ids of comments can still be imported again.
    const id = cell('rowId') || `${postId} ${cell('author')} ${cell('created')} ${text}`;
    return [{ kind: 'comment', line, id, postId, parentId: null, type, text, author, dateCreated }];
  }
  return author ? [{ kind: 'vote', line, postId, voter: author, dateCreated }] : [];
}
