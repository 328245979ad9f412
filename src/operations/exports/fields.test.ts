import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testBoth } from '../../../test/support/app.ts';
import { csvOf, jsonOf, parseCsv } from '../../../test/support/export.ts';
import { makeField, put } from '../../../test/support/fields.ts';
import type { Field } from '../../feedback/fields/fields.ts';
import { makeCsv } from './csv.ts';

test('what a spreadsheet takes for a formula is prefixed, in names of columns too', () => {
  const columnOf = (label: string) => parseCsv(makeCsv([{ label } as Field]).header)[0]?.[31];
  for (const first of [...'=+-@＝＋－＠\t\r']) assert.equal(columnOf(`${first}1+1`), `'${first}1+1`);
  for (const first of [..."1a'’ .(字＊"]) assert.equal(columnOf(`${first}=1`), `${first}=1`);
});

testBoth(
  'each field of the board has a column from 31 on, counted from 0, those for the team only for the team',
  async (app) => {
    await app.makeUser('bob');
    const options = [{ name: 'Free, for ever' }, { name: '=Pro' }];
    const plan = await makeField(app, '=Plan', { type: 'SELECTION_MULTI', options });
    const note = await makeField(app, 'Note', { visibility: 'TEAM' });
    const properties = [put(plan, '=Pro', 'Free, for ever'), put(note, 'Deal')];
    const { id } = await app.api.createPost({ title: 'Dark mode', properties });
    await app.api.upvotePost({ postId: id });
    const cells = async (as: string | null) =>
      (await csvOf(app, { as, query: 'votes=true' })).map((row) => row.slice(31, -1));
    const seen = ["'=Pro, Free, for ever", 'Deal'];
    assert.deepEqual(await cells('ada'), [["'=Plan", 'Note'], seen, ['', '']]);
    for (const as of [null, 'bob']) assert.deepEqual(await cells(as), [["'=Plan"], seen.slice(0, 1), ['']]);
    const [free, pro] = plan.options.map((option) => option.id);
    const told = [
      {
        parent: plan.id,
        label: '=Plan',
        type: 'SELECTION_MULTI',
        values: [pro, free],
        names: ['=Pro', 'Free, for ever'],
      },
      { parent: note.id, label: 'Note', type: 'TEXT', values: ['Deal'] },
    ];
    assert.deepEqual((await jsonOf(app, { as: 'ada' }))[0].properties, told);
    assert.deepEqual((await jsonOf(app))[0].properties, told.slice(0, 1));
    await app.ask('mutation($ids: [String!]!) { rearrangeFields(ids: $ids) }', { ids: [note.id, plan.id] });
    assert.deepEqual(await cells('ada'), [["'=Plan", 'Note'], seen, ['', '']], 'columns do not move');
  },
);
