import { setTimeout as delay } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  sql,
} from 'kysely';
import pg from 'pg';
import { CollisionError, type Db, type Reader, type StatementObserver, type Tables, type Tx } from './db.ts';
import { LendingDriver } from './driver.ts';
import { Durability, type LogPosition, Waits } from './durability.ts';
import { type Explain, isSilence, isUndone, makeExplain } from './postgres-faults.ts';
import { PostgresTopics } from './postgres-topics.ts';
import { requirePreparedStatements } from './postgres-try.ts';
import type { Topic } from './topics.ts';

export type PostgresOptions = {
  url: string;
  /** Where to listen for hints, if `url` points to a pooler that does not support listening. */
  listenUrl?: string | undefined;
  observe?: StatementObserver;
  /** Connections of this process (default 10). */
  poolSize?: number;
  /** How long a statement may take (default 30,000). */
  statementLimitMs?: number;
};

const { INT8 } = pg.types.builtins;
/** Counts and instants in milliseconds are far below 2^53, so 64-bit integers come as numbers. */
const types = { getTypeParser: (oid: number) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, 'text')) };

const ATTEMPTS = 4;
/** How much longer than a statement's limit its response is awaited. */
const SILENCE_MS = 5_000;

/** Opens a pool on PostgreSQL 14 or newer. The server need not be running yet: each query reports if it is not. */
export function openPostgres(options: PostgresOptions): Db {
  const { url, listenUrl = url, observe = () => {}, poolSize = 10, statementLimitMs = 30_000 } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 5_000,
    fallback_application_name: 'earshot',
    // The server cancels a statement in time; a silent server cannot, so its connection is given up.
    query_timeout: statementLimitMs + SILENCE_MS,
    pipeline: true,
    types: types as never,
  });
  pool.on('error', () => {}); // an idle connection broke; the pool drops it and the next query opens another
  pool.on('connect', (client) => {
    client.on('error', () => {}); // likewise one in use: its query fails by itself
    // The first statement, in the same round trip as the next: PgBouncer refuses these among the parameters of a start.
    // Compiling a plan takes longer than any of our statements.
    client.query(`set statement_timeout = ${statementLimitMs}; set jit = off`).catch(() => {});
  });
  const explain = makeExplain(url);
  const topics = new PostgresTopics(pool, listenUrl);
  const transactions = new WeakMap<pg.PoolClient, Transaction>();
  const read = makeReader(new PostgresConnection(pool, observe, explain));
  const commits = new Waits();
  const durability = new Durability(
    async () => void (await commits.watch(read.run(WAIT_FOR_DISK, []) as Promise<unknown>)),
  );

  async function attempt<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await pool.connect().catch((error) => Promise.reject(explain(error)));
    let transaction = transactions.get(client);
    if (!transaction) {
      transaction = makeTransaction(client, observe, explain);
      transactions.set(client, transaction);
    }
    const { tx, noted } = transaction;
    transaction.upTo = null;
    let broken = false;
    try {
      // The first statements share its round trip. Only a broken connection refuses it, and then also those that
      // follow.
      client.query('begin').catch(() => {});
      const result = await work(tx);
      await commits.watch(client.query(transaction.upTo ? EARLY_COMMIT : COMMIT));
      if (transaction.upTo) durability.note(transaction.upTo);
      topics.flush(noted);
      return result;
    } catch (error) {
      noted.clear();
      // After a statement that gets no response, a rollback would wait just as long.
      broken = isSilence(error);
      if (!broken)
        await client.query('rollback').catch(() => {
          broken = true;
        });
      throw isUndone(error) ? new Error(FAILED_UNSEEN, { cause: error }) : explain(error);
    } finally {
      client.release(broken);
    }
  }

  return {
    engine: 'postgres',
    read,
    slow: read,
    async transaction(work) {
      for (let n = 1; ; n++) {
        try {
          return await attempt(work);
        } catch (error) {
          if (n === ATTEMPTS || !(error instanceof CollisionError)) throw error;
          await delay(Math.random() * 10 * 2 ** n);
        }
      }
    },
    durable: (upTo) => durability.wait(upTo),
    commitAgeMs: () => commits.oldestMs(),
    connections() {
      const { totalCount, idleCount: idle, waitingCount: waiting } = pool;
      return { inUse: totalCount - idle, idle, waiting };
    },
    listen: (topic, listener) => topics.listen(topic, listener),
    hearsHints: (limitMs) => topics.hears(limitMs),
    requireStatements: () => requirePreparedStatements(url).catch((error) => Promise.reject(explain(error))),
    async backup() {
      throw new Error('This store is on PostgreSQL: back it up with pg_dump');
    },
    async analyzeGrown() {
      const { rows } = await sql<{ name: string }>`
        select format('%I.%I', s.schemaname, s.relname) as name
        from pg_stat_user_tables s join pg_class c on c.oid = s.relid
        where s.schemaname = current_schema() and s.n_live_tup > 3 * greatest(c.reltuples, 16)`.execute(read);
      for (const { name } of rows) await sql`analyze (skip_locked) ${sql.raw(name)}`.execute(read);
    },
    async giveBack() {},
    async close() {
      await topics.close();
      await pool.end();
    },
  };
}

