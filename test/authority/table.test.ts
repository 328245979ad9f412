import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { testBoth } from '../support/app.ts';
import { clearStage, people, setStage } from './board.ts';
import { actions } from './mutations.ts';
import { seeing } from './reads.ts';

const checks = { ...seeing, ...actions };
const table = readTable(readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8'));

test('every row of the table has its check, and every check its row', () => {
  assert.deepEqual([...table.keys()].sort(), Object.keys(checks).sort());
});

testBoth('every role sees and does what the table in docs/api.md lists, in every way', async (app) => {
  const stage = await setStage(app);
  const wrong: string[] = [];
  for (const [row, cells] of table) {
    for (const [role, as] of Object.entries(people)) {
      const told = cells.get(role) === 'yes';
      const found = await checks[row]?.(stage, as).catch((error: Error) => error.message);
      await clearStage(stage);
      if (found !== told) wrong.push(`${role}: ${row}: the table says ${told}, it is ${found}`);
    }
  }
  assert.deepEqual(wrong, []);
});

/** The rows of the table of docs/api.md that has a column for each kind of people, without what is done on the pages alone. */
function readTable(document: string): Map<string, Map<string, string>> {
  const section = document.split('## Who sees and does what')[1]?.split('\n## ')[0] ?? '';
  const [head = [], , ...rows] = section
    .split('\n')
    .filter((line) => line.startsWith('|') && !line.includes('(on the pages'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const roles = head.map((cell) => cell.replaceAll('`', '').split(', '));
  return new Map(
    rows.map(([row = '', ...cells]) => [
      row,
      new Map(cells.flatMap((cell, n) => (roles[n + 1] ?? []).map((role) => [role, cell] as const))),
    ]),
  );
}
