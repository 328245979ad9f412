import { type RawBuilder, sql } from 'kysely';
import type { Reader, Tx } from './db.ts';
import { rowLimit } from './prepare.ts';

/** A table as the database describes it. */
export type TableShape = {
  name: string;
  columns: readonly ColumnShape[];
  /** The columns of the primary key, in its order. */
  key: readonly string[];
  /** Which of the rows are read; default: all. */
  where?: RawBuilder<unknown> | undefined;
};

type ColumnShape = { name: string; type: string };

export type AnyRow = Readonly<Record<string, unknown>>;

type DescribedColumn = { table_name: string; name: string; type: string; key_position: number };
type Reference = { table_name: string; referenced: string };

/** Every table in the schema of the store, each after those that it references. Views and generated columns are left out. */
export async function describeTables(reader: Reader): Promise<TableShape[]> {
  const { columns, references } = reader.engine === 'sqlite' ? sqliteCatalogue : postgresCatalogue;
  const described = (await columns.execute(reader)).rows;
  const known = (await references.execute(reader)).rows;
  const names = [...new Set(described.map((column) => column.table_name))].sort();
  return orderByReferences(names, known).map((name) => {
    const own = described.filter((column) => column.table_name === name);
    const key = own.filter((column) => column.key_position > 0).sort((a, b) => a.key_position - b.key_position);
    return { name, columns: own.map(({ name, type }) => ({ name, type })), key: key.map((column) => column.name) };
  });
}

const sqliteCatalogue = {
  columns: sql<DescribedColumn>`
    select t.name as table_name, c.name, c.type, c.pk as key_position
    from pragma_table_list t join pragma_table_info(t.name) c
    where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite\\_%' escape '\\'
    order by t.name, c.name`,
  references: sql<Reference>`
    select t.name as table_name, f."table" as referenced
    from pragma_table_list t join pragma_foreign_key_list(t.name) f where t.schema = 'main'`,
};

const postgresCatalogue = {
  columns: sql<DescribedColumn>`
    select c.relname as table_name, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      coalesce(array_position(i.indkey::int2[], a.attnum) + 1, 0) as key_position
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    left join pg_index i on i.indrelid = c.oid and i.indisprimary
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
    order by c.relname, a.attname`,
  references: sql<Reference>`
    select t.relname as table_name, r.relname as referenced
    from pg_constraint f join pg_class t on t.oid = f.conrelid join pg_class r on r.oid = f.confrelid
    where f.contype = 'f' and f.connamespace = current_schema()::regnamespace`,
};

function orderByReferences(names: readonly string[], references: readonly Reference[]): string[] {
  const ordered: string[] = [];
  const isReady = (name: string) =>
    references.every((r) => r.table_name !== name || r.referenced === name || ordered.includes(r.referenced));
  while (ordered.length < names.length) {
    const next = names.filter((name) => !ordered.includes(name)).filter(isReady);
    if (next.length === 0) throw new Error('Tables reference each other in a circle');
    ordered.push(...next);
  }
  return ordered;
}

/** The next rows of a table in the order of its key, after the row with the given key; null: from the beginning. */
export async function readRows(
  reader: Reader,
  table: TableShape,
  after: readonly unknown[] | null,
  limit: number,
): Promise<AnyRow[]> {
  const keys = sql.join(table.key.map((column) => sql.ref(column)));
  const further = after ? sql`and (${keys}) > (${sql.join(after)})` : sql``;
  const { rows } = await sql<AnyRow>`
    select ${listOf(table.columns)} from ${rowsOf(table)} ${further}
    order by ${keys} limit ${rowLimit(limit)}`.execute(reader);
  return rows;
}

/** Rows that are in memory at a time; few texts are long. */
const ROWS_PER_READ = 500;

/** All rows of a table, some at a time. */
export async function* walkTable(reader: Reader, table: TableShape): AsyncGenerator<AnyRow[]> {
  for (let key: unknown[] | null = null; ; ) {
    const rows: AnyRow[] = await readRows(reader, table, key, ROWS_PER_READ);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    key = keyOf(table, last);
  }
}

/** The values of the primary key of a row. */
export function keyOf({ key }: TableShape, row: AnyRow): unknown[] {
  return key.map((column) => row[column]);
}

/** How many rows a table has. */
export async function countRows(reader: Reader, table: TableShape): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${rowsOf(table)}`.execute(reader);
  return rows[0]?.count ?? 0;
}

function rowsOf({ name, where }: TableShape): RawBuilder<unknown> {
  return sql`${sql.table(name)} where ${where ?? sql`1 = 1`}`;
}

/** Adds rows with all their columns, generated ids included. */
export async function insertRows(tx: Tx, { name, columns }: TableShape, rows: readonly AnyRow[]): Promise<void> {
  const into = sql`insert into ${sql.table(name)} (${listOf(columns)})`;
  if (tx.engine === 'postgres') {
    const lists = columns.map((column) => sql`${rows.map((row) => row[column.name])}::${sql.raw(column.type)}[]`);
    await sql`${into} overriding system value select * from unnest(${sql.join(lists)})`.execute(tx);
    return;
  }
  // One statement for all rows: preparing it takes longer than running it.
  const statement = sql`${into} values (${sql.join(columns.map(() => null))})`.compile(tx).sql;
  for (const row of rows) {
    await tx.run(
      statement,
      columns.map((column) => row[column.name]),
    );
  }
}

/**
 * After rows were added by `insertRows`: continues generated ids after the highest one, and counts the rows for the query
 * planner. SQLite needs neither.
 */
export async function settleTable(tx: Tx, { name }: TableShape): Promise<void> {
  if (tx.engine === 'sqlite') return;
  const { rows } = await sql<{ column: string; sequence: string }>`
    select attname as column, pg_get_serial_sequence(quote_ident(${name}), attname) as sequence
    from pg_attribute where attrelid = quote_ident(${name})::regclass and attidentity <> ''`.execute(tx);
  for (const { column, sequence } of rows) {
    const highest = sql`(select coalesce(max(${sql.ref(column)}), 0) + 1 from ${sql.table(name)})`;
    await sql`select setval(${sequence}::regclass, ${highest}, false)`.execute(tx);
  }
  await sql`analyze ${sql.table(name)}`.execute(tx);
}

function listOf(columns: readonly ColumnShape[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column.name)));
}
