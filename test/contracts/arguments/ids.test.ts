import assert from 'node:assert/strict';
import { errorCatalogue } from '../../../src/platform/errors.ts';
import { carryOut, type Trial, trials } from '../../operations/operations.ts';
import { makeRow, placeOf, type Rows, rowsElsewhere, rowsOf } from '../../operations/rows.ts';
import { type TestApp, testBoth } from '../../support/app.ts';

/** Ids that no row can have. */
const impossible: Record<string, string> = {
  'no id': 'x',
  'an empty text': '',
  'white space': ' ',
  'an id that nothing has': '01900000-0000-7000-8000-000000000000',
  'an id of another version': '01900000-0000-4000-8000-000000000000',
  'the character NUL': '\u0000',
  'half of a surrogate pair': '\ud800',
  'a text of 10,000 characters': 'x'.repeat(10_000),
  'a piece of SQL': "' or 1=1 --",
};

testBoth('every argument that takes an id refuses one of something else with a clear error', async (app) => {
  await app.makeUser('mod', 'MODERATOR');
  const elsewhere = await rowsElsewhere(app);
  const wrong: string[] = [];
  // Those that take the ids that nothing had come last.
  const order = [...trials].sort(
    ([, a], [, b]) => Number(a.argument.id?.isNew ?? 0) - Number(b.argument.id?.isNew ?? 0),
  );
  for (const [name, trial] of order) {
    const { id: taken } = trial.argument;
    if (!taken) continue;
    const here = await rowsOf(app);
    const ids: Rows = {
      ...impossible,
      ...Object.fromEntries(Object.entries(elsewhere).map(([what, id]) => [`${what} of another board`, id])),
      ...here,
    };
    const isRight = (what: string) => what === taken.kind || taken.takes.includes(what);
    // What is right comes last: it may change what the others are.
    const rightLast = Object.entries(ids).sort(([a], [b]) => Number(isRight(a)) - Number(isRight(b)));
    for (const [id, what] of new Map(rightLast.map(([what, id]) => [id, what] as const))) {
      const problem = await findProblem(app, trial, here, id, isRight(what));
      if (problem !== null) wrong.push(`${name} with ${what}: ${problem}`);
    }
  }
  assert.deepEqual(wrong, []);
});

let names = 0;

/** Sends an id where one is taken; another post is new each time. */
function send(app: TestApp, trial: Trial, here: Rows, x: string) {
  const own: Rows = { ...here, x, 'post of the comment': here.post ?? '', name: `New${names++}`, person: 'ada' };
  return carryOut(app, trial, (row) => (/^(another )?post$/.test(row) ? makeRow.post(placeOf(app)) : (own[row] ?? '')));
}

/** What is wrong with the answer to an id; null when it is as it should be. */
async function findProblem(
  app: TestApp,
  trial: Trial,
  here: Rows,
  id: string,
  isRight: boolean,
): Promise<string | null> {
  const { status, data, errors } = await send(app, trial, here, id);
  const [error] = errors;
  if (status !== 200) return `HTTP status ${status}`;
  // A board takes 50 statuses, and there are more kinds of ids.
  const made = data?.createStatus?.node?.id;
  if (made) await app.api.deleteStatus({ id: made });
  if (isRight) return error?.message ?? null;
  if (!error) return data[trial.name] === null ? null : 'it is taken';
  const { code } = error.extensions;
  if (!(code in errorCatalogue)) return `the code ${code} is not in the catalogue`;
  return ['NOT_FOUND', 'BAD_REQUEST', 'CONFLICT'].includes(code) ? null : `${code}: ${error.message}`;
}
