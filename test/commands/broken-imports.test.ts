import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BrokenFile, makeBrokenFiles } from '../support/broken-files.ts';
import { type Ended, testCommandLine } from '../support/command-line.ts';
import { dumpStore } from '../support/dump.ts';
import { makeFile } from '../support/import-files.ts';
import { environmentFor, runCommand } from '../support/process.ts';
import { makeStorePlace } from '../support/store.ts';

/** A file of some megabytes that is broken takes less than a second; the machine may be busy. */
const MAX_MS = 10_000;
let files: Promise<BrokenFile[]> | undefined;

/** The files of both tests and engines: packing them takes seconds. */
function brokenFiles(): Promise<BrokenFile[]> {
  files ??= makeBrokenFiles();
  return files;
}

/** What no message to an operator has: traces, names of engines, control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const INTERNAL = /\bat \S+\.ts|TypeError|undefined|SQLITE|invalid byte|[\0-\x08\x0b-\x1f]/;

testCommandLine(
  'the plan of a broken file reports what is wrong with which line, and changes nothing',
  async (line, t) => {
    await line.json('board', 'create', '--name', 'Acme');
    const before = await dumpStore(line.place);
    const all = await brokenFiles();
    assert.ok(all.length >= 200, `${all.length} files`);
    const wrong: string[] = [];
    for (const file of all) {
      const path = makeFile(t, file.name, file.bytes);
      const startedAt = performance.now();
      const ended = await line.run('import', path, '--from', file.from, '--plan', '--json');
      const ms = performance.now() - startedAt;
      const fault = ms > MAX_MS ? `takes ${Math.round(ms)} ms` : faultOf(file, ended);
      if (fault !== null) wrong.push(`${file.from} ${file.name}: ${fault}`);
    }
    assert.deepEqual(wrong, []);
    assert.deepEqual(await dumpStore(line.place), before);
  },
);

/** What is wrong with what a plan says of a file. */
function faultOf({ expected }: BrokenFile, { status, stdout, stderr }: Ended): string | null {
  if (INTERNAL.test(stderr.trim())) return `says ${JSON.stringify(stderr)}`;
  if (status !== 0) {
    const isSaid = expected === null ? stderr.length > 10 : expected instanceof RegExp && expected.test(stderr);
    return isSaid && stderr.trim().split('\n').length === 1 ? null : `ends with ${stderr.slice(0, 500)}`;
  }
  const { problems, firstProblems } = JSON.parse(stdout);
  const isExpected =
    expected === null || (expected === 'fine' && problems === 0) || (expected === 'lines' && problems > 0);
  if (!isExpected) return `gives ${stdout}`;
  const isPlaced = firstProblems.every(({ line, message }: Problem) => line > 0 && !INTERNAL.test(message));
  return isPlaced ? null : `reports ${JSON.stringify(firstProblems)}`;
}

type Problem = { line: number; message: string };

test('files that unpack to much, or have much on a line, are refused within little memory', async (t) => {
  const env = environmentFor(await makeStorePlace(t, 'sqlite'));
  await runCommand(['board', 'create', '--name', 'Acme'], env);
  const large = (await brokenFiles()).filter(({ name }) => /^(bomb|values|deep|huge-cell|long)\./.test(name));
  assert.equal(large.length, 6);
  for (const { name, from, bytes, expected } of large) {
    const file = makeFile(t, name, bytes);
    const small = { ...env, NODE_OPTIONS: '--max-old-space-size=128' };
    const { status, stderr } = await runCommand(['import', file, '--from', from, '--plan'], small);
    if (expected instanceof RegExp) assert.match(stderr, expected, name);
    else assert.ok(status === 0 || status === 1, `${name} ${stderr}`);
  }
});
