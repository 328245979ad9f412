import { type Selectable, sql } from 'kysely';
import type { Db, Reader } from '../../platform/db/db.ts';
import { prepare, tableOf } from '../../platform/db/prepare.ts';
import { type ErrorCode, errorCatalogue } from '../../platform/errors.ts';
import { DAY_MS, HOUR_MS } from '../../platform/lib/clock.ts';

/** How long the hours of keys are kept. */
export const USAGE_DAYS = 30;

/** The possible results of a request with a known key. */
export const usageKinds = ['answered', 'unauthenticated', 'forbidden', 'limited', 'mistaken', 'failed'] as const;
export type UsageKind = (typeof usageKinds)[number];
export type UsageCounts = Record<UsageKind, number>;

/** The requests with a key in one hour, which begins at `hour`. */
type UsageTable = { board_id: string; api_key_id: string; hour: number } & UsageCounts;
export type UsageRow = Selectable<UsageTable>;

declare module '../../platform/db/db.ts' {
  interface Tables {
    key_usage: UsageTable;
  }
}

/** The key that a request came with. */
export type UsedKey = { id: string; boardId: string };

/**
 * Counts requests in memory, by key and hour: a map lookup for each, and one statement whenever the counts are saved.
 */
export class KeyUsage {
  /** By the key's id, each in the hour of its latest request. */
  #open = new Map<string, UsageRow>();
  /** Hours that are over. */
  #over: UsageRow[] = [];

  /** @param code the first error of the answer, if it had one */
  count(key: UsedKey, code: ErrorCode | undefined, now: number): void {
    const hour = now - (now % HOUR_MS);
    let row = this.#open.get(key.id);
    if (row?.hour !== hour) {
      if (row) this.#over.push(row);
      row = emptyHour(key, hour);
      this.#open.set(key.id, row);
    }
    row[kindOf(code)]++;
  }

  /** Adds the counts to those of all processes in the store. Counts that could not be saved are kept. */
  async save(db: Db): Promise<void> {
    const rows = [...this.#over, ...this.#open.values()];
    if (rows.length === 0) return;
    this.#open = new Map();
    this.#over = [];
    try {
      await addUsage(db, rows);
    } catch (error) {
      this.#over.push(...rows);
      throw error;
    }
  }
}

function emptyHour(key: UsedKey, hour: number): UsageRow {
  const none = { answered: 0, unauthenticated: 0, forbidden: 0, limited: 0, mistaken: 0, failed: 0 };
  return { board_id: key.boardId, api_key_id: key.id, hour, ...none };
}

/** How a request counts: as refused according to its HTTP status, as a client error, or as an internal error. */
function kindOf(code: ErrorCode | undefined): UsageKind {
  if (code === undefined) return 'answered';
  switch (errorCatalogue[code]) {
    case 401:
      return 'unauthenticated';
    case 403:
      return 'forbidden';
    case 429:
      return 'limited';
    case 500:
    case 503:
      return 'failed';
    default:
      return 'mistaken';
  }
}

const COLUMNS = {
  board_id: 'text',
  api_key_id: 'text',
  hour: 'bigint',
  answered: 'bigint',
  unauthenticated: 'bigint',
  forbidden: 'bigint',
  limited: 'bigint',
  mistaken: 'bigint',
  failed: 'bigint',
} as const;

/**
 * Adds to the hours of keys, in one statement. Keys that no longer exist, such as those of deleted sandboxes, are
 * skipped.
 */
async function addUsage(db: Db, rows: readonly UsageRow[]): Promise<void> {
  await db.transaction(async (tx) => {
    await addRows(tx, { rows: JSON.stringify(sumHours(rows)) });
  });
}

/** A statement may touch a row only once, and all processes use the same order, so that there are no deadlocks. */
function sumHours(rows: readonly UsageRow[]): UsageRow[] {
  const sums = new Map<string, UsageRow>();
  for (const row of rows) {
    const place = `${row.board_id} ${row.api_key_id} ${row.hour}`;
    const sum = sums.get(place);
    if (!sum) sums.set(place, { ...row });
    else for (const kind of usageKinds) sum[kind] += row[kind];
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

const addRows = prepare<{ rows: string }, never>((tx, param) => {
  const columns = sql.join(Object.keys(COLUMNS).map((column) => sql.ref(column)));
  const sums = usageKinds.map(
    (kind) => sql`${sql.ref(kind)} = ${sql.ref(`key_usage.${kind}`)} + ${sql.ref(`excluded.${kind}`)}`,
  );
  return sql`insert into key_usage (${columns})
    select ${columns} from ${tableOf(tx, 'line', COLUMNS, param('rows'))}
    where exists (
      select 1 from api_keys where api_keys.board_id = line.board_id and api_keys.id = line.api_key_id
    )
    on conflict (board_id, api_key_id, hour) do update set ${sql.join(sums)}`;
});

/** The hours of a key from an instant on in which there were requests, the oldest first. */
export function findUsage(reader: Reader, boardId: string, keyId: string, since: number): Promise<UsageRow[]> {
  const query = reader.selectFrom('key_usage').selectAll().where('board_id', '=', boardId);
  return query.where('api_key_id', '=', keyId).where('hour', '>=', since).orderBy('hour').execute();
}

/** Removes the hours that are older than they are kept. */
export async function forgetOldUsage(db: Db, now: number): Promise<void> {
  const before = now - USAGE_DAYS * DAY_MS;
  const boards = await db.read.selectFrom('boards').select('id').execute();
  for (const { id } of boards) {
    const old = await db.read
      .selectFrom('key_usage')
      .select('hour')
      .where('board_id', '=', id)
      .where('hour', '<', before)
      .limit(1)
      .executeTakeFirst();
    if (!old) continue;
    await db.transaction((tx) =>
      tx.deleteFrom('key_usage').where('board_id', '=', id).where('hour', '<', before).execute(),
    );
  }
}
