import { sql } from 'kysely';
import type { Reader } from '../../platform/db/db.ts';

/** Bytes that must be in the folder of files: their id, and how many they are. */
export type StoredFile = { id: string; size: number };

const FILES_PER_READ = 1_000;

/** Every file whose bytes the store refers to: uploads of all boards, and pictures of accounts. */
export async function* storedFiles(reader: Reader): AsyncGenerator<StoredFile> {
  for (let last = ''; ; ) {
    const { rows } = await sql<StoredFile>`
      select id, size from (
        select id, size from files union all select id, size from account_pictures
      ) stored where id > ${last} order by id limit ${sql.lit(FILES_PER_READ)}`.execute(reader);
    yield* rows;
    const end = rows.at(-1);
    if (!end) return;
    last = end.id;
  }
}
