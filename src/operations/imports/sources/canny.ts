import { printable } from '../../../platform/texts/text.ts';
import { parseDate } from '../dates.ts';
import { ImportError, type ImportedFile, type ImportedPerson, type ImportItem } from '../items.ts';
import type { Look } from '../memory.ts';
import { type Remote, readPages } from '../remote.ts';
import { personOf } from '../values.ts';
import { caught } from './bounds.ts';
import { itemListOf, listOf, type Row, requireList, rowOf, textOf } from './rows.ts';

const PAGE = 100;
/** Comments on one idea, which are put in order before they are imported. */
const MAX_COMMENTS = 20_000;
const MAX_NAMED = 50;
/** The statuses that every board of Canny has. Its list of ideas leaves out those in all but the first four unless asked. */
const STATUSES = ['open', 'under review', 'planned', 'in progress', 'complete', 'closed'];
/** Further statuses that are asked for. */
const MAX_STATUSES = 200;
const KNOWN_STATUSES = 'statuses';

/** What is read of Canny: its API, by a key, and the name or id of one board. */
type CannySource = { remote: Remote; url: string; apiKey: string; board: string | undefined };

/** A list of the API: the path, and the name that version 1 has for its items. */
type List = { path: string; items: string };

/**
 * A board of Canny, by its API (developers.canny.io/api-reference): ideas, comments, voters, tags and categories, messages
 * on changes of status as official answers, merges, pictures.
 */
export async function* readCanny(source: CannySource, { memory, isWhole }: Look): AsyncGenerator<ImportItem> {
  const canny = new Canny(source);
  const boardID = await canny.chooseBoard(source.board);
  const isFirst = memory.isEmpty;
  const known = memory.get(KNOWN_STATUSES);
  const status = isWhole || known === undefined ? await canny.statusesOf(boardID) : known;
  memory.set(KNOWN_STATUSES, status);
  let [line, areAnswersNew] = [0, isFirst];
  const voted: string[] = [];
  const ideas = canny.list({ path: 'v1/posts/list', items: 'posts' }, { boardID, sort: 'oldest', status });
  for await (const post of ideas) {
    line++;
    const id = textOf(post.id);
    const { title, details, mergeHistory, commentCount, score, statusChangedAt } = post;
    if (memory.isNew(`post ${id}`, [title, details, post.status, mergeHistory]))
      yield* caught(line, () => canny.itemsOf(post, line));
    if (memory.isNew(`status ${id}`, statusChangedAt)) areAnswersNew = true;
    if (memory.isNew(`votes ${id}`, score)) voted.push(id);
    if (!memory.isNew(`comments ${id}`, commentCount) || commentCount === 0) continue;
    for (const comment of await canny.commentsOn(id)) yield* caught(line, () => [canny.commentOf(comment, id, line)]);
  }
  if (areAnswersNew) yield* canny.itemsIn('v2/status_changes/list', 'statusChanges', { boardID }, answersOf);
  // All at once, or those of the ideas that have more or fewer than before.
  const lists = isFirst ? [{ boardID }] : voted.map((postID) => ({ postID }));
  for (const filter of lists) yield* canny.itemsIn('v2/votes/list', 'votes', filter, votesOf);
}

/** The API of Canny: each request has the key in its body. */
class Canny {
  readonly #source: CannySource;
  /** The address up to the version. */
  readonly #base: string;

  constructor(source: CannySource) {
    this.#source = source;
    this.#base = source.url.replace(/\/+$/, '').replace(/\/v\d$/, '');
  }

