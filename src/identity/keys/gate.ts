import type { Db } from '../../platform/db/db.ts';
import { AppError, type ErrorCode } from '../../platform/errors.ts';
import { plainAddress } from '../../platform/http/ip.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { andThen, type MaybePromise } from '../../platform/lib/maybe-promise.ts';
import type { RateLimiter, RateVerdict, RateWindow } from '../../platform/limits/rate-limit.ts';
import type { BoardRow } from '../board/board.ts';
import { type ApiKey, hashKey, hasKeyForm, nameOfAgent, readKeys, saveLastUsed } from './keys.ts';
import { KeyUsage } from './usage.ts';

/** How long this process relies on the keys that it has read; changes made elsewhere are promised within 5 s. */
const FRESH_MS = 3_000;
/** How long a key counts as unknown that is not among those read: it may have just been created, but a flood of them must cost nothing. */
const FRESH_FOR_UNKNOWN_MS = 100;

/** A request that has passed every check of its key. */
export type Admission = { key: ApiKey; board: BoardRow };

/** What the checks need of a request: the key it carries, and the address it comes from. */
export type Credentials = {
  apiKey: string | undefined;
  /** The id of the key of an agent that has signed in by OAuth, which then needs no `apiKey`. */
  agentId?: string | null | undefined;
  address: string;
};

/**
 * Decides whether a request may use the API: key known, not revoked or expired, the board's plan, the address, the
 * rate limit, in this order. All keys are in memory and are read again every three seconds in which there are
 * requests, so neither a request that passes nor one that is refused costs a statement of its own.
 */
export class Gate {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #limiter: RateLimiter;
  #known: KnownKeys = { byHash: new Map(), readAt: -Infinity };
  #reading: Promise<KnownKeys> | null = null;
  /** By the key's id: a key is a new object each time it is read. */
  readonly #lastUsed = new Map<string, readonly [ApiKey, number]>();
  readonly #usage = new KeyUsage();

  constructor(db: Db, clock: Clock, limiter: RateLimiter) {
    this.#db = db;
    this.#clock = clock;
    this.#limiter = limiter;
  }

  /** @throws UNAUTHENTICATED, PLAN_REQUIRED, IP_NOT_ALLOWED or RATE_LIMIT_EXCEEDED */
  admit({ apiKey, agentId, address }: Credentials): MaybePromise<Admission> {
    const now = this.#clock.now();
    const name = agentId ? nameOfAgent(agentId) : apiKey && hasKeyForm(apiKey) ? hashKey(apiKey) : null;
    const found = name === null ? null : this.#find(name, now);
    return andThen(found, (admission) => this.#check(admission, address, now));
  }

  /**
   * Looks again at a request that was admitted and is still being answered; it does not count as another one.
   * @throws as `admit`, except RATE_LIMIT_EXCEEDED
   */
  readmit({ apiKey, address }: Credentials): MaybePromise<Admission> {
    const now = this.#clock.now();
    return andThen(this.#find(hashKey(apiKey ?? ''), now), (found) => this.#requireUsable(found, address, now));
  }

  #check(found: Admission | null, address: string, now: number): MaybePromise<Admission> {
    const admission = this.#requireUsable(found, address, now);
    if (admission.key.rateRules.length === 0) return this.#pass(admission, now);
    return andThen(this.#limiter.take(admission.key, now), (verdict) => this.#requireAllowed(verdict, admission, now));
  }

  #requireUsable(found: Admission | null, address: string, now: number): Admission {
    if (!found) throw new AppError('UNAUTHENTICATED', 'Invalid Api Key');
    const { key, board } = found;
    if (!isValid(key, now)) throw this.#refuse(key, now, new AppError('UNAUTHENTICATED', 'Invalid Api Key'));
    if (board.plan === 'FREE') {
      const message = 'The API is available on the Pro and Enterprise plans';
      throw this.#refuse(key, now, new AppError('PLAN_REQUIRED', message));
    }
    if (!key.allowedIps.allows(address)) {
      const message = `This API key may not be used from ${plainAddress(address)}`;
      throw this.#refuse(key, now, new AppError('IP_NOT_ALLOWED', message));
    }
    return found;
  }

  #requireAllowed({ allowed, windows }: RateVerdict, admission: Admission, now: number): Admission {
    if (!allowed) throw this.#refuse(admission.key, now, new RateLimitError(windows, now));
    return this.#pass(admission, now);
  }

  #pass(admission: Admission, now: number): Admission {
    this.#lastUsed.set(admission.key.id, [admission.key, now]);
    return admission;
  }

  #refuse(key: ApiKey, now: number, error: AppError): AppError {
    this.#usage.count(key, error.code, now);
    return error;
  }

  /** Counts the result of an admitted request; refused ones are counted in this class. */
  countAnswer({ key }: Admission, code: ErrorCode | undefined): void {
    this.#usage.count(key, code, this.#clock.now());
  }

  /** Makes a change to keys or boards take effect immediately in this process. */
  forget(): void {
    this.#known = { byHash: new Map(), readAt: -Infinity };
  }

  /** Saves how and when keys were used; called periodically, because a request must not wait for it. */
  async saveUse(): Promise<void> {
    await this.#usage.save(this.#db);
    const used = [...this.#lastUsed.values()];
    this.#lastUsed.clear();
    if (used.length > 0) await saveLastUsed(this.#db, 'api_keys', used);
  }

  /** The current state of the limits of a key. */
  windowsOf(key: ApiKey): RateWindow[] {
    return this.#limiter.peek(key, this.#clock.now());
  }

  #find(keyHash: string, now: number): MaybePromise<Admission | null> {
    const known = this.#known.byHash.get(keyHash);
    // A clock that was set back must not make old data appear fresh.
    const age = Math.abs(now - this.#known.readAt);
    if (age < (known ? FRESH_MS : FRESH_FOR_UNKNOWN_MS)) return known ?? null;
    return this.#read(now).then(({ byHash }) => byHash.get(keyHash) ?? null);
  }

  #read(now: number): Promise<KnownKeys> {
    this.#reading ??= readKeys(this.#db.read)
      .then((byHash) => {
        this.#known = { byHash, readAt: now };
        return this.#known;
      })
      .finally(() => {
        this.#reading = null;
      });
    return this.#reading;
  }
}

type KnownKeys = { byHash: ReadonlyMap<string, Admission>; readAt: number };

/** RATE_LIMIT_EXCEEDED with the exhausted windows. */
export class RateLimitError extends AppError {
  readonly windows: RateWindow[];

  constructor(windows: RateWindow[], now: number) {
    const resetAt = Math.max(...windows.filter((w) => w.remaining === 0).map((w) => w.resetAt));
    super('RATE_LIMIT_EXCEEDED', 'Rate limit exceeded', {
      retryAfter: Math.max(1, Math.ceil((resetAt - now) / 1_000)),
    });
    this.windows = windows;
  }
}

function isValid(key: ApiKey, now: number): boolean {
  return key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now);
}
