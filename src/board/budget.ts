import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../db/db.ts';
import { conflict } from '../errors.ts';
import { say } from '../lib/say.ts';
import type { BoardRow } from './board.ts';
import { tablesOfBoards } from './delete.ts';

/** What a sandbox may hold, all of its rows in all tables together. With 100 of them that bounds what strangers can fill. */
export const SANDBOX_BYTES = 4_194_304;
/** What a row takes beside its values: its head, and its places in the indexes. */
const ROW_BYTES = 200;
/** A character of a request can be 6 bytes of an event, 3 of a row, and as many of what search keeps. */
const BYTES_PER_CHARACTER = 16;
/** A request can use the same text in as many fields. */
const MOST_FIELDS = 20;
const LEAST_COST = 4_096;

/**
 * Keeps sandboxes within their budget: in one place, whatever a mutation does. All that a sandbox holds is measured
 * before each, in proportion to its rows (5 to 7 ms with 3,000 of them), and what it can add at most, with those under way, must fit.
 */
export class SandboxBudget {
  readonly #db: Db;
  readonly #underWay = new Map<string, number>();
  #columns: Promise<Map<string, string[]>> | null = null;

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Carries out a mutation if there is room for what it can add; other boards than sandboxes have no budget.
   * @param characters of the request
   * @throws CONFLICT when there is no room
   */
  async within<T>(board: BoardRow, characters: number, hasSeveral: boolean, work: () => Promise<T> | T): Promise<T> {
    if (board.sandbox_visitor === null) return work();
    const cost = Math.max(LEAST_COST, characters * BYTES_PER_CHARACTER) * (hasSeveral ? MOST_FIELDS : 1);
    this.#add(board.id, cost);
    try {
      const held = await this.measure(board.id);
      if (held + (this.#underWay.get(board.id) ?? 0) > SANDBOX_BYTES) {
        throw conflict(say`There is no room for this in a sandbox, which holds 4 MiB: reset it to go on`);
      }
      return await work();
    } finally {
      this.#add(board.id, -cost);
    }
  }

  /** The bytes of all rows of a board. */
  async measure(boardId: string): Promise<number> {
    this.#columns ??= this.#readColumns();
    const parts = [...(await this.#columns)].map(([table, columns]) => sizeOf(table, columns, boardId));
    const query = sql<{ bytes: number | string | null }>`
      select sum(n) as bytes from (${sql.join(parts, sql` union all `)}) as sizes`;
    return Number((await query.execute(this.#db.read)).rows[0]?.bytes ?? 0);
  }

  async #readColumns(): Promise<Map<string, string[]>> {
    const tables = await this.#db.read.introspection.getTables();
    const known: readonly string[] = tablesOfBoards;
    const ofBoards = tables.filter(({ name }) => known.includes(name));
    return new Map(ofBoards.map(({ name, columns }) => [name, columns.map((column) => column.name)]));
  }

  #add(boardId: string, bytes: number): void {
    const sum = (this.#underWay.get(boardId) ?? 0) + bytes;
    if (sum > 0) this.#underWay.set(boardId, sum);
    else this.#underWay.delete(boardId);
  }
}

function sizeOf(table: string, columns: readonly string[], boardId: string): RawBuilder<unknown> {
  const lengths = columns.map((column) => sql`coalesce(octet_length(cast(${sql.ref(column)} as text)), 0)`);
  const row = sql.join([sql.lit(ROW_BYTES), ...lengths], sql` + `);
  return sql`select sum(${row}) as n from ${sql.table(table)} where board_id = ${boardId}`;
}
