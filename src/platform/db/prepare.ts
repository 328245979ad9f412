import {
  type Compilable,
  type CompiledQuery,
  type Expression,
  type Insertable,
  type InsertQueryBuilder,
  type InsertResult,
  type RawBuilder,
  type Selectable,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Reader, Rows, Tables, Tx } from './db.ts';

/** A query whose text is compiled once; calling it binds values and returns the rows, on SQLite synchronously. */
type Prepared<P, R> = (reader: Reader, values: P) => Rows<R>;

/** The placeholder for a value in a compiled query. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A placeholder for the value that a call passes under a name. */
export type Param<P> = <K extends keyof P & string>(name: K) => P[K];

/**
 * Prepares a query of the hot path. Kysely takes about 10 µs to build and compile a query and 7 µs to pass it on, where
 * SQLite finds a row by its key in 2 µs.
 * @param build makes the query
 * @param isPage whether it reads a page in the order of an index. PostgreSQL plans a statement once only if its plan is as
 * good for all values as one for each; it does not think so if a parameter limits the rows, and planning takes longer
 * than reading the page. So the usual limits are then in the text.
 */
export function prepare<P extends Record<string, unknown>, R>(
  build: (reader: Reader, param: Param<P>) => Compilable<R> | RawBuilder<R>,
  isPage = false,
): Prepared<P, R> {
  const compiled = new WeakMap<Reader, Map<number | null, CompiledQuery>>();
  return (reader, values) => {
    const limit = isPage && reader.engine === 'postgres' ? usualLimit(values.limit) : null;
    const byLimit = compiled.get(reader) ?? new Map<number | null, CompiledQuery>();
    let query = byLimit.get(limit);
    if (!query) {
      const param = (name: string) => (limit !== null && name === 'limit' ? sql.lit(limit) : new Placeholder(name));
      query = build(reader, param as Param<P>).compile(reader);
      compiled.set(reader, byLimit.set(limit, query));
    }
    const parameters = query.parameters.map((p) => (p instanceof Placeholder ? values[p.name] : p));
    return reader.run<R>(query.sql, parameters);
  };
}

/** Sizes of pages that clients usually ask for; each makes statements of its own, so they are few. */
const USUAL_SIZES = new Set([1, 2, 3, 5, 10, 20, 25, 30, 50, 100]);

/** The limit of a page that has a usual size: one row more than the page, which tells whether another follows. */
function usualLimit(limit: unknown): number | null {
  return typeof limit === 'number' && USUAL_SIZES.has(limit - 1) ? limit : null;
}

/** The values of a row to insert, for these columns. */
type ValuesOf<Table extends keyof Tables, Column extends keyof Insertable<Tables[Table]>> = {
  [K in Column]: Exclude<Insertable<Tables[Table]>[K], undefined>;
};

/**
 * Prepares the insert of a row with these columns.
 * @param finish adds what the statement returns
 */
export function prepareInsert<
  Table extends keyof Tables,
  Column extends keyof Insertable<Tables[Table]> & string,
  R = never,
>(
  table: Table,
  columns: readonly Column[],
  finish?: (
    insert: InsertQueryBuilder<Tables, Table, InsertResult>,
    param: Param<ValuesOf<Table, Column>>,
  ) => Compilable<R>,
): Prepared<ValuesOf<Table, Column>, R> {
  return prepare((tx, param) => {
    const insert = tx
      .insertInto(table)
      .values(Object.fromEntries(columns.map((column) => [column, param(column)])) as never);
    return finish ? finish(insert, param) : (insert as Compilable<never>);
  });
}

/** Maximum number of variants: clients choose columns, so their number must be bounded. */
const MAX_VARIANTS = 300;

/** A prepared query in variants, for example with and without a condition; each is made when it is first needed. */
export function prepareVariants<Shape, P, R>(make: (shape: Shape) => Prepared<P, R>): (shape: Shape) => Prepared<P, R> {
  const variants = new LRUCache<string, Prepared<P, R>>({ max: MAX_VARIANTS });
  return (shape) => {
    const key = JSON.stringify(shape);
    let prepared = variants.get(key);
    if (!prepared) {
      prepared = make(shape);
      variants.set(key, prepared);
    }
    return prepared;
  };
}

/** Which columns of a row are read; null: all of them. Reading few is several times faster. */
export type Columns<Row> = readonly (keyof Row & string)[] | null;

/**
 * Selects the columns that are read and those that are always needed. The rows have the type of complete ones: columns
 * that are not read are not used.
 */
export function selectColumns<Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  columns: readonly string[] | null,
  always: readonly string[],
): SelectQueryBuilder<Tables, Table, Row & Selectable<Tables[Table]>> {
  const selected = columns && query.select([...new Set([...always, ...columns])].sort() as never);
  return (selected ?? query.selectAll()) as SelectQueryBuilder<Tables, Table, Row & Selectable<Tables[Table]>>;
}

