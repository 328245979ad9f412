import { hash } from 'node:crypto';
import { COMMENT_TEXT } from '../../feedback/comments/comments.ts';
import { createComment } from '../../feedback/comments/writing.ts';
import { createVotedPost } from '../../feedback/drafts/posting.ts';
import type { FileFolder } from '../../feedback/files/folder.ts';
import { POST_TEXT, POST_TITLE } from '../../feedback/posts/posts.ts';
import type { ActorContext, RequestContext } from '../../identity/users/request-context.ts';
import { findUserByEmail } from '../../identity/users/users.ts';
import type { Db } from '../../platform/db/db.ts';
import { AppError } from '../../platform/errors.ts';
import { type Clock, DAY_MS } from '../../platform/lib/clock.ts';
import { deriveId } from '../../platform/lib/ids.ts';
import { Lane } from '../../platform/lib/lane.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { countAttempt } from '../../platform/limits/throttle.ts';
import type { ReplyAddresses } from '../../platform/mail/reply-addresses.ts';
import { mailboxOf } from '../../platform/texts/email.ts';
import { cutText, fitLine } from '../../platform/texts/text.ts';
import { authenticate, type Envelope, type Proof, type Resolve } from './authentication.ts';
import { whyAutomatic } from './automatic.ts';
import { type Message, readMessage } from './message.ts';
import { MailRefusal, type Outcome, refused } from './outcome.ts';
import { keepPictures } from './pictures.ts';
import { findRecipient, type Recipient } from './recipients.ts';
import { type Author, findAuthor } from './senders.ts';

/** What mail that comes in is received with. */
export type MailInDeps = {
  db: Db;
  clock: Clock;
  log: Logger;
  baseUrl: string;
  folder: FileFolder;
  /** The domain of the addresses of boards and replies. */
  domain: string;
  /** The sender of this server's own mails. */
  mailFrom: string;
  replies: ReplyAddresses;
  /** Looks up the records by which senders are proven; by default in the DNS. */
  resolve?: Resolve | undefined;
};

/** A mail for one recipient, as a server hands it over. */
export type Incoming = { raw: Buffer; to: string; envelope: Envelope };

/** Bytes of a mail of whom the team may never let in: what it has stays until they decide. */
const MAX_UNCERTAIN_BYTES = 5 * 1_048_576;

/** A mail takes several times its size in memory. */
const lane = new Lane(2);

/**
 * Makes an idea or a comment of a mail. Once this resolves with one of them it is stored; the same mail again gives
 * the same idea or comment.
 */
export async function receiveMail(deps: MailInDeps, incoming: Incoming): Promise<Outcome> {
  const outcome = await lane.within(() => receive(deps, incoming), incoming.envelope.ip ?? '').catch(outcomeOf);
  const { kind, ...facts } = outcome;
  deps.log.info({ outcome: kind, ...facts }, 'mail in');
  return outcome;
}

/** @throws what is no refusal: the mail may come again later */
function outcomeOf(error: unknown): Outcome {
  if (error instanceof MailRefusal) return { kind: 'refused', reason: error.message };
  if (!(error instanceof AppError)) throw error;
  const isTemporary = error.code === 'RATE_LIMIT_EXCEEDED' || error.code === 'SERVICE_UNAVAILABLE';
  return { kind: isTemporary ? 'later' : 'refused', reason: error.message };
}

async function receive(deps: MailInDeps, { raw: given, to, envelope }: Incoming): Promise<Outcome> {
  const { db, clock, baseUrl } = deps;
  const recipient = await findRecipient(db.read, deps, to);
  if (!recipient) throw refused('there is no such address');
  const message = await readMessage(given);
  const reason = whyAutomatic(message, envelope.sender, deps);
  if (reason !== null) return { kind: 'ignored', reason };
  const { board } = recipient;
  const proof = await authenticate(message, envelope, deps.resolve);
  if (proof.state === 'REFUSED') throw refused('its sender is not who it says');
  const context = { db, clock, baseUrl, board };
  const isProven = isProof(context, proof, message, recipient);
  // What anyone can send in the name of others, or of people who are not known, uses up nothing of theirs.
  const isKnown = isProven && (await findUserByEmail(db.read, board.id, message.from.address)) !== undefined;
  await countAttempt(db, clock, isProven ? 'mails from' : 'uncertain mails from', mailboxOf(message.from.address));
  await countAttempt(db, clock, isKnown ? 'mails to' : 'uncertain mails to', board.id);
  if (!isKnown && message.raw.length > MAX_UNCERTAIN_BYTES)
    throw refused('it is too large for a sender who is not known');
  const id = idOf(context, message, recipient);
  const author = await findAuthor(context, message.from, recipient, isProven);
  return add(deps, { ...context, actor: author.user }, { id, message, recipient, author });
}

