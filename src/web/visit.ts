import type { AccountAccess } from '../accounts/access.ts';
import type { Accounts } from '../accounts/accounts.ts';
import { type BoardRow, findBoard } from '../board/board.ts';
import type { BoardCall } from '../call.ts';
import type { Db } from '../db/db.ts';
import { notFound } from '../errors.ts';
import type { KeyForm } from '../keys/managing.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/log.ts';
import type { UserRow } from '../users/users.ts';
import { type Features, features } from './features.ts';

/** What the server lends to the loaders and actions of the pages, for one request. */
export type Visit = {
  readonly requestId: string;
  /** For inline scripts and styles, see `security.ts`. */
  readonly nonce: string;
  /** Where the request comes from, proxies seen through. */
  readonly address: string;
  /** The host that the visitor typed, with its port. */
  readonly host: string;
  readonly baseUrl: string;
  readonly db: Db;
  readonly clock: Clock;
  readonly features: Features;
  /** What the visitor does with their account. */
  readonly access: AccountAccess;
  /** @throws NOT_FOUND when there is no such board */
  openBoard(pid: string | undefined): Promise<BoardCall>;
  /** A form that makes an API key, see `issueKey`. */
  keyForm(nonce: string): KeyForm;
  /** Makes changes to keys and boards count at once in this process. */
  keysChanged(): void;
  /** Likewise for a person. */
  personChanged(user: UserRow): void;
  logFault(error: unknown): void;
};

/** What of a request a visit needs. */
export type Visitor = {
  requestId: string;
  nonce: string;
  address: string;
  host: string;
  cookies: string | undefined;
  userAgent: string | undefined;
  setCookie(cookie: string): void;
};

/** What all visits share. */
export type VisitDeps = {
  db: Db;
  clock: Clock;
  log: Logger;
  baseUrl: string;
  secretKey: string;
  accounts: Accounts;
  keysChanged(): void;
  personChanged(user: UserRow): void;
};

/** Makes what the pages work with in one request. */
export function makeVisit(deps: VisitDeps, visitor: Visitor): Visit {
  const { db, clock, log, baseUrl, secretKey, accounts, keysChanged, personChanged } = deps;
  const { requestId, nonce, address, host } = visitor;
  const boards = new Map<string, Promise<BoardRow | null>>();
  return {
    requestId,
    nonce,
    address,
    host,
    baseUrl,
    db,
    clock,
    features,
    access: accounts.of(visitor),
    async openBoard(pid = '') {
      // Several loaders of one page ask for the same board.
      const known = boards.get(pid) ?? findBoard(db.read, pid);
      boards.set(pid, known);
      const board = await known;
      if (!board) throw notFound('Board');
      return { db, clock, baseUrl, board };
    },
    keyForm: (formNonce) => ({ serverSecret: secretKey, nonce: formNonce }),
    keysChanged() {
      boards.clear();
      keysChanged();
    },
    personChanged,
    logFault: (err) => log.error({ requestId, err }, 'A page failed'),
  };
}
