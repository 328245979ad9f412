import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));

test('every dependency is pinned to one version, and the lock file names the same', () => {
  for (const folder of ['', 'bench/', 'integrations/n8n/']) {
    const { dependencies = {}, devDependencies = {} } = read(`${folder}package.json`);
    const locked = read(`${folder}package-lock.json`).packages;
    for (const [name, version] of Object.entries<string>({ ...dependencies, ...devDependencies })) {
      assert.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/, `${name} is pinned`);
      assert.equal(locked[`node_modules/${name}`]?.version, version, `${name} is locked as it is pinned`);
    }
  }
});

test('new versions are watched for, and stay exact', () => {
  const { extends: presets, rangeStrategy, enabled = true } = read('renovate.json');
  assert.deepEqual([presets, rangeStrategy, enabled], [['config:recommended'], 'pin', true]);
});
