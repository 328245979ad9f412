import { ImportError, type ImportItem } from '../items.ts';
import { readHeader, readTable } from '../table.ts';
import { parseDate, parseNames, personOf } from '../values.ts';
import { caught } from './bounds.ts';
import { byName, keyOf, type NamedRow } from './columns.ts';
import { isUserVoice, readUserVoice } from './uservoice.ts';

/** What a column can be mapped to, and the headers that are recognized without a mapping. */
const TARGETS = {
  id: ['id', 'number', 'key'],
  title: ['title', 'idea', 'subject', 'summary', 'name'],
  text: ['description', 'details', 'text', 'body', 'content'],
  author: ['author', 'author name', 'created by', 'creator', 'user'],
  email: ['author email', 'email', 'e mail', 'creator email', 'user email'],
  created: ['created', 'created at', 'date created', 'date', 'creation date'],
  status: ['status', 'state'],
  tags: ['tags', 'labels', 'categories', 'category'],
  voters: ['voters', 'voter emails'],
} as const;
type Target = keyof typeof TARGETS;

/** The names of what columns can be mapped to. */
export const mappingTargets = Object.keys(TARGETS) as Target[];
/** Which column is what; `field Team` is the field of the board with this name. */
export type Mapping = Partial<Record<Target | FieldTarget, string>>;
type FieldTarget = `field ${string}`;

/**
 * Any CSV file with a header and an idea in each row. Columns that are not mapped are recognized by usual headers; exports
 * of UserVoice by theirs.
 */
export async function* readMappedCsv(file: string, mapping: Mapping): AsyncGenerator<ImportItem> {
  const header = await readHeader(file);
  if (header.length === 0) throw new ImportError('The file is empty');
  if (Object.keys(mapping).length === 0 && isUserVoice(header)) return yield* readUserVoice(file);
  const columns = chooseColumns(header, mapping);
  const fields = Object.entries(mapping).flatMap(([target, column = '']): [target: string, column: string][] =>
    isField(target) ? [[target, column]] : [],
  );
  const needed = [...Object.values(columns), ...fields.map(([, column]) => column)].filter(
    (name) => name !== undefined,
  );
  for await (const row of byName(readTable(file), needed)) yield* caught(row.line, () => itemsOf(row, columns, fields));
}

/** Whether what a column is mapped to is a field of the board. */
export function isField(target: string): target is FieldTarget {
  return /^field ./s.test(target);
}

function chooseColumns(header: readonly string[], mapping: Mapping): Mapping {
  const keys = new Map(header.map((name) => [keyOf(name), name]));
  const columns = Object.fromEntries(
    mappingTargets.map((target) => [target, mapping[target] ?? firstOf(keys, TARGETS[target])]),
  ) as Mapping;
  if (columns.title !== undefined) return columns;
  throw new ImportError(
    `No column is the title: name it, for example with --map "title=${header.find((name) => name.trim() !== '') ?? 'Subject'}"`,
  );
}

function firstOf(keys: ReadonlyMap<string, string>, names: readonly string[]): string | undefined {
  const found = names.find((name) => keys.has(name));
  return found === undefined ? undefined : keys.get(found);
}

function* itemsOf(
  { line, get, getList }: NamedRow<string>,
  columns: Mapping,
  fields: readonly [target: string, column: string][],
): Generator<ImportItem> {
  const cell = (target: Target) => {
    const name = columns[target];
    return name === undefined ? '' : get(name);
  };
  // Without ids, a file can be imported again as long as its titles stay the same.
  const id = cell('id').trim() || cell('title').trim();
  yield {
    kind: 'post',
    line,
    id,
    title: cell('title'),
    text: cell('text') || null,
    author: personOf({ email: cell('email'), name: cell('author') }),
    dateCreated: parseDate(cell('created')),
    status: cell('status').trim() || null,
    tags: parseNames(cell('tags')),
    fields: fields.map(([target, column]) => ({ label: target.slice('field '.length), values: [get(column)] })),
  };
  for (const email of parseNames(columns.voters === undefined ? '' : getList(columns.voters))) {
    const voter = personOf({ email });
    if (voter) yield { kind: 'vote', line, postId: id, voter, dateCreated: null };
    else yield { kind: 'problem', line, message: `The voter “${email.slice(0, 100)}” is not an address` };
  }
}
