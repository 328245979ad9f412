import { setTimeout as delay } from 'node:timers/promises';
import { type Db, StoreUnavailableError } from '../db/db.ts';
import type { Cipher } from '../lib/cipher.ts';
import { type Clock, SECOND_MS } from '../lib/clock.ts';
import type { Logger } from '../lib/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { claimMail, decryptBody, findNextDue, type LeasedMail, type MailRow, recordAttempt } from './mails.ts';
import type { MailTransport } from './transport.ts';

export type MailWorkerOptions = {
  db: Db;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  cipher: Cipher;
  transport: MailTransport;
};

/** Mails that are being sent at once, which is what the transport has connections for. */
const MAX_SENDING = 5;
/** How long until the next look when nothing tells of new mail: another process on SQLite cannot. */
const POLL_MS = 5 * SECOND_MS;
/** How long another worker is left alone that is just now taking the mail that is due. */
const CONTENDED_MS = 50;
const STORE_RETRY_MS = SECOND_MS;

/**
 * Sends the mails of all boards, each once however many workers share the store; twice only when a worker dies, or loses
 * the store, between sending and recording it. Nothing of the mail server gets out of here: what fails is tried again.
 */
export class MailWorker {
  readonly #options: MailWorkerOptions;
  readonly #stopping = new AbortController();
  readonly #sending = new Set<Promise<void>>();
  #round: Promise<void> | null = null;
  #isWanted = false;
  #isStoreDown = false;
  #timer: NodeJS.Timeout | undefined;
  #unlisten = () => {};

  constructor(options: MailWorkerOptions) {
    this.#options = options;
  }

  /** Begins to send what is due, now and from now on. */
  start(): void {
    this.#unlisten = this.#options.db.listen('mails', () => this.#wake());
    this.#wake();
  }

  /** Resolves once nothing is due at the clock's time and nothing is being sent here. For tests, which move the clock. */
  async settled(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      this.#wake();
      await this.#round;
      await Promise.all(this.#sending);
      if (this.#sending.size === 0 && (await this.#findWait().catch(() => 0)) > 0) return;
      await delay(CONTENDED_MS, undefined, { signal }).catch(() => {});
    }
  }

  /**
   * Takes no more mail and waits for what is being sent; after the limit the transport is closed, which makes it fail
   * and be tried again by the next worker.
   */
  async stop(limitMs = 5 * SECOND_MS): Promise<void> {
    const { transport } = this.#options;
    this.#stopping.abort();
    this.#unlisten();
    clearTimeout(this.#timer);
    const limit = setTimeout(() => transport.close(), limitMs);
    await this.#round;
    await Promise.all(this.#sending);
    clearTimeout(limit);
    transport.close();
  }

  #wake(): void {
    if (this.#stopping.signal.aborted) return;
    this.#isWanted = true;
    this.#round ??= this.#look();
  }

  async #look(): Promise<void> {
    clearTimeout(this.#timer);
    let waitMs = 0;
    while (this.#isWanted && !this.#stopping.signal.aborted) {
      this.#isWanted = false;
      waitMs = await this.#fill().catch((error) => this.#noteFailure(error));
    }
    this.#round = null;
    if (!this.#stopping.signal.aborted) this.#timer = setTimeout(() => this.#wake(), waitMs);
  }

  /** Begins to send what is due while there is room, and gives the milliseconds until the next look. */
  async #fill(): Promise<number> {
    const { db, clock } = this.#options;
    while (this.#sending.size < MAX_SENDING && !this.#stopping.signal.aborted) {
      const wait = await this.#findWait();
      this.#isStoreDown = false;
      if (wait > 0) return Math.min(wait, POLL_MS);
      const mail = await claimMail(db, clock.now());
      if (!mail) return CONTENDED_MS;
      this.#begin(mail);
    }
    return POLL_MS; // the end of each of those being sent wakes it
  }

  /** Milliseconds until a mail is due. */
  async #findWait(): Promise<number> {
    const due = await findNextDue(this.#options.db.read);
    return due === null ? Number.POSITIVE_INFINITY : due - this.#options.clock.now();
  }

  #begin(mail: LeasedMail): void {
    const sending = this.#send(mail)
      .catch((error) => this.#options.log.error({ err: error, mail: mail.id }, 'what came of a mail is not recorded'))
      .finally(() => {
        this.#sending.delete(sending);
        this.#wake();
      });
    this.#sending.add(sending);
  }

  async #send(mail: LeasedMail): Promise<void> {
    const { db, clock } = this.#options;
    const error = await this.#hand(mail).then(
      () => null,
      (failure: Error) => failure.message,
    );
    const result = await this.#untilStored(() => recordAttempt(db, mail, error, clock.now()));
    this.#logAttempt(mail, error, result);
  }

  /** A body that cannot be opened is a failure with words, and tried again: the right key may come back. */
  async #hand(mail: LeasedMail): Promise<void> {
    const { cipher, transport } = this.#options;
    await transport.send({ ...mail, body: decryptBody(cipher, mail) });
  }

  /** What was sent must be recorded, or it is sent again: while the store is down it is tried each second. */
  async #untilStored<T>(work: () => Promise<T>): Promise<T> {
    const { signal } = this.#stopping;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof StoreUnavailableError) || signal.aborted) throw error;
        await delay(this.#noteFailure(error), undefined, { signal }).catch(() => {});
      }
    }
  }

  #logAttempt(mail: LeasedMail, error: string | null, result: Pick<MailRow, 'state' | 'date_due'> | null): void {
    const { log, metrics } = this.#options;
    metrics.countMail(error === null ? 'sent' : result?.state === 'given_up' ? 'given_up' : 'failed');
    const facts = { mail: mail.id, board: mail.board_id, attempt: mail.tries };
    if (error === null) log.info(facts, 'mail sent');
    else if (result?.state === 'given_up') log.error({ ...facts, error }, 'mail given up');
    else log.warn({ ...facts, error, next: result && new Date(result.date_due) }, 'mail not sent');
  }

  /** Tells once of a store that is down; gives when to try again. */
  #noteFailure(error: unknown): number {
    const { log } = this.#options;
    if (!(error instanceof StoreUnavailableError)) log.error({ err: error }, 'mails cannot be sent');
    else if (!this.#isStoreDown) log.warn({ err: error }, 'mails wait for the store');
    this.#isStoreDown = true;
    return STORE_RETRY_MS;
  }
}
