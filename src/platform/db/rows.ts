import { type Selectable, sql, type Updateable } from 'kysely';
import type { Tables, Tx } from './db.ts';

type RowKey = { board_id: string; id: string };

/** Tables whose key is the board and an id. */
type KeyedTable = { [T in keyof Tables]: Tables[T] extends RowKey ? T : never }[keyof Tables];

/** Changes columns of one row and returns the new row. */
export async function updateRow<Table extends KeyedTable>(
  tx: Tx,
  table: Table,
  { board_id, id }: RowKey,
  set: Updateable<Tables[Table]>,
): Promise<Selectable<Tables[Table]>> {
  const columns = Object.entries(set).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  const update = sql<Selectable<Tables[Table]>>`
    update ${sql.table(table)} set ${sql.join(columns)} where board_id = ${board_id} and id = ${id} returning *`;
  const { rows } = await update.execute(tx);
  if (!rows[0]) throw new Error(`A row of ${table} is gone`);
  return rows[0];
}
