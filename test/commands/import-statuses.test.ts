import assert from 'node:assert/strict';
import { testCommandLine } from '../support/command-line.ts';
import { makeFile } from '../support/import-files.ts';

testCommandLine('a plan says what statuses become, and they can be chosen', async (line, t) => {
  await line.json('board', 'create', '--name', 'Acme');
  const file = makeFile(t, 'ideas.csv', 'Title,Status\nDark mode,Geplant\nExport,Rückfrage\n');
  const plan = await line.run('import', file, '--plan');
  assert.match(plan.stdout, /^New statuses: Rückfrage\.\nStatuses: Geplant=Planned, Rückfrage=Rückfrage\. /m);
  const wrong = await line.run('import', file, '--status', 'Rückfrage');
  assert.match(wrong.stderr, /It must be pairs such as/);
  const report = await line.json('import', file, '--status', 'rückfrage=Planned,Geplant=In progress');
  assert.deepEqual(report.foundStatuses, [
    { name: 'Geplant', status: 'In progress' },
    { name: 'Rückfrage', status: 'Planned' },
  ]);
  assert.deepEqual(report.statuses, []);
});

testCommandLine('what is missing is reported once, and a second column of titles is not used', async (line, t) => {
  await line.json('board', 'create', '--name', 'Acme');
  const file = makeFile(
    t,
    'ideas.csv',
    [
      'ID,Title,Title,Status,Archived,Voters,Size',
      '1,Dark mode,Dunkel,Under review,TRUE,ada@example.com,S',
      '2,,Export,Open,FALSE,"ben@example.com,cleo@example.com",M',
      '3,Calendar,Kalender,Done,TRUE,ben@example.com,L',
    ].join('\n'),
  );
  const report = await line.json('import', file, '--map', 'field Effort=Size');
  assert.deepEqual([report.posts.added, report.votes.added], [2, 2]);
  assert.deepEqual(
    report.firstProblems.map((problem: { line: number; message: string }) => [problem.line, problem.message]),
    [
      [2, 'Field Effort not found'],
      [3, 'title must have 1 to 200 characters; it is empty'],
    ],
  );
  assert.deepEqual(
    report.columns.map(({ meaning }: { meaning: string | null }) => meaning),
    ['id', 'title', null, 'status', 'archived', 'voters', 'field Effort'],
  );
  assert.deepEqual(report.foundStatuses, [
    { name: 'Archived', status: 'Archived' },
    { name: 'Done', status: 'Completed' },
  ]);
  const votes = makeFile(
    t,
    'votes.csv',
    'post_id,voter_email\n8,ada@example.com\n1,ben@example.com\n8,ben@example.com\n',
  );
  const added = await line.json('import', votes);
  assert.deepEqual([added.votes.added, added.problems], [1, 1]);
  assert.match(added.firstProblems[0].message, /There is no idea 8 before this line: what belongs to it is left out/);
});

testCommandLine('ids of another file, and statuses that no one has, are told', async (line, t) => {
  await line.json('board', 'create', '--name', 'Acme');
  await line.json('import', makeFile(t, 'a.csv', 'ID,Title\n1,Dark mode\n2,Export\n'));
  const report = await line.json('import', makeFile(t, 'b.csv', 'ID,Title\n1,dark  mode\n2,Sign in fails\n3,New\n'));
  assert.deepEqual([report.posts.added, report.posts.existing, report.problems], [1, 2, 1]);
  assert.match(report.firstProblems[0].message, /^“2” is on the board already, as “Export”, which stays as it is/);
  const file = makeFile(t, 'c.csv', 'Title,Status\nSearch,"a, b"\nSort,in=out\n');
  const args = ['--status', 'a, b=Planned', '--status', 'in=out=Planned', '--status', 'nope=Open,x=Open'];
  const { stdout } = await line.run('import', file, ...args, '--plan');
  assert.match(stdout, /^Statuses: a, b=Planned, in=out=Planned\. /m);
  assert.match(stdout, /^No status of the source is called: nope, x\.$/m);
});