  async chooseBoard(wanted: string | undefined): Promise<string> {
    const boards = listOf((await this.#call('v1/boards/list', {})).boards).map(rowOf);
    const isWanted = ({ id, name }: Row) => id === wanted || textOf(name).toLowerCase() === wanted?.toLowerCase();
    const found = wanted === undefined && boards.length === 1 ? boards[0] : boards.find(isWanted);
    if (found) return textOf(found.id);
    const names = boards.slice(0, MAX_NAMED).map(({ name }) => printable(textOf(name)));
    throw new ImportError(
      `${wanted === undefined ? 'Name the board of Canny' : `Canny has no board “${wanted}”: name one`} with --from-board; there are: ${names.join(', ') || 'none'}`,
    );
  }

  /** Names of all statuses that ideas of a board have or had, for the list of ideas. */
  async statusesOf(boardID: string): Promise<string> {
    const names = new Set(STATUSES);
    for await (const change of this.list({ path: 'v2/status_changes/list', items: 'statusChanges' }, { boardID })) {
      const name = textOf(change.status).trim();
      if (name !== '' && names.size < MAX_STATUSES) names.add(name);
    }
    return [...names].join(',');
  }

  /** A list of version 1 continues after a number of items, one of version 2 at a cursor. */
  async *list({ path, items }: List, filter: object): AsyncGenerator<Row> {
    let skip = 0;
    const rows = readPages<string | number>(async (place) => {
      const at = typeof place === 'string' ? { cursor: place } : place !== null && { skip: place };
      const answer = await this.#call(path, { ...filter, limit: PAGE, ...at });
      const found = requireList(answer.items ?? answer[items], path);
      skip += found.length;
      const hasMore = answer.hasNextPage === true || answer.hasMore === true;
      return { items: found, next: hasMore ? textOf(answer.cursor) || skip : null };
    });
    for await (const row of rows) yield rowOf(row);
  }

  /** The items in the rows of a list. */
  async *itemsIn(
    path: string,
    items: string,
    filter: object,
    read: (row: Row, line: number) => ImportItem[],
  ): AsyncGenerator<ImportItem> {
    let line = 0;
    for await (const row of this.list({ path, items }, filter)) {
      line++;
      yield* caught(line, () => read(row, line));
    }
  }

  /** The comments on an idea, oldest first, so that replies follow what they reply to. */
  async commentsOn(postID: string): Promise<Row[]> {
    const comments: Row[] = [];
    for await (const comment of this.list({ path: 'v2/comments/list', items: 'comments' }, { postID })) {
      comments.push(comment);
      if (comments.length > MAX_COMMENTS)
        throw new ImportError(`The idea ${printable(postID)} has over ${MAX_COMMENTS.toLocaleString('en')} comments`);
    }
    return comments.sort((a, b) => (textOf(a.created) < textOf(b.created) ? -1 : 1));
  }

  *itemsOf(post: Row, line: number): Generator<ImportItem> {
    const id = textOf(post.id);
    const names = [...itemListOf(post.tags), post.category].map((tag) => textOf(rowOf(tag).name));
    yield {
      kind: 'post',
      line,
      id,
      title: textOf(post.title),
      text: textOf(post.details) || null,
      author: personIn(post.author),
      dateCreated: parseDate(textOf(post.created)),
      status: textOf(post.status) || null,
      tags: [...new Set(names.filter((name) => name !== ''))],
      files: this.#filesIn(post.imageURLs),
    };
    for (const merged of listOf(post.mergeHistory).map((entry) => rowOf(rowOf(entry).post))) {
      // What was merged is no longer in the list of ideas; here it may have no more than its id.
      if (textOf(merged.title) !== '') yield* this.itemsOf({ ...merged, mergeHistory: [] }, line);
      yield { kind: 'merge', line, postId: textOf(merged.id), targetId: id };
    }
  }

  /** Comments for the team, and those of boards that show comments to their authors only, are internal. */
  commentOf(comment: Row, postId: string, line: number): ImportItem {
    const files = this.#filesIn(comment.imageURLs);
    return {
      kind: 'comment',
      line,
      id: textOf(comment.id),
      postId,
      parentId: textOf(comment.parentID) || null,
      files,
      type: comment.internal === true || comment.private === true ? 'INTERNAL' : 'BASIC',
      text: textOf(comment.value) || files.map(({ name }) => name).join('\n'),
      author: personIn(comment.author),
      dateCreated: parseDate(textOf(comment.created)),
    };
  }

  #filesIn(urls: unknown): ImportedFile[] {
    return itemListOf(urls)
      .map(textOf)
      .map((url) => ({ name: fileNameOf(url), open: () => this.#source.remote.get(url) }));
  }

  async #call(path: string, body: object): Promise<Row> {
    const { remote, apiKey } = this.#source;
    const answer = await remote.post(`${this.#base}/${path}`, { ...body, apiKey });
    const { error, ...found } = rowOf(answer.body);
    if (error === undefined && answer.status < 400) return found;
    const words = printable(textOf(error) || `status ${answer.status}`, 300);
    const isOfKey = answer.status === 401 || answer.status === 403 || /api ?key/i.test(words);
    throw new ImportError(`Canny refused ${path}: ${words}${isOfKey ? '. Check CANNY_API_KEY' : ''}`);
  }
}

/** Messages that the team wrote when it changed the status. */
function answersOf(change: Row, line: number): ImportItem[] {
  const text = textOf(rowOf(change.changeComment).value);
  if (text.trim() === '') return [];
  const id = `status ${textOf(change.id)}`;
  const postId = textOf(rowOf(change.post).id);
  const written = { author: personIn(change.changer), dateCreated: parseDate(textOf(change.created)) };
  return [{ kind: 'comment', line, id, postId, parentId: null, type: 'OFFICIAL', text, ...written }];
}

function votesOf(vote: Row, line: number): ImportItem[] {
  const voter = personIn(vote.voter);
  const postId = textOf(rowOf(vote.post).id);
  return voter ? [{ kind: 'vote', line, postId, voter, dateCreated: parseDate(textOf(vote.created)) }] : [];
}

/** A person keeps the id by which the customer's product knows them. */
function personIn(value: unknown): ImportedPerson | null {
  const { id, userID, email, name } = rowOf(value);
  const identity = textOf(userID) === '' ? { id: textOf(id) } : { ssoType: 'SSO', id: textOf(userID) };
  return personOf({ ...identity, email: textOf(email), name: textOf(name) });
}

function fileNameOf(url: string): string {
  return URL.parse(url)?.pathname.split('/').at(-1) || 'picture';
}
