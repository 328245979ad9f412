import { type SqlBool, sql } from 'kysely';
import { requireBoard } from '../../identity/board/board.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import { findUserById, mailFrequencies, type UserRow } from '../../identity/users/users.ts';
import { languages } from '../../platform/catalogues.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { isFewOfBoard } from '../../platform/db/prepare.ts';
import { updateRow } from '../../platform/db/rows.ts';
import { badRequest, notFound } from '../../platform/errors.ts';
import type { Cipher } from '../../platform/lib/cipher.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { isTimeZone } from '../../platform/lib/time-zone.ts';
import { msg } from '../../platform/messages.ts';
import { requireOneOf } from '../../platform/texts/text.ts';
import { findPost } from '../posts/posts.ts';
import { setEnd, unsubscribe } from '../subscriptions/subscriptions.ts';
import { readMailToken } from './links.ts';
import { dueDate } from './schedule.ts';

/** A user's mail preferences; omitted ones stay unchanged. */
export type MailPreferences = {
  frequency?: string | undefined;
  onStatus?: boolean | undefined;
  onComment?: boolean | undefined;
  onMention?: boolean | undefined;
  onNewPost?: boolean | undefined;
  onModeration?: boolean | undefined;
  /** Null: those of the board. */
  locale?: string | null | undefined;
  timeZone?: string | null | undefined;
};

/**
 * Changes what mail a user gets and when. Pending notifications follow the new choice.
 * @throws BAD_REQUEST
 */
export function setMailPreferences(
  { db, clock, board }: RequestContext,
  user: UserRow,
  preferences: MailPreferences,
): Promise<UserRow> {
  const changes = parsePreferences(preferences);
  return db.transaction(async (tx) => {
    if (Object.keys(changes).length === 0) return user;
    const changed = await updateRow(tx, 'users', user, changes);
    if (changed.mail_frequency !== user.mail_frequency || changed.time_zone !== user.time_zone) {
      const due = changed.mail_frequency === 'OFF' ? null : dueDate(changed, board, clock.now());
      await reschedule(tx, changed, due);
    }
    return changed;
  });
}

async function reschedule(tx: Tx, { board_id, id }: UserRow, dateDue: number | null): Promise<void> {
  const areTheirs = isFewOfBoard(tx, board_id, sql<SqlBool>`user_id = ${id}`);
  const pending = tx.updateTable('notifications').set({ date_due: dateDue }).where(areTheirs);
  await pending.where('date_due', 'is not', null).execute();
}

function parsePreferences(preferences: MailPreferences) {
  const { frequency, onStatus, onComment, onMention, onNewPost, onModeration, locale, timeZone } = preferences;
  const flag = (value: boolean) => (value ? 1 : 0);
  return {
    ...(frequency !== undefined && { mail_frequency: requireOneOf(mailFrequencies, frequency, 'frequency') }),
    ...(onStatus !== undefined && { email_on_status: flag(onStatus) }),
    ...(onComment !== undefined && { email_on_comment: flag(onComment) }),
    ...(onMention !== undefined && { email_on_mention: flag(onMention) }),
    ...(onNewPost !== undefined && { email_on_new_post: flag(onNewPost) }),
    ...(onModeration !== undefined && { email_on_moderation: flag(onModeration) }),
    ...(locale !== undefined && { locale: locale === null ? null : requireOneOf(languages, locale, 'locale') }),
    ...(timeZone !== undefined && { time_zone: timeZone === null ? null : requireTimeZone(timeZone) }),
  } as Partial<UserRow>;
}

function requireTimeZone(text: string): string {
  if (isTimeZone(text)) return text;
  throw badRequest(msg('userTimeZoneInvalid'), 'timeZone');
}

/** What a mail link opens: the user on their board, and the post that it is about, if the user may still see it. */
export type MailLinkTarget = {
  context: RequestContext;
  user: UserRow;
  /** `isMuted`: the user does not follow the post. */
  post: { id: string; title: string; isMuted: boolean } | null;
  /** Whether the link is about a post, which may have been deleted. */
  isAboutPost: boolean;
};

type LinkDeps = { db: Db; clock: Clock; baseUrl: string; cipher: Cipher };

/**
 * Opens a mail link, which needs no session. @throws NOT_FOUND if it is not one of our own, or the user no longer
 * exists
 */
export async function openMailLink({ cipher, ...deps }: LinkDeps, token: string): Promise<MailLinkTarget> {
  const { boardId, userId, postId } = readMailToken(cipher, token);
  const user = await findUserById(deps.db.read, boardId, userId);
  if (!user) throw notFound('Link');
  const board = await requireBoard(deps.db.read, boardId);
  const found = postId === null ? null : await findPost(deps.db.read, boardId, postId, user);
  const post = found && {
    id: found.id,
    title: found.title,
    isMuted: await isMuted(deps.db, boardId, userId, found.id),
  };
  return { context: { ...deps, board }, user, post, isAboutPost: postId !== null };
}

async function isMuted(db: Db, boardId: string, userId: string, postId: string): Promise<boolean> {
  const query = db.read.selectFrom('subscriptions').select('date_ended').where('board_id', '=', boardId);
  const row = await query.where('post_id', '=', postId).where('user_id', '=', userId).executeTakeFirst();
  return row?.date_ended != null;
}

/**
 * Does what a mail link does without further input: ends all mail of the board to the user, or mutes the post.
 * @returns the updated user
 */
export async function unsubscribeByLink({ context, user, post, isAboutPost }: MailLinkTarget): Promise<UserRow> {
  if (!isAboutPost) return setMailPreferences(context, user, { frequency: 'OFF' });
  if (post) await mutePost(context, user, post.id, true);
  return user;
}

/** Mutes a post for a user, or undoes that: a muted post is no longer followed. */
export function mutePost({ db, clock, board }: RequestContext, user: UserRow, postId: string, isMuted: boolean) {
  const post = { board_id: board.id, id: postId };
  return db.transaction((tx) =>
    isMuted ? unsubscribe(tx, post, user.id, clock.now()) : setEnd(tx, post, user.id, null),
  );
}
