import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { runHere } from '../support/command-line.ts';

test('bash completes commands, their commands and their options', async () => {
  const { status, stdout } = await runHere(['completion', 'bash'], {});
  assert.equal(status, 0);
  const complete = (...words: string[]) => {
    const asked = `${stdout}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _earshot; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', asked, 'bash', 'earshot', ...words], { encoding: 'utf8' })
      .trim()
      .split('\n');
  };
  assert.deepEqual(complete('undo'), ['undo-import']);
  assert.deepEqual(complete('board', 'cr'), ['create']);
  assert.deepEqual(complete('import', 'ideas.csv', '--from-'), ['--from-board']);
  assert.deepEqual(complete('--vers'), ['--version']);
});
