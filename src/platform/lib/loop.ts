import type { Logger } from './log.ts';

export type LoopOptions = {
  /** Does what is due, until the signal is given. Gives the milliseconds until something is due again. */
  look: (signal: AbortSignal) => Promise<number>;
  /** The longest time between two looks. */
  pollMs: number;
  /** How long it looks at nothing after a failure, whatever it hears. */
  retryMs?: number;
  /** Hears of work, which is a hint and no more; gives what ends it. */
  listen?: (wake: () => void) => () => void;
  log: Logger;
  /** What the log says when a look fails: once, until one succeeds or fails in another way. */
  failure: string;
  level?: 'warn' | 'debug';
};

/** Looks for work again and again, never twice at once: when it is due, when woken, and at least once in `pollMs`. */
export class Loop {
  readonly #options: LoopOptions;
  readonly #ending = new AbortController();
  /** Aborted when it is to end. */
  readonly signal = this.#ending.signal;
  /** The end of the look in progress. */
  looking: Promise<void> | null = null;
  /** Whether another look follows at once. */
  isWoken = false;
  #isHeld = false;
  #logged: string | null = null;
  #timer: NodeJS.Timeout | undefined;
  #unlisten: (() => void) | undefined;

  constructor(options: LoopOptions) {
    this.#options = options;
  }

  /** Begins to look: at once, or so many milliseconds from now. */
  start(inMs = 0): this {
    this.#unlisten = this.#options.listen?.(() => this.wake());
    if (inMs === 0) this.wake();
    else this.#sleep(inMs);
    return this;
  }

  /** Has it look now, and once more if it is looking. */
  wake(): void {
    if (this.#isHeld || this.signal.aborted) return;
    this.isWoken = true;
    this.looking ??= this.#run();
  }

  /** Looks no more, and waits for the look in progress. */
  async stop(): Promise<void> {
    this.#ending.abort();
    this.#unlisten?.();
    clearTimeout(this.#timer);
    await this.looking;
  }

  /** Logs a failure, unless it was the last that it logged. */
  logFailure(err: unknown): void {
    const { log, failure, level = 'warn' } = this.#options;
    if (this.#logged !== String(err)) log[level]({ err }, failure);
    this.#logged = String(err);
  }

  async #run(): Promise<void> {
    // Hints that come in one turn, for example those of a group of transactions, are one.
    await Promise.resolve();
    clearTimeout(this.#timer);
    let waitMs = 0;
    while (this.isWoken && !this.signal.aborted) {
      this.isWoken = false;
      waitMs = await this.#look();
    }
    // In the same step as the last look at the hint, or one that comes in between would be lost.
    this.looking = null;
    this.#sleep(waitMs);
  }

  async #look(): Promise<number> {
    const { look, pollMs, retryMs = pollMs } = this.#options;
    try {
      const waitMs = await look(this.signal);
      this.#logged = null;
      return Math.min(waitMs, pollMs);
    } catch (error) {
      if (!this.signal.aborted) this.logFailure(error);
      this.#isHeld = true;
      this.isWoken = false;
      return retryMs;
    }
  }

  #sleep(ms: number): void {
    if (this.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#isHeld = false;
      this.wake();
    }, ms).unref();
  }
}

/** Does something again and again, the first time when the time has passed once. */
export function every(
  ms: number,
  work: (signal: AbortSignal) => Promise<unknown>,
  options: Pick<LoopOptions, 'log' | 'failure' | 'level'>,
): Loop {
  return new Loop({ ...options, look: (signal) => work(signal).then(() => ms), pollMs: ms }).start(ms);
}
