import { sql } from 'kysely';
import { openSqlite } from '../../src/platform/db/sqlite.ts';

/** A program that asks the store at `argv[2]` three times on the thread for slow reads, and prints the answers. */
const db = openSqlite({ file: process.argv[2] ?? '' });
for (const n of [1, 2, 3]) {
  const { rows } = await sql<{ n: number }>`select ${n} as n`.execute(db.slow);
  console.log(`answer ${rows[0]?.n}`);
}
await db.close();
