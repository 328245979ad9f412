import { copyFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { makeFileFolder } from '../feedback/files/folder.ts';
import { type CopyObserver, copyStore } from '../operations/copy/copy.ts';
import { type CopiedFiles, copyFiles } from '../operations/copy/files.ts';
import { type Config, readConfig } from '../platform/config.ts';
import type { Db } from '../platform/db/db.ts';
import { requireStoreKey } from '../platform/db/key-check.ts';
import { requireCurrentSchema } from '../platform/db/migrate.ts';
import { openDb } from '../platform/db/open.ts';
import { listOtherConnections, nameConnections } from '../platform/db/other-programs.ts';
import { lockForServing } from '../platform/db/serve-lock.ts';
import { systemClock } from '../platform/lib/clock.ts';
import { quantity } from '../platform/lib/quantity.ts';
import { readSecretKey } from '../platform/lib/secret-key.ts';
import { listEncryptedSecrets } from '../webhooks/webhook/encrypted-secrets.ts';
import { makeProgressBar, type ProgressBar } from './progress.ts';
import { type Environment, requireBoard, requireStore } from './store.ts';
import { type OutputOptions, print, type Terminal } from './terminal.ts';

type Place = Pick<Config, 'databaseUrl' | 'dataDir' | 'secretKey'>;

/** `copy`: the whole store or one board, between SQLite and PostgreSQL. */
export function addCopy(program: Command, env: Environment, terminal: Terminal): void {
  program
    .command('copy')
    .description(
      'copy the whole store, or one board, to an empty store, between SQLite and PostgreSQL, and compare the two; the server ' +
        'must be stopped. ' +
        'Run it again to continue after an interruption',
    )
    .requiredOption('--to <place>', 'URL of a PostgreSQL database (DATABASE_URL), or a folder (DATA_DIR)', parsePlace)
    .option('--board <pid>', 'copy this board only, with the accounts of its users')
    .option('--json', 'print JSON')
    .action(async (options: OutputOptions & { to: string; board?: string }) => {
      const from = readConfig(env);
      const to = placeOf(options.to, from);
      const work = (source: Db, target: Db) => copy(source, target, from, to, options.board);
      const { rows, files } = await withBoth(from, to, work);
      const value = { rows, files: files?.copied ?? null, missingFiles: files?.missing ?? [] };
      print(terminal, options, value, describe(rows, files, from, to, options.board));
    });
}

function parsePlace(text: string): string {
  if (/^postgres(ql)?:/.test(text) ? URL.canParse(text) : text !== '' && !/^\w+:\/\//.test(text)) return text;
  throw new InvalidArgumentError('It must be postgres://user:password@host:port/database, or a folder.');
}

/** With PostgreSQL, uploaded files stay in the data folder. */
function placeOf(to: string, { dataDir, secretKey }: Place): Place {
  return /^postgres(ql)?:/.test(to)
    ? { databaseUrl: to, dataDir, secretKey }
    : { databaseUrl: null, dataDir: to, secretKey };
}

async function copy(
  source: Db,
  target: Db,
  from: Place,
  to: Place,
  pid: string | undefined,
): Promise<{ rows: number; files: CopiedFiles | null }> {
  await requireCurrentSchema(source);
  const boardId = pid === undefined ? undefined : (await requireBoard(source, pid)).id;
  const key = await requireStoreKey(source, from, listEncryptedSecrets);
  requireNoOtherKey(to, key);
  const { show: onProgress, end } = makeProgress();
  let files: CopiedFiles | null = null;
  const alsoCopy = async () => {
    if (isSameFolder(from, to)) return;
    files = await copyFiles(target.read, makeFileFolder(from.dataDir), makeFileFolder(to.dataDir));
    if (from.secretKey === null) copyFileSync(keyFileOf(from), keyFileOf(to));
  };
  const rows = await copyStore(source, target, { now: systemClock.now(), onProgress, boardId, alsoCopy }).finally(end);
  return { rows, files };
}

function keyFileOf({ dataDir }: Place): string {
  return join(dataDir, 'secret.key');
}

/** Lends both stores, with no server on either. */
async function withBoth<T>(from: Place, to: Place, work: (source: Db, target: Db) => Promise<T>): Promise<T> {
  requireDifferent(from, to);
  requireStore(from);
  const ends: (() => unknown)[] = [];
  try {
    const dbs: Db[] = [];
    for (const place of [from, to]) {
      ends.push(lockForServing(place, STOP));
      const db = openDb({
        ...place,
        databaseUrl: place.databaseUrl && nameConnections(place.databaseUrl),
        isReadOnce: true,
      });
      ends.push(() => db.close());
      const others = await listOtherConnections(db.read, place.databaseUrl);
      if (others.length > 0) throw new Error(`Earshot is connected to the database (${others.join(', ')}): ${STOP}`);
      dbs.push(db);
    }
    return await work(...(dbs as [Db, Db]));
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

const STOP = 'stop it first';

function requireDifferent(from: Place, to: Place): void {
  const isSame =
    from.databaseUrl === null && to.databaseUrl === null ? isSameFolder(from, to) : from.databaseUrl === to.databaseUrl;
  if (isSame) throw new Error('The target is the store itself: choose another place');
}

function isSameFolder(from: Place, to: Place): boolean {
  return resolve(from.dataDir) === resolve(to.dataDir);
}

function requireNoOtherKey(to: Place, key: string): void {
  if (to.secretKey !== null) return;
  const other = readSecretKey(to);
  if (other !== null && other !== key) {
    throw new Error(`${keyFileOf(to)} is not the key of the source: remove it, or choose another folder`);
  }
}

/** A bar for each step, as each begins. */
function makeProgress(): { show: CopyObserver; end(): void } {
  let current: { step: string; bar: ProgressBar } | null = null;
  return {
    show(step, done, all) {
      if (current?.step !== step) {
        current?.bar.end();
        current = {
          step,
          bar: makeProgressBar(process.stderr, all, step === 'copy' ? 'rows copied' : 'rows compared'),
        };
      }
      current.bar.show(done);
    },
    end: () => current?.bar.end(),
  };
}

function describe(rows: number, files: CopiedFiles | null, from: Place, to: Place, board: string | undefined): string {
  const lines = [`Copied ${quantity(rows, 'row', 'rows')}; every table is equal to that of the source.`];
  if (board) lines.push(`The board is in the source, too: \`board delete\` removes it there, once the copy is in use.`);
  if (files) lines.push(`Copied ${quantity(files.copied, 'uploaded file', 'uploaded files')} to ${to.dataDir}.`);
  else lines.push(`Uploaded files stay in ${to.dataDir}.`);
  if (files?.missing.length) {
    lines.push(
      `${quantity(files.missing.length, 'file was', 'files were')} missing in the source: ${files.missing.join(', ')}`,
    );
  }
  const place =
    to.databaseUrl === null
      ? `DATA_DIR=${to.dataDir} and without DATABASE_URL`
      : `DATABASE_URL and DATA_DIR=${to.dataDir}`;
  return [...lines, `Start the server with ${place}${describeKey(from, to)}.`].join('\n');
}

function describeKey(from: Place, to: Place): string {
  if (from.secretKey !== null) return ', and with the same SECRET_KEY';
  const { dataDir } = from;
  return to.databaseUrl === null
    ? '; the key is in that folder'
    : `, and with SECRET_KEY set to the content of ${dataDir}/secret.key`;
}
