import { setTimeout as delay } from 'node:timers/promises';
import type { CompiledQuery, QueryResult } from 'kysely';
import type pg from 'pg';
import { CollisionError, type ReplicaState, type StatementObserver, StoreUnavailableError } from './db.ts';
import { refuseToStream } from './driver.ts';
import { type Connection, countConnections, openPool, PostgresConnection } from './postgres-connection.ts';
import { type Explain, isOverdue, isPoolFull, makeExplain } from './postgres-faults.ts';

type ReplicaOptions = {
  url: string;
  size: number;
  statementLimitMs: number;
  /** Where reads run that the replica cannot serve. */
  primary: Connection;
  observe: StatementObserver;
};

/** How long a read waits for the replica to catch up, and how often it checks. */
const PATIENCE_MS = 100;
const POLL_MS = 5;
/** After one has waited in vain, others do not wait at all for this long. */
const IMPATIENT_MS = 1_000;
/** How long the replica is left alone after a failure; then one read tries it. */
const REST_MS = 5_000;
/** How long it may take to connect, and to report its position. */
const ANSWER_LIMIT_MS = 1_000;

/**
 * Runs each read on a replica that has everything that was committed on the primary when the read began, otherwise on the
 * primary. So no one reads less than they have written or read before, in whatever process (docs/decisions/0022).
 */
export class ReplicaConnection implements Connection {
  readonly #pool: pg.Pool;
  readonly #primary: Connection;
  readonly #observe: StatementObserver;
  readonly #explain: Explain;
  readonly #state = { problem: null as string | null, lagBytes: null as number | null, onReplica: 0, onPrimary: 0 };
  #asking: Promise<Position> | null = null;
  #impatientUntil = 0;
  #restsUntil = 0;

  constructor({ url, primary, observe, ...limits }: ReplicaOptions) {
    this.#pool = openPool({ ...limits, url, connectLimitMs: ANSWER_LIMIT_MS });
    this.#primary = primary;
    this.#observe = observe;
    this.#explain = makeExplain(url);
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { rows } = await this.run(sql, parameters);
    return { rows };
  }

  async run(sql: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    return (await this.#runThere(sql, parameters)) ?? this.#primary.run(sql, parameters);
  }

  readonly streamQuery = refuseToStream;

  state(): ReplicaState {
    return { ...this.#state, connections: countConnections(this.#pool) };
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  /** @returns null if the primary is to run it: a read can be repeated there */
  async #runThere(sql: string, parameters: readonly unknown[]): Promise<pg.QueryResult | null> {
    const client = await this.#borrow();
    if (!client) {
      this.#state.onPrimary++;
      return null;
    }
    try {
      const result = await new PostgresConnection(client, this.#observe, this.#explain).run(sql, parameters);
      this.#state.onReplica++;
      client.release();
      return result;
    } catch (error) {
      client.release(true);
      if (!(error instanceof StoreUnavailableError) || isOverdue(error.cause)) throw error;
      // The replica cancels reads of rows whose removal it must apply: it is not at fault.
      if (!(error instanceof CollisionError)) this.#rest(error.detail ?? error.message);
      this.#state.onPrimary++;
      return null;
    }
  }

  /** A connection to the replica once that has everything that is committed now; null if it does not soon. */
  async #borrow(): Promise<pg.PoolClient | null> {
    if (performance.now() < this.#restsUntil) return null;
    // Until this read has succeeded, others do not try it as well.
    if (this.#restsUntil > 0) this.#restsUntil = performance.now() + REST_MS;
    let client: pg.PoolClient | undefined;
    try {
      const position = await this.#findPosition();
      client = await this.#pool.connect();
      if (await this.#catchesUp(client, position)) return client;
      client.release();
    } catch (error) {
      client?.release(true);
      const explained = this.#explain(error) as Error;
      if (!isPoolFull(error)) this.#rest((explained as StoreUnavailableError).detail ?? explained.message);
    }
    return null;
  }

  /** Reads that begin in the same turn share the answer. One on its way may be older than what they must include. */
  #findPosition(): Promise<Position> {
    this.#asking ??= Promise.resolve().then(async () => {
      this.#asking = null;
      const { rows } = await this.#primary.run(POSITION, []);
      return rows[0];
    });
    return this.#asking;
  }

  async #catchesUp(client: pg.PoolClient, position: Position): Promise<boolean> {
    const begun = performance.now();
    const patienceMs = begun < this.#impatientUntil ? 0 : PATIENCE_MS;
    for (;;) {
      const progress = await readProgress(client, position);
      this.#state.lagBytes = Math.max(0, progress.behind ?? 0);
      this.#state.problem = problemOf(progress, position);
      if (!isReplicaOf(progress, position)) {
        this.#rest(this.#state.problem);
        return false;
      }
      this.#restsUntil = 0;
      if (this.#state.problem === null) return true;
      if (performance.now() - begun >= patienceMs) {
        if (patienceMs > 0) this.#impatientUntil = performance.now() + IMPATIENT_MS;
        return false;
      }
      await delay(POLL_MS);
    }
  }

  #rest(problem: string | null): void {
    this.#restsUntil = performance.now() + REST_MS;
    this.#state.problem = problem;
    this.#state.lagBytes = null;
  }
}

/** The end of the primary's log: everything that is visible there is before it. */
type Position = { lsn: string; timeline: number; system: string };

/** The first eight digits of the name of a log file are its timeline, in hexadecimal. */
const POSITION = `
  select lsn::text, ('x' || left(pg_walfile_name(lsn), 8))::bit(32)::int as timeline,
    (select system_identifier::text from pg_control_system()) as system
  from pg_current_wal_insert_lsn() as lsn`;

type Progress = { replays: boolean; behind: number | null; timeline: number; system: string };

/**
 * Positions are comparable only on the same timeline of the same database: a replica that was left behind by a failover
 * may have more of the old one. It knows its timeline from its latest checkpoint, so a new one at most minutes later.
 */
const PROGRESS = `
  select pg_is_in_recovery() as replays, pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn())::float8 as behind,
    (select timeline_id from pg_control_checkpoint()) as timeline,
    (select system_identifier::text from pg_control_system()) as system`;

async function readProgress(client: pg.PoolClient, { lsn }: Position): Promise<Progress> {
  const query = { text: PROGRESS, values: [lsn], query_timeout: ANSWER_LIMIT_MS };
  const { rows } = await client.query(query);
  return rows[0];
}

function isReplicaOf(progress: Progress, { timeline, system }: Position): boolean {
  return progress.replays && progress.behind !== null && progress.system === system && progress.timeline === timeline;
}

/** Why a read cannot run there; null if it can. */
function problemOf(progress: Progress, position: Position): string | null {
  const { replays, behind, timeline, system } = progress;
  if (!replays) return 'it is not a replica';
  if (system !== position.system) return 'it is a replica of another database';
  if (timeline !== position.timeline) return `it is still on timeline ${timeline}, before a failover`;
  if (behind === null) return 'it does not report how much it has applied';
  return behind > 0 ? `it is ${behind} bytes behind` : null;
}
