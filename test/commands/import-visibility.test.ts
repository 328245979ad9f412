import assert from 'node:assert/strict';
import { testCommandLine } from '../support/command-line.ts';
import { dumpStore } from '../support/dump.ts';
import { exported } from '../support/exported.ts';
import { EARSHOT_LINES, makeFile, toLines } from '../support/import-files.ts';

testCommandLine('what only the team saw elsewhere does not become public', async (line, t) => {
  await line.json('board', 'create', '--name', 'Acme');
  const idea = { row: 'post', title: 'An idea', text: null, tags: [], properties: [], author: null };
  const secret = { name: 'Secret', type: 'CUSTOM', postVisibility: 'TEAM' };
  const lines = [
    { ...idea, id: 'a', status: secret, tags: [{ name: 'Lost deals', isPrivate: true }, { name: 'Bug' }] },
    { ...idea, id: 'b', moderationStatus: 'SECRET' },
    { row: 'comment', id: 'c', postId: 'a', type: 'BASIC', text: 'Spam', moderationStatus: 1 },
  ];
  const report = await line.json('import', makeFile(t, 'export.jsonl', toLines(lines)), '--from', 'earshot');
  assert.deepEqual([report.posts.added, report.comments.added, report.problems], [1, 0, 2]);
  assert.match(JSON.stringify(report.firstProblems), /not clear whether this was approved/);
  const store = await dumpStore(line.place);
  const isPrivate = (store.get('tags') ?? []).map((row) => [/Lost deals/.test(row), /"is_private","1"/.test(row)]);
  assert.deepEqual(isPrivate.sort(), [
    [false, false],
    [true, true],
  ]);
  assert.match((store.get('statuses') ?? []).find((row) => row.includes('Secret')) ?? '', /"post_visibility","TEAM"/);
});

testCommandLine('what waits for approval, was rejected or flagged elsewhere still is', async (line, t) => {
  await line.json('board', 'create', '--name', 'Acme');
  const report = await line.json('import', makeFile(t, 'export.jsonl', toLines(EARSHOT_LINES)), '--from', 'earshot');
  assert.deepEqual([report.posts.added, report.comments.added, report.problems], [3, 2, 0]);
  const rows = await exported(line);
  const states = rows.filter(({ row }) => row === 'post' || row === 'comment');
  assert.deepEqual(
    states.map(({ title, text, moderationStatus }) => [title ?? text, moderationStatus]),
    [
      ['Dark mode', 'APPROVED'],
      ['Yes please', 'APPROVED'],
      ['Buy now', 'REJECTED'],
      ['Not read yet', 'PENDING'],
      ['Noticed', 'FLAGGED'],
    ],
  );
  const store = await dumpStore(line.place);
  const events = (store.get('events') ?? []).join();
  assert.match(events, /Yes please/);
  for (const held of ['Buy now', 'Not read yet']) assert.doesNotMatch(events, new RegExp(held));
  for (const table of ['notices', 'notifications', 'mails']) assert.deepEqual(store.get(table) ?? [], [], table);
  assert.match((await line.run('check')).stdout, /\S/);
  await line.json('undo-import');
  assert.deepEqual((await exported(line)).length, 0);
});
