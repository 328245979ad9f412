import { setImmediate as nextTurn } from 'node:timers/promises';
import { makeTurns } from '../../../platform/lib/turns.ts';
import { parseDate } from '../dates.ts';
import type { ImportedComment, ImportedFile, ImportedPerson, ImportItem } from '../items.ts';
import { personOf } from '../values.ts';
import { bounded, caught } from './bounds.ts';
import { type Backup, readBackup, readPicture, type Tables } from './fider-zip.ts';
import type { Row } from './rows.ts';

/** Newer versions write the place of a picture into the text. A search ends where the next begins, so each character is read once. */
export const PLACED = /!\[[^[\]\n]{0,200}\]\(fider-image:([\w/.-]{1,512})\)/g;
/** The statuses of Fider by their number; a duplicate is merged, and deleted posts are left out. */
const STATUSES = ['open', 'started', 'completed', 'declined', 'planned', null];
const DELETED = 6;
/** Pictures of an idea or a comment that are looked for. */
const MAX_PICTURES = 1_000;
/** Tags of an idea that are looked for; the board takes fewer. */
const MAX_TAGS = 100;
/** Pictures that are missing and named. */
const MAX_NAMED = 10;

/** The `backup.zip` of Fider: ideas, answers, comments, voters, tags, merges and pictures. */
export async function* readFiderBackup(file: string, maxTableBytes?: number): AsyncGenerator<ImportItem> {
  const { tables, pictures } = await readBackup(file, maxTableBytes);
  const written = new Writings(file, tables, pictures);
  await nextTurn();
  const people = new Map(tables.users.map((user) => [keyOf(user, 'id'), user]));
  const person = (row: Row, column = 'user_id') => personOfRow(people.get(keyOf(row, column)));
  await nextTurn();
  const tagsOf = readTags(tables);
  const posts = tables.posts.filter((post) => Number(post.status) !== DELETED);
  for await (const [line, post] of numbered(posts))
    yield* caught(line, () => itemsOf(post, line, person, tagsOf(post), written));
  for await (const [line, comment] of numbered(tables.comments))
    yield* caught(line, () => (comment.deleted_at == null ? commentOf(comment, line, person, written) : []));
  for await (const [line, vote] of numbered(tables.post_votes)) yield* caught(line, () => votesOf(vote, line, person));
}

type FindPerson = (row: Row, column?: string) => ImportedPerson | null;

/** Rows with their numbers. Those from which nothing is imported take time, too. */
async function* numbered(rows: readonly Row[]): AsyncGenerator<[line: number, row: Row]> {
  const takeTurns = makeTurns();
  for (const [n, row] of rows.entries()) {
    await takeTurns();
    yield [n + 1, row];
  }
}

function* itemsOf(
  post: Row,
  line: number,
  person: FindPerson,
  tags: readonly string[],
  written: Writings,
): Generator<ImportItem> {
  const id = textOf(post, 'id');
  const { text: description, files, problems } = written.read(textOf(post, 'description'), `post ${id}`, line);
  yield {
    kind: 'post',
    line,
    id,
    title: textOf(post, 'title'),
    tags,
    files,
    text: description || null,
    author: person(post),
    dateCreated: parseDate(textOf(post, 'created_at')),
    status: STATUSES[Number(post.status)] ?? null,
  };
  yield* problems;
  yield* answersTo(id, {
    line,
    text: textOf(post, 'response'),
    author: person(post, 'response_user_id'),
    dateCreated: parseDate(textOf(post, 'response_date')),
  });
  const targetId = textOf(post, 'original_id');
  if (targetId !== '') yield { kind: 'merge', line, postId: id, targetId };
}

function* commentOf(comment: Row, line: number, person: FindPerson, written: Writings): Generator<ImportItem> {
  const id = textOf(comment, 'id');
  const { text, files, problems } = written.read(textOf(comment, 'content'), `comment ${id}`, line);
  yield {
    kind: 'comment',
    line,
    id,
    postId: textOf(comment, 'post_id'),
    parentId: null,
    type: 'BASIC',
    files,
    // A comment may be a mere picture.
    text: text || files.map(({ name }) => name).join('\n'),
    author: person(comment),
    dateCreated: parseDate(textOf(comment, 'created_at')),
  };
  yield* problems;
}

