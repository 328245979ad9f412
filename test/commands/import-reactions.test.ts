import assert from 'node:assert/strict';
import { testCommandLine } from '../support/command-line.ts';
import { dumpStore } from '../support/dump.ts';
import { exported } from '../support/exported.ts';
import { EARSHOT_LINES, makeFile, toLines } from '../support/import-files.ts';

const TABLES = ['comment_reactions', 'changelog_reactions'];

testCommandLine('reactions come along once, are counted by the plan, and go with an undo', async (line, t) => {
  await line.json('board', 'create', '--name', 'Acme');
  const empty = await dumpStore(line.place);
  // Comments and entries in other batches than their reactions.
  const others = Array.from({ length: 60 }, (_, n) => ({ row: 'post', id: `x${n}`, title: `Idea ${n}` }));
  const isReaction = ({ row }: { row: string }) => /Reaction$/.test(row);
  const lines = [...EARSHOT_LINES.filter((one) => !isReaction(one)), ...others, ...EARSHOT_LINES.filter(isReaction)];
  const file = makeFile(t, 'board.jsonl', toLines(lines));
  const { plan: _, ...planned } = await line.json('import', file, '--plan');
  assert.deepEqual(await dumpStore(line.place), empty);
  const { plan: __, ...done } = await line.json('import', file);
  assert.deepEqual(done, planned);
  assert.deepEqual([done.reactions, done.problems], [{ added: 5, existing: 0 }, 0]);
  const rows = await exported(line);
  const reactions = rows.filter(({ row }) => /Reaction$/.test(String(row)));
  assert.deepEqual(
    reactions.map(({ row, reaction, user, dateCreated }) => [row, reaction, nameOf(user), dateCreated]).sort(),
    [
      ['changelogReaction', 'PARTY', 'ben', '2024-02-02T00:00:00.000Z'],
      ['changelogReaction', 'PARTY', 'dora', '2024-02-02T00:00:00.000Z'],
      ['commentReaction', 'HEART', 'ann', '2024-01-03T00:00:00.000Z'],
      ['commentReaction', 'HEART', 'cleo', '2024-01-01T00:00:00.000Z'],
      ['commentReaction', 'PARTY', 'cleo', '2024-01-02T00:00:00.000Z'],
    ],
  );
  assert.deepEqual(rows.find(({ text }) => text === 'Yes please')?.reactions, [
    { reaction: 'HEART', count: 2 },
    { reaction: 'PARTY', count: 1 },
  ]);
  const before = await dumpStore(line.place);
  const again = await line.json('import', file);
  assert.deepEqual([again.reactions, again.problems], [{ added: 0, existing: 5 }, 0]);
  assert.deepEqual(await dumpStore(line.place), before);
  const undone = await line.json('undo-import');
  // Dora has only reacted to the entry.
  assert.deepEqual([undone.posts, undone.entries, undone.users], [63, 1, 4]);
  const after = await dumpStore(line.place);
  for (const table of TABLES) assert.deepEqual(after.get(table) ?? [], [], table);
});

testCommandLine('reactions that cannot be imported are reported with their lines', async (line, t) => {
  await line.json('board', 'create', '--name', 'Acme');
  const [post, comment] = EARSHOT_LINES;
  const reaction = { ...EARSHOT_LINES[3], dateCreated: '2024-01-01T00:00:00Z' };
  const lines = [
    ...[post, comment, { ...reaction, reaction: 'ANGER' }, { ...reaction, commentId: 'c9' }],
    ...[
      { ...reaction, postId: 'p9', commentId: 'c8' },
      { ...reaction, dateCreated: '2999-01-01T00:00:00Z' },
    ],
    ...[{ ...reaction, row: 'changelogReaction', entryId: 'e9' }, { ...reaction, user: null }, reaction],
  ];
  const report = await line.json('import', makeFile(t, 'board.jsonl', toLines(lines as object[])));
  assert.deepEqual(report.reactions, { added: 1, existing: 0 });
  assert.deepEqual(
    report.firstProblems.map((problem: { line: number; message: string }) => [problem.line, problem.message]).sort(),
    [
      [3, 'ANGER is not a reaction that Earshot knows'],
      [4, 'There is no comment c9 before this line: what belongs to it is left out'],
      [5, 'There is no idea p9 before this line: what belongs to it is left out'],
      [6, 'A reaction must not be in the future'],
      [7, 'There is no changelog entry e9 before this line: what belongs to it is left out'],
    ],
  );
});

function nameOf(user: unknown): string {
  return (user as { name: string }).name;
}
