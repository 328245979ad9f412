import { Worker } from 'node:worker_threads';
import { moduleBeside } from '../installed.ts';
import { type StatementObserver, StoreUnavailableError } from './db.ts';
import type { SqliteResult } from './sqlite-statements.ts';

/** What the thread is asked, with a number that is in the answer. */
export type SlowQuery = { n: number; sql: string; parameters: readonly unknown[] };

/** What it answers, with the time that the statement took. */
export type SlowAnswer = { n: number; milliseconds: number } & (
  | { result: SqliteResult; error?: undefined }
  | { error: { message: string; errcode: number | undefined }; result?: undefined }
);

type SlowReaderOptions = {
  file: string;
  observe: StatementObserver;
  /** Gives the words for an error of SQLite. */
  explain: (error: unknown) => unknown;
  /** How long a statement may take; then its caller gets an error and the thread is replaced. */
  limitMs: number;
};

type Job = SlowQuery & { resolve: (answer: SlowAnswer) => void; reject: (error: unknown) => void };

/** Statements that may wait; more would only be answered after their clients have given up. */
const MAX_WAITING = 500;
/** What it reads is garbage once it is handed over: with more room for that, it takes more and is no faster. */
const YOUNG_MB = 12;
/** How long a thread may take to begin, on a machine that is busy. */
const START_MS = 5_000;

/**
 * Reads that can take long, on a separate thread so that the event loop never waits for them: one at a time, in the
 * order of arrival. The thread starts with the first of them.
 */
export class SlowReader {
  readonly #options: SlowReaderOptions;
  readonly #waiting: Job[] = [];
  #worker: Worker | null = null;
  #current: { job: Job; limit: NodeJS.Timeout } | null = null;
  /** Threads that were given up, until they have ended: SQLite cannot be interrupted within a statement. */
  readonly #ending = new Set<Promise<unknown>>();
  #asked = 0;
  #isClosed = false;

  constructor(options: SlowReaderOptions) {
    this.#options = options;
  }

  /** @throws StoreUnavailableError if it takes too long, too many are waiting, or the store is being closed */
  async run(sql: string, parameters: readonly unknown[]): Promise<SqliteResult> {
    const { result, error, milliseconds } = await this.#ask(sql, parameters);
    const failure = error && Object.assign(new Error(error.message), { errcode: error.errcode });
    this.#options.observe(sql, milliseconds, failure);
    if (result) return result;
    throw this.#options.explain(failure);
  }

  #ask(sql: string, parameters: readonly unknown[]): Promise<SlowAnswer> {
    if (this.#isClosed) return Promise.reject(new StoreUnavailableError('The store is being closed'));
    if (this.#waiting.length >= MAX_WAITING) {
      return Promise.reject(new StoreUnavailableError('Too many searches and exports are waiting'));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ n: this.#asked++, sql, parameters, resolve, reject });
      this.#next();
    });
  }

  /** Lets the thread free what it keeps of the file in memory, unless it is in use. */
  async freeMemory(): Promise<void> {
    if (this.#worker && !this.#current) await this.run('pragma shrink_memory', []);
  }

  /** Refuses waiting reads, and resolves once the statement in progress has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const job of this.#waiting.splice(0)) job.reject(new StoreUnavailableError('The store is being closed'));
    this.#giveUp(new StoreUnavailableError('The store is being closed'));
    await Promise.all(this.#ending);
  }

  #next(): void {
    if (this.#current) return;
    const job = this.#waiting.shift();
    if (!job) {
      this.#worker?.unref(); // an idle thread keeps no process alive
      return;
    }
    const { limitMs } = this.#options;
    const patienceMs = this.#worker ? limitMs : limitMs + START_MS;
    this.#worker ??= this.#start();
    this.#worker.ref();
    const limit = setTimeout(() => {
      this.#giveUp(new StoreUnavailableError(`The store took longer than ${limitMs / 1_000} s to answer`));
      this.#next();
    }, patienceMs);
    this.#current = { job, limit };
    const { n, sql, parameters } = job;
    this.#worker.postMessage({ n, sql, parameters } satisfies SlowQuery);
  }

  #start(): Worker {
    const workerData = { file: this.#options.file };
    const worker = new Worker(moduleBeside('slow-worker', import.meta.url), {
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    worker.on('message', (answer: SlowAnswer) => {
      // Under `node --watch`, Node posts messages of its own to the port of a worker.
      if (worker === this.#worker && answer.n === this.#current?.job.n) this.#finish(answer);
    });
    worker.on('error', (error) => {
      if (worker !== this.#worker) return;
      this.#giveUp(this.#options.explain(error));
      this.#next();
    });
    return worker;
  }

  #finish(answer: SlowAnswer): void {
    const job = this.#takeCurrent();
    if (!job) return;
    job.resolve(answer);
    this.#next();
  }

  /** Ends the thread; the statement in progress fails with this error. */
  #giveUp(error: unknown): void {
    this.#takeCurrent()?.reject(error);
    const worker = this.#worker;
    this.#worker = null;
    if (!worker) return;
    const ended = worker.terminate().finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }

  #takeCurrent(): Job | null {
    const current = this.#current;
    this.#current = null;
    clearTimeout(current?.limit);
    return current?.job ?? null;
  }
}