/** Texts with the pictures that belong to them: by their table, and by their place in the text, which is removed. */
class Writings {
  readonly #file: string;
  readonly #pictures: Backup['pictures'];
  readonly #attached: ReadonlyMap<string, readonly Row[]>;

  constructor(file: string, { attachments }: Tables, pictures: Backup['pictures']) {
    this.#file = file;
    this.#pictures = pictures;
    this.#attached = Map.groupBy(attachments, (row) =>
      row.comment_id == null ? `post ${keyOf(row, 'post_id')}` : `comment ${keyOf(row, 'comment_id')}`,
    );
  }

  read(raw: string, owner: string, line: number): { text: string; files: ImportedFile[]; problems: ImportItem[] } {
    const files: ImportedFile[] = [];
    const missing: string[] = [];
    for (const key of this.#keysOf(raw, owner)) {
      const entry = this.#pictures.get(`blobs/${key}`);
      const name = key.split('/').at(-1) || 'picture';
      if (entry) files.push({ name, open: () => readPicture(this.#file, entry) });
      else missing.push(name.slice(0, 100));
    }
    const problems =
      missing.length === 0 ? [] : [{ kind: 'problem', line, message: describeMissing(missing) } as const];
    return { text: raw.replace(PLACED, '').trim(), files, problems };
  }

  /** Where the pictures of a text are. @throws RangeError if there are too many */
  #keysOf(raw: string, owner: string): ReadonlySet<string> {
    const attached = this.#attached.get(owner) ?? [];
    const placed = [...raw.matchAll(PLACED)].map(([, key = '']) => key);
    if (attached.length + placed.length > MAX_PICTURES)
      throw new RangeError(`It has over ${MAX_PICTURES.toLocaleString('en')} pictures`);
    return new Set([...attached.map((row) => textOf(row, 'attachment_bkey')), ...placed]);
  }
}

function describeMissing(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  const named = names.slice(0, MAX_NAMED).join(', ');
  if (names.length === 1) return `The backup has no picture ${named}`;
  return `The backup has no pictures ${named}${more > 0 ? ` and ${more} others` : ''}`;
}

function* votesOf(vote: Row, line: number, person: FindPerson): Generator<ImportItem> {
  const voter = person(vote);
  const dateCreated = parseDate(textOf(vote, 'created_at'));
  if (voter) yield { kind: 'vote', line, postId: textOf(vote, 'post_id'), voter, dateCreated };
}

function personOfRow(user: Row | undefined): ImportedPerson | null {
  return user === undefined
    ? null
    : personOf({ id: textOf(user, 'id'), email: textOf(user, 'email'), name: textOf(user, 'name') });
}

/** The tags of posts. Many rows may be posts with the same id, so none has many tags. */
function readTags({ tags, post_tags }: Tables): (post: Row) => string[] {
  const byId = new Map(tags.map((tag) => [keyOf(tag, 'id'), tag]));
  const byPost = Map.groupBy(post_tags, (row) => keyOf(row, 'post_id'));
  return (post) => {
    const ofPost = byPost.get(keyOf(post, 'id')) ?? [];
    if (ofPost.length > MAX_TAGS) throw new RangeError(`It has over ${MAX_TAGS} tags`);
    const found = ofPost.map((row) => byId.get(keyOf(row, 'tag_id')));
    return found.flatMap((tag) => (tag === undefined ? [] : textOf(tag, 'name')));
  };
}

/** @throws RangeError if it is too long */
function textOf(row: Row, column: string): string {
  return bounded(keyOf(row, column));
}

/** A value as rows refer to it. */
function keyOf(row: Row, column: string): string {
  const value = row[column];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The official answer to an idea of Fider, which has one at most. */
export function* answersTo(
  postId: string,
  answer: Pick<ImportedComment, 'line' | 'text' | 'author' | 'dateCreated' | 'isReplaceable'>,
): Generator<ImportItem> {
  if (answer.text.trim() === '') return;
  yield { kind: 'comment', id: `response ${postId}`, postId, parentId: null, type: 'OFFICIAL', ...answer };
}
