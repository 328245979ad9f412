import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
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

/** Opens an empty store with the current schema, a copy of the template that `test/run.ts` made. */
export async function openTestStore(t: TestContext, engine: Engine, observe?: StatementObserver): Promise<Db> {
  const { TEST_TEMPLATE_DATABASE: template, TEST_TEMPLATE_FOLDER: folder } = process.env;
  if (!template || !folder) throw new Error(HOW_TO_RUN);
  const dataDir = makeDataDir(t);
  if (engine === 'sqlite') cpSync(folder, dataDir, { recursive: true });
  const databaseUrl = engine === 'postgres' ? await makeDatabase(t, `template ${template} strategy file_copy`) : null;
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

/** @param options of `create database` */
async function makeDatabase(t: TestContext, options = ''): Promise<string> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) throw new Error(HOW_TO_RUN);
  const name = `earshot_test_${randomBytes(6).toString('hex')}`;
  await runOn(server, `create database ${name} ${options}`);
  onEnd(t, () => runOn(server, `drop database if exists ${name} with (force)`));
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
