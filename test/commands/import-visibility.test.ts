import assert from 'node:assert/strict';
import { testCommandLine } from '../support/command-line.ts';
import { dumpStore } from '../support/dump.ts';
import { makeFile } from '../support/import-files.ts';

testCommandLine('what only the team saw elsewhere does not become public', async (line, t) => {
  await line.json('board', 'create', '--name', 'Acme');
  const idea = { row: 'post', title: 'An idea', text: null, tags: [], properties: [], author: null };
  const secret = { name: 'Secret', type: 'CUSTOM', postVisibility: 'TEAM' };
  const lines = [
    { ...idea, id: 'a', status: secret, tags: [{ name: 'Lost deals', isPrivate: true }, { name: 'Bug' }] },
    { ...idea, id: 'b', moderationStatus: 'PENDING' },
    { row: 'comment', id: 'c', postId: 'a', type: 'BASIC', text: 'Spam', moderationStatus: 'REJECTED' },
  ];
  const file = makeFile(t, 'export.jsonl', lines.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const report = await line.json('import', file, '--from', 'earshot');
  assert.deepEqual([report.posts.added, report.comments.added, report.problems], [1, 0, 2]);
  assert.match(JSON.stringify(report.firstProblems), /waits for approval or was rejected/);
  const store = await dumpStore(line.place);
  const isPrivate = (store.get('tags') ?? []).map((row) => [/Lost deals/.test(row), /"is_private","1"/.test(row)]);
  assert.deepEqual(isPrivate.sort(), [
    [false, false],
    [true, true],
  ]);
  assert.match((store.get('statuses') ?? []).find((row) => row.includes('Secret')) ?? '', /"post_visibility","TEAM"/);
});
