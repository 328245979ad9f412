import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { sql } from 'kysely';
import type { Db, Engine, StatementObserver } from '../../src/platform/db/db.ts';
import { openDb } from '../../src/platform/db/open.ts';
import { onEnd } from './cleanup.ts';
import { runOn } from './postgres.ts';

/** The engines that every test of behaviour runs on. */
export const engines: readonly Engine[] = ['sqlite', 'postgres'];

/** What `SECRET_KEY` is in tests; with PostgreSQL every process needs one. */
export const TEST_SECRET_KEY = 'a secret key of the tests';

/** Where a new, empty store of a test is; it goes when the test ends. */
export type StorePlace = { databaseUrl: string | null; dataDir: string };

/** Makes a place for a store: a folder, and for PostgreSQL a database. */
export async function makeStorePlace(t: TestContext, engine: Engine): Promise<StorePlace> {
  return { dataDir: makeDataDir(t), databaseUrl: engine === 'postgres' ? await makeDatabase(t) : null };
}

/** An open store that tests use one after the other, and what is told its statements: the test that has it. */
type OpenStore = { db: Db; observe: StatementObserver; remove(): Promise<unknown> };

/** The open stores that no test is using. Opening one takes longer than most tests, and its statements are compiled already. */
const spare: Record<Engine, OpenStore[]> = { sqlite: [], postgres: [] };
/** They are closed once no test has wanted one for so long: while they are open, the process does not end. */
const SPARE_MS = 500;
let closing: NodeJS.Timeout | undefined;

/** The schema of the template on each engine; known once it has been copied. */
const schemas = new Map<Engine, string>();

/**
 * Opens an empty store with the current schema, a copy of the template that `test/run.ts` made. Tests of one process use
 * the same copies in turn.
 */
export async function openTestStore(
  t: TestContext,
  engine: Engine,
  observe: StatementObserver = () => {},
): Promise<Db> {
  const store = (await takeSpare(engine)) ?? (await openCopy(engine));
  store.observe = observe;
  onEnd(t, () => {
    store.observe = () => {};
    spare[engine].push(store);
    clearTimeout(closing);
    closing = setTimeout(closeSpare, SPARE_MS);
  });
  return store.db;
}

function closeSpare(): void {
  for (const stores of Object.values(spare)) for (const store of stores.splice(0)) void close(store);
}

/** A store that another test has used, emptied; null without one that can be. */
async function takeSpare(engine: Engine): Promise<OpenStore | null> {
  const store = spare[engine].pop();
  if (!store) return null;
  if (await tryToEmpty(store.db).catch(() => false)) return store;
  await close(store);
  return null;
}

async function openCopy(engine: Engine): Promise<OpenStore> {
  const { TEST_TEMPLATE_DATABASE: template, TEST_TEMPLATE_FOLDER: folder } = process.env;
  if (!template || !folder) throw new Error(HOW_TO_RUN);
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-test-'));
  if (engine === 'sqlite') cpSync(folder, dataDir, { recursive: true });
  const copying = `template ${template} strategy file_copy`;
  const databaseUrl = engine === 'postgres' ? await createDatabase(copying) : null;
  const store: OpenStore = {
    observe: () => {},
    db: openDb({ dataDir, databaseUrl }, (...statement) => store.observe(...statement)),
    async remove() {
      rmSync(dataDir, { recursive: true, force: true });
      if (databaseUrl) await dropDatabase(databaseUrl);
    },
  };
  if (!schemas.has(engine)) schemas.set(engine, (await readSchema(store.db)).shape);
  return store;
}

async function close({ db, remove }: OpenStore): Promise<void> {
  await db.close().catch(() => {});
  await remove();
}

/** Bytes of tables on PostgreSQL with which a store is not used again: deleted rows stay in their files. */
const LARGE = 8 * 2 ** 20;

/** Empties a store that a test has used. @returns false if it is not as good as a new copy, and must be closed */
async function tryToEmpty(db: Db): Promise<boolean> {
  const { shape, size, tables } = await readSchema(db);
  if (shape !== schemas.get(db.engine) || size > LARGE) return false;
  await db.transaction(async (tx) => {
    // Nothing is left that a reference could point to.
    const unchecked =
      tx.engine === 'sqlite' ? 'pragma defer_foreign_keys = on' : 'set local session_replication_role = replica';
    await sql.raw(unchecked).execute(tx);
    for (const table of tables) await sql.raw(`delete from ${table}`).execute(tx);
  });
  return true;
}

type Schema = {
  /** Names of tables and indexes, with their definition or number of columns: a test may have changed them. */
  shape: string;
  /** Bytes of all tables on PostgreSQL. */
  size: number;
  /** Tables to empty: all but that of migrations, on PostgreSQL only those that have had rows. */
  tables: string[];
};

async function readSchema(db: Db): Promise<Schema> {
  const { rows } = await (db.engine === 'sqlite' ? SQLITE_SCHEMA : POSTGRES_SCHEMA).execute(db.read);
  const filled = rows.filter(({ name, size, is_table }) => is_table && name !== 'migrations' && size > 0);
  return {
    shape: rows.map(({ shape }) => shape).join(),
    size: filled.reduce((sum, { size }) => sum + size, 0),
    tables: filled.map(({ name }) => name),
  };
}

type SchemaRow = { name: string; shape: string; size: number; is_table: boolean | 0 | 1 };

const POSTGRES_SCHEMA = sql<SchemaRow>`
  select quote_ident(relname) as name, relname || relnatts as shape, pg_relation_size(oid) as size, relkind = 'r' as is_table
  from pg_class where relnamespace = 'public'::regnamespace order by relname`;

/** SQLite tells the size of a table only with an extension: 1 stands for all, which are emptied without a look. */
const SQLITE_SCHEMA = sql<SchemaRow>`
  select name, name || coalesce(sql, '') as shape, 1 as size, type = 'table' and name not like 'sqlite_%' as is_table
  from sqlite_master order by name`;

const HOW_TO_RUN = 'Tests need a PostgreSQL server and templates: run them with npm test, or npm run test:only -- FILE';

function makeDataDir(t: TestContext): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-test-'));
  onEnd(t, () => rmSync(dataDir, { recursive: true, force: true }));
  return dataDir;
}

async function makeDatabase(t: TestContext): Promise<string> {
  const url = await createDatabase();
  onEnd(t, () => dropDatabase(url));
  return url;
}

/** @param options of `create database` */
async function createDatabase(options = ''): Promise<string> {
  const url = new URL(serverUrl());
  url.pathname = `/earshot_test_${randomBytes(6).toString('hex')}`;
  await runOn(serverUrl(), `create database ${nameOf(url.href)} ${options}`);
  return url.href;
}

function dropDatabase(url: string): Promise<unknown> {
  return runOn(serverUrl(), `drop database if exists ${nameOf(url)} with (force)`);
}

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

function serverUrl(): string {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) throw new Error(HOW_TO_RUN);
  return server;
}
