import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Db, Tx } from '../../platform/db/db.ts';
import { makeLeaseToken } from '../../platform/db/presence.ts';
import { AppError } from '../../platform/errors.ts';
import type { Cipher } from '../../platform/lib/cipher.ts';
import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { Loop } from '../../platform/lib/loop.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import { isChat } from '../chat/kinds.ts';
import type { Dial } from '../http/exchange.ts';
import { decryptSecrets, hiddenBesides, inFlightLimitOf } from '../webhook/webhooks.ts';
import { takeOver } from './abandoned.ts';
import { inAttemptSpan } from './attempt-span.ts';
import { type Claim, type Claimed, claimDeliveries, findNextDue, isAnythingDue } from './claim.ts';
import { deliver, failUnreadable } from './deliver.ts';
import { sweepHealth, sweepLog } from './housekeeping.ts';
import { logNotes } from './log-lines.ts';
import { sweepQueues } from './post-queues.ts';
import { type Result, recordResults } from './record.ts';
import { wordChats } from './wording.ts';

type WorkerDeps = {
  db: Db;
  clock: Clock;
  dial: Dial;
  cipher: Cipher;
  log: Logger;
  metrics: Metrics;
  baseUrl: string;
  version: string;
};

/** Attempts in flight in one process; a quarter of them is reserved for webhooks that are not failing. */
const SLOTS = 256;
const FAILING_SLOTS = 192;
/** The polling interval of the store, whatever hints arrive. */
export const POLL_MS = SECOND_MS;
/** Attempts in progress at shutdown may take this long before they are released for another process. */
const STOP_LIMIT_MS = 8 * SECOND_MS;
const NOTHING: Claimed = { claims: [], hasMoved: false };

/**
 * Delivers what is due: claims deliveries, commits the claim, sends them outside any transaction, and records the
 * results together with the next claim. The rows are the truth; being woken is a hint.
 */
export class DeliveryWorker {
  readonly #deps: WorkerDeps;
  readonly #stopping = new AbortController();
  readonly #inFlight = new Set<Promise<void>>();
  #failingInFlight = 0;
  /** Attempts in flight to each webhook; how many might be when the latest was claimed, and when its lease ends. */
  readonly #inFlightTo = new Map<string, { count: number; limit: number; until: number }>();
  #results: Result[] = [];
  readonly #loop: Loop;
  #isStopped = false;
  #lastSweep = { abandoned: 0, health: 0, log: 0 };
  #sweeping: Promise<void> | null = null;

