import { Lane } from '../platform/lib/lane.ts';
import { Refusal } from './refusal.ts';
import { renderFor } from './rendering.ts';

/** Maximum number of pages that a process renders or has queued at a time, in total and for one network. */
export const CROWD = { all: 400, network: 200 } as const;

const FULL = 'Too many pages are being requested right now, so nothing was done. Try again in a few seconds.';

/** The page requests in progress. */
export class Crowd {
  #all = 0;
  readonly #byNetwork = new Map<string, number>();
  /** SQLite returns what a page reads in the same turn of the event loop, so each page begins in its own turn. */
  readonly #beginning = new Lane(1);

  /**
   * Serves a request from a network.
   * @throws Refusal with 503 if too many are in progress already
   */
  async within<T>(network: string, answer: () => Promise<T>): Promise<T> {
    const others = this.#byNetwork.get(network) ?? 0;
    if (this.#all >= CROWD.all || others >= CROWD.network) throw new Refusal(503, FULL);
    this.#all++;
    this.#byNetwork.set(network, others + 1);
    try {
      await this.#beginning.within(() => {}, network);
      return await renderFor(network, answer);
    } finally {
      this.#leave(network);
    }
  }

  #leave(network: string): void {
    const others = (this.#byNetwork.get(network) ?? 1) - 1;
    this.#all--;
    if (others > 0) this.#byNetwork.set(network, others);
    else this.#byNetwork.delete(network);
  }
}
