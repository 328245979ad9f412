import { isUtf8 } from 'node:buffer';
import { LRUCache } from 'lru-cache';
import type { Db } from '../../platform/db/db.ts';
import { AppError, badRequest, forbidden, notFound } from '../../platform/errors.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { andThen, type MaybePromise } from '../../platform/lib/maybe-promise.ts';
import { msg } from '../../platform/messages.ts';
import { findableText } from '../../platform/texts/text.ts';
import type { BoardRow } from '../board/board.ts';
import { mayEnter } from './entry.ts';
import { findUser, findUserById, type SsoIdentity, type UserRow } from './users.ts';

/** How long this process relies on a user that it has read; changes made elsewhere are seen after that. */
const FRESH_MS = 3_000;

/** The headers that say who acts. */
export type ActorHeaders = { ssotype: string | undefined; ssoid: string | undefined; userid: string | undefined };

/** What a key says of who acts: its default user, and whether it acts only as that one. */
export type KeyUser = { defaultUserId: string | null; isBound: boolean };

/** Finds the acting user of a request. Frequent ones are cached, so that a request needs no statement for this. */
export class Actors {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #known = new LRUCache<string, { user: UserRow; readAt: number }>({ max: 10_000 });

  constructor(db: Db, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /**
   * The acting user, or why there is none, for example because they may not see the board. A request that needs no
   * actor ignores the reason.
   * @param key its default user acts when the headers name none
   * @throws the reason, for a key that acts only as one user: without that user it may do nothing at all
   */
  find(board: BoardRow, headers: ActorHeaders, key: KeyUser): MaybePromise<UserRow | AppError> {
    return andThen(this.#find(board.id, headers, key.defaultUserId), (found) => {
      const user = key.isBound ? requireOwn(found, headers, key.defaultUserId) : found;
      if (user instanceof AppError || mayEnter(board, { user, account: null })) return user;
      const problem = forbidden(msg('userMayNotSeeBoard'));
      if (key.isBound) throw problem;
      return problem;
    });
  }

  #find(boardId: string, headers: ActorHeaders, defaultUserId: string | null): MaybePromise<UserRow | AppError> {
    const identity = readIdentity(headers);
    const byDefault = identity instanceof AppError && defaultUserId !== null && isEmpty(headers);
    if (identity instanceof AppError && !byDefault) return identity;
    const cacheKey = byDefault ? `${boardId} ${defaultUserId}` : cacheKeyOf(boardId, identity as SsoIdentity);
    const known = this.#known.get(cacheKey);
    if (known && Math.abs(this.#clock.now() - known.readAt) < FRESH_MS) return known.user;
    return this.#read(cacheKey, () =>
      byDefault
        ? findUserById(this.#db.read, boardId, defaultUserId)
        : findUser(this.#db.read, boardId, identity as SsoIdentity),
    );
  }

  /** Makes a change to a user take effect immediately in this process. */
  forget(user: UserRow): void {
    this.#known.delete(`${user.board_id} ${user.id}`);
    if (user.sso_type === null || user.sso_id === null) return;
    this.#known.delete(cacheKeyOf(user.board_id, { ssoType: user.sso_type, ssoId: user.sso_id }));
  }

  async #read(cacheKey: string, find: () => Promise<UserRow | null>): Promise<UserRow | AppError> {
    const readAt = this.#clock.now();
    const user = await find();
    if (!user) return notFound('User');
    this.#known.set(cacheKey, { user, readAt });
    return user;
  }
}

/** Does not tell whether another user exists. @throws FORBIDDEN for any user but the key's own */
function requireOwn(found: UserRow | AppError, headers: ActorHeaders, ownId: string | null): UserRow {
  if (!(found instanceof AppError) && found.id === ownId) return found;
  if (ownId === null || isEmpty(headers)) {
    throw forbidden('This API key acts only as one user, who no longer exists: revoke it, and create another one');
  }
  throw forbidden('This API key acts only as its own user: leave out ssotype, ssoid and userid, or name that user');
}

function readIdentity({ ssotype, ssoid, userid }: ActorHeaders): SsoIdentity | AppError {
  if (!ssotype) return badRequest('ssotype is required in headers', 'ssotype');
  if (ssoid && userid && ssoid !== userid) {
    return badRequest('ssoid and userid are both in the headers, with different values', 'ssoid');
  }
  const ssoId = ssoid || userid;
  if (!ssoId) return badRequest('ssoid is required in headers', 'ssoid');
  return { ssoType: decodeHeader(ssotype), ssoId: decodeHeader(ssoId) };
}

/**
 * Node reads header bytes as Latin-1; ids outside ASCII are sent as UTF-8, but `fetch` sends Latin-1. In the form in
 * which the store has it, because users are cached by it; an impossible id becomes empty, which is no user's id.
 */
function decodeHeader(value: string): string {
  if (!/[^ -~]/.test(value)) return value;
  const bytes = Buffer.from(value, 'latin1');
  return findableText(isUtf8(bytes) ? bytes.toString('utf8') : value) ?? '';
}

function isEmpty({ ssotype, ssoid, userid }: ActorHeaders): boolean {
  return !ssotype && !ssoid && !userid;
}

function cacheKeyOf(boardId: string, { ssoType, ssoId }: SsoIdentity): string {
  return `${boardId} ${ssoType.length} ${ssoType} ${ssoId}`;
}