/** A number of rows for `limit`. SQLite re-plans a statement each time a bare parameter is bound there. */
export function rowLimit(rows: number): Expression<number> {
  return sql<number>`${rows} + 0`;
}

/** `column` is one of `values`, with the same text and one parameter however many there are. */
export function isOneOf(
  reader: Reader,
  column: string | RawBuilder<string>,
  values: readonly string[],
): Expression<SqlBool> {
  const value = typeof column === 'string' ? sql.ref(column) : column;
  return reader.engine === 'sqlite'
    ? sql<SqlBool>`${value} in (select value from json_each(${values}))`
    : sql<SqlBool>`${value} = any(${values}::text[])`;
}

/**
 * Rows of a board that meet a condition that few of them meet, and that has an index. Without statistics SQLite expects ten
 * rows on a board, and would rather read all of them by the key than use the index.
 */
export function isFewOfBoard(reader: Reader, boardId: string, condition: Expression<SqlBool>): Expression<SqlBool> {
  return reader.engine === 'sqlite'
    ? sql<SqlBool>`likely(board_id = ${boardId}) and unlikely(${condition})`
    : sql<SqlBool>`board_id = ${boardId} and ${condition}`;
}

/**
 * In a query: whether this version knows the value of a column, such as a kind of notification. Rows with another value are
 * left to a newer version that uses the same store.
 */
export function isKnown(column: string, known: readonly string[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} in (${sql.join(known.map((value) => sql.lit(value)))})`;
}

/** Numbers as what a column can be `in`, with the same text and one parameter however many there are. */
export function numbersIn(reader: Reader, numbers: readonly number[]): RawBuilder<number> {
  return reader.engine === 'sqlite'
    ? sql<number>`(select value from json_each(${numbers}))`
    : sql<number>`(select unnest(${numbers}::bigint[]))`;
}

/**
 * `column` is among the rows of a query, which runs once. PostgreSQL may run a subquery in a condition several times,
 * beyond its limit, and joins a small table by reading all of it.
 * @param query in parentheses, as the query builder writes it; with two pairs SQLite would use only its first row
 */
export function isAmong(reader: Reader, column: string, query: Expression<unknown>): Expression<SqlBool> {
  return reader.engine === 'sqlite'
    ? sql<SqlBool>`${sql.ref(column)} in ${query}`
    : sql<SqlBool>`${sql.ref(column)} = any(array${query})`;
}

/**
 * Rows from outside as a table of a query, under this name: one parameter however many there are.
 * @param types those of PostgreSQL for each column
 * @param rows JSON of an array of objects
 * @param count how many they are, where they are joined: PostgreSQL assumes more, and may read a whole table for them
 */
export function tableOf(
  reader: Reader,
  name: string,
  types: Readonly<Record<string, 'text' | 'bigint' | 'integer'>>,
  rows: string,
  count?: number,
): RawBuilder<unknown> {
  const columns = Object.entries(types);
  if (reader.engine === 'sqlite') {
    const values = columns.map(([column]) => sql`value ->> ${sql.lit(column)} as ${sql.ref(column)}`);
    return sql`(select ${sql.join(values)} from json_each(${rows})) as ${sql.ref(name)}`;
  }
  const typed = columns.map(([column, type]) => sql`${sql.ref(column)} ${sql.raw(type)}`);
  const table = sql`json_to_recordset(${rows}::json) as ${sql.ref(name)}(${sql.join(typed)})`;
  return count === undefined ? table : sql`(select * from ${table} limit ${count}) as ${sql.ref(name)}`;
}

/**
 * The query with its rows locked until the transaction ends, so that what is decided from them stays true.
 * On SQLite a transaction is the only writer, and nothing needs a lock. Rows are locked in the order post, status,
 * tags by their ids, board, webhooks by their ids, so that no two transactions wait for each other.
 */
export function locked<Q extends { forNoKeyUpdate(): Q }>(tx: Reader, query: Q): Q {
  return tx.engine === 'postgres' ? query.forNoKeyUpdate() : query;
}

/** Has transactions that lock the whole store run one after the other, by rows that every store has. */
export async function lockStore(tx: Tx): Promise<void> {
  await locked(tx, tx.selectFrom('migrations').selectAll()).execute();
}

/** As `locked`, without the rows that another transaction has locked: for work that several processes share. */
export function skipLocked<Q extends { forNoKeyUpdate(of?: never): Q; skipLocked(): Q }>(
  reader: Reader,
  query: Q,
  of?: string,
): Q {
  return reader.engine === 'postgres' ? query.forNoKeyUpdate(of as never).skipLocked() : query;
}
