import { hasApproved } from '../../feedback/approval/approval.ts';
import { COMMENT_TEXT } from '../../feedback/comments/comments.ts';
import { createComment } from '../../feedback/comments/writing.ts';
import { findPosts, type PostRow } from '../../feedback/posts/posts.ts';
import { findReaders } from '../../identity/access/readers.ts';
import { beginOperation } from '../../identity/activity/activity.ts';
import { isBlocked, may, operator } from '../../identity/users/authority.ts';
import { BY_CHAT } from '../../identity/users/entry.ts';
import type { ActorContext, RequestContext } from '../../identity/users/request-context.ts';
import type { Reader } from '../../platform/db/db.ts';
import { AppError } from '../../platform/errors.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { deriveId } from '../../platform/lib/ids.ts';
import { countAttempt } from '../../platform/limits/throttle.ts';
import { cutText, storableText } from '../../platform/texts/text.ts';
import { findAuthor } from './connecting.ts';
import { type ChatReply, identityOf } from './forms.ts';
import { chatNames, type ThreadMode } from './settings.ts';

type ChatThreadTable = {
  board_id: string;
  /** Of the message that an idea or a vote was made from, see `ChatRequest`. */
  thread: string;
  post_id: string;
  date_created: number;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    chat_threads: ChatThreadTable;
  }
}

/** People who are mentioned become links, which are longer than their names: at most ten. */
const ROOM_FOR_LINKS = 3_000;

/** What became of a reply in a chat. */
export type Heard = 'comment' | 'ignored' | 'refused';

/**
 * Links the thread of a message with a post. The team does so in place of the one that it was linked with; by members it stays,
 * or they could make what the team writes about one post public on another one.
 */
export async function linkThread(context: ActorContext, thread: string, postId: string): Promise<void> {
  const { db, board, clock, actor } = context;
  const set = { post_id: postId, date_created: clock.now() };
  await db.transaction(async (tx) => {
    const query = tx.insertInto('chat_threads').values({ board_id: board.id, thread, ...set });
    const isOfTeam = may(actor, 'post.see.team');
    await query
      .onConflict((c) => {
        const known = c.columns(['board_id', 'thread']);
        return isOfTeam ? known.doUpdateSet(set) : known.doNothing();
      })
      .execute();
  });
}

/**
 * Makes a comment of a reply, if its thread is linked with a post; that of an unknown thread costs one read. The same reply
 * again is the same comment, even if the team has undone it.
 * @throws RATE_LIMIT_EXCEEDED, and what is no refusal: the reply may come again later
 */
export async function hearReply(context: RequestContext, mode: ThreadMode, reply: ChatReply): Promise<Heard> {
  const { db, clock, board } = context;
  const text = cutText(storableText(reply.text).trim(), COMMENT_TEXT.max - ROOM_FOR_LINKS);
  if (mode === 'OFF' || text === '') return 'ignored';
  const postId = await findLinked(db.read, board.id, reply.thread);
  if (postId === null) return 'ignored';
  await countAttempt(db, clock, 'chat replies of', `${board.id} ${identityOf(reply.author)}`);
  await countAttempt(db, clock, 'chat replies to', board.id);
  try {
    return await add(context, postId, { mode, reply, text });
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'SERVICE_UNAVAILABLE') throw error;
    return 'refused';
  }
}

async function findLinked(reader: Reader, boardId: string, thread: string): Promise<string | null> {
  const query = reader.selectFrom('chat_threads').select('post_id').where('board_id', '=', boardId);
  const row = await query.where('thread', '=', thread).executeTakeFirst();
  return row?.post_id ?? null;
}

type Addition = { mode: ThreadMode; reply: ChatReply; text: string };

async function add(context: RequestContext, linkedId: string, { mode, reply, text }: Addition): Promise<Heard> {
  const { db, board } = context;
  const post = await findOpen(context, linkedId);
  // No user is made for a reply that nothing comes of.
  if (!post) return 'refused';
  const author = await findAuthor(context, reply.author);
  if (isBlocked(author)) return 'refused';
  const isConnected = author.sso_type !== BY_CHAT;
  if (isConnected && !(await findReaders(db.read, board, [author])).has(author.id)) return 'refused';
  const isNote = mode === 'NOTES';
  const isStranger = !isConnected && !(await hasApproved(db.read, board.id, author.id));
  const operation = { ...beginOperation(), via: chatNames[reply.author.chat] };
  // The author acts with the rights of the team, which has chosen what replies become.
  const acting = { ...context, operation, actor: { ...author, role: 'ADMIN' as const } };
  await createComment(acting, post.id, {
    id: idOf(context, reply),
    text,
    author: { id: author.id },
    type: isNote ? 'INTERNAL' : 'BASIC',
    isRelayed: true,
    ...(isStranger && !isNote && { moderation: 'PENDING' as const }),
  });
  return 'comment';
}

/** The post that stands for a linked one and takes comments. */
async function findOpen({ db, board }: RequestContext, id: string): Promise<PostRow | null> {
  const [linked] = await findPosts(db.read, board.id, [id], operator);
  const rootId = linked?.merged_root_id;
  const [post] = rootId ? await findPosts(db.read, board.id, [rootId], operator) : [linked];
  return post && !post.is_locked ? post : null;
}

/** Begins with the time at which the reply was written, unless that cannot be. */
function idOf({ board, clock }: RequestContext, { thread, id, dateSent }: ChatReply): string {
  const now = clock.now();
  const isTime = dateSent > now - 30 * DAY_MS && dateSent < now + DAY_MS;
  const digits = (isTime ? dateSent : 0).toString(16).padStart(12, '0');
  return deriveId(`${digits.slice(0, 8)}-${digits.slice(8)}-`, board.id, 'reply', thread, id);
}
