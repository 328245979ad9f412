/**
 * Lets a few at a time do what takes much memory and time, in the order in which they come. Each begins in a turn of the
 * event loop of its own, so that what is small and has come in the meantime is served between two.
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
