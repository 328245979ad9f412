import { sql } from 'kysely';
import type { ServiceContext, ViewerContext } from '../../identity/users/request-context.ts';
import type { UserRow } from '../../identity/users/users.ts';
import { pipelined, type Reader, type Tx } from '../../platform/db/db.ts';
import { isOneOf } from '../../platform/db/prepare.ts';
import { MAX_MENTIONS, mentionedIn, verifyMentions, writeMention } from '../../platform/texts/mentions.ts';
import { requireText, type TextRule } from '../../platform/texts/text.ts';
import { type NewNotice, recordNotice } from '../notices/notices.ts';
import type { PostRow } from '../posts/posts.ts';
import { isVisibleComment } from '../visibility/comments.ts';
import { viewerFilterOf } from '../visibility/posts.ts';
import { writtenTypes } from './comments.ts';

/** The newest comments of a post whose authors can be mentioned, and the number of members of the team. */
const COMMENTS = 1_000;
const TEAM = 200;
/** Signs in a text that are looked at: each may begin a mention. */
const MAX_SIGNS = 100;

/** A user who can be mentioned. */
export type Mentionable = Pick<UserRow, 'id' | 'role' | 'image'> & { name: string };

/**
 * The users whom the viewer can mention: the team, and who takes part in the discussion of the post, if there is one
 * yet. All others stay unknown.
 * @param also users whom the text mentions already
 */
export async function listMentionable(
  reader: Reader,
  { board, actor }: ViewerContext,
  post: Pick<PostRow, 'id' | 'author_id'> | null,
  also: readonly string[] = [],
): Promise<Mentionable[]> {
  const authors = post ? await readAuthors(reader, { board, actor }, post) : [];
  const people = reader
    .selectFrom('users')
    .select(['id', 'name', 'role', 'image'])
    .where('board_id', '=', board.id)
    .where('is_api_user', '=', 0)
    .where('name', 'is not', null);
  const [team, others] = await pipelined([
    people.where('role', '<>', 'MEMBER').orderBy('id').limit(TEAM).execute(),
    people
      .where('role', '=', 'MEMBER')
      .where(isOneOf(reader, 'id', [...new Set([...authors, ...also])]))
      .execute(),
  ]);
  return [...others, ...team].flatMap(({ name, ...user }) => (name === null ? [] : [{ ...user, name }]));
}

/** Who wrote the post and its newest comments, as far as the viewer may see them. */
async function readAuthors(
  reader: Reader,
  { board, actor }: Pick<ViewerContext, 'board' | 'actor'>,
  post: Pick<PostRow, 'id' | 'author_id'>,
): Promise<string[]> {
  const newest = reader
    .selectFrom('comments')
    .select('user_id')
    .where('board_id', '=', board.id)
    .where('post_id', '=', post.id)
    .where(isVisibleComment(viewerFilterOf(actor, board.id)))
    .where('type', 'in', writtenTypes)
    .orderBy('date_created', 'desc')
    .orderBy('id', 'desc')
    .limit(sql.lit(COMMENTS));
  const rows = await reader.selectFrom(newest.as('newest')).select('user_id').distinct().execute();
  return [post.author_id, ...rows.map(({ user_id }) => user_id)].filter((id) => id !== null);
}

/**
 * A text in which mentions name their user by id: `@Name` becomes `[@Name](user:ID)` where one user who can be mentioned
 * has that name. What names no one is text, and so is what stands in code.
 * @param before the text that it replaces, which may mention others
 * @throws BAD_REQUEST if it becomes too long
 */
export async function linkMentions(
  reader: Reader,
  context: ViewerContext,
  { post, text, rule, before = '' }: { post: PostRow | null; text: string; rule: TextRule; before?: string },
): Promise<string> {
  if (!text.includes('@')) return text;
  const already = mentionedIn(before);
  const people = await listMentionable(reader, context, post, already);
  return requireText(makeLinker(people, already)(text), rule);
}

/** A text of a post: its description (null) or a comment. */
type Mentioning = Omit<NewNotice, 'kind' | 'details' | 'id'> & {
  commentId: string | null;
  text: string;
  /** The text that it replaces, whose mentions were notified of before. */
  before?: string;
};

/** Records that users must be notified that a text mentions them. @returns their ids */
export async function notifyOfMentions(
  tx: Tx,
  context: ServiceContext,
  { text, before = '', ...about }: Mentioning,
): Promise<string[]> {
  const known = mentionedIn(before);
  const mentioned = mentionedIn(text).filter((id) => !known.includes(id));
  if (mentioned.length > 0) await recordNotice(tx, context, { ...about, kind: 'MENTION', details: { mentioned } });
  return mentioned;
}

/** Blocks and spans of code, in which nothing is a mention. */
const CODE = /(```.*?(?:```|$)|`[^`\n]*`)/s;
/** An @ that begins a word. */
const SIGN = /(?<![\p{L}\p{N}_@./+\-[\\])@(?=\S)/gu;

function makeLinker(people: readonly Mentionable[], already: readonly string[]): (text: string) => string {
  const ids = new Set(people.map(({ id }) => id));
  const named = Map.groupBy(people, ({ name }) => name.toLowerCase());
  const lengths = [...new Set(people.map(({ name }) => name.length))].sort((a, b) => b - a);

  /** The user whose name begins there: the only one of that name, or the one whom the text mentioned before. */
  function findAt(text: string, start: number): Mentionable | undefined {
    for (const length of lengths) {
      const found = named.get(text.slice(start, start + length).toLowerCase());
      if (!found || /^[\p{L}\p{N}_]/u.test(text.slice(start + length))) continue;
      return found.length === 1 ? found[0] : found.find(({ id }) => already.includes(id));
    }
    return undefined;
  }

  let left = MAX_MENTIONS;
  let signs = 0;

  function linkPart(part: string): string {
    let linked = '';
    let done = 0;
    for (const { index } of part.matchAll(SIGN)) {
      if (left <= 0 || signs++ >= MAX_SIGNS) break;
      const user = index < done ? undefined : findAt(part, index + 1);
      if (!user) continue;
      linked += part.slice(done, index) + writeMention(user);
      done = index + 1 + user.name.length;
      left--;
    }
    return linked + part.slice(done);
  }

  return (text) => {
    const verified = verifyMentions(text, (id) => ids.has(id));
    left -= mentionedIn(verified).length;
    const parts = verified.split(CODE);
    return parts.map((part, n) => (n % 2 === 1 ? part : linkPart(part))).join('');
  };
}