  constructor(deps: WorkerDeps) {
    this.#deps = deps;
    this.#loop = new Loop({
      name: 'claim deliveries',
      look: () => this.#look(),
      pollMs: POLL_MS,
      listen: (wake) => deps.db.listen('deliveries', wake),
      log: deps.log,
      failure: 'Deliveries are waiting for the store',
    });
  }

  /** Begins to deliver. */
  start(): void {
    this.#deps.metrics.watchAttempts(() => this.#inFlight.size);
    this.#loop.start();
  }

  /** Resolves once nothing is due at the clock's current time and nothing is in flight. */
  async settled(): Promise<void> {
    do {
      this.#loop.wake();
      await this.#loop.looking;
      await Promise.all(this.#inFlight);
      await this.#sweeping;
      await nextTurn();
    } while ((await this.#isDue()) || this.#loop.looking || this.#inFlight.size > 0 || this.#results.length > 0);
  }

  /**
   * Claims no more, lets attempts in progress finish, ends those that take too long, and records them all. Results that
   * cannot be recorded because the store is unavailable are lost, and the deliveries are sent again when their leases
   * expire.
   */
  async stop(limitMs = STOP_LIMIT_MS): Promise<void> {
    this.#isStopped = true;
    const limit = setTimeout(() => this.#stopping.abort(), limitMs);
    await this.#loop.looking;
    await Promise.all(this.#inFlight);
    clearTimeout(limit);
    await this.#loop.stop();
    if (this.#results.length > 0) await this.#cycle().catch((err) => this.#loop.logFailure(err));
    await this.#sweeping;
  }

  /** Returns the milliseconds until the next check. */
  async #look(): Promise<number> {
    await this.#cycle();
    return this.#loop.isWoken ? 0 : this.#findWait();
  }

  async #cycle(): Promise<void> {
    const { db, clock } = this.#deps;
    const results = this.#results;
    if (results.length === 0 && !(this.#mayClaim() && (await isAnythingDue(db.read, clock.now(), this.#full()))))
      return this.#sweep();
    this.#results = [];
    try {
      const { claimed, recorded } = await db.transaction(async (tx) => {
        const recorded = await recordResults(tx, results, this.#deps);
        const claiming = this.#mayClaim() ? this.#claim(tx) : NOTHING;
        const [claimed] = await Promise.all([claiming, recorded.written]);
        return { claimed, recorded };
      });
      this.#countResults(results, recorded.results);
      logNotes(this.#deps.log, recorded.notes);
      for (const claim of claimed.claims) this.#send(claim);
      if (claimed.hasMoved) this.#loop.wake();
    } catch (error) {
      // Results of attempts are kept until they are written; if a lease expires in the meantime, another process
      // repeats the attempt.
      this.#results = [...results, ...this.#results];
      throw error;
    }
    this.#sweep();
  }

  async #claim(tx: Tx): Promise<Claimed> {
    const { clock, baseUrl } = this.#deps;
    return wordChats(tx, await claimDeliveries(tx, this.#claimer()), clock.now(), baseUrl);
  }

  /** Checked again just before a claim: the worker may have been stopped since the cycle began. */
  #mayClaim(): boolean {
    return !this.#isStopped && this.#inFlight.size < SLOTS;
  }

  /** Each claim has its own token: an expired lease may be followed by another one of the same process. */
  #claimer() {
    return {
      token: makeLeaseToken(this.#deps.db.presence),
      now: this.#deps.clock.now(),
      slots: SLOTS - this.#inFlight.size,
      failingSlots: FAILING_SLOTS - this.#failingInFlight,
      full: this.#full(),
    };
  }

  /**
   * With a hanging receiver and thousands of pending deliveries for it, every check would find something due, and lock
   * it in vain.
   */
  #full(): string[] {
    const now = this.#deps.clock.now();
    const full = [...this.#inFlightTo].filter(([, { count, limit, until }]) => count >= limit && until > now);
    return full.map(([id]) => id);
  }

  #send(claim: Claim): void {
    const isFailing = claim.webhook.failures_in_row > 0;
    if (isFailing) this.#failingInFlight++;
    const to = this.#inFlightTo.get(claim.webhook.id) ?? { count: 0, limit: 0, until: 0 };
    this.#inFlightTo.set(claim.webhook.id, to);
    to.count++;
    to.limit = inFlightLimitOf(claim.webhook);
    to.until = claim.delivery.date_due ?? 0;
    const sending = this.#attempt(claim).then((result) => {
      if (isFailing) this.#failingInFlight--;
      if (--to.count === 0) this.#inFlightTo.delete(claim.webhook.id);
      this.#inFlight.delete(sending);
      if (result) this.#results.push(result);
      this.#loop.wake();
    });
    this.#inFlight.add(sending);
  }

  async #attempt(claim: Claim): Promise<Result | null> {
    const { dial, cipher, clock, version, metrics, log } = this.#deps;
    const { webhook, delivery, body } = claim;
    const startedAt = clock.now();
    try {
      const secrets = decryptSecrets(cipher, webhook);
      const attempt = await inAttemptSpan(claim, (traceparent) =>
        deliver(
          dial,
          {
            url: secrets.url,
            isChat: isChat(webhook.kind),
            secret: secrets.signingSecret,
            pendingSecret: secrets.pendingSecret,
            otherSecrets: hiddenBesides(webhook, secrets),
            signWith: 'active',
            eventId: delivery.event_id,
            event: delivery.event_type,
            attempt: delivery.attempts + 1,
            body: Buffer.from(body),
            version,
            traceparent,
            now: startedAt,
          },
          this.#stopping.signal,
        ),
      );
      const firstByteMs = attempt.sends[0]?.exchange.timings.firstByte ?? null;
      if (delivery.attempts === 0 && firstByteMs !== null) {
        metrics.observeDeliveryLatency((startedAt + firstByteMs - delivery.date_created) / 1_000);
      }
      return { claim, attempt, now: clock.now() };
    } catch (err) {
      log.error({ err, webhook: webhook.id, delivery: delivery.id }, 'A delivery could not be attempted');
      // After any other internal error the lease expires, and the delivery is retried then.
      return err instanceof AppError ? { claim, attempt: failUnreadable(webhook.url), now: clock.now() } : null;
    }
  }

  #countResults(results: readonly Result[], recorded: readonly Result[]): void {
    const { metrics, log } = this.#deps;
    for (const { attempt } of recorded) metrics.countDelivery(attempt.outcome.kind);
    const late = results.length - recorded.length;
    if (late > 0) log.warn({ late }, 'Attempts outlived their lease, so their results do not count');
  }

  /** Runs cleanup alongside deliveries: a large log takes longer to clear than a lease lasts. */
  #sweep(): void {
    this.#sweeping ??= this.#sweepDue()
      .catch((err) => this.#loop.logFailure(err))
      .finally(() => {
        this.#sweeping = null;
      });
  }

  async #sweepDue(): Promise<void> {
    const { db, clock, log } = this.#deps;
    const now = clock.now();
    if (now - this.#lastSweep.abandoned >= POLL_MS) {
      this.#lastSweep.abandoned = now;
      const deliveries = await takeOver(db, now);
      if (deliveries > 0) log.info({ deliveries }, 'Took over what a process that has ended was sending');
      if (deliveries > 0) this.#loop.wake();
    }
    if (now - this.#lastSweep.health >= MINUTE_MS) {
      this.#lastSweep.health = now;
      await sweepHealth(db, now, this.#deps);
    }
    if (now - this.#lastSweep.log >= HOUR_MS) {
      this.#lastSweep.log = now;
      await sweepQueues(db, now);
      await sweepLog(db, now, () => this.#isStopped);
    }
  }

  async #isDue(): Promise<boolean> {
    const now = this.#deps.clock.now();
    return isAnythingDue(this.#deps.db.read, now, this.#full());
  }

  /**
   * Until the next delivery is due; one that is already due but was not claimed waits for a slot or a poll. While
   * attempts are in progress, the end of each triggers a check.
   */
  async #findWait(): Promise<number> {
    if (this.#isStopped || this.#inFlight.size > 0) return POLL_MS;
    const due = await findNextDue(this.#deps.db.read);
    const wait = due === null ? POLL_MS : due - this.#deps.clock.now();
    return wait > 0 ? wait : POLL_MS;
  }
}
