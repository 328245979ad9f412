import type * as Ffi from 'node:ffi';
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Busier than this, a process has its garbage collected by itself, which delays no request. */
const CALM = 0.25;

/**
 * Returns memory to the system that is not needed, as a process keeps what it once took. The C library of Linux returns by
 * itself only what happens to lie at the end of a heap: asked, it takes a few milliseconds. It does nothing where there is no
 * such function, or where Node cannot call it. Node collects garbage only once there is much more of it: that takes some
 * 50 milliseconds, so it is done if the process has been calm since the last time.
 */
export function returnFreeMemory(): void {
  const { utilization } = performance.eventLoopUtilization(last);
  last = performance.eventLoopUtilization();
  if (utilization < CALM) {
    collect ??= findCollect();
    collect();
  }
  trim ??= findTrim();
  trim();
}

let last = performance.eventLoopUtilization();
let collect: (() => void) | undefined;
let trim: (() => void) | undefined;

/** A program reaches the function without a flag on its command line only through a context made after setting it. */
function findCollect(): () => void {
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
