import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { RequestContext } from '../../identity/users/request-context.ts';
import type { Reader, Tx } from '../../platform/db/db.ts';
import { isOneOf, locked } from '../../platform/db/prepare.ts';
import { columnsOfPeople, furtherColumnsOfPeople } from '../erasures/columns.ts';
import type { ImportRow } from './past-imports.ts';

/** Users that are found in one look at the board, and that are removed in one transaction. */
const MAX_FOUND = 10_000;
const STEP = 250;
/** Columns of what only the team does: who joins it is changed by that, so these are not read again in each step. */
const OF_TEAM = /_by$/;
/** Their indexes by user have only what is not deleted. */
const WITH_INDEX_OF_LIVE: ReadonlySet<string> = new Set(['posts', 'comments']);

/** Every column by which something on the board refers to a user, except that of events: an imported idea has some. */
const references: readonly (readonly [table: string, column: string])[] = [
  ...columnsOfPeople.flatMap(({ table, columns }) => Object.keys(columns).map((column) => [table, column] as const)),
  ...furtherColumnsOfPeople,
];

/**
 * Removes the users that an import has added, as far as they have left nothing on the board, have no account, and no one
 * has changed them since. Users who have also done something else stay.
 * @returns how many were removed
 */
export async function removeUnusedUsers({ db }: RequestContext, last: ImportRow): Promise<number> {
  let removed = 0;
  for (let ids = await findUnused(db.slow, last); ids.length > 0; ids = await findUnused(db.slow, last)) {
    for (let from = 0; from < ids.length; from += STEP) {
      const step = ids.slice(from, from + STEP);
      removed += await db.transaction((tx) => removeSome(tx, last, step));
    }
  }
  return removed;
}

async function findUnused(reader: Reader, last: ImportRow): Promise<string[]> {
  const rows = references.map(([table, column]) => referring(last, table, column, sql`${sql.ref(column)} is not null`));
  const users = reader.selectFrom('users').select('id').where(cameWith(last)).where(isNoneOf(rows));
  return (await users.limit(MAX_FOUND).execute()).map(({ id }) => id);
}

/** Removes those of the users who are still unused: since they were found, they may have voted, or were assigned. */
async function removeSome(tx: Tx, last: ImportRow, ids: readonly string[]): Promise<number> {
  // What users do is recorded in events, which are numbered in the row of the board.
  await locked(tx, tx.selectFrom('boards').select('id').where('id', '=', last.board_id)).execute();
  const users = tx
    .deleteFrom('users')
    .where(isOneOf(tx, 'id', ids))
    .where(cameWith(last));
  const recent = references.filter(([, column]) => !OF_TEAM.test(column));
  const rows = recent.map(([table, column]) => {
    const isLive = WITH_INDEX_OF_LIVE.has(table) ? sql`and date_deleted is null` : sql``;
    return referring(last, table, column, sql`${isOneOf(tx, column, ids)} ${isLive}`);
  });
  return (await users.where(isNoneOf(rows)).returning('id').execute()).length;
}

/** Whether a user came with an import, and is as it made them. */
function cameWith(last: ImportRow): RawBuilder<SqlBool> {
  return sql<SqlBool>`board_id = ${last.board_id} and id > ${last.id} and id <= ${last.last_id}
    and sso_type = ${last.source.toUpperCase()} and account_id is null and date_updated <= ${last.date_last}`;
}

function isNoneOf(rows: readonly RawBuilder<unknown>[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`id not in (${sql.join(rows, sql` union `)})`;
}

function referring({ board_id: boardId }: ImportRow, table: string, column: string, where: RawBuilder<unknown>) {
  return sql`select ${sql.ref(column)} from ${sql.table(table)} where board_id = ${boardId} and ${where}`;
}
