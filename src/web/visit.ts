import { type BoardRow, findBoard } from '../board/board.ts';
import type { BoardCall } from '../call.ts';
import type { Db } from '../db/db.ts';
import { notFound } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/log.ts';
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
  /** @throws NOT_FOUND when there is no such board */
  openBoard(pid: string | undefined): Promise<BoardCall>;
  logFault(error: unknown): void;
};

/** What of a request a visit needs. */
export type Visitor = { requestId: string; nonce: string; address: string; host: string };

/** What all visits share. */
export type VisitDeps = { db: Db; clock: Clock; log: Logger; baseUrl: string };

/** Makes what the pages work with in one request. */
export function makeVisit({ db, clock, log, baseUrl }: VisitDeps, visitor: Visitor): Visit {
  const boards = new Map<string, Promise<BoardRow | null>>();
  return {
    ...visitor,
    baseUrl,
    db,
    clock,
    features,
    async openBoard(pid = '') {
      // Several loaders of one page ask for the same board.
      const known = boards.get(pid) ?? findBoard(db.read, pid);
      boards.set(pid, known);
      const board = await known;
      if (!board) throw notFound('Board');
      return { db, clock, baseUrl, board };
    },
    logFault: (err) => log.error({ requestId: visitor.requestId, err }, 'A page failed'),
  };
}
