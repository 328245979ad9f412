import { Lane } from '../lib/lane.ts';

/** Thrown when the answer has become larger than it may be. No field becomes null for it: all of the answer goes. */
export class TooLarge extends Error {
  constructor() {
    super('The answer is too large');
  }
}

/**
 * What a heavy operation reads, one after the other and each in a turn of the event loop of its own: others are answered
 * between, and once the answer has become too large nothing more is read for it.
 */
export class Steps {
  readonly #lane = new Lane(1);
  #isOver = false;

  /** @throws TooLarge when it is over */
  take<T>(read: () => T | Promise<T>): Promise<T> {
    return this.#lane.within(() => {
      if (this.#isOver) throw new TooLarge();
      return read();
    });
  }

  end(): void {
    this.#isOver = true;
  }
}
