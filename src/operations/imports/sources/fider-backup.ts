import { json } from 'node:stream/consumers';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { ImportError, type ImportedPerson, type ImportItem } from '../items.ts';
import { parseDate, personOf } from '../values.ts';
import { caught } from './problems.ts';

/** Bytes of a table, which is read as a whole. */
const MAX_TABLE_BYTES = 256 * 1_048_576;
const MAX_ENTRIES = 1_000_000;
const TABLES = ['users', 'posts', 'comments', 'post_votes', 'tags', 'post_tags'] as const;
type Table = (typeof TABLES)[number];

/** A row as Fider writes it: columns by their name; texts that look like numbers are numbers. */
type Row = Readonly<Record<string, unknown>>;
type Tables = Readonly<Record<Table, readonly Row[]>>;

/** The statuses of Fider by their number; a duplicate is merged, and deleted posts are left out. */
const STATUSES = ['open', 'started', 'completed', 'declined', 'planned', null];
const DELETED = 6;

/** The `backup.zip` of Fider: ideas, answers, comments, voters, tags and merges, without files. */
export async function* readFiderBackup(file: string): AsyncGenerator<ImportItem> {
  const tables = await readTables(file);
  const people = new Map(tables.users.map((user) => [textOf(user, 'id'), personOfRow(user)]));
  const person = (row: Row, column = 'user_id') => people.get(textOf(row, column)) ?? null;
  const posts = tables.posts.filter((post) => Number(post.status) !== DELETED);
  const tags = tagsOfPosts(tables);
  for (const [n, post] of posts.entries()) {
    yield* caught(n + 1, () => itemsOf(post, n + 1, person, tags.get(textOf(post, 'id')) ?? []));
  }
  for (const [n, comment] of tables.comments.entries()) {
    yield* caught(n + 1, () => (comment.deleted_at == null ? [commentOf(comment, n + 1, person)] : []));
  }
  for (const [n, vote] of tables.post_votes.entries()) yield* caught(n + 1, () => votesOf(vote, n + 1, person));
}

type FindPerson = (row: Row, column?: string) => ImportedPerson | null;

function* itemsOf(post: Row, line: number, person: FindPerson, tags: readonly string[]): Generator<ImportItem> {
  const id = textOf(post, 'id');
  yield {
    ...{ kind: 'post', line, id, title: textOf(post, 'title'), tags },
    text: textOf(post, 'description') || null,
    author: person(post),
    dateCreated: parseDate(textOf(post, 'created_at')),
    status: STATUSES[Number(post.status)] ?? null,
  };
  const text = textOf(post, 'response');
  if (text.trim() !== '') {
    yield {
      ...{ kind: 'comment', line, id: `response ${id}`, postId: id, parentId: null, type: 'OFFICIAL', text },
      author: person(post, 'response_user_id'),
      dateCreated: parseDate(textOf(post, 'response_date')),
    };
  }
  const targetId = textOf(post, 'original_id');
  if (targetId !== '') yield { kind: 'merge', line, postId: id, targetId };
}

function commentOf(comment: Row, line: number, person: FindPerson): ImportItem {
  return {
    ...{ kind: 'comment', line, id: textOf(comment, 'id'), postId: textOf(comment, 'post_id'), parentId: null },
    ...{ type: 'BASIC', text: textOf(comment, 'content'), author: person(comment) },
    dateCreated: parseDate(textOf(comment, 'created_at')),
  };
}

function* votesOf(vote: Row, line: number, person: FindPerson): Generator<ImportItem> {
  const voter = person(vote);
  const dateCreated = parseDate(textOf(vote, 'created_at'));
  if (voter) yield { kind: 'vote', line, postId: textOf(vote, 'post_id'), voter, dateCreated };
}

function personOfRow(user: Row): ImportedPerson | null {
  return personOf({ id: textOf(user, 'id'), email: textOf(user, 'email'), name: textOf(user, 'name') });
}

function tagsOfPosts({ tags, post_tags }: Tables): Map<string, string[]> {
  const names = new Map(tags.map((tag) => [textOf(tag, 'id'), textOf(tag, 'name')]));
  const byPost = Map.groupBy(post_tags, (row) => textOf(row, 'post_id'));
  return new Map([...byPost].map(([id, rows]) => [id, rows.flatMap((row) => names.get(textOf(row, 'tag_id')) ?? [])]));
}

function textOf(row: Row, column: string): string {
  const value = row[column];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

async function readTables(file: string): Promise<Tables> {
  const zip = await openPromise(file).catch((error: Error) => {
    throw new ImportError(`The file is not a complete ZIP file: ${error.message}`);
  });
  const tables: Record<Table, Row[]> = { users: [], posts: [], comments: [], post_votes: [], tags: [], post_tags: [] };
  const missing = new Set<Table>(['users', 'posts']);
  let entries = 0;
  for await (const entry of zip.eachEntry()) {
    if (++entries > MAX_ENTRIES)
      throw new ImportError(`The ZIP file has over ${MAX_ENTRIES.toLocaleString('en')} files`);
    const table = TABLES.find((name) => entry.fileName === `${name}.json`);
    if (!table) continue;
    tables[table] = await readJson(zip, entry);
    missing.delete(table);
  }
  if (missing.size > 0)
    throw new ImportError(`The ZIP file has no ${[...missing].join('.json, ')}.json: it is no backup of Fider`);
  return tables;
}

/** The size is that in the directory, which the reader enforces while it unpacks. */
async function readJson(zip: ZipFile, entry: Entry): Promise<Row[]> {
  const { fileName, uncompressedSize } = entry;
  if (uncompressedSize > MAX_TABLE_BYTES) throw new ImportError(`${fileName} is larger than 256 MB`);
  try {
    const rows = await json(await zip.openReadStreamPromise(entry));
    if (Array.isArray(rows) && rows.every((row) => typeof row === 'object' && row !== null)) return rows;
  } catch (error) {
    throw new ImportError(`${fileName} cannot be read: ${(error as Error).message}`);
  }
  throw new ImportError(`${fileName} is not a list of rows`);
}
