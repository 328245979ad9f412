import { type RawBuilder, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { BoardRow } from '../../identity/board/board.ts';
import type { Db } from '../../platform/db/db.ts';
import { conflict } from '../../platform/errors.ts';
import { Lane } from '../../platform/lib/lane.ts';
import type { MaybePromise } from '../../platform/lib/maybe-promise.ts';
import { msg } from '../../platform/messages.ts';
import { tablesOfBoards } from './delete.ts';

/** What a sandbox may hold, all of its rows in all tables together. With 100 of them that bounds what anonymous visitors can fill. */
export const SANDBOX_BYTES = 4_194_304;
/** The overhead of a row: its header, and its entries in the indexes. */
const ROW_BYTES = 200;
/** A character of a request can take 6 bytes in an event, 3 in a row, and 3 in the search index. */
const BYTES_PER_CHARACTER = 16;
const LEAST_COST = 4_096;
/** How long a measurement counts: deliveries, the index of search and other processes add to a sandbox as well. */
const FRESH_MS = 1_000;
/** Maximum number of sandboxes in the cache; there are fewer. */
const MAX_REMEMBERED = 1_000;

/** The most that a mutation writes, in characters: its request, and its stored response. */
type Written<T> = { sent: () => number; kept: (result: T) => number };

/**
 * Keeps sandboxes within their budget: in one place, whatever a mutation does. All that a sandbox holds is measured (5
 * to 7 ms with 3,000 rows, on the thread for slow reads), and the most that mutations can have added since is counted.
 * It is measured again when that is too much, or after a second. The mutations of one sandbox run one at a time.
 */
export class SandboxBudget {
  readonly #db: Db;
  readonly #holdings = new LRUCache<string, Holding>({ max: MAX_REMEMBERED });
  #columns: Promise<Map<string, string[]>> | null = null;

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Runs a mutation if there is room for what it can add; only sandboxes have a budget.
   * @throws CONFLICT when there is no room
   */
  within<T>(
    { id, sandbox_visitor }: BoardRow,
    { sent, kept }: Written<T>,
    work: () => MaybePromise<T>,
  ): MaybePromise<T> {
    if (sandbox_visitor === null) return work();
    const holding = this.#holdingOf(id);
    return holding.lane.within(async () => {
      const cost = Math.max(LEAST_COST, sent() * BYTES_PER_CHARACTER);
      if (!holding.hasRoomFor(cost)) await this.#measureAgain(id, holding);
      if (!holding.hasRoomFor(cost)) {
        throw conflict(msg('sandboxIsFull'));
      }
      holding.added += cost;
      const result = await work();
      holding.added += kept(result) * BYTES_PER_CHARACTER;
      return result;
    });
  }

  /** The bytes of all rows of a board. */
  async measure(boardId: string): Promise<number> {
    this.#columns ??= this.#readColumns();
    const parts = [...(await this.#columns)].map(([table, columns]) => sizeOf(table, columns, boardId));
    const query = sql<{ bytes: number | string | null }>`
      select sum(n) as bytes from (${sql.join(parts, sql` union all `)}) as sizes`;
    return Number((await query.execute(this.#db.slow)).rows[0]?.bytes ?? 0);
  }

  async #readColumns(): Promise<Map<string, string[]>> {
    const tables = await this.#db.read.introspection.getTables();
    const known: readonly string[] = tablesOfBoards;
    const ofBoards = tables.filter(({ name }) => known.includes(name));
    return new Map(ofBoards.map(({ name, columns }) => [name, columns.map((column) => column.name)]));
  }

  #holdingOf(boardId: string): Holding {
    let holding = this.#holdings.get(boardId);
    if (!holding) {
      holding = new Holding();
      this.#holdings.set(boardId, holding);
    }
    return holding;
  }

  async #measureAgain(boardId: string, holding: Holding): Promise<void> {
    if (holding.isFresh() && holding.added === 0) return;
    holding.measured = await this.measure(boardId);
    holding.added = 0;
    holding.measuredAt = performance.now();
  }
}

/** The cached state of a sandbox. */
class Holding {
  readonly lane = new Lane(1);
  measured = 0;
  measuredAt = Number.NEGATIVE_INFINITY;
  /** The most that can have been added since then. */
  added = 0;

  isFresh(): boolean {
    return performance.now() < this.measuredAt + FRESH_MS;
  }

  hasRoomFor(cost: number): boolean {
    return this.isFresh() && this.measured + this.added + cost <= SANDBOX_BYTES;
  }
}

function sizeOf(table: string, columns: readonly string[], boardId: string): RawBuilder<unknown> {
  const lengths = columns.map((column) => sql`coalesce(octet_length(cast(${sql.ref(column)} as text)), 0)`);
  const row = sql.join([sql.lit(ROW_BYTES), ...lengths], sql` + `);
  return sql`select sum(${row}) as n from ${sql.table(table)} where board_id = ${boardId}`;
}
