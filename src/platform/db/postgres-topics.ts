import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type Topic, Topics } from './topics.ts';

const CHANNEL = 'earshot';
/** After a hint those of so many milliseconds go out as one: each NOTIFY takes a lock that all commits of the server wait for. */
const GATHER_MS = 10;
const RECONNECT_MS = 1_000;
/** A hint that a process sends to find out whether it hears any; and how long until the next one. */
const TRIAL = 'trial';
const TRIAL_MS = 200;
/** How long a hint may be in progress; a database that is silent must not hold up the end of a process. */
const SILENCE_MS = 5_000;

/**
 * Topics that the processes on one PostgreSQL tell each other, by LISTEN and NOTIFY. They have a connection of their own:
 * while requests keep all of the pool busy, a hint would be told when it is none any more.
 */
export class PostgresTopics {
  readonly #pool: pg.Pool;
  readonly #url: string;
  readonly #local = new Topics();
  readonly #self = randomUUID();
  readonly #outgoing = new Set<Topic>();
  #isGathering = false;
  #listening: Promise<void> | null = null;
  /** Null while it is not connected: then hints go out by the pool. */
  #client: pg.Client | null = null;
  #lastHint: Promise<unknown> = Promise.resolve();
  #heard = () => {};
  readonly #closing = new AbortController();

  constructor(pool: pg.Pool, url: string) {
    this.#pool = pool;
    this.#url = url;
  }

  listen(topic: Topic, listener: () => void): () => void {
    this.#listening ??= this.#listen();
    return this.#local.listen(topic, listener);
  }

  /** Tells this process at once, and the others at once or soon; forgets the topics. */
  flush(topics: Set<Topic>): void {
    if (topics.size > 0) this.#listening ??= this.#listen();
    for (const topic of topics) this.#outgoing.add(topic);
    if (!this.#isGathering) this.#send();
    this.#local.flush(topics);
  }

  /**
   * Whether what is sent through the pool arrives where this process listens. It does not when a pooler in between takes
   * the connection away after each transaction, or when the two lead to different databases.
   */
  async hears(limitMs: number): Promise<boolean> {
    this.#listening ??= this.#listen();
    const arrival = new AbortController();
    this.#heard = () => arrival.abort();
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

  /** Sends what there is, and after a while what has come until then. */
  #send(): void {
    const topics = [...this.#outgoing];
    this.#outgoing.clear();
    this.#isGathering = topics.length > 0;
    if (!this.#isGathering || this.#closing.signal.aborted) return;
    setTimeout(() => this.#send(), GATHER_MS).unref();
    const payload = [this.#self, ...topics].join(' ');
    const target = this.#client ?? this.#pool;
    // A hint that is lost costs the others the time until their next look.
    this.#lastHint = target.query('select pg_notify($1, $2)', [CHANNEL, payload]).catch(() => {});
  }

  async #listen(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const client = new pg.Client({
        connectionString: this.#url,
        fallback_application_name: 'earshot listen',
        keepAlive: true,
        query_timeout: SILENCE_MS,
        // A hint may follow before the answer to the one before has come.
        pipeline: true,
      });
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      client.once('end', end);
      client.on('error', () => end());
      const abort = () => end();
      signal.addEventListener('abort', abort);
      client.on('notification', ({ payload = '' }) => this.#receive(payload));
      try {
        // A connection that is being made and is ended in the meantime never says so.
        await Promise.race([client.connect(), ended]);
        await Promise.race([client.query(`listen ${CHANNEL}`), ended]);
        if (!signal.aborted) this.#client = client;
        await ended;
      } catch {
        // The server is not there; it is tried again below.
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
