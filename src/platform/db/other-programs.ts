import { sql } from 'kysely';
import type { Reader } from './db.ts';

/** The name of the connections of a command that must be alone with the store. */
const ALONE = 'earshot alone';

/** The URL with which a command that must be alone connects, so that it can be told apart from servers. */
export function nameConnections(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set('application_name', ALONE);
  return url.href;
}

/**
 * The connections of other Earshot processes to the same database, by their names. None on SQLite, where
 * `lockForServing` keeps servers away.
 * @param databaseUrl as servers use it, as it can name their connections
 */
export async function listOtherConnections(reader: Reader, databaseUrl: string | null): Promise<string[]> {
  if (databaseUrl === null) return [];
  const own = new URL(databaseUrl).searchParams.get('application_name');
  const { rows } = await sql<{ name: string }>`
    select distinct application_name as name from pg_stat_activity
    where datname = current_database() and application_name <> ${ALONE}
      and (application_name like 'earshot%' or application_name = ${own})`.execute(reader);
  return rows.map((row) => row.name);
}
