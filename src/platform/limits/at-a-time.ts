import { AppError } from '../errors.ts';

/** Lets each board, or whatever the key names, have only a few of something carried out or waiting at a time. */
export class AtATime {
  readonly #max: number;
  readonly #message: string;
  readonly #counts = new Map<string, number>();

  /** @param message why there are no more, and what to do */
  constructor(max: number, message: string) {
    this.#max = max;
    this.#message = message;
  }

  /** @throws RATE_LIMIT_EXCEEDED if there are as many already */
  async within<T>(key: string, work: () => Promise<T>): Promise<T> {
    const others = this.#counts.get(key) ?? 0;
    if (others >= this.#max) throw new AppError('RATE_LIMIT_EXCEEDED', this.#message, { retryAfter: 1 });
    this.#counts.set(key, others + 1);
    try {
      return await work();
    } finally {
      this.#leave(key);
    }
  }

  #leave(key: string): void {
    const others = (this.#counts.get(key) ?? 1) - 1;
    if (others > 0) this.#counts.set(key, others);
    else this.#counts.delete(key);
  }
}
