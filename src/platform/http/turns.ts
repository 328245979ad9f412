/** Requests that a network begins in a turn of the event loop. */
const AT_ONCE = 32;
/** Requests of a network that wait for their turn: as many as a process has connections, by default. */
const MOST_WAITING = 4_000;

type Queue = { begun: number; waiting: (() => void)[] };

/**
 * Lets each network begin so many requests in a turn of the event loop, and the next ones in later turns. Otherwise all that
 * one has sent at once, which may be thousands of requests, would come before those that others send in the meantime.
 */
export class Turns {
  readonly #queues = new Map<string, Queue>();
  #isPlanned = false;

  /** Begins a request, now or in a later turn. @returns false if too many of its network wait already */
  take(network: string, begin: () => void): boolean {
    const queue = this.#queues.get(network) ?? { begun: 0, waiting: [] };
    this.#queues.set(network, queue);
    this.#plan();
    if (queue.begun < AT_ONCE && queue.waiting.length === 0) {
      queue.begun++;
      begin();
      return true;
    }
    return queue.waiting.length < MOST_WAITING && queue.waiting.push(begin) > 0;
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(() => this.#next());
  }

  #next(): void {
    this.#isPlanned = false;
    for (const [network, queue] of this.#queues) {
      const begun = queue.waiting.splice(0, AT_ONCE);
      queue.begun = begun.length;
      if (begun.length === 0) this.#queues.delete(network);
      for (const begin of begun) begin();
    }
    if (this.#queues.size > 0) this.#plan();
  }
}
