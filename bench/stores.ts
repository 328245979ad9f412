import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { indexBoards } from '../src/feedback/search/indexer.ts';
import { listStatuses } from '../src/feedback/statuses/statuses.ts';
import { createKey } from '../src/identity/keys/keys.ts';
import type { RequestContext } from '../src/identity/users/request-context.ts';
import { createUser } from '../src/identity/users/users.ts';
import { createBoard } from '../src/operations/boards/create.ts';
import type { Engine } from '../src/platform/db/db.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { openDb } from '../src/platform/db/open.ts';
import { systemClock } from '../src/platform/lib/clock.ts';
import { insertInBulk } from './bulk.ts';
import { findPostgres, makeDatabase } from './postgres.ts';
import { makeRows, type Size } from './rows.ts';

/** A store on disk: where it is, and what a client needs to use it. */
export type Store = {
  engine: Engine;
  /** As the server's settings of the same names: a folder with the SQLite file, or an address of PostgreSQL. */
  dataDir: string;
  databaseUrl: string | null;
  boardId: string;
  /** The key of the board, without rate limits. */
  apiKey: string;
};

/** What a request sends to act as the person of the benchmark. */
export function headersOf(store: Store): Record<string, string> {
  return { apikey: store.apiKey, ssotype: 'SSO', ssoid: 'bench' };
}

/** Required beside DATABASE_URL; nothing in the stores of the benchmark is secret. */
export const SECRET_KEY = 'the key of the benchmark';

/** The environment from which a server or a variant finds the store. */
export function environmentOf({ dataDir, databaseUrl, boardId }: Store): Record<string, string> {
  return { DATA_DIR: dataDir, BOARD_ID: boardId, SECRET_KEY, ...(databaseUrl && { DATABASE_URL: databaseUrl }) };
}

/** Makes stores in a folder, and PostgreSQL on first need. */
export class Stores {
  readonly #folder: string;
  #postgres: Promise<string> | null = null;
  readonly #shared = new Map<string, Promise<Store>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** A new store of this size: schema, board, key, people, and posts inserted in bulk. */
  async make(engine: Engine, name: string, size: Size): Promise<Store> {
    const dataDir = join(this.#folder, `${name}-${engine}`);
    mkdirSync(dataDir);
    const databaseUrl = engine === 'postgres' ? await this.makeDatabase(name) : null;
    const { context, apiKey, statuses } = await makeBoard({ databaseUrl, dataDir });
    const boardId = context.board.id;
    await context.db.close();
    await insertInBulk({ databaseUrl, file: join(dataDir, 'earshot.db') }, makeRows(boardId, statuses, size));
    if (size.phrases) await makeIndex({ databaseUrl, dataDir });
    return { engine, dataDir, databaseUrl, boardId, apiKey };
  }

  /** The store of this name and size, made once for all the parts that only read it. */
  share(engine: Engine, name: string, size: Size): Promise<Store> {
    const key = `${name} ${engine} ${size.posts}`;
    const known = this.#shared.get(key) ?? this.make(engine, name, size);
    this.#shared.set(key, known);
    return known;
  }

  /** An empty database on PostgreSQL, the same server for all; gives its address. */
  async makeDatabase(name: string): Promise<string> {
    this.#postgres ??= findPostgres(this.#folder);
    return makeDatabase(await this.#postgres, name);
  }
}

async function makeBoard(place: { databaseUrl: string | null; dataDir: string }) {
  const db = openDb(place);
  await migrate(db, systemClock.now());
  const board = await createBoard(db, systemClock, { name: `Bench ${randomUUID()}` });
  const context: RequestContext = { db, clock: systemClock, baseUrl: 'http://localhost', board };
  await createUser(context, { ssoType: 'SSO', ssoId: 'bench' }, { name: 'Bench' });
  const { key: apiKey } = await createKey(context, { name: 'bench', rateRules: [] });
  const statuses = (await listStatuses(db.read, board.id)).filter((status) => status.type !== 'MERGED');
  return { context, apiKey, statuses };
}

/** The index of what was inserted, made as the background work of a server makes it. */
async function makeIndex(place: { databaseUrl: string | null; dataDir: string }): Promise<void> {
  const db = openDb(place);
  await indexBoards({ db, clock: systemClock });
  await db.close();
}

/** How many posts the board counts: what was acknowledged must be among them. */
export async function countPosts(store: Store): Promise<number> {
  const db = openDb(store);
  try {
    const board = db.read.selectFrom('boards').select('post_count').where('id', '=', store.boardId);
    return (await board.executeTakeFirstOrThrow()).post_count;
  } finally {
    await db.close();
  }
}
