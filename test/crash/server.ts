import { type ChildProcess, spawn } from 'node:child_process';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { onEnd } from '../support/cleanup.ts';
import { findFreePort } from '../support/postgres.ts';
import { inheritedEnvironment } from '../support/process.ts';
import { type StorePlace, TEST_SECRET_KEY } from '../support/store.ts';
import { until } from '../support/until.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** How a child process came to its end, and what it wrote. */
export type Ended = { status: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string };

/** A program of ours as a process of its own. */
export type Program = {
  child: ChildProcess;
  /** What it has written so far. */
  written: { stdout: string; stderr: string };
  ended: Promise<Ended>;
};

export type ProgramOptions = {
  env?: Record<string, string>;
  /** For `startServer`; else a free one. */
  port?: number;
  /** For `startServer`: further arguments of `serve`. */
  args?: readonly string[];
  /** Runs it as this user and group. */
  uid?: number;
  /** A limit for the size of each file it writes, in blocks of 512 bytes, as a full disk would set. */
  fileBlocks?: number;
};

/** Runs `earshot <args>` on a store, with nothing of its own in its environment but what is given. */
export function runEarshot(place: StorePlace, args: readonly string[], options: ProgramOptions = {}): Program {
  const { databaseUrl, dataDir } = place;
  const env = {
    ...inheritedEnvironment(),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    DRAIN_DELAY: '0',
    ...(databaseUrl && { DATABASE_URL: databaseUrl, SECRET_KEY: TEST_SECRET_KEY }),
    ...options.env,
  };
  const owner = options.uid === undefined ? {} : { uid: options.uid, gid: options.uid };
  const command = [process.execPath, MAIN, ...args];
  const shell = ['/bin/sh', '-c', `ulimit -f ${options.fileBlocks} && exec "$@"`, 'sh', ...command];
  const [file = '', ...rest] = options.fileBlocks === undefined ? command : shell;
  return follow(spawn(file, rest, { env, ...owner, stdio: ['ignore', 'pipe', 'pipe'] }));
}

/** Collects what a child process writes. */
export function follow(child: ChildProcess): Program {
  const written = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      written[stream] += text;
    });
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status, signal) => resolve({ status, signal, ...written }));
  });
  return { child, written, ended };
}

/** The server as a process of its own. */
export type Server = Program & {
  url: string;
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>;
  /** Asks it to stop. */
  stop(): Promise<Ended>;
};

/** Starts the server on a store and waits until it serves. */
export async function startServer(t: TestContext, place: StorePlace, options: ProgramOptions = {}): Promise<Server> {
  const port = options.port ?? (await findFreePort());
  const env = { PORT: String(port), ...options.env };
  const program = runEarshot(place, ['serve', ...(options.args ?? [])], { ...options, env });
  const server: Server = {
    ...program,
    url: `http://127.0.0.1:${port}`,
    async kill() {
      program.child.kill('SIGKILL');
      await program.ended;
    },
    stop() {
      program.child.kill('SIGTERM');
      return program.ended;
    },
  };
  onEnd(t, () => server.kill());
  const early = program.ended.then(({ stderr }) => `the server did not start: ${stderr}`);
  const greets = () => program.written.stdout.includes('Earshot serves the board');
  const serves = options.env?.ROLE === 'worker' ? () => isReady(server.url) : greets;
  const problem = await Promise.race([early, until('the server serves', serves)]);
  if (problem) throw new Error(problem);
  return server;
}

/** A worker prints no greeting, and answers whether it is ready. */
function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Runs a command that must succeed and gives the JSON object that it prints. */
export async function askEarshot(place: StorePlace, ...args: string[]): Promise<Record<string, string>> {
  return askEarshotIn({}, place, ...args);
}

/** As `askEarshot`, with more in the environment. */
export async function askEarshotIn(
  env: Record<string, string>,
  place: StorePlace,
  ...args: string[]
): Promise<Record<string, string>> {
  const { status, stdout, stderr } = await runEarshot(place, [...args, '--json'], { env }).ended;
  if (status !== 0) throw new Error(`earshot ${args.join(' ')} failed: ${stderr}`);
  return JSON.parse(stdout);
}