/** A record in the log, which makes its commit wait until all that was committed before it is on disk. */
const WAIT_FOR_DISK = "select pg_logical_emit_message(true, 'earshot', '')";

/**
 * A commit releases its locks once it is on disk, so of several transactions that wait for one row, only one is written
 * per sync. This one releases them before, and then writes a record that is awaited: once it is on disk, so is
 * everything that was committed earlier, by any client.
 */
const EARLY_COMMIT = `set local synchronous_commit to off; commit; ${WAIT_FOR_DISK}`;

/**
 * The commit of a transaction that has written nothing waits for nothing, although it may have read early commits of
 * others, such as the response to a repeated request. So it writes a record as well, and waits for it.
 */
const COMMIT = `${WAIT_FOR_DISK} where pg_current_xact_id_if_assigned() is null; commit`;

const FAILED_UNSEEN = 'A statement of the transaction failed unseen: it was undone';

type Transaction = { tx: Tx; noted: Set<Topic>; upTo: LogPosition | null };

function makeTransaction(client: pg.PoolClient, observe: StatementObserver, explain: Explain): Transaction {
  const noted = new Set<Topic>();
  const notify = (topic: Topic) => noted.add(topic);
  const commitEarly = (upTo: LogPosition) => {
    transaction.upTo = upTo;
  };
  const reader = makeReader(new PostgresConnection(client, observe, explain));
  const tx = Object.assign(reader, { notify, commitEarly }) as unknown as Tx;
  const transaction: Transaction = { tx, noted, upTo: null };
  return transaction;
}

function makeReader(connection: PostgresConnection): Reader {
  const kysely = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new LendingDriver(connection),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  const run = async <R>(sql: string, parameters: readonly unknown[]) =>
    (await connection.run(sql, parameters)).rows as R[];
  return Object.assign(kysely, { engine: 'postgres' as const, run });
}

/** Names of prepared statements, the same on every connection of the process. */
const statementNames = new Map<string, string>();

/**
 * Sends queries to a pool, which takes any free connection for each, or to the connection of a transaction: there,
 * queries sent before the response to an earlier one share its round trip, and run in their order.
 */
class PostgresConnection implements DatabaseConnection {
  readonly #target: pg.Pool | pg.PoolClient;
  readonly #observe: StatementObserver;
  readonly #explain: Explain;

  constructor(target: pg.Pool | pg.PoolClient, observe: StatementObserver, explain: Explain) {
    this.#target = target;
    this.#observe = observe;
    this.#explain = explain;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, rowCount } = await this.run(sql, parameters);
    return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
  }

  async run(sql: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    const start = performance.now();
    try {
      return await this.#send(sql, parameters);
    } catch (error) {
      throw this.#explain(error);
    } finally {
      this.#observe(sql, performance.now() - start);
    }
  }

  #send(sql: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    const name = statementName(sql);
    const query = { ...(name && { name }), text: sql, values: parameters as unknown[] };
    return this.#target.query(query);
  }

  streamQuery(): never {
    throw new Error('Long reads run page by page');
  }
}

function statementName(sql: string): string | undefined {
  let name = statementNames.get(sql);
  if (name === undefined && statementNames.size < 1_000) {
    name = `earshot_${statementNames.size}`;
    statementNames.set(sql, name);
  }
  return name;
}
