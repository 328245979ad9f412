import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What came to JavaScript and Node after Node 22, which the package still runs on; tests and tools run on a newer one. */
const NEWER =
  /\b(?:Promise\.try|RegExp\.escape|Error\.isError|Iterator\.concat|Math\.sumPrecise|Intl\.DurationFormat|Uint8Array\.from(?:Base64|Hex)|randomUUIDv7|Temporal\.\w+|new URLPattern)\b|\.(?:getOrInsert\w*|toBase64|toHex)\(|\bawait using\b|\busing \w+ = /;

test('the program uses nothing that the oldest Node it promises lacks', () => {
  const files = globSync('{src,web}/**/*.{ts,tsx}', { cwd: root, exclude: (name) => name === 'build' });
  const ours = files.filter((file) => !/\.test\.tsx?$/.test(file));
  assert.ok(ours.length > 500);
  const found = ours.flatMap((file) => {
    const hit = NEWER.exec(readFileSync(join(root, file), 'utf8'));
    return hit ? [`${file}: ${hit[0]}`] : [];
  });
  assert.deepEqual(found, []);
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [, major, minor] = /OLDEST = \[(\d+), (\d+)\]/.exec(readFileSync(join(root, 'src/main.ts'), 'utf8')) ?? [];
  assert.equal(engines.node, `>=${major}.${minor}`);
});
