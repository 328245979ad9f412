import type pg from 'pg';
import { SECOND_MS } from '../lib/clock.ts';
import { makeMark, type Presence } from './presence.ts';

/** The first half of the keys of the locks that processes hold: "ears" in ASCII. */
const LOCKS = 0x65617273;
/** A process whose connection broke connects again within a second. */
const ABSENT_MS = 2 * SECOND_MS;

const TAKE = 'select pg_try_advisory_lock($1, $2) as taken';

const HELD = `select objid::bigint as key from pg_locks
  where locktype = 'advisory' and classid = $1 and objsubid = 2
    and database = (select oid from pg_database where datname = current_database())`;

/**
 * Processes on one PostgreSQL: each holds a lock as long as its listening connection lasts, which the database closes
 * when the process ends, however it ends.
 */
export class PostgresPresence implements Presence {
  readonly #pool: pg.Pool;
  #mark = makeMark();
  /** All that this process has had. */
  readonly #marks = new Set([this.#mark]);
  readonly #isSeen: () => boolean;
  /** When processes were first found absent, by mark. */
  #absent = new Map<string, number>();

  /** @param isSeen whether the listening connection is this process's own, and holds the lock now */
  constructor(pool: pg.Pool, isSeen: () => boolean) {
    this.#pool = pool;
    this.#isSeen = isSeen;
  }

  /**
   * Takes the lock, on a connection that is kept. Where the database has not noticed that the previous connection broke,
   * that still has it, perhaps for hours: then this process gets another mark instead of waiting.
   */
  async hold(client: pg.Client): Promise<void> {
    while (!(await this.#take(client))) {
      this.#mark = makeMark();
      this.#marks.add(this.#mark);
    }
  }

  async #take(client: pg.Client): Promise<boolean> {
    const key = Number.parseInt(this.#mark, 16);
    const { rows } = await client.query<{ taken: boolean }>(TAKE, [LOCKS, key]);
    return rows[0]?.taken === true;
  }

  own(): string | null {
    return this.#isSeen() ? this.#mark : null;
  }

  async ended(asked: readonly string[]): Promise<readonly string[]> {
    const marks = asked.filter((mark) => !this.#marks.has(mark));
    if (marks.length === 0) this.#absent.clear();
    if (marks.length === 0) return [];
    const { rows } = await this.#pool.query<{ key: string }>(HELD, [LOCKS]);
    const present = new Set(rows.map(({ key }) => Number(key)));
    const now = performance.now();
    const absent = marks.filter((mark) => !present.has(Number.parseInt(mark, 16)));
    this.#absent = new Map(absent.map((mark) => [mark, this.#absent.get(mark) ?? now]));
    return absent.filter((mark) => now - (this.#absent.get(mark) ?? now) >= ABSENT_MS);
  }
}
