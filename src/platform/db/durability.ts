import { LRUCache } from 'lru-cache';
import { type LogPosition, StoreUnavailableError } from './db.ts';

/** Maximum number of logs whose durable position is cached; one that is not costs a flush. */
const MAX_LOGS = 10_000;

/**
 * Whether what a read has shown would survive a crash or a failover. Commits can be visible before they are durable, so
 * callers that show something to clients wait here for it. Waiters share flushes, and logs that are known to be durable
 * far enough cost nothing.
 */
export class Durability {
  readonly #flush: () => Promise<void>;
  readonly #durable = new LRUCache<string, number>({ max: MAX_LOGS });
  #last: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;
  #epoch = 0;

  /** @param flush resolves once everything that was visible when it was called is durable */
  constructor(flush: () => Promise<void>) {
    this.#flush = flush;
  }

  /** The time in which nothing that was visible can have been lost. */
  epoch(): number {
    return this.#epoch;
  }

  /** What was visible and not durable may be lost from now on. */
  endEpoch(): void {
    this.#epoch++;
  }

  /**
   * Resolves once everything that was visible at the time of the call is durable, or the log up to the given position.
   * @param since the epoch in which it was read
   * @throws StoreUnavailableError if that has ended: what was read may be lost
   */
  async wait(since: number, upTo?: LogPosition): Promise<void> {
    const isKnown = upTo && (this.#durable.get(upTo.log) ?? 0) >= upTo.position;
    if (!isKnown) await this.#flushFromNowOn();
    if (since !== this.#epoch) throw new StoreUnavailableError('The database restarted or failed over during the read');
    if (upTo) this.note(upTo);
  }

  /** Records that a log is durable up to a position. */
  note({ log, position }: LogPosition): void {
    if (position > (this.#durable.get(log) ?? 0)) this.#durable.set(log, position);
  }

  /** A flush that is in progress may have begun before what the caller saw, so it waits for the one after it. */
  #flushFromNowOn(): Promise<void> {
    if (!this.#next) {
      this.#next = this.#last
        .catch(() => {})
        .then(() => {
          this.#next = null;
          return this.#flush();
        });
      this.#last = this.#next;
    }
    return this.#next;
  }
}

/** Work in progress, and the age of the oldest of it. */
export class Waits {
  readonly #begun = new Set<{ at: number }>();

  async watch<T>(work: Promise<T>): Promise<T> {
    const entry = { at: performance.now() };
    this.#begun.add(entry);
    try {
      return await work;
    } finally {
      this.#begun.delete(entry);
    }
  }

  oldestMs(): number {
    const [oldest] = this.#begun;
    return oldest ? performance.now() - oldest.at : 0;
  }
}
