import type { Logger } from './log.ts';
import { inSpan } from './spans.ts';

export type LoopOptions = {
  /** What it does, in a few words: for traces. */
  name: string;
  /** Does what is due, until the signal is aborted. Returns the milliseconds until something is due again. */
  look: (signal: AbortSignal) => Promise<number>;
  /** The longest time between two checks. */
  pollMs: number;
  /** How long it pauses after a failure, whatever hints arrive. */
  retryMs?: number;
  /** Listens for hints of work; returns a function that ends it. */
  listen?: (wake: () => void) => () => void;
  log: Logger;
  /** The log message when a check fails: once, until one succeeds or fails differently. */
  failure: string;
  level?: 'warn' | 'debug';
};

/** Checks for work repeatedly, never twice at once: when it is due, when woken, and at least once every `pollMs`. */
export class Loop {
  readonly #options: LoopOptions;
  readonly #ending = new AbortController();
  /** Aborted when it is to end. */
  readonly signal = this.#ending.signal;
  /** The end of the check in progress. */
  looking: Promise<void> | null = null;
  /** Whether another check follows immediately. */
  isWoken = false;
  #isHeld = false;
  #logged: string | null = null;
  #timer: NodeJS.Timeout | undefined;
  #unlisten: (() => void) | undefined;

  constructor(options: LoopOptions) {
    this.#options = options;
  }

  /** Starts checking: immediately, or this many milliseconds from now. */
  start(inMs = 0): this {
    this.#unlisten = this.#options.listen?.(() => this.wake());
    if (inMs === 0) this.wake();
    else this.#sleep(inMs);
    return this;
  }

  /** Makes it check now, or once more if a check is in progress. */
  wake(): void {
    if (this.#isHeld || this.signal.aborted) return;
    this.isWoken = true;
    this.looking ??= this.#run();
  }

  /** Stops checking, and waits for the check in progress. */
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
    // Hints in one turn, for example those of a group of transactions, count as one.
    await Promise.resolve();
    clearTimeout(this.#timer);
    let waitMs = 0;
    while (this.isWoken && !this.signal.aborted) {
      this.isWoken = false;
      waitMs = await this.#look();
    }
    // In the same step as the last check of the hint; otherwise one that arrives in between would be lost.
    this.looking = null;
    this.#sleep(waitMs);
  }

  async #look(): Promise<number> {
    const { name, look, pollMs, retryMs = pollMs } = this.#options;
    try {
      const waitMs = await inSpan({ name, kind: 'job', attributes: {} }, () => look(this.signal));
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

/** Does something at intervals, first after one interval. */
export function every(
  ms: number,
  work: (signal: AbortSignal) => Promise<unknown>,
  options: Pick<LoopOptions, 'name' | 'log' | 'failure' | 'level'>,
): Loop {
  return new Loop({ ...options, look: (signal) => work(signal).then(() => ms), pollMs: ms }).start(ms);
}
