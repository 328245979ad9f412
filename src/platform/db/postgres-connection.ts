import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import pg from 'pg';
import type { Reader, StatementObserver, Tables } from './db.ts';
import { LendingDriver, refuseToStream } from './driver.ts';
import { type Explain, isStalePlan } from './postgres-faults.ts';

/** What statements are sent to. */
export type Connection = DatabaseConnection & {
  run(sql: string, parameters: readonly unknown[]): Promise<pg.QueryResult>;
};

type PoolOptions = { url: string; size: number; statementLimitMs: number; connectLimitMs: number };

const { INT8 } = pg.types.builtins;
/** Counts and instants in milliseconds are far below 2^53, so 64-bit integers come as numbers. */
const types = { getTypeParser: (oid: number) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, 'text')) };

/** How much longer than a statement's limit its response is awaited. */
const SILENCE_MS = 5_000;

/** Opens a pool of connections as this program uses them. */
export function openPool({ url, size, statementLimitMs, connectLimitMs }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: connectLimitMs,
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
    // What a killed process has begun ends with it, and holds no locks. Not every system of a server can do this.
    client.query('set client_connection_check_interval = 1000').catch(() => {});
  });
  return pool;
}

/** How many connections of a pool are in use and idle, and how many operations wait for one. */
export function countConnections({ totalCount, idleCount: idle, waitingCount: waiting }: pg.Pool) {
  return { inUse: totalCount - idle, idle, waiting };
}

/** A query builder whose queries go to a connection. */
export function makeReader(connection: Connection): Reader {
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
/** How often all of them have been given new names. */
let renewals = 0;

/**
 * Sends queries to a pool, which takes any free connection for each, or to the connection of a transaction: there,
 * queries sent before the response to an earlier one share its round trip, and run in their order.
 *
 * While another process changes the schema, statements that were prepared before fail. They are then prepared again,
 * and where nothing came before, the one that has failed is repeated; a transaction is repeated by its owner, as after a
 * collision.
 */
export class PostgresConnection implements Connection {
  readonly #target: pg.Pool | pg.PoolClient;
  readonly #observe: StatementObserver;
  readonly #explain: Explain;
  readonly #isTransaction: boolean;

  constructor(target: pg.Pool | pg.PoolClient, observe: StatementObserver, explain: Explain, isTransaction = false) {
    this.#isTransaction = isTransaction;
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
      const name = statementName(sql);
      const result = await this.#send(name, sql, parameters).catch((error) => {
        if (!isStalePlan(error)) throw error;
        if (statementNames.get(sql) === name) renewStatements();
        if (this.#isTransaction) throw error;
        return this.#send(statementName(sql), sql, parameters);
      });
      this.#observe(sql, performance.now() - start);
      return result;
    } catch (error) {
      this.#observe(sql, performance.now() - start, error);
      throw this.#explain(error);
    }
  }

  #send(name: string | undefined, sql: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    const query = { ...(name && { name }), text: sql, values: parameters as unknown[] };
    return this.#target.query(query);
  }

  readonly streamQuery = refuseToStream;
}

/** Prepares all statements again; the old ones stay on their connections until these are closed. */
function renewStatements(): void {
  statementNames.clear();
  renewals++;
}

function statementName(sql: string): string | undefined {
  let name = statementNames.get(sql);
  if (name === undefined && statementNames.size < 1_000) {
    name = `earshot_${renewals}_${statementNames.size}`;
    statementNames.set(sql, name);
  }
  return name;
}
