import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import pg from 'pg';
import type { Db, Engine, StatementObserver } from '../../src/platform/db/db.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { openDb } from '../../src/platform/db/open.ts';
import { onEnd } from './cleanup.ts';

/** The engines that every test of behaviour runs on. */
export const engines: readonly Engine[] = ['sqlite', 'postgres'];

/** What `SECRET_KEY` is in tests; with PostgreSQL every process needs one. */
export const TEST_SECRET_KEY = 'a secret key of the tests';

/** Where a new, empty store of a test is; it goes when the test ends. */
export type StorePlace = { databaseUrl: string | null; dataDir: string };

/** Makes a place for a store: a folder, and for PostgreSQL a database. */
export async function makeStorePlace(t: TestContext, engine: Engine): Promise<StorePlace> {
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-test-'));
  onEnd(t, () => rmSync(dataDir, { recursive: true, force: true }));
  return { dataDir, databaseUrl: engine === 'postgres' ? await makeDatabase(t) : null };
}

/** Opens an empty store with the current schema. */
export async function openTestStore(t: TestContext, engine: Engine, observe?: StatementObserver): Promise<Db> {
  const place = await makeStorePlace(t, engine);
  const db = openDb(place, observe);
  onEnd(t, () => db.close());
  await migrate(db, 0);
  return db;
}

async function makeDatabase(t: TestContext): Promise<string> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) throw new Error('TEST_DATABASE_URL is not set: run the tests with npm test, or node test/run.ts FILE');
  const name = `earshot_test_${randomBytes(6).toString('hex')}`;
  await runOn(server, `create database ${name}`);
  onEnd(t, () => runOn(server, `drop database if exists ${name} with (force)`));
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function runOn(server: string, sql: string): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  await client.query(sql);
  await client.end();
}
