import type * as Ffi from 'node:ffi';

/**
 * Returns memory to the system that native code has freed: by itself, the C library of Linux returns only what happens to
 * lie at the end of a heap, so a process keeps what it once took. Takes a few milliseconds. Does nothing where there is no
 * such function, or where Node cannot call it.
 */
export function returnFreeMemory(): void {
  trim ??= findTrim();
  trim();
}

let trim: (() => void) | undefined;

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
