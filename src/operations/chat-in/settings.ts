import { createPublicKey } from 'node:crypto';
import type { Generated, Selectable } from 'kysely';
import { type Actor, requireRight } from '../../identity/users/authority.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import type { Reader } from '../../platform/db/db.ts';
import { badRequest } from '../../platform/errors.ts';
import type { Cipher } from '../../platform/lib/cipher.ts';
import { msg } from '../../platform/messages.ts';

/** The chats in which ideas can be made. */
export const chats = ['SLACK', 'DISCORD'] as const;
export type Chat = (typeof chats)[number];

/** The names of the chats, which are the same in every language. */
export const chatNames: Readonly<Record<Chat, string>> = { SLACK: 'Slack', DISCORD: 'Discord' };

/** What becomes of replies to a message from which an idea or a vote was made: nothing, internal notes, or comments. */
export const threadModes = ['OFF', 'NOTES', 'COMMENTS'] as const;
export type ThreadMode = (typeof threadModes)[number];

type ChatSettingsTable = {
  board_id: string;
  chat: Chat;
  /** What proves a request of the chat, encrypted: the signing secret of Slack, or the public key of Discord. */
  secret: string;
  /** What replies to linked messages become. */
  threads: Generated<ThreadMode>;
  date_updated: number;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    chat_settings: ChatSettingsTable;
  }
}

export type ChatSettingsRow = Selectable<ChatSettingsTable>;

/**
 * What a board is told of a chat: where it sends its requests, and whether they are taken. `threads` is null if the chat
 * sends no replies, or is off.
 */
export type ChatState = { chat: Chat; url: string; isOn: boolean; threads: ThreadMode | null };

export const CHAT_IN_PATH = '/api/v1/chat';

/** The chats of a board. @throws FORBIDDEN */
export async function listChats(context: RequestContext & { actor: Actor }): Promise<ChatState[]> {
  const { db, board, baseUrl, actor } = context;
  requireRight(actor, 'board.edit');
  const query = db.read.selectFrom('chat_settings').select(['chat', 'threads']).where('board_id', '=', board.id);
  const modes = new Map((await query.execute()).map(({ chat, threads }) => [chat, threads]));
  return chats.map((chat) => ({
    chat,
    url: `${baseUrl}${CHAT_IN_PATH}/${board.pid}/${chat.toLowerCase()}`,
    isOn: modes.has(chat),
    threads: chat === 'SLACK' ? (modes.get(chat) ?? null) : null,
  }));
}

/**
 * Takes requests of a chat from now on, or none any more (null).
 * @param secret the signing secret of the Slack app, or the public key of the Discord application
 * @throws FORBIDDEN; BAD_REQUEST if it is none
 */
export async function changeChat(
  context: RequestContext & { actor: Actor },
  cipher: Cipher,
  chat: Chat,
  secret: string | null,
): Promise<void> {
  const { db, board, clock, actor } = context;
  requireRight(actor, 'board.edit');
  const encrypted =
    secret === null ? null : cipher.encrypt(requireSecret(chat, secret.trim()), placeOf(board.id, chat));
  await db.transaction(async (tx) => {
    if (encrypted === null) {
      await tx.deleteFrom('chat_settings').where('board_id', '=', board.id).where('chat', '=', chat).execute();
      return;
    }
    const set = { secret: encrypted, date_updated: clock.now() };
    await tx
      .insertInto('chat_settings')
      .values({ board_id: board.id, chat, ...set })
      .onConflict((c) => c.columns(['board_id', 'chat']).doUpdateSet(set))
      .execute();
  });
}

/**
 * Chooses what replies to linked messages become in Slack, from now on.
 * @throws FORBIDDEN; BAD_REQUEST if the board takes no requests of Slack
 */
export async function changeThreads(context: RequestContext & { actor: Actor }, threads: ThreadMode): Promise<void> {
  const { db, board, clock, actor } = context;
  requireRight(actor, 'board.edit');
  const { numUpdatedRows } = await db.transaction((tx) =>
    tx
      .updateTable('chat_settings')
      .set({ threads, date_updated: clock.now() })
      .where('board_id', '=', board.id)
      .where('chat', '=', 'SLACK')
      .executeTakeFirst(),
  );
  if (numUpdatedRows === 0n) throw badRequest('Turn Slack on first', 'threads');
}

/** How a board takes requests of a chat; undefined if it takes none. */
export function findChat(reader: Reader, boardId: string, chat: Chat): Promise<ChatSettingsRow | undefined> {
  const query = reader.selectFrom('chat_settings').selectAll().where('board_id', '=', boardId);
  return query.where('chat', '=', chat).executeTakeFirst();
}

/** What proves requests of a chat to a board. @throws DecryptionError */
export function decryptChatSecret(cipher: Cipher, row: ChatSettingsRow): string {
  return cipher.decrypt(row.secret, placeOf(row.board_id, row.chat));
}

function placeOf(boardId: string, chat: Chat): string {
  return `chat_settings.secret ${boardId} ${chat}`;
}

/** Both have the form in which the pages of the chats show them: hexadecimal. */
function requireSecret(chat: Chat, secret: string): string {
  const isOne = chat === 'SLACK' ? /^[0-9a-f]{32,64}$/i.test(secret) : /^[0-9a-f]{64}$/i.test(secret);
  if (!isOne || (chat === 'DISCORD' && !isPublicKey(secret))) throw badRequest(msg('chatInSecretWrong'), 'secret');
  return secret;
}

function isPublicKey(secret: string): boolean {
  try {
    readPublicKey(secret);
    return true;
  } catch {
    return false;
  }
}

/** An Ed25519 key of 32 bytes in hexadecimal. */
export function readPublicKey(hex: string) {
  const x = Buffer.from(hex, 'hex').toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}
