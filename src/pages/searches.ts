import { LRUCache } from 'lru-cache';
import { AppError } from '../platform/errors.ts';
import { type Clock, MINUTE_MS, SECOND_MS } from '../platform/lib/clock.ts';
import { msg } from '../platform/messages.ts';

/** Maximum number of searches on the pages of a process for one network, and the period. */
export const SEARCHES = { most: 600, windowMs: MINUTE_MS } as const;

/** Maximum number of networks to track; beyond it, those that have not searched for the longest time are forgotten. */
const MAX_NETWORKS = 10_000;

/** Counts searches on pages, in memory: visitors who only read cause no writes. */
export class Searches {
  readonly #clock: Clock;
  readonly #windows = new LRUCache<string, { used: number; ends: number }>({ max: MAX_NETWORKS });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a search from a network. @throws RATE_LIMIT_EXCEEDED */
  count(network: string): void {
    const now = this.#clock.now();
    const known = this.#windows.get(network);
    const window = known && known.ends > now ? known : { used: 0, ends: now + SEARCHES.windowMs };
    window.used++;
    this.#windows.set(network, window);
    if (window.used <= SEARCHES.most) return;
    const retryAfter = Math.ceil((window.ends - now) / SECOND_MS);
    throw new AppError('RATE_LIMIT_EXCEEDED', msg`Too many searches: try again in a minute`, { retryAfter });
  }
}
