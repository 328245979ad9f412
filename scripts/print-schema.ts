import { readFileSync, writeFileSync } from 'node:fs';
import '../src/api/graphql/features.ts';
import { makeSchema, printSdl } from '../src/api/graphql/schema.ts';
import { printOpenApi } from '../src/api/openapi/document.ts';
import { errorCatalogue } from '../src/platform/errors.ts';
import { printSdkSchema } from './sdk-schema.ts';

/** Writes what is printed from the code; with `--check` only says whether the files are what the code prints. */
const schema = makeSchema();
const printed = {
  'schema.graphql': printSdl(schema),
  'openapi.json': printOpenApi(),
  'sdk/src/schema.ts': printSdkSchema(schema, Object.keys(errorCatalogue)),
};
for (const [name, text] of Object.entries(printed)) {
  const file = new URL(`../${name}`, import.meta.url);
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text);
  } else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${name} is not what the code prints: run \`npm run schema\` and look at what changed`);
    process.exitCode = 1;
  }
}
