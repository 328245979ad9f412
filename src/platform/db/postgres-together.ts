import type { Socket } from 'node:net';
import type { CompiledQuery, QueryResult } from 'kysely';
import type pg from 'pg';
import { refuseToStream } from './driver.ts';
import type { Connection } from './postgres-connection.ts';
import type { Explain } from './postgres-faults.ts';

/** How many statements share a connection: each waits for those before it. */
const MAX_TOGETHER = 8;
/** A statement that has taken less alone shares a connection from then on. */
const QUICK_MS = 20;
/** Statements that have taken longer together run alone again, until each has been quick once more. */
const QUICK_TOGETHER_MS = 100;
/** Maximum number of texts that are remembered as quick. */
const MAX_QUICK = 1_000;

type Deps = {
  pool: pg.Pool;
  /** Where a statement has a connection to itself. */
  alone: Connection;
  /** What runs statements on this connection. */
  on(client: pg.PoolClient): Connection;
  explain: Explain;
};

type Waiting = {
  sql: string;
  parameters: readonly unknown[];
  resolve(result: pg.QueryResult | PromiseLike<pg.QueryResult>): void;
  reject(error: unknown): void;
};

/**
 * Sends the quick reads of a turn of the event loop, made by `prepare`, together, up to eight on a connection: they cost
 * one write, and one process of the database wakes up for them. Reads that come while all connections are busy go out
 * together as soon as one is free. All other statements have a connection to themselves.
 */
export class SharedConnections implements Connection {
  readonly #deps: Deps;
  readonly #quick = new Set<string>();
  #waiting: Waiting[] = [];
  /** Connections that have been requested, and not received yet. */
  #requested = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#deps.alone.executeQuery(query);
  }

  run(sql: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    if (!this.#quick.has(sql)) return this.#try(sql, parameters);
    return new Promise((resolve, reject) => {
      if (this.#waiting.push({ sql, parameters, resolve, reject }) === 1) setImmediate(() => this.#request());
    });
  }

  readonly streamQuery = refuseToStream;

  async #try(sql: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    const begun = performance.now();
    const result = await this.#deps.alone.run(sql, parameters);
    if (performance.now() - begun < QUICK_MS && this.#quick.size < MAX_QUICK) this.#quick.add(sql);
    return result;
  }

  #request(): void {
    while (this.#requested * MAX_TOGETHER < this.#waiting.length) {
      this.#requested++;
      this.#deps.pool.connect().then(
        (client) => this.#send(client, this.#take()),
        (error) => {
          for (const { reject } of this.#take()) reject(this.#deps.explain(error));
        },
      );
    }
  }

  /** The statements for a connection that has been received or refused. Those beyond it may need another one. */
  #take(): Waiting[] {
    this.#requested--;
    const taken = this.#waiting.splice(0, MAX_TOGETHER);
    this.#request();
    return taken;
  }

  async #send(client: pg.PoolClient, statements: readonly Waiting[]): Promise<void> {
    // Its types leave out the socket, which pg itself corks in the same way for each statement.
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
    const connection = this.#deps.on(client);
    const begun = performance.now();
    stream.cork();
    const results = statements.map(({ sql, parameters, resolve }) => {
      const result = connection.run(sql, parameters);
      resolve(result);
      return result;
    });
    stream.uncork();
    await Promise.allSettled(results);
    if (performance.now() - begun > QUICK_TOGETHER_MS) for (const { sql } of statements) this.#quick.delete(sql);
    client.release(); // one that is broken has been destroyed by pg, and the pool drops it
  }
}
