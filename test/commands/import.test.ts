import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandLine, testCommandLine } from '../support/command-line.ts';
import { dumpStore } from '../support/dump.ts';
import { essence, exported, exportTo, WRITTEN } from '../support/exported.ts';
import { addFields, FIELDS_CSV, FIELDS_MAP, valuesOf } from '../support/import-fields.ts';
import {
  EARSHOT_LINES,
  FIDER_CSV,
  FIDER_TABLES,
  makeFile,
  makeZip,
  toLines,
  USERVOICE_COMMENTS,
  USERVOICE_CSV,
  zipOf,
} from '../support/import-files.ts';
import { makePng } from '../support/pictures.ts';

async function makeBoard(line: CommandLine, name = 'Acme'): Promise<void> {
  await line.json('board', 'create', '--name', name);
}

testCommandLine('the plan of an import shows what the import then does, and changes nothing', async (line, t) => {
  await makeBoard(line);
  const file = makeFile(t, 'posts.csv', FIDER_CSV);
  const before = await dumpStore(line.place);
  const plan = await line.json('import', file, '--from', 'fider', '--plan');
  assert.deepEqual(await dumpStore(line.place), before);
  const { plan: isPlan, ...done } = await line.json('import', file, '--from', 'fider');
  assert.deepEqual({ ...done, plan: true }, plan);
  assert.equal(isPlan, false);
  const { posts, comments, merges, people, problems, tags } = done;
  assert.deepEqual(
    [posts, comments, merges],
    [
      { added: 3, existing: 0 },
      { added: 2, existing: 0 },
      { added: 1, existing: 0 },
    ],
  );
  assert.deepEqual([people, problems, tags], [4, 0, ['easy', 'ignored']]);
});

testCommandLine('an import that is repeated adds nothing', async (line, t) => {
  await makeBoard(line);
  const file = await makeZip(t, zipOf(FIDER_TABLES));
  const first = await line.json('import', file, '--from', 'fider');
  assert.deepEqual([first.posts.added, first.comments.added, first.votes.added, first.problems], [3, 2, 4, 0]);
  const before = await dumpStore(line.place);
  const again = await line.json('import', file, '--from', 'fider');
  assert.deepEqual(again.posts, { added: 0, existing: 3 });
  assert.deepEqual([again.comments.added, again.votes.added, again.merges.added, again.people], [0, 0, 0, 0]);
  assert.deepEqual(await dumpStore(line.place), before);
});

testCommandLine('the backup of Fider brings ideas, answers, comments, voters, tags and merges', async (line, t) => {
  await makeBoard(line);
  await line.json('import', await makeZip(t, zipOf(FIDER_TABLES)), '--from', 'fider');
  const rows = await exported(line);
  const posts = rows.filter(({ row }) => row === 'post');
  const [dark, number, night] = posts;
  assert.deepEqual([dark?.title, dark?.text, dark?.upvoteCount], ['Dark mode', 'For **nights**', 3]);
  assert.deepEqual([number?.title, (number?.status as { name: string } | undefined)?.name], ['2048', 'Completed']);
  assert.equal(night?.mergedIntoId, dark?.id);
  assert.equal(dark?.dateCreated, '2020-03-01T10:00:00.000Z');
  const comments = rows.filter(({ row, type }) => row === 'comment' && WRITTEN.includes(String(type)));
  assert.deepEqual(
    comments.map(({ text, type }) => [text, type]),
    [
      ['Yes please', 'BASIC'],
      ['It is there', 'OFFICIAL'],
    ],
  );
  const [vote] = rows.filter(({ row, postId }) => row === 'vote' && postId === dark?.id);
  assert.equal(vote?.dateCreated, '2020-03-01T10:00:01.000Z');
});

testCommandLine('pictures of a backup become files of the ideas and comments that they are on', async (line, t) => {
  await makeBoard(line);
  const [post, ...posts] = FIDER_TABLES['posts.json'];
  const picture = (post_id: number, name: string, comment_id: number | null = null) => ({
    post_id,
    comment_id,
    user_id: 1,
    attachment_bkey: `attachments/${name}`,
  });
  const many = Array.from({ length: 12 }, (_, n) => `many-${n}.png`);
  const tables = zipOf({
    ...FIDER_TABLES,
    'posts.json': [{ ...post, description: 'See ![](fider-image:attachments/placed.png)\n\nhere' }, ...posts],
    'comments.json': [{ id: 3, post_id: 7, user_id: 2, content: '![](fider-image:attachments/only.png)' }],
    'attachments.json': [
      ...[picture(7, 'placed.png'), picture(7, 'table.png'), picture(7, 'lost.png'), picture(7, 'page.png')],
      ...many.map((name) => picture(8, name)),
    ],
  });
  const bytes = ['placed.png', 'table.png', 'only.png', ...many].map((name) => [
    `blobs/attachments/${name}`,
    makePng(3, 2),
  ]);
  const blobs = { ...Object.fromEntries(bytes), 'blobs/attachments/page.png': '<html>' };
  const file = await makeZip(t, { ...tables, ...blobs, 'blobs/logos/logo.png': makePng(3, 2) });
  const before = await dumpStore(line.place);
  const plan = await line.json('import', file, '--from', 'fider', '--plan');
  assert.deepEqual([plan.files, plan.problems, await dumpStore(line.place)], [14, 2, before]);
  const done = await line.json('import', file, '--from', 'fider');
  const words = done.firstProblems.map(({ message }: { message: string }) => message).sort();
  assert.deepEqual(words, [
    'Of its 12 files, only the first 10 are imported',
    'The backup has no picture lost.png',
    'The file page.png is not a picture',
  ]);
  assert.equal(done.files, 13);
  const rows = await exported(line);
  assert.equal(rows.find(({ title }) => title === 'Dark mode')?.text, 'See \n\nhere');
  assert.ok(rows.some(({ row, text }) => row === 'comment' && text === 'only.png'));
  const imported = await dumpStore(line.place);
  assert.equal(imported.get('files')?.length, 13);
  assert.equal((await line.json('import', file, '--from', 'fider')).files, 0);
  assert.deepEqual(await dumpStore(line.place), imported);
  await line.json('undo-import');
  const undone = await dumpStore(line.place);
  assert.deepEqual([undone.get('files')?.length ?? 0, undone.get('file_removals')?.length], [0, 13]);
});

