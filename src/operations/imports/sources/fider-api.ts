import { printable } from '../../../platform/texts/text.ts';
import { parseDate } from '../dates.ts';
import { ImportError, type ImportedFile, type ImportedPerson, type ImportItem } from '../items.ts';
import type { Look } from '../memory.ts';
import type { Remote } from '../remote.ts';
import { personOf } from '../values.ts';
import { caught } from './bounds.ts';
import { answersTo, PLACED } from './fider-backup.ts';
import { itemListOf, listOf, type Row, requireList, rowOf, textOf } from './rows.ts';

const MAX_USER_PAGES = 10_000;

/** What is read of Fider: a board, with the key of someone on its team or none. */
type FiderSource = { remote: Remote; url: string; apiKey: string };

/**
 * A board of Fider by its API (docs.fider.io/api, and app/handlers/apiv1 of its source): ideas, answers, comments, voters,
 * tags and merges. It has no list of changes: each look reads all ideas, and the comments and voters of those that have
 * more or fewer than before.
 */
export async function* readFiderApi(source: FiderSource, { memory }: Look): AsyncGenerator<ImportItem> {
  const fider = new Fider(source);
  const posts = await fider.posts();
  const ids = new Map(posts.map((post) => [post.number, idOf(post)]));
  for (const [n, post] of posts.entries()) {
    const [line, id] = [n + 1, idOf(post)];
    const { title, description, status, response, tags } = post;
    if (memory.isNew(`post ${id}`, [title, description, status, response, tags])) {
      await fider.readPeople();
      yield* caught(line, () => fider.itemsOf(post, ids, line));
    }
    const hasComments = memory.isNew(`comments ${id}`, post.commentsCount) && post.commentsCount !== 0;
    if (hasComments) yield* fider.commentsOn(post, line);
    const hasVotes = memory.isNew(`votes ${id}`, post.votesCount) && post.votesCount !== 0;
    if (hasVotes) yield* fider.votesOn(post, line);
  }
}

class Fider {
  readonly #source: FiderSource;
  readonly #base: string;
  /** Addresses by the ids of users, which only the team may read. */
  readonly #emails = new Map<unknown, string>();
  /** Names of tags by what the list of ideas calls them. */
  readonly #tags = new Map<unknown, string>();
  #hasPeople = false;

  constructor(source: FiderSource) {
    this.#source = source;
    this.#base = source.url.replace(/\/+$/, '').replace(/\/api\/v1(\/posts)?$/, '');
  }

