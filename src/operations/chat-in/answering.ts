import { hash } from 'node:crypto';
import { countContribution } from '../../feedback/drafts/drafts.ts';
import { createPost } from '../../feedback/lifecycle/creating.ts';
import { findPosts, POST_TEXT, POST_TITLE, type PostRow, postUrl } from '../../feedback/posts/posts.ts';
import { findSimilar } from '../../feedback/search/similar.ts';
import { isHeld } from '../../feedback/visibility/posts.ts';
import { vote } from '../../feedback/votes/votes.ts';
import { findReaders } from '../../identity/access/readers.ts';
import { beginOperation } from '../../identity/activity/activity.ts';
import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext, RequestContext } from '../../identity/users/request-context.ts';
import type { UserRow } from '../../identity/users/users.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import type { Cipher } from '../../platform/lib/cipher.ts';
import { deriveId, isId } from '../../platform/lib/ids.ts';
import { countAttempt } from '../../platform/limits/throttle.ts';
import { joinMessages, type LocalizedMessage, msg, quote } from '../../platform/messages.ts';
import { cutText, fitLine, storableText } from '../../platform/texts/text.ts';
import { CONNECT_MINUTES, findAuthor, findConnected, makeConnectUrl } from './connecting.ts';
import { type ChatAnswer, type ChatPerson, type ChatRequest, identityOf } from './forms.ts';
import { findPending, keepPending, type Pending } from './pending.ts';
import { findChat } from './settings.ts';
import { linkThread } from './threads.ts';

/** Similar ideas that are shown. */
const MAX_SIMILAR = 3;

type Asked<Kind extends ChatRequest['kind']> = Extract<ChatRequest, { kind: Kind }>;

/**
 * Answers a request of a chat, which has been proven to come from it. Who is not connected with a user is shown how to be;
 * then what the user may do counts. What the board refuses is an answer, too.
 */
export async function answerChat(context: RequestContext, cipher: Cipher, request: ChatRequest): Promise<ChatAnswer> {
  try {
    return await answer({ ...context, operation: beginOperation() }, cipher, request);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return answerWith(context, error.said === null ? quote(error.message) : { text: error.message, parts: error.said });
  }
}

async function answer(context: RequestContext, cipher: Cipher, request: ChatRequest): Promise<ChatAnswer> {
  const { db, clock, board } = context;
  const { from } = request;
  await countAttempt(db, clock, 'chat requests of', `${board.id} ${identityOf(from)}`);
  const actor = await findConnected(db.read, board.id, from);
  if (!actor) {
    const link = { label: msg('chatInConnect'), url: makeConnectUrl(context, cipher, from) };
    return answerWith(context, msg('chatInNotConnected', CONNECT_MINUTES), { link });
  }
  // Those who are not connected do not use up what the board may do.
  await countAttempt(db, clock, 'chat requests to', board.id);
  if (!(await findReaders(db.read, board, [actor])).has(actor.id)) return answerWith(context, msg('chatInNoAccess'));
  const acting = { ...context, actor };
  return request.kind === 'choice' ? choose(acting, request) : propose(acting, request);
}

/** Shows what is similar first; nothing is made before a button is pressed. */
async function propose(context: ActorContext, request: Asked<'command' | 'message'>): Promise<ChatAnswer> {
  const { board, baseUrl } = context;
  const written = storableText(request.text).trim();
  const title = fitLine(withoutMarks(written.split('\n', 1)[0] ?? ''), POST_TITLE.max);
  if (title === '') return answerWith(context, msg('chatInEmpty'));
  requireRight(context.actor, 'take.part');
  const text = title === written ? null : cutText(written, POST_TEXT.max);
  const message = request.kind === 'message' ? pick(request) : null;
  const isForOther = message !== null && !isSame(message.author, request.from);
  if (isForOther) requireRight(context.actor, 'ask.for');
  const { id } = await keepPending(context, request, { title, text, message });
  const found = await findSimilar(context, { title, text }, MAX_SIMILAR);
  const similar = await followMerges(
    context,
    found.map(({ post }) => post),
  );
  const label = isForOther ? msg('chatInVoteFor') : msg('chatInVote');
  const question = similar.length > 0 ? msg('chatInSimilar', title) : msg('chatInNoneSimilar', title);
  return answerWith(context, question, {
    ideas: similar.map((post) => ({
      title: post.title,
      url: postUrl(post, board, baseUrl),
      choice: post.is_locked ? null : { label, value: `vote:${id}:${post.id}` },
    })),
    choices: [{ label: msg('chatInNew'), value: `new:${id}` }],
  });
}

function pick({ author, permalink, thread }: Asked<'message'>): NonNullable<Pending['message']> {
  return { author, permalink, thread };
}

