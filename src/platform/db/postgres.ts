import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { CollisionError, type Db, type LogPosition, type StatementObserver, type Tx } from './db.ts';
import { Durability, Waits } from './durability.ts';
import { countConnections, makeReader, openPool, PostgresConnection } from './postgres-connection.ts';
import { type Explain, isSilence, isUndone, makeExplain } from './postgres-faults.ts';
import { ReplicaConnection } from './postgres-replica.ts';
import { lastRow, SERVER, ServerWatch } from './postgres-servers.ts';
import { SharedConnections } from './postgres-together.ts';
import { PostgresTopics } from './postgres-topics.ts';
import type { Topic } from './topics.ts';
import { Writable } from './writable.ts';

type PostgresOptions = {
  url: string;
  /** Where to listen for hints, if `url` points to a pooler that does not support listening. */
  listenUrl?: string | undefined;
  /** A replica, for reads that may run there. */
  readUrl?: string | undefined;
  observe?: StatementObserver;
  /** Connections of this process (default 10). */
  poolSize?: number;
  /** How long a statement may take (default 30,000). */
  statementLimitMs?: number;
};

const ATTEMPTS = 4;
/** How long an operation waits for a connection. */
const CONNECT_LIMIT_MS = 5_000;

/** Opens a pool on PostgreSQL 14 or newer. The server need not be running yet: each query reports if it is not. */
export function openPostgres(options: PostgresOptions): Db {
  const { url, listenUrl = url, readUrl, observe = () => {}, poolSize = 10, statementLimitMs = 30_000 } = options;
  const limits = { size: poolSize, statementLimitMs };
  const pool = openPool({ ...limits, url, connectLimitMs: CONNECT_LIMIT_MS });
  const explain = makeExplain(url);
  const topics = new PostgresTopics(pool, listenUrl);
  const servers = new ServerWatch(pool, () => durability.endEpoch());
  const primary = new PostgresConnection(pool, observe, explain);
  const alone = makeReader(primary);
  const on = (client: pg.PoolClient) => new PostgresConnection(client, observe, explain);
  const read = makeReader(new SharedConnections({ pool, alone: primary, on, explain }));
  const replica = readUrl === undefined ? null : new ReplicaConnection({ ...limits, url: readUrl, primary, observe });
  const slow = replica ? makeReader(replica) : alone;
  const commits = new Waits();
  const writable = new Writable();
  const durability = new Durability(async () => {
    const answer = await commits.watch(primary.run(WAIT_FOR_DISK, []));
    servers.note(lastRow<OnDisk>(answer)?.server);
  });

  const run = makeTransactions({ pool, observe, explain, commits, servers, durability, topics });
  const transaction = writable.watch(run);

  return {
    engine: 'postgres',
    read,
    slow,
    shared: replica ? slow : read,
    transaction,
    watchWrites: (other) => writable.watch(other),
    writeFault: () => writable.fault(transaction),
    epoch: () => durability.epoch(),
    durable: (since, upTo) => durability.wait(since, upTo),
    commitAgeMs: () => commits.oldestMs(),
    connections: () => countConnections(pool),
    async checkReplica() {
      await replica?.run('select 1', []);
      return replica?.state() ?? null;
    },
    replica: () => replica?.state() ?? null,
    listen: (topic, listener) => topics.listen(topic, listener),
    hearsHints: (limitMs) => topics.hears(limitMs),
    presence: topics.presence,
    requireStatements: () => requirePreparedStatements(url).catch((error) => Promise.reject(explain(error))),
    async backup() {
      throw new Error('This store is on PostgreSQL: back it up with pg_dump');
    },
    analyzeGrown: () => analyzeGrown(read),
    async giveBack() {},
    async freeMemory() {},
    async close() {
      await topics.close();
      await replica?.close();
      await pool.end();
    },
  };
}

type Committing = {
  pool: pg.Pool;
  observe: StatementObserver;
  explain: Explain;
  commits: Waits;
  servers: ServerWatch;
  durability: Durability;
  topics: PostgresTopics;
};

/** Makes what runs transactions, and one that collides with another again. */
function makeTransactions(committing: Committing): Db['transaction'] {
  const { pool, observe, explain, commits, servers, durability, topics } = committing;
  const transactions = new WeakMap<pg.PoolClient, Transaction>();

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
      const committed = await commits.watch(client.query(transaction.upTo ? EARLY_COMMIT : COMMIT));
      if (transaction.upTo) {
        servers.note(lastRow<OnDisk>(committed)?.server);
        durability.note(transaction.upTo);
      }
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

  return async (work) => {
    for (let n = 1; ; n++) {
      try {
        return await attempt(work);
      } catch (error) {
        if (n === ATTEMPTS || !(error instanceof CollisionError)) throw error;
        await delay(Math.random() * 10 * 2 ** n);
      }
    }
  };
}

/** Updates the statistics of the tables that have grown to three times what these say. */
async function analyzeGrown(read: Db['read']): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', s.schemaname, s.relname) as name
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid
    where s.schemaname = current_schema() and s.n_live_tup > 3 * greatest(c.reltuples, 16)`.execute(read);
  for (const { name } of rows) await sql`analyze (skip_locked) ${sql.raw(name)}`.execute(read);
}

/**
 * A record in the log, which makes its commit wait until all that was committed before it is on disk; and on which
 * server, as a pooler may have reached another one.
 */
const WAIT_FOR_DISK = `select pg_logical_emit_message(true, 'earshot', ''), ${SERVER}`;

type OnDisk = { server: string };

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
  const reader = makeReader(new PostgresConnection(client, observe, explain, true));
  const tx = Object.assign(reader, { notify, commitEarly }) as unknown as Tx;
  const transaction: Transaction = { tx, noted, upTo: null };
  return transaction;
}

/** The more there are, the likelier two share a connection of a pooler that other processes use as well. */
const CLIENTS = 3;
const SETTINGS = { connectionTimeoutMillis: 5_000, fallback_application_name: 'earshot' };

/**
 * Tests whether statements that are prepared on a connection stay there, separate from those of others. With a pooler
 * that reassigns connections and does not track them, the second client meets the statement of the first.
 * @throws the database's error in that case (26000, 42P05), or why it cannot be reached
 */
async function requirePreparedStatements(url: string): Promise<void> {
  const clients = Array.from({ length: CLIENTS }, () => new pg.Client({ ...SETTINGS, connectionString: url }));
  try {
    for (const client of clients) client.on('error', () => {});
    await Promise.all(clients.map((client) => client.connect()));
    for (const [n, client] of clients.entries()) await run(client, n);
    for (const [n, client] of clients.entries()) await run(client, n);
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})));
  }
}

/** Each has a different statement under the same name. */
async function run(client: pg.Client, n: number): Promise<void> {
  await client.query({ name: 'earshot_try', text: `select ${n} as n` });
}
