import { type RawBuilder, sql } from 'kysely';

export type Sql = RawBuilder<unknown>;

/** A row for which a rule does not hold: where it stores a count, that and the right one. */
export type Mismatch = { id: string; stored: number | null; counted: number | null };

/** What always holds, and a statement that returns the rows for which it does not. */
export type Rule = { rule: string; mismatches: RawBuilder<Mismatch> };

/** In a condition on rows `t`: no events of their board were removed, so there is one for each change. */
export const hasWholeLog = sql`exists (select 1 from boards b where b.id = t.board_id and b.events_removed = 0)`;

/** A mismatch in words. */
export function describeMismatch({ id, stored, counted }: Mismatch): string {
  return counted === null ? id : `${id} has ${stored}, counted ${counted}`;
}

/** A figure of each board against one that is counted from its rows in `table`. */
export function ofBoard(rule: string, stored: Sql, counted: Sql, table: string, where: Sql = sql`true`): Rule {
  return {
    rule,
    mismatches: sql<Mismatch>`
      select b.id, ${stored} as stored, coalesce(c.n, 0) as counted
      from boards b
      left join (
        select board_id, ${counted} as n from ${sql.table(table)} where ${where} group by board_id
      ) c on c.board_id = b.id
      where ${stored} <> coalesce(c.n, 0)`,
  };
}

/**
 * A figure of each row of `table` against the number of rows that belong to it.
 * @param owner the column with its id among these
 * @param rows a table, or joined ones, and a condition
 */
export function ofEach(rule: string, table: string, stored: Sql, owner: string, rows: Sql): Rule {
  return {
    rule,
    mismatches: sql<Mismatch>`
      select t.id, ${stored} as stored, coalesce(c.n, 0) as counted
      from ${sql.table(table)} t
      left join (
        select r.board_id, ${sql.ref(`r.${owner}`)} as owner_id, count(*) as n from ${rows}
        group by r.board_id, ${sql.ref(`r.${owner}`)}
      ) c on c.board_id = t.board_id and c.owner_id = t.id
      where ${stored} <> coalesce(c.n, 0)`,
  };
}

/** Rows of `table`, by a column, that must not be there. */
export function none(rule: string, table: string, id: Sql, where: Sql): Rule {
  return {
    rule,
    mismatches: sql<Mismatch>`
      select distinct ${id} as id, null as stored, null as counted from ${sql.table(table)} t where ${where}`,
  };
}

/** Every row of `table` that refers to a row of another table refers to one that exists. */
export function belongs(table: string, column: string, [noun, owners]: readonly [noun: string, owners: string]): Rule {
  const id = sql.ref(`t.${column}`);
  return none(
    `${table} belong to ${noun}`,
    table,
    id,
    sql`${id} is not null and not exists (
      select 1 from ${sql.table(owners)} o where o.board_id = t.board_id and o.id = ${id})`,
  );
}
