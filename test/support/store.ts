import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext } from 'node:test';
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

/**
 * Opens an empty store with the current schema, a copy of the template that `test/run.ts` made. On PostgreSQL, tests of
 * one process use the same copies in turn.
 */
export async function openTestStore(t: TestContext, engine: Engine, observe?: StatementObserver): Promise<Db> {
  const { TEST_TEMPLATE_DATABASE: template, TEST_TEMPLATE_FOLDER: folder } = process.env;
  if (!template || !folder) throw new Error(HOW_TO_RUN);
  const dataDir = makeDataDir(t);
  if (engine === 'sqlite') cpSync(folder, dataDir, { recursive: true });
  const databaseUrl = engine === 'postgres' ? await borrowDatabase(t, template) : null;
  const db = openDb({ dataDir, databaseUrl }, observe);
  onEnd(t, () => db.close());
  return db;
}

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

/** Copies of the template that no test is using. Making and dropping one takes longer than most tests: both make checkpoints. */
const spare: string[] = [];
after(() => Promise.all(spare.map(dropDatabase)));

/** What the schema of the template is; known once it has been copied. */
let original: string | undefined;

/** Gives a test an empty database with the current schema, until it ends. */
async function borrowDatabase(t: TestContext, template: string): Promise<string> {
  const used = spare.pop();
  const isReady = used !== undefined && (await empty(used).catch(() => false));
  if (used && !isReady) await dropDatabase(used);
  const url = isReady ? used : await createDatabase(`template ${template} strategy file_copy`);
  original ??= (await readSchema(url)).hash;
  onEnd(t, () => spare.push(url));
  return url;
}

/** Empties a database that a test has used. @returns whether it is as good as a new copy */
async function empty(url: string): Promise<boolean> {
  const { hash, size, filled } = await readSchema(url);
  if (hash !== original || size > LARGE) return false;
  // A truncation would make new files for all tables. Nothing is left that a reference could point to.
  const deletions = filled.map((table) => `delete from ${table};`).join(' ');
  await runOn(url, `set lock_timeout = '1s'; set session_replication_role = replica; ${deletions}`);
  return true;
}

/** Bytes of deleted rows with which a database is not used again. */
const LARGE = 8 * 2 ** 20;

/** The names of all tables, columns and indexes as a hash; and the tables that have had rows, but for that of migrations. */
async function readSchema(url: string): Promise<{ hash: string; size: number; filled: string[] }> {
  const rows = await runOn<{ name: string; shape: string; size: string; is_table: boolean }>(
    url,
    `select quote_ident(relname) as name, relname || relnatts as shape, pg_relation_size(oid) as size, relkind = 'r' as is_table
    from pg_class where relnamespace = 'public'::regnamespace order by relname`,
  );
  const filled = rows.filter(({ name, size, is_table }) => is_table && name !== 'migrations' && size !== '0');
  return {
    hash: rows.map(({ shape }) => shape).join(),
    size: filled.reduce((sum, { size }) => sum + Number(size), 0),
    filled: filled.map(({ name }) => name),
  };
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
