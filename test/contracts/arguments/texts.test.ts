import assert from 'node:assert/strict';
import { errorCatalogue } from '../../../src/platform/errors.ts';
import { carryOut, type Trial, trials } from '../../operations/operations.ts';
import { type Kind, makeRow, placeOf } from '../../operations/rows.ts';
import { type TestApp, testBoth } from '../../support/app.ts';
import { watchNormalizing } from '../../support/normalizing.ts';

const texts = [...trials].filter(([, { argument }]) => argument.text);

testBoth('texts have as many characters as they may have, and not one more or less', async (app) => {
  for (const [n, [name, trial]] of texts.entries()) {
    const { length, make } = trial.argument.text ?? {};
    if (!length) continue;
    const character = String.fromCodePoint(0x5b57 + n); // names that are taken are refused for that
    const textOf = make ?? ((count) => character.repeat(count));
    const [min, max] = length;
    const expected: [count: number, isTaken: boolean][] = [
      [max, true],
      [max + 1, false],
      [min, true],
      [min - 1, min === 0],
    ];
    for (const [count, isTaken] of expected) {
      if (count < 0) continue;
      const { errors } = await send(app, trial, textOf(count));
      const label = `${name} with ${count} characters: ${errors[0]?.message ?? 'taken'}`;
      assert.equal(errors[0]?.extensions.code, isTaken ? undefined : 'BAD_REQUEST', label);
      if (count > max) assert.ok(errors[0]?.message.includes(max.toLocaleString('en')), label);
    }
  }
});

/** Texts that break what is not made for them. */
const strange = [
  '',
  ' \n\t ',
  '\u0000',
  'a\u0001b',
  '\ud800',
  '🌒'.repeat(300),
  '%_\\',
  "' or 1=1 --",
  '"*',
  'x'.repeat(100_000),
  'x'.repeat(100_001),
  '\u0301\u0334'.repeat(500),
  '\u0301\u0334'.repeat(10_000),
  '\uff9e\u0334'.repeat(50_000),
];

testBoth('no text whatever makes the server fail, or has it sort more than 30 marks in a row', async (app, t) => {
  const longestRun = watchNormalizing(t);
  for (const [name, trial] of texts) {
    for (const text of strange) {
      const { status, errors } = await send(app, trial, text);
      const code = errors[0]?.extensions.code ?? 'NOT_FOUND';
      const label = `${name} with ${JSON.stringify(text.slice(0, 20))}: ${errors[0]?.message}`;
      assert.equal(status, 200, label);
      assert.ok(code in errorCatalogue && code !== 'INTERNAL_SERVER_ERROR', label);
      assert.ok(longestRun() <= 30, label);
    }
  }
});

let names = 0;

function send(app: TestApp, trial: Trial, x: string) {
  const given: Record<string, string> = { x, name: `New${names++}`, person: 'ada' };
  return carryOut(app, trial, (row) => given[row] ?? makeRow[row as Kind](placeOf(app)));
}
