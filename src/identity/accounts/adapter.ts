import { type CleanedWhere, createAdapterFactory } from 'better-auth/adapters';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db, Reader, Tx } from '../../platform/db/db.ts';

type Row = Record<string, unknown>;

/**
 * Lets better-auth keep its rows in our store: it reads as everything else does, and writes through `Db.transaction`, so
 * that SQLite keeps its one writer. Instants are milliseconds and booleans 0 or 1, as everywhere here.
 */
export const makeAdapter = (db: Db) =>
  createAdapterFactory({
    config: {
      adapterId: 'earshot',
      supportsBooleans: false,
      supportsNumericIds: false,
      customTransformInput: ({ data }) => (data instanceof Date ? data.getTime() : data),
      customTransformOutput: ({ data, fieldAttributes }) =>
        fieldAttributes.type === 'date' && typeof data === 'number' ? new Date(data) : data,
    },
    adapter: ({ getFieldName }) => ({
      async create<T extends Row>({ model, data }: { model: string; data: T }) {
        const columns = sql.join(Object.keys(data).map((column) => sql.ref(column)));
        const query = sql<T>`insert into ${sql.table(model)} (${columns}) values (${sql.join(Object.values(data))})
          returning *`;
        return (await write(db, query))[0] as T;
      },
      async findOne<T>({ model, where }: { model: string; where: CleanedWhere[] }) {
        const rows = await readRows<T>(db.read, sql<T>`select * from ${sql.table(model)} where ${all(where)} limit 1`);
        return rows[0] ?? null;
      },
      findMany<T>({ model, where = [], limit, sortBy, offset = 0 }: Search) {
        const order = sortBy
          ? sql`order by ${sql.ref(getFieldName({ model, field: sortBy.field }))} ${sortBy.direction === 'asc' ? sql`asc` : sql`desc`}`
          : sql``;
        return readRows<T>(
          db.read,
          sql<T>`select * from ${sql.table(model)} where ${all(where)} ${order} limit ${limit} offset ${offset}`,
        );
      },
      async count({ model, where = [] }: { model: string; where?: CleanedWhere[] | undefined }) {
        const query = sql<{ n: number }>`select count(*) as n from ${sql.table(model)} where ${all(where)}`;
        return (await readRows<{ n: number }>(db.read, query))[0]?.n ?? 0;
      },
      async update<T>({ model, where, update }: { model: string; where: CleanedWhere[]; update: T }) {
        const query = sql<T>`update ${sql.table(model)} set ${assign(update as Row)} where ${all(where)} returning *`;
        return (await write(db, query))[0] ?? null;
      },
      async updateMany({ model, where, update }: { model: string; where: CleanedWhere[]; update: Row }) {
        const query = sql`update ${sql.table(model)} set ${assign(update)} where ${all(where)} returning id`;
        return (await write(db, query)).length;
      },
      async delete({ model, where }: { model: string; where: CleanedWhere[] }) {
        await write(db, sql`delete from ${sql.table(model)} where ${all(where)}`);
      },
      async deleteMany({ model, where }: { model: string; where: CleanedWhere[] }) {
        return (await write(db, sql`delete from ${sql.table(model)} where ${all(where)} returning id`)).length;
      },
      /**
       * Deletes one row and returns it to exactly one of several concurrent callers: what makes a one-time link
       * one-time.
       */
      async consumeOne<T>({ model, where }: { model: string; where: CleanedWhere[] }) {
        const query = sql<T>`delete from ${sql.table(model)} where ${oneOf(model, where)} returning *`;
        return (await write(db, query))[0] ?? null;
      },
      async incrementOne<T>({ model, where, increment, set = {} }: Increment) {
        const sums = Object.entries(increment).map(
          ([column, change]) => sql`${sql.ref(column)} = coalesce(${sql.ref(column)}, 0) + ${change}`,
        );
        const values = Object.entries(set).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
        const query = sql<T>`update ${sql.table(model)} set ${sql.join([...sums, ...values])}
          where ${oneOf(model, where)} and ${all(where)} returning *`;
        return (await write(db, query))[0] ?? null;
      },
    }),
  });

type Search = {
  model: string;
  where?: CleanedWhere[] | undefined;
  limit: number;
  sortBy?: { field: string; direction: 'asc' | 'desc' } | undefined;
  offset?: number | undefined;
};
type Increment = { model: string; where: CleanedWhere[]; increment: Record<string, number>; set?: Row | undefined };

async function readRows<T>(reader: Reader, query: RawBuilder<T>): Promise<T[]> {
  return (await query.execute(reader)).rows;
}

function write<T>(db: Db, query: RawBuilder<T>): Promise<T[]> {
  return db.transaction(async (tx: Tx) => (await query.execute(tx)).rows);
}

function assign(values: Row): RawBuilder<unknown> {
  return sql.join(Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`));
}

function oneOf(model: string, where: readonly CleanedWhere[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`id in (select id from ${sql.table(model)} where ${all(where)} limit 1)`;
}

/**
 * All conditions joined by AND, and at least one of those joined by OR, if there are any: as better-auth interprets
 * them.
 */
function all(where: readonly CleanedWhere[]): RawBuilder<SqlBool> {
  const ands = where.filter(({ connector }) => connector === 'AND').map(condition);
  const ors = where.filter(({ connector }) => connector === 'OR').map(condition);
  if (ors.length > 0) ands.push(sql<SqlBool>`(${sql.join(ors, sql` or `)})`);
  return ands.length > 0 ? sql<SqlBool>`${sql.join(ands, sql` and `)}` : sql<SqlBool>`1 = 1`;
}

const comparisons = new Map([
  ['eq', sql`=`],
  ['ne', sql`<>`],
  ['lt', sql`<`],
  ['lte', sql`<=`],
  ['gt', sql`>`],
  ['gte', sql`>=`],
]);

function condition({ field, operator, value }: CleanedWhere): RawBuilder<SqlBool> {
  const column = sql.ref(field);
  if (value === null) return operator === 'ne' ? sql`${column} is not null` : sql`${column} is null`;
  if (operator === 'in' || operator === 'not_in') {
    const values = value as string[];
    if (values.length === 0) return operator === 'in' ? sql`1 = 0` : sql`1 = 1`;
    return operator === 'in' ? sql`${column} in (${sql.join(values)})` : sql`${column} not in (${sql.join(values)})`;
  }
  const comparison = comparisons.get(operator ?? 'eq');
  if (!comparison) throw new Error(`The store of accounts knows no search by ${operator}`);
  return sql<SqlBool>`${column} ${comparison} ${value}`;
}
