import assert from 'node:assert/strict';
import { testBoth } from '../../../test/support/app.ts';
import { importAll, importedIdea, importIdeas } from '../../../test/support/import-ideas.ts';

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

testBoth('statuses become those that were chosen for them, and new ones where the board has none', async (app) => {
  const ideas = ['OFFEN', 'Planned', 'Rückfrage', 'Closed'].map((status, n) => importedIdea({ id: String(n), status }));
  const statuses = new Map([
    ['offen', 'planned'],
    ['planned', 'Completed'],
    ['rückfrage', 'On hold'],
  ]);
  const report = await importAll(app, ideas, { statuses });
  assert.deepEqual(report.foundStatuses, [
    { name: 'OFFEN', status: 'Planned' },
    { name: 'Planned', status: 'Completed' },
    { name: 'Rückfrage', status: 'On hold' },
    { name: 'Closed', status: 'Archived' },
  ]);
  assert.deepEqual(report.statuses, ['On hold']);
  const { posts } = await app.ask('{ posts { nodes { title status { name } } } }');
  assert.deepEqual(
    Object.fromEntries(
      posts.nodes.map((post: { title: string; status: { name: string } }) => [post.title, post.status.name]),
    ),
    { 'Idea 0': 'Planned', 'Idea 1': 'Completed', 'Idea 2': 'On hold', 'Idea 3': 'Archived' },
  );
});

testBoth('a plan and the import give the same statuses, and say once which are left out', async (app) => {
  const ideas = Array.from({ length: 200 }, (_, n) => importedIdea({ id: String(n), status: `Status ${n % 100}` }));
  const shown = async (isPlan: boolean) => {
    const problems: string[] = [];
    const { statuses, foundStatuses } = await importAll(app, ideas, {
      isPlan,
      onProblem: ({ message }) => problems.push(message),
    });
    return { statuses, problems, refused: foundStatuses.filter(({ status }) => status === null).length };
  };
  const plan = await shown(true);
  assert.equal(plan.problems.length, plan.refused);
  assert.equal(plan.statuses.length + plan.refused, 100);
  assert.match(plan.problems[0] ?? '', /^The status “Status \d+” is left out: .* at most 50/);
  assert.deepEqual(await shown(false), plan);
});

testBoth('a status in several spellings is one', async (app) => {
  const ideas = ['Rückfrage', 'RÜCKFRAGE', 'under_review', 'Under Review'].map((status, n) =>
    importedIdea({ id: String(n), status }),
  );
  const { statuses, foundStatuses } = await importAll(app, ideas, { statuses: new Map([['under review', 'Planned']]) });
  assert.deepEqual(statuses, ['Rückfrage']);
  assert.deepEqual(foundStatuses, [
    { name: 'Rückfrage', status: 'Rückfrage' },
    { name: 'under_review', status: 'Planned' },
  ]);
});
