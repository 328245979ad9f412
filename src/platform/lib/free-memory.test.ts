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
  await returnFreeMemory();
  console.log(JSON.stringify({ full, freed, returned: resident(), kept: kept.length }));
`;

/** Leaves garbage in the heap; `work` is done while memory is returned. */
const leaveGarbage = (work: string) => `
  import { returnFreeMemory } from '${import.meta.resolve('./free-memory.ts')}';
  const used = () => Math.round(process.memoryUsage().heapUsed / ${MB});
  let garbage = Array.from({ length: 500_000 }, (_, n) => ({ n, words: [n] }));
  await new Promise((resolve) => setTimeout(resolve, 1));
  garbage = null;
  const full = used();
  const returning = returnFreeMemory();
  ${work};
  await returning;
  console.log(JSON.stringify({ full, returned: used() }));
`;

function run(options: string[], program = PROGRAM) {
  const args = [...options, '--input-type=module', '--eval', program];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.equal(stderr, '');
  return JSON.parse(stdout) as { full: number; freed: number; returned: number };
}

test('garbage is collected only while a process is calm', () => {
  const calm = run([], leaveGarbage(''));
  assert.ok(calm.returned < calm.full - 30, JSON.stringify(calm));
  const busy = run([], leaveGarbage('for (const end = performance.now() + 600; performance.now() < end; );'));
  assert.ok(busy.returned > busy.full - 5, JSON.stringify(busy));
});

test('memory that native code has freed is returned to the system, and no warning is printed', () => {
  const { full, freed, returned } = run(['--expose-gc']);
  assert.ok(returned < full - 60, JSON.stringify({ full, freed, returned }));
});

test('where Node cannot call the C library, what native code has freed stays taken, and nothing fails', () => {
  const { freed, returned } = run(['--expose-gc', '--no-experimental-ffi']);
  assert.ok(returned > freed - 30, JSON.stringify({ freed, returned }));
});
