import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

const MB = 1_048_576;

/** Takes memory outside the heap in small pieces, frees it but for the last one, and returns it. */
const PROGRAM = `
  import { returnFreeMemory } from '${import.meta.resolve('./free-memory.ts')}';
  const resident = () => Math.round(process.memoryUsage.rss() / ${MB});
  let pieces = Array.from({ length: 20_000 }, () => Buffer.alloc(5_000, 1));
  const kept = pieces.pop();
  const full = resident();
  pieces = [];
  gc();
  await new Promise((resolve) => setTimeout(resolve, 100));
  const freed = resident();
  returnFreeMemory();
  console.log(JSON.stringify({ full, freed, returned: resident(), kept: kept.length }));
`;

function run(...options: string[]) {
  const args = ['--expose-gc', ...options, '--input-type=module', '--eval', PROGRAM];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.equal(stderr, '');
  return JSON.parse(stdout) as { full: number; freed: number; returned: number };
}

test('memory that native code has freed is returned to the system, and no warning is printed', () => {
  const { full, freed, returned } = run();
  assert.ok(returned < full - 60, JSON.stringify({ full, freed, returned }));
});

test('where Node cannot call the C library, nothing is returned and nothing fails', () => {
  const { freed, returned } = run('--no-experimental-ffi');
  assert.ok(Math.abs(freed - returned) <= 5, JSON.stringify({ freed, returned }));
});
