import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { PostgresPresence } from './postgres-presence.ts';
import { type Topic, Topics } from './topics.ts';

const CHANNEL = 'earshot';
/**
 * After a hint, the hints of this many milliseconds are sent as one: each NOTIFY takes a lock that all commits of the
 * server wait for.
 */
const GATHER_MS = 10;
const RECONNECT_MS = 1_000;
/** A hint that a process sends to check whether it receives any; and how long until the next one. */
const TRIAL = 'trial';
const TRIAL_MS = 200;
/** How long a hint may be in progress; a silent database must not delay the end of a process. */
const SILENCE_MS = 5_000;

/**
 * Topics that processes on one PostgreSQL notify each other about, with LISTEN and NOTIFY. They have their own
 * connection: while requests keep the whole pool busy, hints would arrive too late to be useful.
 */
export class PostgresTopics {
  readonly #pool: pg.Pool;
  readonly #url: string;
  readonly #local = new Topics();
  readonly #self = randomUUID();
  readonly #outgoing = new Set<Topic>();
  #isGathering = false;
  #listening: Promise<void> | null = null;
  /** Null while it is not connected: then hints are sent through the pool. */
  #client: pg.Client | null = null;
  #lastHint: Promise<unknown> = Promise.resolve();
  #heard = () => {};
  #hasHeard = false;
  /** Which processes listen. */
  readonly presence: PostgresPresence;
  readonly #closing = new AbortController();

  constructor(pool: pg.Pool, url: string) {
    this.#pool = pool;
    this.#url = url;
    this.presence = new PostgresPresence(pool, () => this.#hasHeard && this.#client !== null);
  }

  listen(topic: Topic, listener: () => void): () => void {
    this.#listening ??= this.#listen();
    return this.#local.listen(topic, listener);
  }

  /** Notifies this process immediately, and the others immediately or soon; clears the topics. */
  flush(topics: Set<Topic>): void {
    if (topics.size > 0) this.#listening ??= this.#listen();
    for (const topic of topics) this.#outgoing.add(topic);
    if (!this.#isGathering) this.#send();
    this.#local.flush(topics);
  }

  /**
   * Whether what is sent through the pool arrives where this process listens. It does not if a pooler in between
   * reassigns the connection after each transaction, or if the two point to different databases.
   */
  async hears(limitMs: number): Promise<boolean> {
    this.#listening ??= this.#listen();
    const arrival = new AbortController();
    this.#heard = () => {
      this.#hasHeard = true;
      arrival.abort();
    };
    const signal = AbortSignal.any([arrival.signal, this.#closing.signal]);
    // What is sent before the connection listens is lost.
    for (const end = performance.now() + limitMs; performance.now() < end && !signal.aborted; ) {
      await this.#pool.query('select pg_notify($1, $2)', [CHANNEL, `${this.#self} ${TRIAL}`]).catch(() => {});
      await delay(TRIAL_MS, undefined, { signal }).catch(() => {});
    }
    return signal.aborted;
  }

  async close(): Promise<void> {
    await this.#lastHint;
    this.#closing.abort();
    await this.#listening;
  }

  /** Sends the current hints, and after a while those that have accumulated since. */
  #send(): void {
    const topics = [...this.#outgoing];
    this.#outgoing.clear();
    this.#isGathering = topics.length > 0;
    if (!this.#isGathering || this.#closing.signal.aborted) return;
    setTimeout(() => this.#send(), GATHER_MS).unref();
    const payload = [this.#self, ...topics].join(' ');
    const target = this.#client ?? this.#pool;
    // A lost hint delays the others until their next poll.
    this.#lastHint = target.query('select pg_notify($1, $2)', [CHANNEL, payload]).catch(() => {});
  }

  async #listen(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const client = new pg.Client({
        connectionString: this.#url,
        fallback_application_name: 'earshot listen',
        keepAlive: true,
        // Otherwise one that broke without a word is noticed after hours.
        keepAliveInitialDelayMillis: SILENCE_MS,
        query_timeout: SILENCE_MS,
        // A hint may follow before the previous one has been acknowledged.
        pipeline: true,
      });
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      client.once('end', end);
      client.on('error', () => end());
      const abort = () => end();
      signal.addEventListener('abort', abort);
      client.on('notification', ({ payload = '' }) => this.#receive(payload));
      try {
        // A connection that is ended while it is being established never reports it.
        await Promise.race([client.connect(), ended]);
        await Promise.race([this.presence.hold(client), ended]);
        await Promise.race([client.query(`listen ${CHANNEL}`), ended]);
        if (!signal.aborted) this.#client = client;
        await ended;
      } catch {
        // The server is unreachable; it is retried below.
      }
      signal.removeEventListener('abort', abort);
      const ending = client.end().catch(() => {});
      if (this.#client) await ending;
      this.#client = null;
      await delay(RECONNECT_MS, undefined, { signal }).catch(() => {});
    }
  }

  #receive(payload: string): void {
    const [sender, ...topics] = payload.split(' ');
    if (sender === this.#self && topics[0] === TRIAL) this.#heard();
    else if (sender !== this.#self) this.#local.flush(new Set(topics as Topic[]));
  }
}