testCommandLine('exports of UserVoice are recognized: ideas with their voters, then comments', async (line, t) => {
  await makeBoard(line);
  const ideas = await line.json('import', makeFile(t, 'ideas.csv', USERVOICE_CSV));
  assert.deepEqual([ideas.posts.added, ideas.votes.added, ideas.people, ideas.statuses], [2, 3, 3, ['Under Review']]);
  const comments = await line.json('import', makeFile(t, 'comments.csv', USERVOICE_COMMENTS));
  assert.deepEqual([comments.comments.added, comments.problems], [1, 0]);
  const [dark] = await exported(line);
  assert.deepEqual([dark?.title, dark?.upvoteCount, dark?.commentCount], ['Dark mode', 2, 1]);
});

for (const [from, format] of [
  ['earshot', 'jsonl'],
  ['nolt', 'csv'],
] as const) {
  testCommandLine(`an export as ${format} becomes the same board somewhere else`, async (line, t) => {
    await makeBoard(line);
    await makeBoard(line, 'Copy');
    await line.json('import', await makeZip(t, zipOf(FIDER_TABLES)), '--from', 'fider', '--board', 'acme');
    await line.json('import', makeFile(t, 'ideas.csv', USERVOICE_CSV), '--board', 'acme');
    await line.json('import', makeFile(t, 'board.jsonl', toLines(EARSHOT_LINES)), '--board', 'acme');
    const file = await exportTo(line, 'acme', format);
    const report = await line.json('import', file, '--from', from, '--board', 'copy');
    assert.equal(report.problems, 0, JSON.stringify(report.firstProblems));
    const [original, copy] = [essence(await exported(line)), essence(await exported(line, 'copy'))];
    assert.ok(original.length > 10);
    // The CSV does not tell what was merged, and has neither reactions nor the changelog.
    if (from === 'earshot') assert.deepEqual(copy, original);
    else assert.equal(copy.length, original.filter((row) => /"row":"(post|comment|vote)"/.test(row)).length);
  });
}

testCommandLine('without --from a file is recognized by its beginning, as on the pages', async (line, t) => {
  await makeBoard(line);
  const files: [string, string][] = [
    [makeFile(t, 'board.txt', `\ufeff\n${toLines(EARSHOT_LINES)}`), 'earshot'],
    [await makeZip(t, zipOf(FIDER_TABLES)), 'fider'],
    [makeFile(t, 'posts.csv', FIDER_CSV), 'fider'],
    [makeFile(t, 'ideas.csv', 'title\nLight mode'), 'csv'],
  ];
  for (const [file, from] of files) {
    const report = await line.json('import', file, '--plan');
    assert.deepEqual([report.from, report.problems, report.posts.added > 0], [from, 0, true], file);
    assert.match((await line.run('import', file, '--plan')).stdout, new RegExp(`^Would add .* from ${from}\\.\n`));
  }
  const fider = makeFile(t, 'posts.csv', FIDER_CSV);
  assert.equal((await line.json('import', fider, '--map', 'text=response', '--plan')).from, 'csv');
  const address = await line.run('import', 'https://canny.io/api/v1');
  assert.match(address.stderr, /--from canny, fider, github or nolt/);
});

