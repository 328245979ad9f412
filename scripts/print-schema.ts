import { readFileSync, writeFileSync } from 'node:fs';
import '../src/api/graphql/features.ts';
import { makeSchema, printSdl } from '../src/api/graphql/schema.ts';

/** Writes schema.graphql from the code; with `--check` only says whether the file is what the code prints. */
const file = new URL('../schema.graphql', import.meta.url);
const sdl = printSdl(makeSchema());
if (!process.argv.includes('--check')) {
  writeFileSync(file, sdl);
} else if (readFileSync(file, 'utf8') !== sdl) {
  console.error('schema.graphql is not what the code prints: run `npm run schema` and look at what changed');
  process.exitCode = 1;
}
