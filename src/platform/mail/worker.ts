import { setTimeout as delay } from 'node:timers/promises';
import { type Db, StoreUnavailableError } from '../db/db.ts';
import type { Cipher } from '../lib/cipher.ts';
import { type Clock, SECOND_MS } from '../lib/clock.ts';
import type { Logger } from '../lib/log.ts';
import { Loop } from '../lib/loop.ts';
import { inSpan, type Work } from '../lib/spans.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { findBounced, RecipientRefusedError } from './bounces.ts';
import { claimMail, decryptBody, findNextDue, type LeasedMail, type MailRow, recordAttempt } from './mails.ts';
import type { MailTransport } from './transport.ts';

type MailWorkerOptions = {
  db: Db;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  cipher: Cipher;
  transport: MailTransport;
};

/** Maximum number of mails being sent at once, equal to the connections of the transport. */
const MAX_SENDING = 5;
/** The polling interval without notifications of new mail, which another process on SQLite cannot send. */
const POLL_MS = 5 * SECOND_MS;
/** How long to wait while another worker is claiming the due mail. */
const CONTENDED_MS = 50;
const STORE_RETRY_MS = SECOND_MS;

/**
 * Sends the mails of all boards, each once however many workers share the store; twice only if a worker dies, or loses
 * the store, between sending and recording it. Failures of the mail server do not leave this class: failed mails are
 * retried.
 */
export class MailWorker {
  readonly #options: MailWorkerOptions;
  readonly #loop: Loop;
  readonly #sending = new Set<Promise<void>>();

  constructor(options: MailWorkerOptions) {
    this.#options = options;
    this.#loop = new Loop({
      name: 'send mails',
      look: (signal) => this.#fill(signal),
      pollMs: POLL_MS,
      retryMs: STORE_RETRY_MS,
      listen: (wake) => options.db.listen('mails', wake),
      log: options.log,
      failure: 'Mails cannot be sent and stay queued',
    });
  }

  /** Starts sending due mails, now and from now on. */
  start(): void {
    this.#loop.start();
  }

  /** Resolves once nothing is due at the clock's time and nothing is being sent here. For tests, which move the clock. */
  async settled(): Promise<void> {
    const { signal } = this.#loop;
    while (!signal.aborted) {
      this.#loop.wake();
      await this.#loop.looking;
      await Promise.all(this.#sending);
      const wait = await this.#findWait().catch(() => 0);
      // Last: until a claim has returned, its mail is neither due nor among those being sent.
      if (wait > 0 && this.#loop.looking === null && this.#sending.size === 0) return;
      await delay(CONTENDED_MS, undefined, { signal }).catch(() => {});
    }
  }

  /**
   * Claims no more mails and waits for those being sent; after the limit the transport is closed, so they fail and the
   * next worker retries them.
   */
  async stop(limitMs = 5 * SECOND_MS): Promise<void> {
    const { transport } = this.#options;
    const limit = setTimeout(() => transport.close(), limitMs);
    await this.#loop.stop();
    await Promise.all(this.#sending);
    clearTimeout(limit);
    transport.close();
  }

  /** Starts sending due mails while there is room, and returns the milliseconds until the next check. */
  async #fill(signal: AbortSignal): Promise<number> {
    const { db, clock } = this.#options;
    while (this.#sending.size < MAX_SENDING && !signal.aborted) {
      const wait = await this.#findWait();
      if (wait > 0) return wait;
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
      .catch((error) => this.#options.log.error({ err: error, mail: mail.id }, 'The result of a mail was not recorded'))
      .finally(() => {
        this.#sending.delete(sending);
        this.#loop.wake();
      });
    this.#sending.add(sending);
  }

  async #send(mail: LeasedMail): Promise<void> {
    const { db, clock } = this.#options;
    const error = await inSpan(describe(mail), () => this.#hand(mail)).then(
      () => null,
      (failure: Error) => failure,
    );
    const result = await this.#untilStored(() => recordAttempt(db, mail, error, clock.now()));
    this.#logAttempt(mail, error?.message ?? null, result);
  }

  /**
   * A body that cannot be decrypted is an explained failure, and retried: the right key may come back. Notifications
   * are not sent to an address that has bounced; mails that a user requested are, and show whether it works again.
   */
  async #hand(mail: LeasedMail): Promise<void> {
    const { db, cipher, transport } = this.#options;
    const body = decryptBody(cipher, mail);
    const isNotification = typeof body !== 'string' && body.list !== null;
    if (isNotification && (await findBounced(db.read, mail.board_id, [mail.recipient])).size > 0) {
      throw new RecipientRefusedError('An earlier mail to this address was refused');
    }
    await transport.send({ ...mail, body });
  }

  /** A sent mail must be recorded, or it is sent again: while the store is down, recording is retried every second. */
  async #untilStored<T>(work: () => Promise<T>): Promise<T> {
    const { signal } = this.#loop;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof StoreUnavailableError) || signal.aborted) throw error;
        this.#loop.logFailure(error);
        await delay(STORE_RETRY_MS, undefined, { signal }).catch(() => {});
      }
    }
  }

  #logAttempt(mail: LeasedMail, error: string | null, result: Pick<MailRow, 'state' | 'date_due'> | null): void {
    const { log, metrics } = this.#options;
    const isOver = result?.state === 'given_up' || result?.state === 'bounced';
    metrics.countMail(error === null ? 'sent' : isOver ? 'given_up' : 'failed');
    const facts = { mail: mail.id, board: mail.board_id, attempt: mail.tries };
    if (error === null) log.info(facts, 'mail sent');
    else if (result?.state === 'bounced') log.warn({ ...facts, error }, 'mail bounced');
    else if (result?.state === 'given_up') log.error({ ...facts, error }, 'mail given up');
    else log.warn({ ...facts, error, next: result && new Date(result.date_due) }, 'mail not sent');
  }
}

/** Neither the recipient nor the subject: both are about a person. */
function describe({ id, board_id, tries }: LeasedMail): Work {
  const ofBoard = board_id !== null && { 'earshot.board.id': board_id };
  return {
    name: 'send mail',
    kind: 'client',
    attributes: { 'earshot.mail.id': id, 'earshot.mail.attempt': tries, ...ofBoard },
  };
}
