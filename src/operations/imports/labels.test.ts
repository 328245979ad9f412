import assert from 'node:assert/strict';
import { testBoth } from '../../../test/support/app.ts';
import { importIdeas } from '../../../test/support/import-ideas.ts';

testBoth('a status that means one of the board in another language is that one', async (app) => {
  const given = ['Geplant', 'planned', 'In Bearbeitung', 'EN COURS', '完了', 'Erledigt', "Won't Do", 'Zurückgestellt'];
  const { statuses } = await importIdeas(
    app,
    given.map((status, n) => ({ id: String(n), status })),
  );
  const { posts } = await app.ask('{ posts(sort: OLDEST) { nodes { title status { name } } } }');
  const names = posts.nodes
    .toSorted((a: { title: string }, b: { title: string }) => (a.title < b.title ? -1 : 1))
    .map((post: { status: { name: string } }) => post.status.name);
  assert.deepEqual(names, [
    'Planned',
    'Planned',
    'In progress',
    'In progress',
    'Completed',
    'Completed',
    'Archived',
    'Zurückgestellt',
  ]);
  assert.deepEqual(statuses, ['Zurückgestellt']);
});
