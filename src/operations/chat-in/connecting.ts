import { hash } from 'node:crypto';
import type { Selectable } from 'kysely';
import { moveVotes } from '../../feedback/votes/moving.ts';
import { canonicalUrl } from '../../identity/board/board.ts';
import { BY_CHAT } from '../../identity/users/entry.ts';
import type { ActorContext, RequestContext } from '../../identity/users/request-context.ts';
import { createUser, findUser, findUserById, type UserRow } from '../../identity/users/users.ts';
import type { Reader } from '../../platform/db/db.ts';
import { badRequest } from '../../platform/errors.ts';
import { type Cipher, DecryptionError } from '../../platform/lib/cipher.ts';
import { MINUTE_MS } from '../../platform/lib/clock.ts';
import { makeToken } from '../../platform/lib/ids.ts';
import { claimOnce } from '../../platform/limits/throttle.ts';
import { msg } from '../../platform/messages.ts';
import { fitLine } from '../../platform/texts/text.ts';
import { type ChatPerson, identityOf } from './forms.ts';
import { chatNames } from './settings.ts';

type ChatUserTable = {
  board_id: string;
  /** See `identityOf`. */
  identity: string;
  user_id: string;
  /** The name in the chat when they were connected. */
  name: string;
  date_created: number;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    chat_users: ChatUserTable;
  }
}

export type ChatUserRow = Selectable<ChatUserTable>;

/** How long a link to connect works. */
export const CONNECT_MINUTES = 15;

const LINK_MS = CONNECT_MINUTES * MINUTE_MS;

/** The user that a person in a chat is connected with; null if they are not. */
export async function findConnected(reader: Reader, boardId: string, person: ChatPerson): Promise<UserRow | null> {
  const query = reader.selectFrom('chat_users').select('user_id').where('board_id', '=', boardId);
  const row = await query.where('identity', '=', identityOf(person)).executeTakeFirst();
  return row ? findUserById(reader, boardId, row.user_id) : null;
}

/** As `findConnected`, or else a user that stands for them, who is made if they are not known yet. */
export async function findAuthor(context: RequestContext, person: ChatPerson): Promise<UserRow> {
  const { db, board } = context;
  const connected = await findConnected(db.read, board.id, person);
  if (connected) return connected;
  const identity = unknownUserOf(person);
  const name = fitLine(person.name, 100) || `${chatNames[person.chat]} ${person.id}`;
  return (await findUser(db.read, board.id, identity)) ?? createUser(context, identity, { name });
}

type Link = { person: ChatPerson; expires: number; nonce: string };

/** The page on which a person connects with the user that they are signed in as. It works once, for a short time. */
export function makeConnectUrl({ board, baseUrl, clock }: RequestContext, cipher: Cipher, person: ChatPerson): string {
  const link: Link = { person, expires: clock.now() + LINK_MS, nonce: makeToken(9) };
  return `${canonicalUrl(board, baseUrl)}/chat/${cipher.encrypt(JSON.stringify(link), placeOf(board.id))}`;
}

/** Whom a link connects. @throws BAD_REQUEST if it is none, is too old or was used */
export function readConnectLink({ board, clock }: RequestContext, cipher: Cipher, token: string): ChatPerson {
  return readLink(token, cipher, board.id, clock.now()).person;
}

/**
 * Connects the person of a link with the actor, in place of whom they were connected with. Votes that they had by their
 * messages before become the actor's, so that no person counts twice.
 * @throws BAD_REQUEST
 */
export async function connect(context: ActorContext, cipher: Cipher, token: string): Promise<void> {
  const { db, board, clock, actor } = context;
  const now = clock.now();
  const { person, nonce } = readLink(token, cipher, board.id, now);
  if (!(await claimOnce(db, clock, `chat link ${hash('sha256', nonce)}`, 2 * LINK_MS))) throw useless();
  const row = { user_id: actor.id, name: person.name, date_created: now };
  await db.transaction(async (tx) => {
    await tx
      .insertInto('chat_users')
      .values({ board_id: board.id, identity: identityOf(person), ...row })
      .onConflict((c) => c.columns(['board_id', 'identity']).doUpdateSet(row))
      .execute();
    const unknown = await findUser(tx, board.id, unknownUserOf(person));
    if (unknown) await moveVotes(tx, { boardId: board.id, fromId: unknown.id, toId: actor.id });
  });
}

/** The identity of the user that stands for a person in a chat who is not connected. */
export function unknownUserOf(person: ChatPerson): { ssoType: string; ssoId: string } {
  return { ssoType: BY_CHAT, ssoId: identityOf(person) };
}

/** The people in chats that are connected with the actor. */
export function listConnected({ db, board }: RequestContext, userId: string): Promise<ChatUserRow[]> {
  const query = db.read.selectFrom('chat_users').selectAll().where('board_id', '=', board.id);
  return query.where('user_id', '=', userId).orderBy('identity').execute();
}

/** Ends what a user has connected: one of it, or all. */
export async function disconnect({ db, board }: RequestContext, userId: string, identity?: string): Promise<void> {
  await db.transaction((tx) => {
    const query = tx.deleteFrom('chat_users').where('board_id', '=', board.id).where('user_id', '=', userId);
    return (identity === undefined ? query : query.where('identity', '=', identity)).execute();
  });
}

function readLink(token: string, cipher: Cipher, boardId: string, now: number): Link {
  try {
    const link: Link = JSON.parse(cipher.decrypt(token, placeOf(boardId)));
    if (now < link.expires) return link;
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error;
  }
  throw useless();
}

function useless() {
  return badRequest(msg('chatInLinkUseless'));
}

/** Nothing in the store is encrypted for this place, so that nothing of it can pass for a link. */
function placeOf(boardId: string): string {
  return `a link to connect a chat ${boardId}`;
}
