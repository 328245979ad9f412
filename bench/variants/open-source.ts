import { requireVariable } from './serve.ts';
import type { Source } from './source.ts';
import { makePostgresSource } from './source-postgres.ts';
import { makeSqliteSource } from './source-sqlite.ts';

/** The source that the environment names, as it does for Earshot. */
export function openSource(): Source {
  const boardId = requireVariable('BOARD_ID');
  const url = process.env.DATABASE_URL;
  return url
    ? makePostgresSource(url, boardId)
    : makeSqliteSource(`${requireVariable('DATA_DIR')}/earshot.db`, boardId);
}
