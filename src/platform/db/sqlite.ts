import { closeSync, openSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import {
  type Db,
  type LogPosition,
  type Reader,
  type Rows,
  type StatementObserver,
  StoreUnavailableError,
  type Tables,
  type Tx,
} from './db.ts';
import { LendingDriver, refuseToStream } from './driver.ts';
import { Durability } from './durability.ts';
import { GroupCommit, requireTransaction } from './group-commit.ts';
import { presenceAlone } from './presence.ts';
import { SlowReader } from './slow-reader.ts';
import { Snapshot } from './snapshot.ts';
import { explain } from './sqlite-faults.ts';
import { makeRows, type SqliteResult, SqliteStatements } from './sqlite-statements.ts';
import { requireStoreFile } from './store-file.ts';
import { type Topic, Topics } from './topics.ts';
import { Writable } from './writable.ts';

type SqliteOptions = {
  /** The database file; its folder is made when missing. */
  file: string;
  /** For a command that reads a large store once: what is read is not kept in memory. */
  isReadOnce?: boolean;
  observe?: StatementObserver;
  /** Transactions that may share one commit (default 256). */
  groupLimit?: number;
  /** How long a write waits for another process (default 5,000). */
  lockTimeoutMs?: number;
  /** How long a statement of `Db.slow` may take (default 10,000). */
  slowLimitMs?: number;
};

/** What each connection keeps of the file in memory, and how much of the file the system may map for reads. */
const CACHE_KIB = 32_768;
const READ_ONCE_CACHE_KIB = 8_192;
const MAPPED_BYTES = 128 * 1_048_576;

/** The value of `pragma auto_vacuum` for a file that can return pages; one created by an older version cannot. */
const INCREMENTAL = 2;
/** Free pages that stay in the file, 4 MiB: the next writes use them. */
const KEPT_PAGES = 1_000;
/** Pages that are returned at a time, 400 kB in 1 ms: each is filled with one from the end of the file. */
const GIVEN_PAGES = 100;

/** How long a transaction runs before others get a turn of the event loop. */
const TURN_MS = 10;

/** Opens the embedded store: one connection writes, one reads, both on a write-ahead log. */
export function openSqlite(options: SqliteOptions): Db {
  const { file, observe = () => {}, groupLimit = 256, lockTimeoutMs = 5_000, slowLimitMs = 10_000 } = options;
  const { writer, reader, walFd } = openConnections(options);
  const snapshot = new Snapshot(reader);
  const read = makeReader(new SqliteConnection(reader, observe, () => snapshot.open()));
  const slow = new SlowReader({ file, observe, explain, limitMs: slowLimitMs });
  const topics = new Topics();
  const pending: Pending = { noted: new Set(), upTo: null };
  const committing = new Set<Topic>();
  const turns = new Turns();
  const writing = new SqliteConnection(writer, observe, () => requireTransaction(writer), turns);
  const tx = makeTx(writing, pending);
  const afterSync = () => {
    snapshot.end();
    topics.flush(committing);
  };
  const commits = new GroupCommit({ connection: writer, walFd, groupLimit, lockTimeoutMs, explain, afterSync });
  const durability = new Durability(() => commits.flush());
  const writable = new Writable();
  const transaction: Db['transaction'] = writable.watch(async (work) => {
    const { result, position } = await commits.run(async () => {
      // Left by an earlier transaction that was rolled back.
      pending.noted.clear();
      pending.upTo = null;
      turns.begin();
      const result = await work(tx);
      for (const topic of pending.noted) committing.add(topic);
      return { result, position: pending.upTo };
    });
    if (position) durability.note(position);
    return result;
  });
  return {
    engine: 'sqlite',
    read,
    slow: makeReader(new SlowConnection(slow)),
    shared: read,
    transaction,
    watchWrites: (other) => writable.watch(other),
    writeFault: () => writable.fault(transaction),
    epoch: () => durability.epoch(),
    durable: (since, position) => durability.wait(since, position),
    commitAgeMs: () => commits.syncAgeMs(),
    replica: () => null,
    checkReplica: async () => null,
    connections: () => commits.load(),
    listen: (topic, listener) => topics.listen(topic, listener),
    hearsHints: async () => true,
    presence: presenceAlone(),
    async requireStatements() {},
    backup: (target) => copyTo(file, target),
    async analyzeGrown() {},
    giveBack: makeGiveBack(reader, (work) => commits.run(async () => work(writer))),
    async freeMemory() {
      for (const connection of [writer, reader]) connection.exec('pragma shrink_memory');
      // What reads have touched of the mapped file counts as memory of the process until it is mapped anew.
      reader.exec(`pragma mmap_size = 0; ${mapping(options)}`);
      await slow.freeMemory();
    },
    async close() {
      await Promise.all([commits.idle(), slow.close()]);
      closeSync(walFd);
      snapshot.end();
      for (const connection of [reader, writer]) connection.close();
    },
  };
}

/** What a transaction tells once it is committed, and up to where it has to be on disk. */
type Pending = { noted: Set<Topic>; upTo: LogPosition | null };

/** What transactions write with. Waiting ones share a commit, so it only records what becomes durable with that. */
function makeTx(writing: SqliteConnection, pending: Pending): Tx {
  return Object.assign(makeReader(writing), {
    notify: (topic: Topic) => pending.noted.add(topic),
    commitEarly(position: LogPosition) {
      pending.upTo = position;
    },
  }) as unknown as Tx;
}

/** Makes what gives free pages back to the file system, some at a time; files of old versions cannot. */
function makeGiveBack(
  reader: DatabaseSync,
  write: (work: (writer: DatabaseSync) => void) => Promise<void>,
): Db['giveBack'] {
  const freePages = reader.prepare('select freelist_count as free from pragma_freelist_count');
  const canShrink = reader.prepare('pragma auto_vacuum').get()?.auto_vacuum === INCREMENTAL;
  return async () => {
    if (!canShrink) return;
    const { free } = freePages.get() as { free: number };
    if (free > KEPT_PAGES) await write((writer) => writer.exec(`pragma incremental_vacuum(${GIVEN_PAGES})`));
  };
}

function mapping({ isReadOnce = false }: Pick<SqliteOptions, 'isReadOnce'>): string {
  return `pragma mmap_size = ${isReadOnce ? 0 : MAPPED_BYTES}`;
}

function openConnections({ file, isReadOnce = false }: SqliteOptions): {
  writer: DatabaseSync;
  reader: DatabaseSync;
  walFd: number;
} {
  const cacheKib = isReadOnce ? READ_ONCE_CACHE_KIB : CACHE_KIB;
  try {
    requireStoreFile(file);
    const writer = new DatabaseSync(file, { timeout: 5_000 });
    writer.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on');
    writer.exec('begin immediate; commit'); // opens the log, so that it exists below; and detects a read-only folder
    writer.exec(`pragma busy_timeout = 0; pragma cache_size = -${cacheKib}; pragma temp_store = memory`);
    const reader = new DatabaseSync(file, { readOnly: true, timeout: 1_000 });
    reader.exec(`pragma cache_size = -${cacheKib}; ${mapping({ isReadOnce })}`);
    return { writer, reader, walFd: openSync(`${file}-wal`, 'r+') };
  } catch (error) {
    throw new StoreUnavailableError(`Cannot open the store ${file}: ${(error as Error).message}`);
  }
}

/** Copies one state of the database. Without the open transaction the copy would restart at each commit of others. */
async function copyTo(file: string, target: string): Promise<void> {
  const source = new DatabaseSync(file, { readOnly: true });
  try {
    source.exec('begin; select 1 from sqlite_schema');
    await backup(source, target);
  } finally {
    source.close();
  }
}

/** A connection of either kind: rows synchronously, or later from the other thread. */
type Connection = DatabaseConnection & { rows<R>(sql: string, parameters: readonly unknown[]): Rows<R> };

function makeReader(connection: Connection): Reader {
  const kysely = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new LendingDriver(connection),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  const run = <R>(sql: string, parameters: readonly unknown[]) => connection.rows<R>(sql, parameters);
  return Object.assign(kysely, { engine: 'sqlite' as const, run });
}

/**
 * The turns of the event loop that a transaction takes. Its statements are synchronous, so a long one would otherwise
 * hold up every request until its end; other transactions wait for it anyway.
 */
class Turns {
  #begun = 0;

  begin(): void {
    this.#begun = performance.now();
  }

  /** Ends a turn that was long enough. @returns when the next one begins; null to go on in this one */
  end(): Promise<void> | null {
    return performance.now() - this.#begun < TURN_MS ? null : nextTurn().then(() => this.begin());
  }
}

class SqliteConnection implements Connection {
  readonly #observe: StatementObserver;
  readonly #beforeEach: () => void;
  readonly #turns: Turns | null;
  readonly #statements: SqliteStatements;

  constructor(
    connection: DatabaseSync,
    observe: StatementObserver,
    beforeEach: () => void,
    turns: Turns | null = null,
  ) {
    this.#statements = new SqliteStatements(connection);
    this.#observe = observe;
    this.#beforeEach = beforeEach;
    this.#turns = turns;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const result = this.#run(sql, parameters);
    const turn = this.#turns?.end();
    if (turn) await turn;
    return { rows: makeRows(result), numAffectedRows: BigInt(result.changes) };
  }

  rows<R>(sql: string, parameters: readonly unknown[]): Rows<R> {
    const rows = makeRows<R>(this.#run(sql, parameters));
    const turn = this.#turns?.end();
    return turn ? turn.then(() => rows) : rows;
  }

  #run(sql: string, parameters: readonly unknown[]): SqliteResult {
    this.#beforeEach();
    const start = performance.now();
    try {
      const result = this.#statements.run(sql, parameters);
      this.#observe(sql, performance.now() - start);
      return result;
    } catch (error) {
      this.#observe(sql, performance.now() - start, error);
      throw explain(error);
    }
  }

  readonly streamQuery = refuseToStream;
}

class SlowConnection implements Connection {
  readonly #reader: SlowReader;

  constructor(reader: SlowReader) {
    this.#reader = reader;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return { rows: await this.rows(sql, parameters) };
  }

  async rows<R>(sql: string, parameters: readonly unknown[]): Promise<R[]> {
    return makeRows(await this.#reader.run(sql, parameters));
  }

  readonly streamQuery = refuseToStream;
}
