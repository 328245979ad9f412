import type { BoardRow } from '#src/identity/board/board.ts';
import { findSsoSettings } from '#src/identity/sso/settings.ts';
import { signInByToken } from '#src/identity/sso/sign-in.ts';
import type { TokenCheck, TokenPerson } from '#src/identity/sso/token.ts';
import type { RequestContext } from '#src/identity/users/request-context.ts';
import { checkBoardToken, REFUSED } from '#src/operations/sso/board-token.ts';
import type { Visit } from '#src/pages/visit.ts';
import { serverCookie } from '#src/platform/http/cookie.ts';
import { withoutPrefix } from '#src/platform/http/prefix.ts';
import { makeToken } from '#src/platform/lib/ids.ts';
import { readCookie } from '../../lib/cookies.ts';
import { parseNext } from '../../lib/next.ts';

/** Distinguishes a sign-in that a visitor started here from one that another site started for them. */
const STATE_COOKIE = 'earshot.sso-state';
const STATE_S = 30 * 60;

/** The board's own login page, for visitors without a token; null when it has none. */
export async function findLoginUrl({ db }: Visit, board: BoardRow): Promise<string | null> {
  return (await findSsoSettings(db.read, board.id))?.login_url ?? null;
}

/** Checks a token; what is wrong with it is shown to visitors who may see the board. */
export async function checkToken(visit: Visit, context: RequestContext, token: string): Promise<TokenCheck> {
  const result = await checkBoardToken(context, visit.tokenKeys, token);
  return result.person || (await visit.people.mayEnter(context.board)) ? result : { refusal: REFUSED };
}

/** Signs the visitor in as the user of a token. @throws FORBIDDEN, BAD_REQUEST */
export async function beginAs(visit: Visit, context: RequestContext, person: TokenPerson): Promise<void> {
  const settings = await findSsoSettings(visit.db.read, context.board.id);
  const user = await signInByToken(context, person, settings?.is_role_allowed === 1);
  visit.personChanged(user);
  await visit.people.signIn(user);
}

/**
 * The URL of the board's login with the parameters it must send back, and the cookie by which the sign-in is
 * recognized.
 */
export function beginLogin(loginUrl: string, visit: Visit, board: BoardRow, next: string) {
  const state = makeToken(16);
  const address = new URL(loginUrl);
  address.searchParams.set('returnUrl', `${visit.baseUrl}${next}`);
  address.searchParams.set('state', state);
  return { address: address.href, cookie: stateCookie(visit, stateOf(board, state), STATE_S) };
}

/** Whether a sign-in to a board was started by this browser here. */
export function isOwnLogin(request: Request, board: BoardRow, state: string | null): boolean {
  return state !== null && readCookie(request, STATE_COOKIE) === stateOf(board, state);
}

/** Removes the cookie of a sign-in that has come back. */
export function endLogin(visit: Visit): string {
  return stateCookie(visit, '', 0);
}

/** Names the board, because the login pages of other boards on this server get states as well. */
function stateOf({ id }: BoardRow, state: string): string {
  return `${id}.${state}`;
}

function stateCookie({ baseUrl }: Visit, value: string, seconds: number): string {
  return serverCookie(baseUrl, STATE_COOKIE, value, seconds);
}

/** The path on a board to continue to; anything that leads elsewhere becomes the board. */
export function parseReturnUrl({ baseUrl, prefix }: Visit, { pid, domain }: BoardRow, text: string | null): string {
  const home = `/b/${pid}`;
  const url = URL.parse(text ?? '', baseUrl);
  const isHere = url && (url.origin === new URL(baseUrl).origin || (domain !== null && url.hostname === domain));
  const path = isHere ? parseNext(`${withoutPrefix(url.pathname, prefix)}${url.search}${url.hash}`) : null;
  return path === home || path?.startsWith(`${home}/`) || path?.startsWith(`${home}?`) ? path : home;
}
