import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { type Migration, migrations } from './all-migrations.ts';
import type { Db, Engine, Tx } from './db.ts';
import { lockTables, untilLocked } from './migration-locks.ts';

declare module './db.ts' {
  interface Tables {
    migrations: { name: string; date_applied: number; checksum: string | null };
  }
}

/** Stands among the applied migrations while the store is the target of a copy: nothing else may use it. */
export const UNFINISHED_COPY = 'unfinished-copy';

/** The schema of the store is not the one that this version expects. */
export class SchemaError extends Error {}

/** Any number, the same in every process: on PostgreSQL, the process that holds this lock migrates. */
const ADVISORY_LOCK = 8_127_310_422;

/** A migration that is about to be applied, and which it is of all that this version has, counted from 1. */
export type Step = { name: string; number: number; of: number };

/**
 * Migrates the schema, each migration in its own transaction. Any number of processes may do so at once.
 * @param onStep told before each migration: one can take many seconds on a large store
 * @returns the names of the migrations that this call applied
 * @throws if the schema is newer than this program, or an applied migration has been edited since
 */
export async function migrate(db: Db, now: number, onStep: (step: Step) => void = () => {}): Promise<string[]> {
  const applied: string[] = [];
  for (const migration of await db.transaction(lockMissing)) {
    onStep({ name: migration.name, number: migrations.indexOf(migration) + 1, of: migrations.length });
    const isNew = await untilLocked(() => db.transaction((tx) => applyOnce(tx, migration, now)));
    if (isNew) applied.push(migration.name);
  }
  await requireUnedited(db);
  return applied;
}

/**
 * @param allowed stands among the migrations without being one
 * @throws if the store cannot be reached or its schema is not the one that this version expects
 */
export async function requireCurrentSchema(db: Db, allowed?: typeof UNFINISHED_COPY): Promise<void> {
  requireKnown((await requireApplied(db)).filter((name) => name !== allowed));
}

/**
 * For a running server: while a newer version takes its place, that has added to the schema, and this one goes on.
 * @returns the migrations of the store
 * @throws if the store cannot be reached or lacks a migration of this version
 */
export async function requireApplied(db: Db): Promise<string[]> {
  const rows = await db.read.selectFrom('migrations').select('name').execute();
  const applied = rows.map((row) => row.name);
  const missing = migrations.find((migration) => !applied.includes(migration.name));
  if (missing) throw new SchemaError(`The migration ${missing.name} has not been applied`);
  return applied;
}

/** The migrations that have not been applied; until the transaction ends, no other process applies them. */
async function lockMissing(tx: Tx): Promise<Migration[]> {
  if (tx.engine === 'postgres') await sql`select pg_advisory_xact_lock(${ADVISORY_LOCK}::bigint)`.execute(tx);
  await sql`create table if not exists migrations (name text primary key, date_applied bigint not null)`.execute(tx);
  const applied = (await tx.selectFrom('migrations').select('name').execute()).map((row) => row.name);
  requireKnown(applied);
  return migrations.filter((migration) => !applied.includes(migration.name));
}

async function applyOnce(tx: Tx, migration: Migration, now: number): Promise<boolean> {
  if (!(await lockMissing(tx)).includes(migration)) return false;
  const statements = migration.statements(tx.engine);
  await lockTables(tx, statements);
  for (const statement of statements) await sql.raw(statement).execute(tx);
  await migration.fill?.(tx);
  await tx.insertInto('migrations').values({ name: migration.name, date_applied: now }).execute();
  return true;
}

/**
 * Applied migrations are identified by their checksums. Those without one, for example from an older version, get one.
 */
async function requireUnedited(db: Db): Promise<void> {
  const rows = await db.read.selectFrom('migrations').select(['name', 'checksum']).execute();
  const applied = migrations.flatMap((migration) => rows.find(({ name }) => name === migration.name) ?? []);
  const known = new Map(migrations.map((migration) => [migration.name, checksumOf(migration, db.engine)]));
  const edited = applied.find(({ name, checksum }) => {
    const { earlierChecksums = [] } = migrations.find((migration) => migration.name === name) ?? {};
    return checksum !== null && checksum !== known.get(name) && !earlierChecksums.includes(checksum);
  });
  if (edited) {
    throw new SchemaError(
      `The migration ${edited.name} was edited after it had been applied to this store, which therefore lacks the edit: run the version that applied it, or revert the edit and add a new migration instead`,
    );
  }
  const unknown = applied.filter(({ checksum }) => checksum === null);
  if (unknown.length === 0) return;
  await db.transaction(async (tx) => {
    for (const { name } of unknown) {
      const row = tx.updateTable('migrations').set({ checksum: known.get(name) ?? null });
      await row.where('name', '=', name).where('checksum', 'is', null).execute();
    }
  });
}

/**
 * A checksum of a migration on one engine. Formatting of its statements and line endings make no difference; the code
 * that fills new tables from old rows is not included.
 */
export function checksumOf({ statements }: Migration, engine: Engine): string {
  const normal = statements(engine).map((statement) => statement.replace(/\s+/g, ' ').trim());
  return hash('sha256', normal.join(';\n'), 'base64url');
}

function requireKnown(applied: readonly string[]): void {
  if (applied.includes(UNFINISHED_COPY)) {
    throw new SchemaError(
      'This store is an unfinished copy of another: run the same `earshot copy` again to complete it',
    );
  }
  const unknown = applied.find((name) => !migrations.some((migration) => migration.name === name));
  if (unknown) {
    throw new SchemaError(
      `The store was written by a newer version of Earshot (it has the migration ${unknown}): run that version`,
    );
  }
}
