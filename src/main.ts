import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Caches the code that Node compiles next to the files, if that folder is writable: later starts take two thirds of the
// time and 20 MB less. It applies to everything loaded from here on.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/earshot/', import.meta.url)));
const { runProgram } = await import('./cli/program.ts');
const { keepPrivate } = await import('./platform/lib/private.ts');

keepPrivate();
process.exitCode = await runProgram(process.argv.slice(2), process.env, {
  out: (text) => process.stdout.write(`${text}\n`),
  error: (text) => process.stderr.write(`${text}\n`),
});
