import { LRUCache } from 'lru-cache';

/** A position in a log whose order is the order of commits: the sequence number of an event of a board. */
export type LogPosition = { log: string; position: number };

/** Logs of which it is remembered how far they are durable; one that is forgotten costs a flush. */
const MAX_LOGS = 10_000;

/**
 * Whether what a read has shown would survive a crash or a failover. Commits can be visible before they are durable, so
 * who shows something to the outside waits here for it. Waiters share flushes, and logs of which enough is known to be
 * durable cost nothing.
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

  /** Resolves once everything that was visible at the time of the call is durable, or the log as far as is said. */
  async wait(upTo?: LogPosition): Promise<void> {
    if (upTo && (this.#durable.get(upTo.log) ?? 0) >= upTo.position) return;
    await this.#flushFromNowOn();
    if (upTo) this.note(upTo);
  }

  /** Remembers that a log is durable up to a position. */
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

/** Work in progress, and for how long the oldest of it has been. */
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
