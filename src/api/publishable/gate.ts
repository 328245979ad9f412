import type { FastifyRequest } from 'fastify';
import type { BoardRow } from '../../identity/board/board.ts';
import { NO_BUDGET } from '../../identity/keys/budget.ts';
import { indexDocuments, ownDocuments, type RegisteredDocument } from '../../identity/keys/documents.ts';
import type { Admission } from '../../identity/keys/gate.ts';
import { saveLastUsed } from '../../identity/keys/keys.ts';
import { isApp, originsOf, type PublishableKeyRow } from '../../identity/keys/publishable.ts';
import { actorHeadersOf } from '../../identity/keys/request.ts';
import { findVisitor } from '../../identity/keys/visitors.ts';
import { isPrivate } from '../../identity/users/entry.ts';
import type { UserRow } from '../../identity/users/users.ts';
import type { Db } from '../../platform/db/db.ts';
import { AppError, badRequest, forbidden } from '../../platform/errors.ts';
import { makeIpList, networkOf } from '../../platform/http/ip.ts';
import { type Clock, MINUTE_MS } from '../../platform/lib/clock.ts';
import { NetworkLimit } from '../../platform/limits/network-limit.ts';

/** How long this process relies on the keys that it has read; changes made elsewhere are promised within 5 s. */
const FRESH_MS = 3_000;
/** Only a key that cannot be read again yet is refused from memory. */
const FRESH_FOR_UNKNOWN_MS = 100;
/** By which a website or an app says for which visitor it asks. */
export const VISITOR_HEADER = 'earshot-visitor';
/** What only secret keys may ask for. */
const SECRET_HEADERS = ['dry-run', 'idempotency-key'];

type Known = {
  row: PublishableKeyRow;
  board: BoardRow;
  origins: ReadonlySet<string>;
  documents: ReadonlyMap<string, string>;
};

/** @param readPublic see `documents.ts` */
type Deps = { db: Db; clock: Clock; readPublic(source: string): RegisteredDocument[] };

/** A request that has passed every check of its publishable key: with what it may send, and for whom. */
export type PublicAdmission = Admission & {
  documents: ReadonlyMap<string, string>;
  /** The visitor who has allowed it, as a member: never with the rights of the team. Null for others. */
  visitor: UserRow | null;
};

/**
 * Decides whether a browser or an app may use the API with a publishable key: key known and not revoked, the board's plan,
 * a board that everyone sees, the origin, the limits of its network and of the visitor, in this order. All keys are in memory
 * and are read again every three seconds in which there are requests.
 */
export class PublishableGate {
  readonly #deps: Deps;
  readonly #networks: NetworkLimit;
  readonly #visitors: NetworkLimit;
  #known: { byKey: ReadonlyMap<string, Known>; readAt: number } = { byKey: new Map(), readAt: -Infinity };
  #reading: Promise<void> | null = null;
  /** By the key's id: when it was used since that was last saved. */
  readonly #used = new Map<string, readonly [Admission['key'], number]>();

  constructor(deps: Deps) {
    this.#deps = deps;
    // Each key has numbers of its own.
    const limit = { most: 0, windowMs: MINUTE_MS };
    this.#networks = new NetworkLimit(deps.clock, limit);
    this.#visitors = new NetworkLimit(deps.clock, limit);
  }

