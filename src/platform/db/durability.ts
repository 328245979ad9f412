import { LRUCache } from 'lru-cache';

/** A position in a log whose order is the order of commits: the sequence number of an event of a board. */
export type LogPosition = { log: string; position: number };

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

  /** @param flush resolves once everything that was visible when it was called is durable */
  constructor(flush: () => Promise<void>) {
    this.#flush = flush;
  }

  /**
   * Resolves once everything that was visible at the time of the call is durable, or the log up to the given position.
   */
  async wait(upTo?: LogPosition): Promise<void> {
    if (upTo && (this.#durable.get(upTo.log) ?? 0) >= upTo.position) return;
    await this.#flushFromNowOn();
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
