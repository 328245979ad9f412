import { hash } from 'node:crypto';
import type { AccountAccess, Caller } from '../identity/accounts/access.ts';
import { SESSION_MS } from '../identity/accounts/rules.ts';
import type { BoardRow } from '../identity/board/board.ts';
import { beginSession, endSession, findSession } from '../identity/sso/sessions.ts';
import { findMember } from '../identity/team/members.ts';
import { isPrivate, mayEnter } from '../identity/users/entry.ts';
import type { UserRow } from '../identity/users/users.ts';
import type { Db } from '../platform/db/db.ts';
import { serverCookie } from '../platform/http/cookie.ts';
import { type Clock, SECOND_MS } from '../platform/lib/clock.ts';

type Deps = { db: Db; clock: Clock; baseUrl: string };
type Browser = Pick<Caller, 'cookies' | 'isProlonging' | 'setCookie'>;

/** Each board has its own cookie: a visitor may come to several from different sites. */
const COOKIE = /(?:^|;\s*)earshot\.sso\.([\w-]{36})=([\w-]{1,100})/g;

/** Who a visitor is on boards: by their account, or else by the board's single sign-on. */
export class People {
  readonly #deps: Deps;
  readonly #browser: Browser;
  readonly #access: AccountAccess;
  readonly #tokens: Map<string, string>;
  readonly #found = new Map<string, Promise<UserRow | null>>();

  constructor(deps: Deps, browser: Browser, access: AccountAccess) {
    this.#deps = deps;
    this.#browser = browser;
    this.#access = access;
    const cookies = [...(browser.cookies ?? '').matchAll(COOKIE)];
    this.#tokens = new Map(cookies.map(([, boardId = '', token = '']) => [boardId, token]));
  }

  /** The visitor on a board; null for an anonymous visitor, and for an account that has done nothing there yet. */
  on(board: Pick<BoardRow, 'id'>): Promise<UserRow | null> {
    const found = this.#found.get(board.id) ?? this.#find(board.id);
    this.#found.set(board.id, found);
    return found;
  }

  /** Whether the visitor may see a board at all. */
  async mayEnter(board: BoardRow): Promise<boolean> {
    if (!isPrivate(board)) return true;
    const account = (await this.#access.current())?.account ?? null;
    return mayEnter(board, { user: await this.on(board), account });
  }

  /** Whether the visitor can take part on a board without signing in. */
  async areSignedIn(board: Pick<BoardRow, 'id'>): Promise<boolean> {
    return (await this.#access.current()) !== null || (await this.on(board)) !== null;
  }

  /** Tells visitors of one browser apart on a board, for what waits in its outbox; null for an anonymous visitor. */
  async idOn(board: Pick<BoardRow, 'id'>): Promise<string | null> {
    return (await this.#access.current())?.account.id ?? (await this.on(board))?.id ?? null;
  }

  /** Tells visitors of one browser apart, for what it keeps of pages; null without a session. */
  async mark(): Promise<string | null> {
    const account = (await this.#access.current())?.account.id;
    const own = account === undefined ? [] : [account];
    for (const [boardId, token] of account === undefined ? this.#tokens : []) {
      if ((await this.#found.get(boardId)) !== null) own.push(token);
    }
    return own.length === 0 ? null : hash('sha256', own.join(), 'base64url').slice(0, 16);
  }

  /** Signs the visitor in as this user, in place of their account, or of who they were on this board. */
  async signIn(user: UserRow): Promise<void> {
    if (await this.#access.current()) await this.signOut();
    const before = this.#tokens.get(user.board_id);
    if (before !== undefined) await endSession(this.#deps, before);
    this.#setCookie(user.board_id, await beginSession(this.#deps, user), SESSION_MS);
    this.#found.set(user.board_id, Promise.resolve(user));
  }

  /** Ends every session of the visitor's browser. */
  async signOut(): Promise<void> {
    if (await this.#access.current()) await this.#access.signOut();
    for (const [boardId, token] of this.#tokens) {
      await endSession(this.#deps, token);
      this.#setCookie(boardId, '', 0);
    }
    this.#tokens.clear();
    this.#found.clear();
  }

  async #find(boardId: string): Promise<UserRow | null> {
    const { db } = this.#deps;
    const signedIn = await this.#access.current();
    if (signedIn) return findMember(db.read, boardId, signedIn.account.id);
    const token = this.#tokens.get(boardId);
    const { isProlonging = true } = this.#browser;
    const found = token === undefined ? null : await findSession(this.#deps, boardId, token, isProlonging);
    if (token !== undefined && found?.isProlonged) this.#setCookie(boardId, token, SESSION_MS);
    return found?.user ?? null;
  }

  #setCookie(boardId: string, token: string, lengthMs: number): void {
    const name = `earshot.sso.${boardId}`;
    this.#browser.setCookie(serverCookie(this.#deps.baseUrl, name, token, lengthMs / SECOND_MS));
  }
}
