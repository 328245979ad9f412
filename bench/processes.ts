import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { atEnd } from './cleanup.ts';
import { type Place, pinned } from './cores.ts';

/** A program: its file relative to this folder, its arguments, and its environment beside the usual. */
export type Program = {
  file: string;
  args?: readonly string[];
  env?: Record<string, string | undefined>;
  nodeArgs?: readonly string[];
};

/** A server that runs in a process of its own, on the core for servers. */
export type Server = { url: string; pid: number; stop(): Promise<void> };

/** Starts a server and waits until it has printed the port it listens on. */
export async function startServer(program: Program): Promise<Server> {
  const child = startNode('server', program);
  const { port } = await firstLine<{ port: number }>(child, program.file);
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, stop: () => stop(child) };
}

/** Runs a program to its end and gives what it prints: one JSON value. */
export async function runProgram<T>(place: Place, program: Program, input?: unknown): Promise<T> {
  const child = startNode(place, program);
  child.stdin?.end(input === undefined ? '' : JSON.stringify(input));
  const result = await firstLine<T>(child, program.file);
  await exitOf(child);
  return result;
}

/** Starts Node on a file of this folder; the process ends with the run at the latest. */
export function startNode(place: Place, { file, args = [], env = {}, nodeArgs = [] }: Program): ChildProcess {
  const path = join(import.meta.dirname, file);
  const [command, commandArgs] = pinned(place, process.execPath, [...nodeArgs, path, ...args]);
  const child = spawn(command, commandArgs, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', ...env },
  });
  atEnd(() => stop(child));
  return child;
}

/** Asks a process to stop, and after five seconds makes it. */
export async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  child.kill('SIGTERM');
  await Promise.race([exitOf(child), delay(5_000, undefined, { ref: false })]);
  if (!hasEnded(child)) child.kill('SIGKILL');
  await exitOf(child);
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
}

async function exitOf(child: ChildProcess): Promise<void> {
  if (!hasEnded(child)) await new Promise((resolve) => child.once('exit', resolve));
}

async function firstLine<T>(child: ChildProcess, name: string): Promise<T> {
  if (!child.stdout) throw new Error(`${name} has no output`);
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line) as T;
  throw new Error(`${name} ended without saying anything`);
}

/** Processor time that a process has used with all its threads, in seconds; null where the system does not tell. */
export function cpuSeconds(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return null;
  }
}

/** Clock ticks, as in `/proc`: on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;

/** Resident memory of a process in MB (10^6 bytes), now and at its highest; null where the system does not tell. */
export function residentMemory(pid: number): { now: number; highest: number } | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const read = (field: string) =>
      (Number(new RegExp(`^${field}:\\s*(\\d+) kB`, 'm').exec(status)?.[1]) * 1_024) / 1e6;
    return { now: read('VmRSS'), highest: read('VmHWM') };
  } catch {
    return null;
  }
}
