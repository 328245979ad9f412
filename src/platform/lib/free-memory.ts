import type * as Ffi from 'node:ffi';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collecting = { type: 'major'; execution: 'sync'; flavor: 'last-resort' };
/** Also makes the young generation small, which otherwise keeps some 50 MB that it once needed. */
const EVERYTHING: Collecting = { type: 'major', execution: 'sync', flavor: 'last-resort' };
/** Busier than this, a process has its garbage collected by itself, which delays no request. */
const CALM = 0.25;
/** For how long it is watched. */
const WATCH_MS = 500;

/**
 * Returns memory to the system that a process has taken and no longer needs. If the process is calm, garbage is collected
 * first, which Node does only once there is much more of it; everything waits for that. Then the C library returns what is
 * free, in a few milliseconds: by itself, that of Linux returns only what happens to lie at the end of a heap. Where there is
 * no such function, or Node cannot call it, nothing is returned.
 */
export async function returnFreeMemory(): Promise<void> {
  const before = performance.eventLoopUtilization();
  await delay(WATCH_MS);
  if (performance.eventLoopUtilization(before).utilization < CALM) {
    collect ??= findCollect();
    collect(EVERYTHING);
  }
  trim ??= findTrim();
  trim();
}

let collect: ((options: Collecting) => void) | undefined;
let trim: (() => void) | undefined;

/** A program reaches the function without a flag on its command line only through a context made after setting it. */
function findCollect(): (options: Collecting) => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
}

function findTrim(): () => void {
  const ffi = loadFfi();
  try {
    const found = ffi?.dlopen(null, { malloc_trim: { arguments: ['u64'], return: 'i32' } });
    return () => found?.functions.malloc_trim(0n);
  } catch {
    return () => {};
  }
}

/** The module is experimental: Node warns of it on loading, which tells an operator nothing. */
function loadFfi(): typeof Ffi | undefined {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule('node:ffi');
  } finally {
    process.emitWarning = emitWarning;
  }
}
