import { hotScore } from '../src/feedback/posts/posts.ts';
import type { StatusRow } from '../src/feedback/statuses/statuses.ts';
import { DAY_MS, MINUTE_MS } from '../src/platform/lib/clock.ts';
import { foldText } from '../src/platform/texts/fold.ts';
import type { Insertion, Value } from './bulk.ts';
import { makePhrase } from './phrases.ts';

/** How much there is in a store. With `phrases` posts say what `phrases.ts` makes, and search finds them. */
export type Size = { posts: number; commentsPerPost: number; phrases?: true };

/** Where the time of the newest post lies; fixed, so that every run has the same data. */
const NEWEST = Date.parse('2026-11-01T00:00:00.000Z');
const PEOPLE = 200;

const WORDS =
  'export import dark mode calendar filter search slow mobile invoice webhook roles keyboard crash sync'.split(' ');

/** The rows of a board. Votes are counted on the posts, many of which have as many as others, but not stored singly. */
export function makeRows(boardId: string, statuses: readonly StatusRow[], size: Size): Insertion[] {
  const posts = Array.from({ length: size.posts }, (_, n) => n);
  const counts = Map.groupBy(posts, (n) => statusOf(statuses, n).id);
  return [
    { table: 'users', types: USER_TYPES, rows: Array.from({ length: PEOPLE }, (_, n) => userRow(boardId, n)) },
    { table: 'posts', types: POST_TYPES, rows: posts.values().map((n) => postRow(boardId, statuses, size, n)) },
    { table: 'comments', types: COMMENT_TYPES, rows: commentRows(boardId, size) },
    ...(size.phrases ? searchRows(boardId, size) : []),
    { statement: `update boards set post_number = ${size.posts}, post_count = ${size.posts} where id = '${boardId}'` },
    ...counts
      .entries()
      .map(([id, of]) => ({ statement: `update statuses set post_count = ${of.length} where id = '${id}'` })),
  ];
}

/** The id of the nth post, from 0. */
export function postId(size: Pick<Size, 'posts'>, n: number): string {
  return makeId(POST, n, dateOf(size, n));
}

const USER_TYPES = {
  board_id: 'text',
  id: 'text',
  sso_type: 'text',
  sso_id: 'text',
  name: 'text',
  role: 'text',
  date_created: 'bigint',
  date_updated: 'bigint',
} as const;

function userRow(boardId: string, n: number): Value[] {
  return [boardId, userId(n), 'SSO', `person-${n}`, `Person ${n}`, 'MEMBER', NEWEST, NEWEST];
}

const POST_TYPES = {
  board_id: 'text',
  id: 'text',
  number: 'bigint',
  title: 'text',
  excerpt: 'text',
  author_id: 'text',
  status_id: 'text',
  upvotes: 'bigint',
  comment_count: 'bigint',
  hot: 'double precision',
  date_created: 'bigint',
  date_updated: 'bigint',
  date_completed: 'bigint',
} as const;

function postRow(boardId: string, statuses: readonly StatusRow[], size: Size, n: number): Value[] {
  const date = dateOf(size, n);
  const upvotes = Math.floor(500 * scatter(n) ** 6);
  const status = statusOf(statuses, n);
  return [
    boardId,
    postId(size, n),
    n + 1,
    size.phrases ? makePhrase(n).title : makeText(n, 6),
    size.phrases ? makePhrase(n).text : size.commentsPerPost > 0 ? makeText(n, 24) : null,
    userId(n % PEOPLE),
    status.id,
    upvotes,
    Math.max(0, size.commentsPerPost - 1),
    hotScore(upvotes, 0, date),
    date,
    date,
    status.type === 'COMPLETED' ? date + DAY_MS : 0,
  ];
}

const COMMENT_TYPES = {
  board_id: 'text',
  id: 'text',
  post_id: 'text',
  user_id: 'text',
  type: 'text',
  text: 'text',
  is_first: 'bigint',
  date_created: 'bigint',
} as const;

/** The comments of every post; the first of each is its description. */
function* commentRows(boardId: string, size: Size): Generator<Value[]> {
  if (size.phrases) {
    for (let n = 0; n < size.posts; n++) {
      const date = dateOf(size, n);
      const { text } = makePhrase(n);
      if (text === null) continue;
      yield [boardId, makeId(COMMENT, n, date), postId(size, n), userId(n % PEOPLE), 'BASIC', text, 1, date];
    }
    return;
  }
  for (let n = 0; n < size.posts * size.commentsPerPost; n++) {
    const post = Math.floor(n / size.commentsPerPost);
    const nth = n % size.commentsPerPost;
    const date = dateOf(size, post) + nth * 1_000;
    const person = userId((post + nth) % PEOPLE);
    const text = nth === 0 ? makeText(post, 24) : makeText(n, 18);
    yield [boardId, makeId(COMMENT, n, date), postId(size, post), person, 'BASIC', text, nth === 0 ? 1 : 0, date];
  }
}

/** What `indexPost` writes for each post; the segments of the index are made from it. */
function searchRows(boardId: string, size: Size): Insertion[] {
  function* texts(): Generator<Value[]> {
    for (let n = 0; n < size.posts; n++) {
      const { title, text } = makePhrase(n);
      yield [boardId, postId(size, n), ` ${foldText(title)} `, ` ${foldText(text ?? '')} `];
    }
  }
  const types = { board_id: 'text', post_id: 'text', title: 'text', text: 'text' };
  return [
    { table: 'post_search', types, rows: texts() },
    { statement: 'insert into search_pending (board_id, search_id) select board_id, id from post_search order by id' },
  ];
}

function dateOf({ posts }: Pick<Size, 'posts'>, n: number): number {
  return NEWEST - (posts - n) * MINUTE_MS;
}

function statusOf(statuses: readonly StatusRow[], n: number): StatusRow {
  const status = statuses[n % statuses.length];
  if (!status) throw new Error('The board has no statuses');
  return status;
}

function makeText(n: number, words: number): string {
  return `${n}: ${Array.from({ length: words }, (_, k) => WORDS[(n * 7 + k * (n % 11)) % WORDS.length]).join(' ')}`;
}

/** A number from 0 to 1 that looks random and is the same on every run. */
function scatter(n: number): number {
  return (Math.imul(n + 1, 2_654_435_761) >>> 0) / 2 ** 32;
}

const [USER, POST, COMMENT] = [1, 2, 3];

function userId(n: number): string {
  return makeId(USER, n, NEWEST);
}

/** A UUIDv7 of that time, the same on every run. */
function makeId(kind: number, n: number, date: number): string {
  const time = date.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${String(kind).padStart(3, '0')}-8000-${n.toString(16).padStart(12, '0')}`;
}
