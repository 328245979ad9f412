import { writtenTypes } from '#src/feedback/comments/comments.ts';
import { listCommentsOfEach } from '#src/feedback/comments/list.ts';
import { type Person, requirePerson } from '#src/feedback/people/people.ts';
import { excerptOf } from '#src/feedback/posts/excerpt.ts';
import { listPosts } from '#src/feedback/posts/list.ts';
import { findPosts } from '#src/feedback/posts/posts.ts';
import { listNewestVotes } from '#src/feedback/votes/list.ts';
import type { VoteType } from '#src/feedback/votes/votes.ts';
import { type Actor, isWithinRank, may } from '#src/identity/users/authority.ts';
import type { ActorContext } from '#src/identity/users/request-context.ts';
import type { UserRow } from '#src/identity/users/users.ts';
import { emptyPage, type Page, type PageArgs } from '#src/platform/lib/page.ts';
import { orErrorPage } from '../parts/requests/failure.ts';
import { postPath } from '../posts/posts.ts';

/** Whether a user can be erased here, and their data copied: one's own are in one's settings, which ask for a password. */
export function mayErase(actor: Actor, user: UserRow): boolean {
  return user.id !== actor.id && may(actor, 'user.erase') && isWithinRank(actor, user.role);
}

/** @throws an error page unless `mayErase` */
export async function requireErasable(context: ActorContext, id: string): Promise<UserRow> {
  const { user } = await orErrorPage(requirePerson(context, id));
  if (!mayErase(context.actor, user)) throw new Response(null, { status: 403 });
  return user;
}

/** Attributes of a user that a page has room for. */
const MAX_ATTRIBUTES = 5;

/** A user in the list of all, and on a page of their own. */
export function viewPerson({ user, activity }: Person) {
  const { id, name, email, role, standing } = user;
  return {
    id,
    name,
    email,
    role,
    standing,
    ...activity,
    isAgent: user.is_api_user === 1,
    attributes: attributesOf(user.attributes),
  };
}

/** What is known of a user, as names and values: the first few that are not nested. */
export function attributesOf(json: string | null): [string, string][] {
  const entries = Object.entries(json === null ? {} : (JSON.parse(json) as Record<string, unknown>));
  const plain = entries.filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value));
  return plain.slice(0, MAX_ATTRIBUTES).map(([name, value]) => [name, String(value).slice(0, 100)]);
}

/** The lists of what a user did, by their name in URLs. */
export const doings = ['ideas', 'votes', 'comments'] as const;
export type Doing = (typeof doings)[number];

/** Something that a user did, on an idea that the viewer may see. */
export type DoneView = {
  id: string;
  title: string;
  path: string;
  text: string | null;
  vote: VoteType | null;
  date: number;
};

/** A part of what a user did, the newest first. */
export async function readDoings(
  context: ActorContext,
  userId: string,
  doing: Doing,
  part: PageArgs,
): Promise<{ rows: DoneView[]; next: string | null }> {
  const { rows, page } = await readers[doing](context, userId, part);
  return { rows, next: page.hasMore ? page.cursor : null };
}

type Reader = (
  context: ActorContext,
  userId: string,
  part: PageArgs,
) => Promise<{ rows: DoneView[]; page: Page<unknown> }>;

const readers: Record<Doing, Reader> = {
  async ideas({ db, board, actor }, authorId, part) {
    const query = { ...part, viewer: actor, order: 'NEWEST' as const, filter: { authorId } };
    const page = await listPosts(db.read, board.id, query);
    const rows = page.nodes.map((post) => {
      return { id: post.id, title: post.title, path: postPath(post), text: null, vote: null, date: post.date_created };
    });
    return { rows, page };
  },
  async votes(context, userId, part) {
    const page = await listNewestVotes(context, userId, part);
    const rows = await withPosts(context, page.nodes, ({ id, type, date_created }) => {
      return { id, text: null, vote: type, date: date_created, hash: '' };
    });
    return { rows, page };
  },
  async comments(context, userId, part) {
    const query = { ...part, order: 'NEWEST' as const, types: writtenTypes, columns: null };
    const page = (await listCommentsOfEach(context, 'user_id', [userId], query)).get(userId) ?? emptyPage;
    const rows = await withPosts(context, page.nodes, ({ id, text, date_created }) => {
      return { id, text: excerptOf(text), vote: null, date: date_created, hash: `#comment-${id}` };
    });
    return { rows, page };
  },
};

/** Rows about posts, with the title and the path of theirs. */
async function withPosts<Row extends { post_id: string }>(
  { db, board, actor }: ActorContext,
  rows: readonly Row[],
  view: (row: Row) => Omit<DoneView, 'title' | 'path'> & { hash: string },
): Promise<DoneView[]> {
  const ids = [...new Set(rows.map(({ post_id }) => post_id))];
  const posts = new Map((await findPosts(db.read, board.id, ids, actor)).map((post) => [post.id, post]));
  return rows.flatMap((row) => {
    const post = posts.get(row.post_id);
    if (!post) return [];
    const { hash, ...rest } = view(row);
    return { ...rest, title: post.title, path: `${postPath(post)}${hash}` };
  });
}
