import { notFound } from '../../platform/errors.ts';
import type { BoardRow } from '../board/board.ts';
import { isBlocked } from './authority.ts';
import type { UserRow } from './users.ts';

/** A visitor of a board: their user there, and the account that they are signed in to; null if none. */
export type Entrant = {
  user: Pick<UserRow, 'role' | 'standing' | 'sso_type' | 'sso_id' | 'is_invited' | 'is_api_user'> | null;
  account: { email: string; is_email_verified: 0 | 1 } | null;
};

type Board = Pick<BoardRow, 'access' | 'mail_domains'>;

/** Whether anonymous visitors see nothing of a board, not even that it exists. */
export function isPrivate({ access }: Pick<BoardRow, 'access'>): boolean {
  return access !== 'PUBLIC' && access !== 'PUBLIC_READ';
}

/** Whether an anonymous visitor may start something on a board, and sign in to finish it. */
export function mayBegin({ access }: Pick<BoardRow, 'access'>): boolean {
  return access === 'PUBLIC';
}

/** Whether a visitor may see a board at all. Pages, API, files and mails all ask here. */
export function mayEnter(board: Board, { user, account }: Entrant): boolean {
  switch (board.access) {
    case 'PUBLIC':
    case 'PUBLIC_READ':
      return true;
    case 'SIGNED_IN':
      return !isBlocked(user) && (user !== null || account !== null);
    case 'MEMBERS':
      return !isBlocked(user) && (isMember(user) || hasAllowedAddress(board, account));
  }
}

/** @throws NOT_FOUND for visitors who may not see the board, as if it did not exist */
export function requireEntry(board: Board, entrant: Entrant): void {
  if (!mayEnter(board, entrant)) throw notFound('Board');
}

/** The single sign-on type of users who are known by mails that came in alone; the rest of their identity is the address. */
export const BY_MAIL = 'earshot-mail';

/** As `BY_MAIL`, of users who wrote a message in a chat; the rest of their identity is who they are there. */
export const BY_CHAT = 'earshot-chat';

/** Users of single sign-on, invited ones, the team and API users are members; who only wrote a mail is not. */
function isMember(user: Entrant['user']): boolean {
  if (user === null) return false;
  const isOfSso = user.sso_id !== null && user.sso_type !== BY_MAIL && user.sso_type !== BY_CHAT;
  return user.role !== 'MEMBER' || isOfSso || user.is_invited === 1 || user.is_api_user === 1;
}

/** Whether the account has a confirmed address of an allowed domain; not one of a subdomain of it. */
function hasAllowedAddress({ mail_domains }: Board, account: Entrant['account']): boolean {
  if (account === null || account.is_email_verified === 0 || mail_domains === '') return false;
  const domain = account.email.slice(account.email.lastIndexOf('@') + 1).toLowerCase();
  return mail_domains.split(' ').includes(domain);
}
