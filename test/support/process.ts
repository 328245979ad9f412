import { type ChildProcess, spawn } from 'node:child_process';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { onEnd } from './cleanup.ts';
import { findFreePort } from './postgres.ts';
import { type StorePlace, TEST_SECRET_KEY } from './store.ts';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** How a command ended, and what it wrote. */
export type Ended = { status: number | null; stdout: string; stderr: string };

/** A server in a process of its own. */
export type RunningServer = {
  url: string;
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<Ended>;
};

/** All that programs take from the environment of the tests: where others are, and modules that are compiled already. */
export function inheritedEnvironment(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) };
}

/** The environment of a command on this store. */
export function environmentFor(place: StorePlace): Record<string, string> {
  return {
    ...inheritedEnvironment(),
    DATA_DIR: place.dataDir,
    DRAIN_DELAY: '0',
    ...(place.databaseUrl !== null && { DATABASE_URL: place.databaseUrl, SECRET_KEY: TEST_SECRET_KEY }),
  };
}

/** Runs a command to its end. */
export async function runCommand(args: readonly string[], env: Record<string, string>): Promise<Ended> {
  return (await watch(spawn(process.execPath, [main, ...args], { env }))).ended;
}

/** Starts `serve` on a free port and waits until it answers. */
export async function startServer(t: TestContext, env: Record<string, string>): Promise<RunningServer> {
  const port = await findFreePort();
  const child = spawn(process.execPath, [main, 'serve'], { env: { ...env, PORT: String(port) } });
  onEnd(t, () => child.kill('SIGKILL'));
  const { output, ended } = watch(child);
  const url = `http://127.0.0.1:${port}`;
  await waitForGreeting(output, ended);
  return {
    url,
    child,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

type Output = { stdout: string; stderr: string; changed: () => void };

function watch(child: ChildProcess): { output: Output; ended: Promise<Ended> } {
  const output: Output = { stdout: '', stderr: '', changed: () => {} };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
      output.changed();
    });
  }
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (status) => resolve({ status, stdout: output.stdout, stderr: output.stderr }));
  });
  return { output, ended };
}

/** The server greets when it listens and its store is ready. */
async function waitForGreeting(output: Output, ended: Promise<Ended>): Promise<void> {
  const greeted = new Promise<void>((resolve) => {
    output.changed = () => {
      if (output.stdout.includes('/api/v1/graphql')) resolve();
    };
  });
  const end = ended.then(({ stderr }) => {
    throw new Error(`The server ended before it was ready: ${stderr}`);
  });
  await Promise.race([greeted, end]);
}
