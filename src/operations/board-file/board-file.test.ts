import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dump } from 'js-yaml';
import { makeRandom, type Random } from '../../../test/crash/random.ts';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { undoOperation } from '../../feedback/undo/undo.ts';
import { requireBoard } from '../../identity/board/board.ts';
import { findUser } from '../../identity/users/users.ts';
import { applyBoardFile, dumpBoard } from './board-file.ts';
import { type BoardFile, MAX_FILE_BYTES, parseBoardFile } from './form.ts';

async function contextOf({ db, clock, board }: TestApp) {
  return { db, clock, baseUrl: 'http://board.test', board: await requireBoard(db.read, board.id) };
}

const dumped = async (app: TestApp) => dumpBoard(await contextOf(app));
const plan = async (app: TestApp, file: BoardFile) => applyBoardFile(await contextOf(app), file, { isPlan: true });
const apply = async (app: TestApp, file: BoardFile) => applyBoardFile(await contextOf(app), file, { isPlan: false });

testBoth('a file gives a board its settings in one operation, and twice nothing more', async (app) => {
  const before = await dumped(app);
  assert.deepEqual(await plan(app, before), { changes: [], others: [] });
  const file = parseBoardFile(`
earshot: 1
board: { name: Northwind, brandColor: '#0a7', isIndexed: false }
statuses:
  - { name: Under review, color: '#336699', isOnRoadmap: false, postVisibility: TEAM }
  - { type: COMPLETED, name: Shipped }
tags: [{ name: Mobile, color: '#ff0000' }, { name: Secret, isPrivate: true }]
fields:
  - { label: Team, type: SELECTION, options: [{ name: Web }, { name: Apps, color: '#00ff00' }], isOnForm: true }
`);
  const planned = await plan(app, file);
  assert.deepEqual(await dumped(app), before, 'a plan changes nothing');
  assert.deepEqual(await apply(app, file), planned);
  assert.ok(planned.changes.some(({ of, property }) => of === 'status “Shipped”' && property === 'name'));
  assert.ok(planned.others.includes('status “Planned”'));
  const after = await dumped(app);
  assert.deepEqual(after.board, { ...before.board, name: 'Northwind', brandColor: '#00aa77', isIndexed: false });
  assert.deepEqual((await apply(app, file)).changes, []);
  assert.deepEqual(await plan(app, after), { changes: [], others: [] });
  const rows = await app.db.read.selectFrom('operations').select('operation_id').distinct().execute();
  assert.equal(rows.length, 1, 'everything is one operation');
  const actor = await findUser(app.db.read, app.board.id, { ssoType: 'SSO', ssoId: 'ada' });
  assert.ok(actor);
  for (const id of await undoOperation({ ...(await contextOf(app)), actor }, rows[0]?.operation_id ?? ''))
    assert.ok(id);
  assert.deepEqual(await dumped(app), before);
});

testBoth('what a file wants and a board refuses is said, and nothing of the file is done', async (app) => {
  const before = await dumped(app);
  const tag = { name: 'New' };
  const refused: [BoardFile, RegExp][] = [
    [{ earshot: 1, tags: [tag], statuses: [{ name: 'x'.repeat(51) }] }, /name/],
    [{ earshot: 1, tags: [tag], board: { pid: 'Not good' } }, /./],
    [{ earshot: 1, tags: [tag], fields: [{ label: 'Team', type: 'TEXT', options: [{ name: 'a' }] }] }, /no options/],
  ];
  for (const [file, words] of refused) await assert.rejects(apply(app, file), words);
  assert.deepEqual(await dumped(app), before);
});

testBoth('random settings come back by the file that was dumped before them', async (app) => {
  const random = makeRandom(7);
  for (let round = 0; round < 12; round++) {
    const before = parseBoardFile(dump(await dumped(app)));
    await apply(app, randomFile(random));
    const { changes } = await apply(app, before);
    assert.deepEqual((await plan(app, before)).changes, [], JSON.stringify(changes));
    const now = await dumped(app);
    assert.deepEqual((await plan(app, parseBoardFile(JSON.stringify(now)))).changes, []);
  }
});

function randomFile(random: Random): BoardFile {
  const name = () => random.pick(['Planned', 'Soon', 'Beta', 'Größe', '設定', 'Long run']) ?? '';
  const color = () => random.pick(['#ff0000', '#0f0', '#123456']) ?? '';
  const isSo = () => random.next() < 0.5;
  const some = <T>(make: () => T): T[] => Array.from({ length: Math.floor(random.next() * 4) }, make);
  const distinct = <T>(list: T[], key: (each: T) => string) => [
    ...new Map(list.map((each) => [key(each), each])).values(),
  ];
  return {
    earshot: 1,
    board: { description: random.text(), isIndexed: isSo(), approval: random.pick(['NONE', 'FIRST', 'ALL']) ?? 'NONE' },
    statuses: distinct(
      some(() => ({
        name: name(),
        color: color(),
        isOnRoadmap: isSo(),
        postVisibility: random.pick(['PUBLIC', 'TEAM'] as const),
      })),
      (each) => each.name,
    ),
    tags: distinct(
      some(() => ({ name: name(), color: isSo() ? color() : null, isPrivate: isSo() })),
      (each) => each.name,
    ),
    fields: distinct(
      some(() => ({
        label: name(),
        type: 'SELECTION' as const,
        options: [{ name: 'A' }, { name: random.text() }],
        isRequired: isSo(),
      })),
      (each) => each.label,
    ),
  };
}

test('a file that is hostile or wrong gets a sentence', () => {
  const levels = Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(',')}]`);
  const cases: [text: string, words: RegExp][] = [
    [`a0: &a0 [x]\n${levels.join('\n')}\n`, /over 20,000 values/],
    ['earshot: !!js/function "x"', /not YAML: unknown tag/],
    ['a: b: c', /not YAML/],
    ['x'.repeat(MAX_FILE_BYTES + 1), /longer than 1 MB/],
    ['earshot: 2', /earshot: /],
    ['earshot: 1\nboard: { nmae: x }', /board: .*nmae/],
    ['earshot: 1\ntags: [{ name: 5 }]', /^tags\[1\]\.name: /],
    ['earshot: 1\nboard: { __proto__: { name: x } }', /board: /],
    [`earshot: 1\ntags: [${Array(1_001).fill('{ name: a }').join(',')}]`, /^tags: /],
    [`${'['.repeat(20_000)}`, /not YAML|values|depth/i],
    ['', /./],
  ];
  for (const [text, words] of cases) assert.throws(() => parseBoardFile(text), { message: words }, text.slice(0, 40));
});
