/**
 * Runs work that takes much memory and time a few at a time. Those who ask take turns, and what one of them asks for runs
 * in the order of arrival. Each begins in its own turn of the event loop, so that small requests that have arrived in the
 * meantime are served in between.
 */
export class Lane {
  #free: number;
  /** By who asks; whose turn it is comes first. */
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(places: number) {
    this.#free = places;
  }

  /** @param asker who asks: of two, one gets no more places for asking more often */
  async within<T>(work: () => T | Promise<T>, asker = ''): Promise<T> {
    await new Promise<void>((resolve) => {
      const own = this.#waiting.get(asker);
      if (own) own.push(resolve);
      else this.#waiting.set(asker, [resolve]);
      this.#admit();
    });
    try {
      return await work();
    } finally {
      this.#free++;
      this.#admit();
    }
  }

  #admit(): void {
    if (this.#free === 0) return;
    const [first] = this.#waiting;
    if (!first) return;
    const [asker, own] = first;
    const next = own.shift();
    this.#waiting.delete(asker);
    if (own.length > 0) this.#waiting.set(asker, own);
    if (!next) return;
    this.#free--;
    setImmediate(next);
  }
}
