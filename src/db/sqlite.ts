import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { type Db, type Reader, type StatementObserver, StoreUnavailableError, type Tables, type Tx } from './db.ts';
import { LendingDriver } from './driver.ts';
import { GroupCommit, requireTransaction } from './group-commit.ts';
import { type Topic, Topics } from './topics.ts';

export type SqliteOptions = {
  /** The database file; its folder is made when missing. */
  file: string;
  observe?: StatementObserver;
  /** Transactions that may share one commit (default 256). */
  groupLimit?: number;
  /** How long a write waits for another process (default 5,000). */
  lockTimeoutMs?: number;
};

/** Primary result codes of SQLite that tell of the store and not of the statement: https://sqlite.org/rescode.html */
const STORE_FAULTS: Record<number, string> = {
  5: 'The store is locked by another process',
  6: 'The store is locked',
  8: 'The store is read-only',
  10: 'The disk of the store does not work',
  11: 'The store is damaged',
  13: 'The disk of the store is full',
  14: 'The store cannot be opened',
};

/** Opens the embedded store: one connection writes, one reads, both on a write-ahead log. */
export function openSqlite(options: SqliteOptions): Db {
  const { file, observe = () => {}, groupLimit = 256, lockTimeoutMs = 5_000 } = options;
  const { writer, reader, walFd } = openConnections(file);
  const snapshot = new Snapshot(reader);
  const read = makeReader(new SqliteConnection(reader, observe, () => snapshot.open()));
  const topics = new Topics();
  const noted = new Set<Topic>();
  const committing = new Set<Topic>();
  const tx = Object.assign(makeReader(new SqliteConnection(writer, observe, () => requireTransaction(writer))), {
    notify: (topic: Topic) => noted.add(topic),
  }) as unknown as Tx;
  const afterSync = () => {
    snapshot.end();
    topics.flush(committing);
  };
  const commits = new GroupCommit({ connection: writer, walFd, groupLimit, lockTimeoutMs, explain, afterSync });
  return {
    engine: 'sqlite',
    read,
    transaction: (work) =>
      commits.run(async () => {
        noted.clear(); // what a transaction that was undone before has left
        const result = await work(tx);
        for (const topic of noted) committing.add(topic);
        return result;
      }),
    listen: (topic, listener) => topics.listen(topic, listener),
    backup: (target) => copyTo(file, target),
    async close() {
      await commits.idle();
      closeSync(walFd);
      snapshot.end();
      reader.close();
      writer.close();
    },
  };
}

function openConnections(file: string): { writer: DatabaseSync; reader: DatabaseSync; walFd: number } {
  try {
    mkdirSync(dirname(file), { recursive: true });
    const writer = new DatabaseSync(file, { timeout: 5_000 });
    writer.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on');
    writer.exec('begin immediate; commit'); // opens the log, so that it exists below; and tells a read-only folder
    writer.exec('pragma busy_timeout = 0; pragma cache_size = -32768; pragma temp_store = memory');
    const reader = new DatabaseSync(file, { readOnly: true, timeout: 1_000 });
    reader.exec('pragma cache_size = -32768; pragma mmap_size = 134217728');
    return { writer, reader, walFd: openSync(`${file}-wal`, 'r+') };
  } catch (error) {
    throw new StoreUnavailableError(`Cannot open the store ${file}: ${(error as Error).message}`);
  }
}

/** Copies one state of the database. Without the open transaction the copy would begin anew at each commit of others. */
async function copyTo(file: string, target: string): Promise<void> {
  const source = new DatabaseSync(file, { readOnly: true });
  try {
    source.exec('begin; select 1 from sqlite_schema');
    await backup(source, target);
  } finally {
    source.close();
  }
}

function makeReader(connection: SqliteConnection): Reader {
  const kysely = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new LendingDriver(connection),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  const run = <R>(sql: string, parameters: readonly unknown[]) => connection.run<R>(sql, parameters).rows;
  return Object.assign(kysely, { engine: 'sqlite' as const, run });
}

/**
 * One read transaction for all reads of a turn of the event loop. A transaction of its own would cost each statement
 * the locks of the log, 5 µs of system calls where the statement itself takes 3.
 */
class Snapshot {
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  #isOpen = false;

  constructor(connection: DatabaseSync) {
    this.#begin = connection.prepare('begin');
    this.#commit = connection.prepare('commit');
  }

  open(): void {
    if (this.#isOpen) return;
    this.#begin.run();
    this.#isOpen = true;
    setImmediate(() => this.end());
  }

  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#commit.run();
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #connection: DatabaseSync;
  readonly #observe: StatementObserver;
  readonly #beforeEach: () => void;
  readonly #statements = new Map<string, PreparedStatement>();

  constructor(connection: DatabaseSync, observe: StatementObserver, beforeEach: () => void) {
    this.#connection = connection;
    this.#observe = observe;
    this.#beforeEach = beforeEach;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return this.run<R>(sql, parameters);
  }

  run<R>(sql: string, parameters: readonly unknown[]): QueryResult<R> {
    this.#beforeEach();
    const start = performance.now();
    const { statement, columns } = this.#prepare(sql);
    const values = parameters.map((p) => (Array.isArray(p) ? JSON.stringify(p) : p)) as SQLInputValue[];
    try {
      if (columns.length === 0) return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) };
      const rows = statement.all(...values) as unknown as SQLOutputValue[][];
      return { rows: rows.map((row) => makeRow(columns, row) as R) };
    } catch (error) {
      throw explain(error);
    } finally {
      this.#observe(sql, performance.now() - start);
    }
  }

  streamQuery(): never {
    throw new Error('Long reads run page by page');
  }

  /** Statements stay prepared; their texts are few because lists travel as one parameter. */
  #prepare(sql: string): PreparedStatement {
    let prepared = this.#statements.get(sql);
    if (!prepared) {
      const statement = this.#connection.prepare(sql);
      statement.setReturnArrays(true);
      prepared = { statement, columns: statement.columns().map((column) => column.name) };
      if (this.#statements.size >= 500) this.#statements.clear();
      this.#statements.set(sql, prepared);
    }
    return prepared;
  }
}

type PreparedStatement = { statement: StatementSync; columns: readonly string[] };

/** A row as an object. Made here from an array it takes two thirds of the time that `node:sqlite` takes for it. */
function makeRow(columns: readonly string[], values: readonly SQLOutputValue[]): Record<string, SQLOutputValue> {
  const row: Record<string, SQLOutputValue> = {};
  for (let n = 0; n < columns.length; n++) row[columns[n] as string] = values[n] as SQLOutputValue;
  return row;
}

function explain(error: unknown): unknown {
  const code = (error as { errcode?: number }).errcode;
  const fault = code === undefined ? undefined : STORE_FAULTS[code % 256];
  return fault ? new StoreUnavailableError(fault, { cause: error }) : error;
}
