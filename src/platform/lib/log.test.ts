import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeQuiet } from './log.ts';

/** A log whose time the test lets pass, and the lines that were written since the last look. */
function makeTestLog() {
  let now = 0;
  let due: { at: number; work: () => void }[] = [];
  let lines: string[] = [];
  const quiet = makeQuiet((milliseconds, work) => due.push({ at: now + milliseconds, work }));
  const write = (...[first, message]: unknown[]) => lines.push(String(typeof first === 'string' ? first : message));
  return {
    log: (...args: unknown[]) => quiet(args, write),
    pass(milliseconds: number) {
      now += milliseconds;
      const late = due.filter(({ at }) => at <= now);
      due = due.filter(({ at }) => at > now);
      for (const { work } of late) work();
    },
    take() {
      const taken = lines;
      lines = [];
      return taken;
    },
  };
}

test('a repeated failure is logged once, then counted in one line a second, up to the last one', () => {
  const { log, pass, take } = makeTestLog();
  const away = (requestId: string) => log({ requestId, err: new Error('The database is away') }, 'A page failed');
  away('1');
  assert.deepEqual(take(), ['A page failed']);
  away('2');
  away('3');
  pass(999);
  assert.deepEqual(take(), []);
  pass(1);
  assert.deepEqual(take(), ['2 more like it: A page failed The database is away']);
  away('4');
  pass(1_000);
  assert.deepEqual(take(), ['1 more like it: A page failed The database is away']);
  pass(1_000);
  assert.deepEqual(take(), []);
  away('5');
  assert.deepEqual(take(), ['A page failed']);
});

test('a full disk is logged once a minute', () => {
  const { log, pass, take } = makeTestLog();
  const full = () => log({ err: new Error('The disk of the store is full') }, 'Not ready');
  full();
  full();
  pass(59_999);
  assert.deepEqual(take(), ['Not ready']);
  pass(1);
  assert.deepEqual(take(), ['1 more like it: Not ready The disk of the store is full']);
});

test('lines without an error are counted as well', () => {
  const { log, pass, take } = makeTestLog();
  for (let n = 0; n < 3; n++) log('It takes long');
  pass(1_000);
  assert.deepEqual(take(), ['It takes long', '2 more like it: It takes long']);
});

test('different failures do not hide each other, however many there are, and all are counted', () => {
  const { log, pass, take } = makeTestLog();
  for (let round = 0; round < 2; round++) log('the first');
  for (let n = 0; n < 1_000; n++) log({ err: new Error(`trouble ${n}`) }, `It failed ${n}`);
  pass(1_000);
  const lines = take();
  assert.equal(new Set(lines).size, 1_002);
  assert.ok(lines.includes('1 more like it: the first'));
});

test('omitted lines are counted at the end of the process, which does not wait for that', async () => {
  const log = fileURLToPath(new URL('log.ts', import.meta.url));
  const program = `import { makeLog } from ${JSON.stringify(log)}; const log = makeLog('info');
    for (let n = 0; n < 30; n++) log.warn('The disk is full'); for (let n = 0; n < 2; n++) log.info('It goes on');`;
  const { stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  const lines = stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.map(({ level, msg, more }) => [level, msg, more]),
    [
      ['warn', 'The disk is full', undefined],
      ['info', 'It goes on', undefined],
      ['info', 'It goes on', undefined],
      ['warn', '29 more like it: The disk is full', 29],
    ],
  );
});