  /** All ideas, oldest first. Those that were merged are in a list of their own. */
  async posts(): Promise<Row[]> {
    const lists = ['view=all&limit=all', 'view=recent&statuses=duplicate&limit=all'];
    const posts = new Map<string, Row>();
    for (const list of lists)
      for (const post of requireList(await this.#get(`posts?${list}`), 'posts').map(rowOf))
        if (isApproved(post)) posts.set(idOf(post), post);
    return [...posts.values()].sort((a, b) => Number(a.id) - Number(b.id));
  }

  /** Reads who the users are and what the tags are called, if that has not been done. */
  async readPeople(): Promise<void> {
    if (this.#hasPeople) return;
    this.#hasPeople = true;
    for (const tag of listOf(await this.#get('tags')).map(rowOf)) this.#tags.set(tag.slug, textOf(tag.name));
    if (this.#source.apiKey === '') return;
    for (let page = 1; page <= MAX_USER_PAGES; page++) {
      const answer = await this.#get(`users?limit=100&page=${page}`);
      // Versions before pages list all of them.
      const users = listOf(Array.isArray(answer) ? answer : rowOf(answer).users).map(rowOf);
      for (const user of users) this.#emails.set(user.id, textOf(user.email));
      if (!(Number(rowOf(answer).totalPages) > page)) return;
    }
  }

  *itemsOf(post: Row, ids: ReadonlyMap<unknown, string>, line: number): Generator<ImportItem> {
    const id = idOf(post);
    const isMerged = post.status === 'duplicate';
    yield {
      kind: 'post',
      line,
      id,
      title: textOf(post.title),
      ...this.#written(post.description),
      author: this.#personIn(post.user),
      dateCreated: parseDate(textOf(post.createdAt)),
      status: isMerged ? null : textOf(post.status) || null,
      tags: itemListOf(post.tags).map((tag) => this.#tags.get(tag) ?? textOf(tag)),
    };
    const { text, respondedAt, user, original } = rowOf(post.response);
    yield* answersTo(id, {
      line,
      text: textOf(text),
      author: this.#personIn(user),
      dateCreated: parseDate(textOf(respondedAt)),
      isReplaceable: true,
    });
    const targetId = ids.get(rowOf(original).number);
    if (isMerged && targetId !== undefined) yield { kind: 'merge', line, postId: id, targetId };
  }

  /** The comments on an idea, oldest first. */
  async *commentsOn(post: Row, line: number): AsyncGenerator<ImportItem> {
    await this.readPeople();
    const comments = requireList(await this.#get(`posts/${numberOf(post)}/comments`), 'comments').map(rowOf);
    for (const comment of comments.filter(isApproved).toReversed()) {
      yield* caught(line, () => {
        const { text, files } = this.#written(comment.content, comment.attachments);
        const about = { kind: 'comment' as const, line, id: String(comment.id), postId: idOf(post), parentId: null };
        const written = { author: this.#personIn(comment.user), dateCreated: parseDate(textOf(comment.createdAt)) };
        return [
          {
            ...about,
            ...written,
            type: 'BASIC' as const,
            files,
            text: text ?? files.map(({ name }) => name).join('\n'),
          },
        ];
      });
    }
  }

  async *votesOn(post: Row, line: number): AsyncGenerator<ImportItem> {
    await this.readPeople();
    for (const vote of requireList(await this.#get(`posts/${numberOf(post)}/votes`), 'votes').map(rowOf)) {
      const voter = this.#personIn(vote.user);
      const dateCreated = parseDate(textOf(vote.createdAt));
      if (voter) yield { kind: 'vote', line, postId: idOf(post), voter, dateCreated };
    }
  }

  #personIn(value: unknown): ImportedPerson | null {
    const { id, name, email } = rowOf(value);
    const address = textOf(email) || this.#emails.get(id) || '';
    return personOf({ id: id == null ? '' : String(id), name: textOf(name), email: address });
  }

  /** A text, and the pictures that stand in it or are attached to it. */
  #written(raw: unknown, attached: unknown = []): { text: string | null; files: ImportedFile[] } {
    const text = textOf(raw);
    const placed = [...text.matchAll(PLACED)].map(([, key = '']) => key);
    const keys = new Set([...itemListOf(attached).map(textOf), ...placed]);
    const files = [...keys].map((key) => ({
      name: key.split('/').at(-1) || 'picture',
      open: () => this.#source.remote.get(`${this.#base}/static/images/${key}`),
    }));
    return { text: text.replace(PLACED, '').trim() || null, files };
  }

  async #get(path: string): Promise<unknown> {
    const { remote, apiKey } = this.#source;
    const key = apiKey !== '' && { Authorization: `Bearer ${apiKey}` };
    const { status, body } = await remote.getJson(`${this.#base}/api/v1/${path}`, { ...key });
    if (status === 200) return body;
    // Only the team may list users; and an idea may have been deleted since it was listed.
    if ((status === 403 && path.startsWith('users')) || (status === 404 && path.startsWith('posts/'))) return [];
    const words = printable(textOf(rowOf(listOf(rowOf(body).errors)[0]).message) || `status ${status}`, 300);
    throw new ImportError(
      `Fider refused ${path.split('?')[0]}: ${words}. Check the address, such as https://feedback.example.com, and FIDER_API_KEY, the key of someone on the team`,
    );
  }
}

/** The team sees what waits for its approval, too; it comes once it is approved. */
const isApproved = (row: Row): boolean => row.isApproved !== false;

function idOf({ id }: Row): string {
  return id == null ? '' : String(id);
}

function numberOf({ number }: Row): number {
  return Number(number) || 0;
}
