import { LRUCache } from 'lru-cache';
import { AppError } from '../errors.ts';
import { type Clock, MINUTE_MS, SECOND_MS } from '../lib/clock.ts';
import { msg } from '../messages.ts';

/** Maximum number of searches on the pages of a process for one network, and the period. */
export const SEARCHES = { most: 600, windowMs: MINUTE_MS } as const;

/** Maximum number of newly drawn pictures of links for one network in a process, and the period. */
export const PICTURES = { most: 60, windowMs: MINUTE_MS } as const;

/** Maximum number of requests of one network to a tracker's webhook that are not signed by it, and the period. */
export const BAD_SIGNATURES = { most: 30, windowMs: MINUTE_MS } as const;

/** Maximum number of networks to track; beyond it, those that have requested nothing for the longest time are forgotten. */
const MAX_NETWORKS = 10_000;

type Window = { used: number; ends: number };

/** Counts what visitors ask for, in memory: those who only read cause no writes. */
export class NetworkLimit {
  readonly #clock: Clock;
  readonly #limit: { most: number; windowMs: number };
  readonly #windows = new LRUCache<string, Window>({ max: MAX_NETWORKS });

  constructor(clock: Clock, limit: { most: number; windowMs: number }) {
    this.#clock = clock;
    this.#limit = limit;
  }

  /** Counts a request from a network, or from whatever else is named. @throws RATE_LIMIT_EXCEEDED */
  count(network: string, most = this.#limit.most): void {
    const window = this.#windowOf(network);
    window.used++;
    this.#windows.set(network, window);
    if (window.used > most) throw this.#refusal(window);
  }

  /** Refuses a network that has used up its requests, and counts nothing. @throws RATE_LIMIT_EXCEEDED */
  require(network: string): void {
    const window = this.#windowOf(network);
    if (window.used >= this.#limit.most) throw this.#refusal(window);
  }

  #windowOf(network: string): Window {
    const now = this.#clock.now();
    const known = this.#windows.get(network);
    return known && known.ends > now ? known : { used: 0, ends: now + this.#limit.windowMs };
  }

  #refusal({ ends }: Window): AppError {
    const retryAfter = Math.ceil((ends - this.#clock.now()) / SECOND_MS);
    return new AppError('RATE_LIMIT_EXCEEDED', msg('limitTooManyRequests'), { retryAfter });
  }
}