testCommandLine('columns are mapped to fields of the board, and exports bring their values along', async (line, t) => {
  await makeBoard(line);
  await makeBoard(line, 'Copy');
  for (const board of ['acme', 'copy']) await addFields(line, board);
  const file = makeFile(t, 'ideas.csv', FIELDS_CSV);
  const report = await line.json('import', file, ...FIELDS_MAP, '--board', 'acme');
  assert.deepEqual([report.posts.added, report.problems], [3, 2]);
  assert.match(
    JSON.stringify(report.firstProblems),
    /Effort\\" accepts a decimal number.*Platforms\\" accepts the id or name/,
  );
  const expected = [
    ['Dark mode', { Team: ['Web'], Effort: ['3.5'], Platforms: ['iOS', 'Android'] }],
    ['Export', { Team: ['Web'] }],
    ['Plain', {}],
  ];
  assert.deepEqual(valuesOf(await exported(line)), expected);
  const copied = await line.json(
    'import',
    await exportTo(line, 'acme', 'jsonl'),
    '--from',
    'earshot',
    '--board',
    'copy',
  );
  assert.equal(copied.problems, 0);
  assert.deepEqual(valuesOf(await exported(line, 'copy')), expected);
  const unknown = await line.json(
    'import',
    file,
    '--map',
    'title=Squad,field Nothing=Size',
    '--plan',
    '--board',
    'acme',
  );
  assert.match(JSON.stringify(unknown.firstProblems), /Field Nothing not found/);
});

testCommandLine('columns of any CSV are recognized or named, and problems are reported by line', async (line, t) => {
  await makeBoard(line);
  const file = makeFile(
    t,
    'ideas.csv',
    [
      '\ufeffSubject;Body;Created;E-mail;Labels;Voters',
      `Dark mode;For nights;2024-02-29;ada@example.com;design;"ben@example.com, nobody, cleo@example.com"`,
      ';no title;2024-01-01;;;',
      'Wrong day;;2023-02-29;;;',
      'Other way round;;01/02/2024;;;',
      'Later;;2999-01-01;;;',
      `${'x'.repeat(201)};;;;;`,
      'Light mode;;2024-03-01 10:00:00;;;',
    ].join('\r\n'),
  );
  const report = await line.json('import', file, '--map', 'text=Body');
  assert.deepEqual([report.posts.added, report.votes.added, report.problems], [6, 2, 6]);
  const places = report.firstProblems.map(({ line, column }: { line: number; column?: string }) => [line, column]);
  assert.deepEqual(places.sort(), [
    [2, 'Voters'],
    [3, undefined],
    [4, 'Created'],
    [5, 'Created'],
    [6, undefined],
    [7, undefined],
  ]);
  assert.deepEqual([report.encoding, report.dates], ['utf-8', 'ASK']);
  const all = join(line.place.dataDir, 'problems.txt');
  await line.json('import', file, '--map', 'text=Body', '--problems', all);
  assert.equal(readFileSync(all, 'utf8').trim().split('\n').length, 4);
  const lost = await line.run('import', file, '--problems', '/nowhere/problems.txt');
  assert.deepEqual([lost.status, /^ENOENT.*\n$/.test(lost.stderr)], [1, true], lost.stderr);
  const unknown = await line.run('import', file, '--map', 'title=Nothing');
  assert.match(unknown.stderr, /no column Nothing/);
});

testCommandLine('an unreadable file is refused with a clear error, and nothing is changed', async (line, t) => {
  await makeBoard(line);
  const before = await dumpStore(line.place);
  const files: [string, string, RegExp][] = [
    [makeFile(t, 'empty.csv', ''), 'csv', /empty/],
    [makeFile(t, 'cut.csv', 'title,text\nA,"cut of'), 'csv', /cut off/],
    [makeFile(t, 'latin.jsonl', Buffer.from('{"row":"post","title":"Caf\xe9"}', 'latin1')), 'earshot', /UTF-8/],
    [makeFile(t, 'cell.csv', `title,text\nA,"${'x'.repeat(10_000_000)}"`), 'csv', /1 MB/],
    [makeFile(t, 'other.csv', 'a,b\n1,2'), 'csv', /No column is the title/],
    [makeFile(t, 'other.csv', 'a,b\n1,2'), 'fider', /no column number/],
    [await makeZip(t, { 'a.json': '[]' }), 'csv', /ZIP/],
    [await makeZip(t, { 'a.json': '[]' }), 'fider', /no users.json, posts.json/],
    [await makeZip(t, { 'users.json': '[]', 'posts.json': '[1' }), 'fider', /posts.json cannot be read/],
    [makeFile(t, 'cut.zip', 'PK\x03\x04'), 'fider', /not a complete ZIP/],
    [makeFile(t, 'long.jsonl', 'x'.repeat(2_000_000)), 'earshot', /1 MB/],
    ['/nowhere.csv', 'csv', /no file/],
  ];
  for (const [file, from, words] of files) {
    const { status, stderr } = await line.run('import', file, '--from', from);
    assert.equal(status, 1, file);
    assert.match(stderr, words);
  }
  assert.deepEqual(await dumpStore(line.place), before);
});

testCommandLine('a small file that unpacks to a large one is refused before it is unpacked', async (line, t) => {
  await makeBoard(line);
  const bomb = await makeZip(t, { 'users.json': '[]', 'posts.json': Buffer.alloc(300 * 1_048_576, ' ') });
  const { status, stderr } = await line.run('import', bomb, '--from', 'fider');
  assert.deepEqual([status, /larger than 256 MB/.test(stderr)], [1, true], stderr);
});
