import type { Db } from '../../platform/db/db.ts';
import type { Cipher } from '../../platform/lib/cipher.ts';
import { type Clock, SECOND_MS } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { Loop } from '../../platform/lib/loop.ts';
import { findNextMailing, mailNext } from '../changelog/mailing.ts';
import { expandNext, findNextReady } from './expanding.ts';
import { findNextDue, gatherNext } from './gathering.ts';

export type NotifierDeps = { db: Db; clock: Clock; cipher: Cipher; baseUrl: string; log: Logger };

/** The polling interval without notifications of new notices, which another process on SQLite cannot send. */
const POLL_MS = 5 * SECOND_MS;
/** How long to wait while other workers are handling what is due. */
const CONTENDED_MS = 50;

/**
 * Turns notices into notifications, and notifications into mails, in steps so short that other work does not wait for
 * them. Each step is one transaction, so it happens exactly once, even if a process crashes.
 */
export class Notifier {
  readonly #deps: NotifierDeps;
  readonly #loop: Loop;

  constructor(deps: NotifierDeps) {
    this.#deps = deps;
    this.#loop = new Loop({
      name: 'notify users',
      look: (signal) => this.#work(signal),
      pollMs: POLL_MS,
      retryMs: SECOND_MS,
      listen: (wake) => deps.db.listen('notices', wake),
      log: deps.log,
      failure: 'Users cannot be notified; their notifications are delayed',
    });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Resolves once nothing is ready or due at the clock's time. For tests, which move the clock. */
  async settled(): Promise<void> {
    this.#loop.wake();
    await this.#loop.looking;
  }

  /** Handles everything that is ready and due, and returns the milliseconds until the next is. */
  async #work(signal: AbortSignal): Promise<number> {
    const { db, clock } = this.#deps;
    const wait = await this.#findWait();
    if (wait > 0) return wait;
    while (!signal.aborted && (await expandNext(db, clock)));
    while (!signal.aborted && (await gatherNext(this.#deps)));
    while (!signal.aborted && (await mailNext(this.#deps)));
    return Math.max(CONTENDED_MS, await this.#findWait());
  }

  /** Milliseconds until a notice is ready, or a notification or a changelog entry due. */
  async #findWait(): Promise<number> {
    const { db, clock } = this.#deps;
    const dates = await Promise.all([findNextReady(db.read), findNextDue(db.read), findNextMailing(db.read)]);
    return Math.min(...dates.map((date) => date ?? Number.POSITIVE_INFINITY)) - clock.now();
  }
}
