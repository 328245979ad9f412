import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Migration } from '../../src/platform/db/all-migrations.ts';

// Loaded before the built program, this makes it a later version: one with a migration more.

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const [file = ''] = globSync(`${dist}all-migrations-*.js`);
const migrations = Object.values(await import(pathToFileURL(file).href)).find(Array.isArray) as Migration[] | undefined;
assert.ok(migrations);
migrations.push({
  name: '9999-next-version',
  statements: () => [
    'alter table posts add column next_version integer not null default 1',
    'alter table users add column next_version text',
    "alter table api_keys add column next_version text not null default 'none'",
  ],
});
