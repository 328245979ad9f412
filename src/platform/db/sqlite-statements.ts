import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';

/** The result of a statement: rows as arrays in the order of `columns`, or the number of changed rows. */
export type SqliteResult = {
  columns: readonly string[];
  rows: readonly (readonly SQLOutputValue[])[];
  changes: number | bigint;
};

type PreparedStatement = { statement: StatementSync; columns: readonly string[] };

/**
 * The statements of one connection. They stay prepared; there are few texts because lists are passed as one parameter.
 */
export class SqliteStatements {
  readonly #connection: DatabaseSync;
  readonly #prepared = new Map<string, PreparedStatement>();

  constructor(connection: DatabaseSync) {
    this.#connection = connection;
  }

  run(sql: string, parameters: readonly unknown[]): SqliteResult {
    const { statement, columns } = this.#prepare(sql);
    const values = parameters.map((p) => (Array.isArray(p) ? JSON.stringify(p) : p)) as SQLInputValue[];
    if (columns.length === 0) return { columns, rows: [], changes: statement.run(...values).changes };
    return { columns, rows: statement.all(...values) as unknown as SQLOutputValue[][], changes: 0 };
  }

  #prepare(sql: string): PreparedStatement {
    let prepared = this.#prepared.get(sql);
    if (!prepared) {
      const statement = this.#connection.prepare(sql);
      statement.setReturnArrays(true);
      prepared = { statement, columns: statement.columns().map((column) => column.name) };
      if (this.#prepared.size >= 500) this.#prepared.clear();
      this.#prepared.set(sql, prepared);
    }
    return prepared;
  }
}

/** Rows as objects. Creating them here from arrays takes two thirds of the time that `node:sqlite` takes. */
export function makeRows<R>({ columns, rows }: SqliteResult): R[] {
  return rows.map((row) => makeRow(columns, row) as R);
}

function makeRow(columns: readonly string[], values: readonly SQLOutputValue[]): Record<string, SQLOutputValue> {
  const row: Record<string, SQLOutputValue> = {};
  for (let n = 0; n < columns.length; n++) row[columns[n] as string] = values[n] as SQLOutputValue;
  return row;
}
