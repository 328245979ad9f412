import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { runProgram } from '../../src/cli/program.ts';
import { environmentFor } from './process.ts';
import { engines, makeStorePlace, type StorePlace } from './store.ts';

/** How a command ended, and what it wrote. */
export type Ended = { status: number; stdout: string; stderr: string };

/** The command line on the store of a test, in this process: a command takes milliseconds instead of half a second. */
export type CommandLine = {
  place: StorePlace;
  env: Record<string, string>;
  run(...args: string[]): Promise<Ended>;
  /** As `run` with `--json`, for commands that must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  json(...args: string[]): Promise<any>;
};

/** A test of the command line on each engine, on an empty store and with webhooks allowed to reach this machine. */
export function testCommandLine(name: string, work: (line: CommandLine, t: TestContext) => Promise<void>): void {
  for (const engine of engines) {
    test(`${name} [${engine}]`, async (t) => {
      const place = await makeStorePlace(t, engine);
      await work(makeCommandLine(place, { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' }), t);
    });
  }
}

/** A command line with further environment variables. */
export function makeCommandLine(place: StorePlace, more: Record<string, string> = {}): CommandLine {
  const env = { ...environmentFor(place), ...more };
  const run = (...args: string[]) => runHere(args, env);
  return {
    place,
    env,
    run,
    async json(...args) {
      const { status, stdout, stderr } = await run(...args, '--json');
      assert.deepEqual([status, stderr], [0, ''], args.join(' '));
      return JSON.parse(stdout);
    },
  };
}

/** Runs a command in this process. */
export async function runHere(args: readonly string[], env: Record<string, string>): Promise<Ended> {
  const written = { stdout: '', stderr: '' };
  const status = await runProgram(args, env, {
    out(text) {
      written.stdout += `${text}\n`;
    },
    error(text) {
      written.stderr += `${text}\n`;
    },
  });
  return { status, ...written };
}
