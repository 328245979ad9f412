import assert from 'node:assert/strict';
import { testBoth } from '../../test/support/app.ts';
import { isVisiblePost, lookingAs } from '../posts/visibility.ts';
import { findCandidates } from './candidates.ts';
import { Statistics } from './statistics.ts';
import { parseWords } from './words.ts';

const posts: [title: string, text: string | null][] = [
  ['Dark mode', 'For the night.'],
  ['Datenexport für Größen', null],
  ['导出数据', '支持深色模式'],
  ['إضافة الوضع الداكن', null],
  ['R and UI', 'Go!'],
  ['Mode: dark, export: none', 'Größe'],
];

testBoth('common words and rare ones are looked for in different ways that find the same', async (app) => {
  const { ask, db, board } = app;
  for (const [title, text] of posts) {
    const create = 'mutation($title: String!, $text: String) { createPost(title: $title, comment: $text) { id } }';
    await ask(create, { title, text });
  }
  const conditions = [isVisiblePost(lookingAs(null, board.id))];
  for (const search of [
    'dark',
    'dark mode',
    'export',
    'große',
    '深色',
    '导出 深色',
    'داكن',
    'r',
    'go',
    'u',
    'none zebra',
  ]) {
    const words = parseWords(search);
    const everywhere = { title: ` ${words.join(' ')} `, text: '  ' };
    for (const field of ['title', 'post'] as const) {
      const query = { boardId: board.id, words, field, conditions, limit: 100 };
      const common = new Statistics([everywhere], 1_000_000);
      assert.equal(common.shareWithWords(field, words), 1);
      const oneByOne = await findCandidates(db.slow, common, query);
      const byGrams = await findCandidates(db.slow, new Statistics([], 1_000_000), query);
      assert.deepEqual(oneByOne, byGrams, `${search} in ${field}`);
      if (field === 'post') assert.equal(byGrams.length > 0, !['u', 'none zebra'].includes(search), search);
    }
  }
});

testBoth('of more posts than are wanted the newest are given', async (app) => {
  const ids: string[] = [];
  for (let n = 0; n < 6; n++) ids.push(await app.makePost(`Export ${n}`));
  const conditions = [isVisiblePost(lookingAs(null, app.board.id))];
  const query = { boardId: app.board.id, words: ['export'], conditions, limit: 3 };
  for (const statistics of [new Statistics([], 0), new Statistics([{ title: ' export ', text: '  ' }], 1_000_000)]) {
    const found = await findCandidates(app.db.slow, statistics, { ...query, field: 'post' });
    assert.deepEqual(
      found.map(({ id }) => id),
      ids.toReversed().slice(0, 3),
    );
  }
});
