import { setTimeout as delay } from 'node:timers/promises';
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

/** How long the connections of a process that was stopped or killed may remain, and how often they are looked for. */
const LINGERING_MS = 5_000;
const INTERVAL_MS = 200;

/**
 * The connections of other Earshot processes to the same database, by their names. None on SQLite, where
 * `lockForServing` keeps servers away. Those of a process that has just ended are waited for.
 * @param databaseUrl as servers use it, as it can name their connections
 */
export async function listOtherConnections(reader: Reader, databaseUrl: string | null): Promise<string[]> {
  if (databaseUrl === null) return [];
  const end = performance.now() + LINGERING_MS;
  for (;;) {
    const names = await listNow(reader, databaseUrl);
    if (names.length === 0 || performance.now() > end) return names;
    await delay(INTERVAL_MS);
  }
}

async function listNow(reader: Reader, databaseUrl: string): Promise<string[]> {
  const own = new URL(databaseUrl).searchParams.get('application_name');
  const { rows } = await sql<{ name: string }>`
    select distinct application_name as name from pg_stat_activity
    where datname = current_database() and application_name <> ${ALONE}
      and (application_name like 'earshot%' or application_name = ${own})`.execute(reader);
  return rows.map((row) => row.name);
}
