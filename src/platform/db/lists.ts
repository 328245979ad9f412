import { type AliasableExpression, type Compilable, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Reader, Rows, Tables } from './db.ts';
import { type Param, prepare, prepareVariants } from './prepare.ts';

/** Builds the list of one parent, in its order and with its limit; the list of all rows if the parent is null. */
type ListOf<Shape, P, Row> = (
  shape: Shape,
  reader: Reader,
  param: Param<P>,
  parentId: string | null,
) => Compilable<Row> & AliasableExpression<Row>;

/** Merges the lists of all parents into one. */
type Merge<Shape, P, Row> = (
  shape: Shape,
  reader: Reader,
  param: Param<P>,
  lists: Compilable<Row> & AliasableExpression<Row>,
) => Compilable<Row>;

type ParentIds = Record<`parent${number}`, string>;

/**
 * Prepares a list of many parents. One statement reads the beginnings of all lists, so a parent with ten thousand rows
 * costs no more than one with ten. With null instead of parents it reads one list of all rows.
 * @param isPage whether a list of this shape is read in the order of an index (see `prepare`)
 */
export function listEach<Shape, P extends Record<string, unknown>, Row>(
  listOf: ListOf<Shape, P, Row>,
  merge?: Merge<Shape, P, Row> | null,
  isPage: (shape: Shape) => boolean = () => false,
): (reader: Reader, shape: Shape, values: P, parentIds: readonly string[] | null) => Rows<Row> {
  const statements = prepareVariants<{ shape: Shape; lists: number | null }, P & ParentIds, Row>(({ shape, lists }) =>
    prepare((reader, param) => {
      const ofOwn = param as Param<P>;
      if (lists === null) return listOf(shape, reader, ofOwn, null);
      const pageOf = (n: number) => {
        const page = listOf(shape, reader, ofOwn, param(`parent${n}`)).as('page');
        return reader.selectFrom(page).selectAll() as SelectQueryBuilder<Tables, never, Row>;
      };
      let union = pageOf(0);
      for (let n = 1; n < lists; n++) union = union.unionAll(pageOf(n));
      return merge ? merge(shape, reader, ofOwn, union) : union;
    }, isPage(shape)),
  );
  return (reader, shape, values, parentIds) => {
    const ids = Object.fromEntries((parentIds ?? []).map((id, n) => [`parent${n}`, id]));
    return statements({ shape, lists: parentIds?.length ?? null })(reader, { ...values, ...ids });
  };
}

/** In an ordered list: the rows after a position, given by `value` and `id`. */
export function isAfter(column: string, direction: 'asc' | 'desc', value: number, id: string) {
  return sql<SqlBool>`(${sql.ref(column)}, id) ${sql.raw(direction === 'desc' ? '<' : '>')} (${value}, ${id})`;
}