/** A line without the marks of bold, italic, struck and code, which titles do not have. */
function withoutMarks(line: string): string {
  return line.replace(
    /(?<![\w*_~`])(\*{1,3}|_{1,3}|~{1,2}|`{1,3})(?=\S)([^\n]{1,1000}?)(?<=\S)\1(?![\w*_~`]|\.\w)/g,
    '$2',
  );
}

/** The posts that stand for these on the board, each once: merged ones take no votes. */
async function followMerges({ db, board, actor }: ActorContext, posts: readonly PostRow[]): Promise<PostRow[]> {
  const ids = posts.flatMap(({ merged_root_id }) => merged_root_id ?? []);
  const roots = new Map((await findPosts(db.read, board.id, ids, actor)).map((root) => [root.id, root]));
  const targets = posts.flatMap((post) => (post.merged_root_id ? (roots.get(post.merged_root_id) ?? []) : post));
  return [...new Map(targets.map((post) => [post.id, post])).values()];
}

/** Does what a button says. One that is pressed again, or whose request comes again, changes nothing more. */
async function choose(context: ActorContext, { value, from }: Asked<'choice'>): Promise<ChatAnswer> {
  const { db, board, baseUrl } = context;
  const [what, id = '', postId = ''] = value.split(':');
  const pending = await findPending(context, id, from);
  if (!pending) return answerWith(context, msg('chatInExpired'));
  const asker = await findAsker(context, from, pending);
  const made = what === 'vote' ? null : await make(context, pending, asker);
  const post = await voteFor(context, made?.id ?? postId, pending, asker);
  const [shown] = await findPosts(db.read, board.id, [post.id], context.actor);
  const isMade = made?.id === post.id;
  const done = wordsOf(isMade ? (isHeld(post.moderation_status) ? 'held' : 'made') : 'vote', asker);
  const text = joinMessages(done, ...(await listen(context, pending, post.id)));
  const link = shown ? { label: quote(shown.title), url: postUrl(shown, board, baseUrl) } : null;
  return answerWith(context, text, { link });
}

/** Links the thread of the message with the idea, and says what becomes of replies there. */
async function listen(context: ActorContext, { message }: Pending, postId: string): Promise<LocalizedMessage[]> {
  if (!message?.thread) return [];
  await linkThread(context, message.thread, postId);
  const chat = await findChat(context.db.read, context.board.id, message.author.chat);
  if (!chat || chat.threads === 'OFF') return [];
  return [chat.threads === 'NOTES' ? msg('chatInThreadNotes') : msg('chatInThreadComments')];
}

/** What was done, in the name of another person if there is one. */
function wordsOf(done: 'vote' | 'made' | 'held', asker: UserRow | null): LocalizedMessage {
  if (done === 'held') return msg('chatInHeld');
  if (done === 'made') return asker ? msg('chatInMadeFor', asker.name ?? '') : msg('chatInMade');
  return asker ? msg('chatInDoneFor', asker.name ?? '') : msg('chatInDone');
}

/** Whom an idea is made for, if that is another user than the actor: of people who are not known, it makes a named one. */
async function findAsker(context: ActorContext, from: ChatPerson, { message }: Pending): Promise<UserRow | null> {
  if (!message || isSame(message.author, from)) return null;
  requireRight(context.actor, 'ask.for');
  const author = await findAuthor(context, message.author);
  return author.id === context.actor.id ? null : author;
}

/** A message becomes one idea, even if several people choose it; so does a command that comes twice. */
async function make(context: ActorContext, pending: Pending, asker: UserRow | null): Promise<PostRow> {
  const { id, title, text: comment, message } = pending;
  await countContribution(context, 'post');
  const once = message
    ? { externalId: `chat ${hash('sha256', message.permalink)}` }
    : { id: deriveId(id, context.actor.id) };
  const author = asker && { author: { id: asker.id, isCustomer: true } };
  return createPost(context, { ...once, title, comment, ...author }).catch((error) => {
    // The idea of the message is deleted, or not for the actor to see: which of these is not told.
    throw error instanceof AppError && error.code === 'CONFLICT' ? notFound('Post') : error;
  });
}

async function voteFor(
  context: ActorContext,
  chosenId: string,
  { message }: Pending,
  asker: UserRow | null,
): Promise<PostRow> {
  const { db, board, actor } = context;
  const [chosen] = isId(chosenId) ? await findPosts(db.read, board.id, [chosenId], actor) : [];
  const postId = chosen?.merged_root_id ?? chosenId;
  if (asker)
    return vote(context, postId, 'UP', { id: asker.id, evidence: message?.permalink ?? null, isCustomer: true });
  await countContribution(context, 'vote');
  return vote(context, postId, 'UP');
}

function isSame(a: ChatPerson, b: ChatPerson): boolean {
  return identityOf(a) === identityOf(b);
}

function answerWith(
  { board }: RequestContext,
  text: LocalizedMessage,
  more: Partial<Pick<ChatAnswer, 'ideas' | 'choices' | 'link'>> = {},
): ChatAnswer {
  return { language: board.locale, text, ideas: [], choices: [], link: null, ...more };
}
