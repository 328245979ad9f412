/**
 * Runs work that takes much memory and time a few at a time, in the order of arrival. Each begins in its own turn of
 * the event loop, so that small requests that have arrived in the meantime are served in between.
 */
export class Lane {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  async within<T>(work: () => T | Promise<T>): Promise<T> {
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
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
    const next = this.#free > 0 ? this.#waiting.shift() : undefined;
    if (!next) return;
    this.#free--;
    setImmediate(next);
  }
}
