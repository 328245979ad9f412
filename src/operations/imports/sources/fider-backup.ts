import type { ImportedFile, ImportedPerson, ImportItem } from '../items.ts';
import { parseDate, personOf } from '../values.ts';
import { type Backup, readBackup, readPicture, type Tables } from './fider-zip.ts';
import { caught } from './problems.ts';
import type { Row } from './rows.ts';

/** Newer versions write the place of a picture into the text. */
const PLACED = /!\[[^\]\n]{0,200}\]\(fider-image:([\w/.-]{1,512})\)/g;
/** The statuses of Fider by their number; a duplicate is merged, and deleted posts are left out. */
const STATUSES = ['open', 'started', 'completed', 'declined', 'planned', null];
const DELETED = 6;

/** The `backup.zip` of Fider: ideas, answers, comments, voters, tags, merges and pictures. */
export async function* readFiderBackup(file: string): AsyncGenerator<ImportItem> {
  const { tables, pictures } = await readBackup(file);
  const written = new Writings(file, tables, pictures);
  const people = new Map(tables.users.map((user) => [textOf(user, 'id'), personOfRow(user)]));
  const person = (row: Row, column = 'user_id') => people.get(textOf(row, column)) ?? null;
  const posts = tables.posts.filter((post) => Number(post.status) !== DELETED);
  const tags = tagsOfPosts(tables);
  for (const [n, post] of posts.entries()) {
    yield* caught(n + 1, () => itemsOf(post, n + 1, person, tags.get(textOf(post, 'id')) ?? [], written));
  }
  for (const [n, comment] of tables.comments.entries()) {
    yield* caught(n + 1, () => (comment.deleted_at == null ? commentOf(comment, n + 1, person, written) : []));
  }
  for (const [n, vote] of tables.post_votes.entries()) yield* caught(n + 1, () => votesOf(vote, n + 1, person));
}

type FindPerson = (row: Row, column?: string) => ImportedPerson | null;

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
    ...{ kind: 'post', line, id, title: textOf(post, 'title'), tags, files },
    text: description || null,
    author: person(post),
    dateCreated: parseDate(textOf(post, 'created_at')),
    status: STATUSES[Number(post.status)] ?? null,
  };
  yield* problems;
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

function* commentOf(comment: Row, line: number, person: FindPerson, written: Writings): Generator<ImportItem> {
  const id = textOf(comment, 'id');
  const { text, files, problems } = written.read(textOf(comment, 'content'), `comment ${id}`, line);
  yield {
    ...{ kind: 'comment', line, id, postId: textOf(comment, 'post_id'), parentId: null, type: 'BASIC', files },
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
      row.comment_id == null ? `post ${textOf(row, 'post_id')}` : `comment ${textOf(row, 'comment_id')}`,
    );
  }

  read(raw: string, owner: string, line: number): { text: string; files: ImportedFile[]; problems: ImportItem[] } {
    const attached = this.#attached.get(owner)?.map((row) => textOf(row, 'attachment_bkey')) ?? [];
    const keys = new Set([...attached, ...[...raw.matchAll(PLACED)].map(([, key = '']) => key)]);
    const files: ImportedFile[] = [];
    const problems: ImportItem[] = [];
    for (const key of keys) {
      const entry = this.#pictures.get(`blobs/${key}`);
      const name = key.split('/').at(-1) || 'picture';
      if (entry) files.push({ name, open: () => readPicture(this.#file, entry) });
      else problems.push({ kind: 'problem', line, message: `The backup has no picture ${name.slice(0, 100)}` });
    }
    return { text: raw.replace(PLACED, '').trim(), files, problems };
  }
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
