import { sql } from 'kysely';
import { type Reader, StoreUnavailableError } from './db.ts';

/** Findings that are reported at most; a damaged file can have any number. */
const MAX_FINDINGS = sql.lit(100);

/** Broken pages and indexes of an SQLite file. PostgreSQL has checksums and `pg_amcheck` for its own. */
export async function findDamage(reader: Reader): Promise<string[]> {
  if (reader.engine === 'postgres') return [];
  const query = sql<{ finding: string }>`
    select integrity_check as finding from pragma_integrity_check limit ${MAX_FINDINGS}`;
  try {
    const { rows } = await query.execute(reader);
    return rows.map(({ finding }) => finding).filter((finding) => finding !== 'ok');
  } catch (error) {
    // Some damage ends the search for it.
    if (error instanceof StoreUnavailableError) return [(error.cause as Error).message];
    throw error;
  }
}

/** Foreign keys of an SQLite store without their rows. PostgreSQL does not allow them. */
export async function findBrokenReferences(reader: Reader): Promise<string[]> {
  if (reader.engine === 'postgres') return [];
  const { rows } = await sql<{ finding: string }>`
    select distinct 'a row of ' || "table" || ' refers to a missing row of ' || parent as finding
    from pragma_foreign_key_check limit ${MAX_FINDINGS}`.execute(reader);
  return rows.map(({ finding }) => finding);
}
