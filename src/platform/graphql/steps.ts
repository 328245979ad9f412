import { Lane } from '../lib/lane.ts';

/** Thrown when the response has become too large. No field becomes null for it: the whole response is dropped. */
export class TooLarge extends Error {
  constructor() {
    super('The answer is too large');
  }
}

/**
 * The reads of a heavy operation, one after the other and each in its own turn of the event loop: other requests run in
 * between, and once the response has become too large nothing more is read for it.
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
