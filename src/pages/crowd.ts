import { Lane } from '../platform/lib/lane.ts';
import { Refusal } from './refusal.ts';

/** Pages that a process makes at once, all together and for one network; those that wait for their turn are among them. */
export const CROWD = { all: 400, network: 200 } as const;

const FULL = 'Too many pages are being requested right now, so nothing was done. Try again in a few seconds.';

/** The requests for pages that are being answered. */
export class Crowd {
  #all = 0;
  readonly #byNetwork = new Map<string, number>();
  /** What a page reads from SQLite is there in the same turn of the event loop, so each of them begins in its own. */
  readonly #beginning = new Lane(1);

  /**
   * Answers a request from a network.
   * @throws Refusal with 503 when too many are being answered already
   */
  async within<T>(network: string, answer: () => Promise<T>): Promise<T> {
    const others = this.#byNetwork.get(network) ?? 0;
    if (this.#all >= CROWD.all || others >= CROWD.network) throw new Refusal(503, FULL);
    this.#all++;
    this.#byNetwork.set(network, others + 1);
    try {
      await this.#beginning.within(() => {});
      return await answer();
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
