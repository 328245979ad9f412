import { LRUCache } from 'lru-cache';
import { AppError } from '../errors.ts';
import { type Clock, MINUTE_MS, SECOND_MS } from '../lib/clock.ts';
import { msg } from '../messages.ts';

/** Maximum number of searches on the pages of a process for one network, and the period. */
export const SEARCHES = { most: 600, windowMs: MINUTE_MS } as const;

/** Maximum number of newly drawn pictures of links for one network in a process, and the period. */
export const PICTURES = { most: 60, windowMs: MINUTE_MS } as const;

/** Maximum number of networks to track; beyond it, those that have requested nothing for the longest time are forgotten. */
const MAX_NETWORKS = 10_000;

/** Counts what visitors ask for, in memory: those who only read cause no writes. */
export class NetworkLimit {
  readonly #clock: Clock;
  readonly #limit: { most: number; windowMs: number };
  readonly #windows = new LRUCache<string, { used: number; ends: number }>({ max: MAX_NETWORKS });

  constructor(clock: Clock, limit: { most: number; windowMs: number }) {
    this.#clock = clock;
    this.#limit = limit;
  }

  /** Counts a request from a network, or from whatever else is named. @throws RATE_LIMIT_EXCEEDED */
  count(network: string, most = this.#limit.most): void {
    const now = this.#clock.now();
    const known = this.#windows.get(network);
    const window = known && known.ends > now ? known : { used: 0, ends: now + this.#limit.windowMs };
    window.used++;
    this.#windows.set(network, window);
    if (window.used <= most) return;
    const retryAfter = Math.ceil((window.ends - now) / SECOND_MS);
    throw new AppError('RATE_LIMIT_EXCEEDED', msg('limitTooManyRequests'), { retryAfter });
  }
}