  /** @throws UNAUTHENTICATED, PLAN_REQUIRED, FORBIDDEN, RATE_LIMIT_EXCEEDED or BAD_REQUEST */
  async admit(request: FastifyRequest, key: string): Promise<PublicAdmission> {
    const { row, board, origins, documents } = await this.#require(key);
    if (board.plan === 'FREE')
      throw new AppError('PLAN_REQUIRED', 'The API is available on the Pro and Enterprise plans');
    if (isPrivate(board)) throw forbidden('Publishable keys read boards that everyone may see; this board is private');
    requireOrigin(origins, request.headers.origin);
    this.#networks.count(`${row.id} ${networkOf(request.address)}`, row.per_network);
    requirePlain(request);
    const apiKey = asApiKey(row);
    this.#used.set(row.id, [apiKey, this.#deps.clock.now()]);
    return { key: apiKey, board, documents, visitor: await this.#findVisitor(request, row) };
  }

  /** Saves when keys were used; called periodically, because a request must not wait for it. */
  async saveUse(): Promise<void> {
    const used = [...this.#used.values()];
    this.#used.clear();
    if (used.length > 0) await saveLastUsed(this.#deps.db, 'publishable_keys', used);
  }

  /** Makes a change to keys or boards take effect immediately in this process. */
  forget(): void {
    // What was read of their documents stays.
    this.#known = { ...this.#known, readAt: -Infinity };
  }

  async #findVisitor({ headers }: FastifyRequest, row: PublishableKeyRow): Promise<UserRow | null> {
    const token = headers[VISITOR_HEADER];
    if (token === undefined) return null;
    const user = await findVisitor(this.#deps, row, String(token));
    if (!user)
      throw new AppError('UNAUTHENTICATED', 'The visitor has not allowed this, or no longer: ask them again', {
        field: VISITOR_HEADER,
      });
    this.#visitors.count(`${row.id} ${user.id}`, row.per_visitor);
    const standing = user.role === 'MEMBER' ? user.standing : 'NORMAL';
    return { ...user, role: 'MEMBER', is_api_user: 0, standing };
  }

  async #require(key: string): Promise<Known> {
    const age = Math.abs(this.#deps.clock.now() - this.#known.readAt);
    if (age >= (this.#known.byKey.has(key) ? FRESH_MS : FRESH_FOR_UNKNOWN_MS)) {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = null;
      });
      await this.#reading;
    }
    const known = this.#known.byKey.get(key);
    if (!known) throw new AppError('UNAUTHENTICATED', 'Invalid Api Key');
    return known;
  }

  async #read(): Promise<void> {
    const { db, clock } = this.#deps;
    const readAt = clock.now();
    const rows = await db.read.selectFrom('publishable_keys').selectAll().where('date_revoked', 'is', null).execute();
    const ids = [...new Set(rows.map((row) => row.board_id))];
    const boards =
      ids.length === 0 ? [] : await db.read.selectFrom('boards').selectAll().where('id', 'in', ids).execute();
    const boardsById = new Map(boards.map((board) => [board.id, board]));
    const before = this.#known.byKey;
    const byKey = new Map<string, Known>();
    for (const row of rows) {
      const board = boardsById.get(row.board_id);
      if (!board) continue;
      const earlier = before.get(row.key);
      const isSame = earlier?.row.documents === row.documents;
      const documents = isSame
        ? earlier.documents
        : indexDocuments([...this.#deps.readPublic(row.documents), ...ownDocuments]);
      byKey.set(row.key, { row, board, origins: new Set(originsOf(row)), documents });
    }
    this.#known = { byKey, readAt };
  }
}

/** Apps name no origin, so a request without one is taken where one of the origins is that of an app. */
function requireOrigin(origins: ReadonlySet<string>, origin: string | undefined): void {
  const isAllowed = origin === undefined ? [...origins].some(isApp) : origins.has(origin);
  if (isAllowed) return;
  const from = origin === undefined ? 'without an Origin, as programs send them' : `from ${origin.slice(0, 200)}`;
  throw forbidden(`This publishable key may not be used ${from}: allow it in the settings of the key`);
}

/** @throws FORBIDDEN or BAD_REQUEST for what only secret keys may ask for */
function requirePlain(request: FastifyRequest): void {
  if (Object.values(actorHeadersOf(request)).some((value) => value !== undefined))
    throw forbidden(
      'A publishable key acts only for visitors who have allowed it: leave out ssotype, ssoid and userid',
    );
  const header = SECRET_HEADERS.find((name) => request.headers[name] !== undefined);
  if (header) throw badRequest(`Publishable keys know no header ${header}`, header);
  if (request.method !== 'POST') throw badRequest('Publishable keys take POST only');
}

/** As the API knows keys; its limits are its own. */
function asApiKey({ id, board_id, name }: PublishableKeyRow): Admission['key'] {
  return {
    id,
    boardId: board_id,
    name,
    permissions: new Set(['READ', 'WRITE']),
    allowedIps: makeIpList([]),
    rateRules: [],
    defaultUserId: null,
    isBound: false,
    expiresAt: null,
    revokedAt: null,
    budget: NO_BUDGET,
  };
}
