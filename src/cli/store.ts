import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type BoardRow, findBoard, requireFirstBoard } from '../identity/board/board.ts';
import type { RequestContext } from '../identity/users/request-context.ts';
import { type Config, readConfig } from '../platform/config.ts';
import type { Db } from '../platform/db/db.ts';
import { migrateStore, openDb } from '../platform/db/open.ts';
import { startStoreClock } from '../platform/db/store-clock.ts';
import { requireNoLostStore } from '../platform/db/store-file.ts';
import { type Clock, systemClock } from '../platform/lib/clock.ts';

export type Environment = Record<string, string | undefined>;

export type Store = { db: Db; clock: Clock; config: Config };

/** How a command uses the store; see `SqliteOptions`. */
type Use = { isReadOnce?: boolean };

/** Lends the store that the environment names, with its schema migrated, and closes it. */
export async function withStore<T>(env: Environment, work: (store: Store) => Promise<T>, use: Use = {}): Promise<T> {
  const config = readConfig(env);
  requireNoLostStore(config);
  const db = openDb({ ...config, ...use });
  try {
    await migrateStore(db, config, systemClock.now());
    const clock = await startStoreClock(db);
    return await work({ db, clock, config }).finally(() => clock.stop());
  } finally {
    await db.close();
  }
}

/** @throws if there is no embedded store where the settings expect one: opening it would create it */
export function requireStore({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): void {
  if (databaseUrl !== null || existsSync(join(dataDir, 'earshot.db'))) return;
  throw new Error(`There is no store in ${dataDir}: set DATA_DIR or DATABASE_URL to the right one`);
}

/** As `withStore`, for a command about one board: the one named, else the first. */
export function withBoard<T>(
  env: Environment,
  pid: string | undefined,
  work: (context: RequestContext, store: Store) => Promise<T>,
  use: Use = {},
): Promise<T> {
  const onBoard = async (store: Store) => {
    const { db, clock, config } = store;
    return work({ db, clock, baseUrl: config.baseUrl, board: await requireBoard(db, pid) }, store);
  };
  return withStore(env, onBoard, use);
}

/** The board with that pid, else the first. @throws if there is none */
export async function requireBoard(db: Db, pid: string | undefined): Promise<BoardRow> {
  if (pid === undefined) return requireFirstBoard(db.read);
  const board = await findBoard(db.read, pid);
  if (!board) throw new Error(`There is no board ${pid}`);
  return board;
}