/**
 * A signature says who wrote a mail, not to whom: every receiver could pass it on to the board. So the mail must be
 * addressed to it, and not be older than what is known of mails that came before. The server that hands it over proves
 * nothing if it may be one that forwards to the board: that of the team's own domain vouches for whatever it forwards.
 */
function isProof(
  context: RequestContext,
  proof: Proof,
  message: Message,
  { kind, address, board }: Recipient,
): boolean {
  if (proof.state !== 'PROVEN') return false;
  if (proof.isBySpf && (kind === 'reply' || !board.mail_address)) return true;
  const signed = (['to', 'cc'] as const).flatMap((name) => (proof.signed.has(name) ? message[name] : []));
  return isRecent(context, message) && signed.some((to) => to === address || to === board.mail_address);
}

function isRecent({ clock }: RequestContext, { dateSent }: Message): boolean {
  const now = clock.now();
  return dateSent !== null && dateSent > now - 30 * DAY_MS && dateSent < now + DAY_MS;
}

/** The id of what a mail becomes: that of the same mail, so that one that comes twice is done once. */
function idOf(context: RequestContext, message: Message, { address }: Recipient): string {
  const { id, from, dateSent, raw } = message;
  // The id begins with the time, which the same mail has again.
  const digits = ((isRecent(context, message) && dateSent) || 0).toString(16).padStart(12, '0');
  const form = `${digits.slice(0, 8)}-${digits.slice(8)}-`;
  return deriveId(form, context.board.id, address, from.address, id || hash('sha256', raw, 'hex'));
}

type Addition = { id: string; message: Message; recipient: Recipient; author: Author };

async function add(deps: MailInDeps, context: ActorContext, addition: Addition): Promise<Outcome> {
  const { id, message, recipient, author } = addition;
  const known = await findKnown(context, addition);
  if (known) return known;
  const { textOf, titleOf } = await import('./text.ts');
  const { text: written, pictures } = textOf(message);
  const text = cutText(written, (recipient.kind === 'reply' ? COMMENT_TEXT : POST_TEXT).max);
  const { doubt } = author;
  if (recipient.kind === 'reply') {
    const files = await keepPictures(deps, context, message.attachments, pictures);
    if (text === '' && files.length === 0) throw refused('it has no text');
    const comment = { id, text: text || '📎', files, doubt };
    const { moderation_status } = await createComment(context, recipient.mail.post_id, comment);
    return { kind: 'comment', id, isHeld: moderation_status === 'PENDING' };
  }
  const title = fitLine(titleOf(message.subject, text), POST_TITLE.max);
  if (title === '') throw refused('it has neither subject nor text');
  const files = await keepPictures(deps, context, message.attachments, pictures);
  const post = { id, title, comment: text || null, files, doubt };
  const { moderation_status } = await createVotedPost(context, post);
  return { kind: 'idea', id, isHeld: moderation_status === 'PENDING' };
}

/** What the same mail has become before. */
async function findKnown({ db, board }: ActorContext, { id, recipient }: Addition): Promise<Outcome | null> {
  const kind = recipient.kind === 'reply' ? 'comment' : 'idea';
  const isIt = { board_id: board.id, id };
  const found = await (kind === 'comment'
    ? db.read
        .selectFrom('comments')
        .select('moderation_status')
        .where((e) => e.and(isIt))
        .executeTakeFirst()
    : db.read
        .selectFrom('posts')
        .select('moderation_status')
        .where((e) => e.and(isIt))
        .executeTakeFirst());
  return found ? { kind, id, isHeld: found.moderation_status === 'PENDING' } : null;
}
