#!/usr/bin/env node
import module from 'node:module';
import { fileURLToPath } from 'node:url';

/** The first Node with all that the program needs, above all SQLite. */
const OLDEST = [22, 15] as const;

if (isTooOld()) {
  process.stderr.write(`Earshot needs Node.js ${OLDEST.join('.')} or newer; this is ${process.versions.node}\n`);
  process.exitCode = 1;
} else {
  // Caches the code that Node compiles next to the files, if that folder is writable: later starts take two thirds of the
  // time and 20 MB less. It applies to everything loaded from here on.
  module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/earshot/', import.meta.url)));
  hideWarnings();
  const { runProgram } = await import('./cli/program.ts');
  const { keepPrivate } = await import('./platform/lib/private.ts');
  keepPrivate();
  const words = process.argv.slice(2);
  // Alone, the program serves, as `npm start` does.
  process.exitCode = await runProgram(words.length === 0 ? ['serve'] : words, process.env, {
    out: (text) => process.stdout.write(`${text}\n`),
    error: (text) => process.stderr.write(`${text}\n`),
  });
}

function isTooOld(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
}

/** Node 22 and 24 print that SQLite is experimental in them, above what a person looks for. */
function hideWarnings(): void {
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (rest[0] === 'ExperimentalWarning' && String(warning).startsWith('SQLite')) return;
    Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
}
