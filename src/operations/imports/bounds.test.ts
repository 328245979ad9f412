import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { testBoth } from '../../../test/support/app.ts';
import { FIDER_TABLES, makeFile, makeZip, zipOf } from '../../../test/support/import-files.ts';
import { testRemote } from '../../../test/support/remote.ts';
import { makeFileFolder } from '../../feedback/files/folder.ts';
import { makeTurns } from '../../platform/lib/turns.ts';
import { importItems } from './import.ts';
import type { ImportItem, ImportItems, SourceName } from './items.ts';
import { MAX_TABLE_BYTES } from './job-runner.ts';
import { MAX_TAGS } from './labels.ts';
import { MAX_LIST, MAX_TEXT } from './sources/bounds.ts';
import { readBackup } from './sources/fider-zip.ts';
import { openFile } from './sources.ts';
import { undoImport } from './undo.ts';

const PICTURES = 1_000;
/** How long the test holds up an import, ten times what a batch may take. */
const HELD_MS = 1_000;

const read = (from: SourceName, file: string): ImportItems =>
  openFile(from, file, { reading: null, remote: testRemote });

async function itemsOf(from: SourceName, file: string): Promise<ImportItem[]> {
  return Array.fromAsync(read(from, file));
}

/** A file with an idea with this description, of each kind. */
async function makeFiles(t: TestContext, text: string): Promise<[SourceName, string][]> {
  const named: Record<number, string> = { 0: 'Post', 2: 'Title', 14: 'Status', 23: 'Tags', 25: 'Text' };
  const cells: Record<number, string> = { 0: '1', 2: 'Dark mode', 25: text };
  const row = (of: Record<number, string>) => Array.from({ length: 29 }, (_, n) => of[n] ?? '').join(',');
  const uservoice = `Idea Id,Idea Title,Idea Description\n1,Dark mode,${text}\n`;
  const posts = [{ id: 1, title: 'Dark mode', description: text, status: 0 }];
  return [
    ['csv', makeFile(t, 'a.csv', `title,text\nDark mode,${text}\n`)],
    ['uservoice', makeFile(t, 'a.csv', uservoice)],
    ['nolt', makeFile(t, 'a.csv', `${row(named)}\n${row(cells)}\n`)],
    ['earshot', makeFile(t, 'a.jsonl', JSON.stringify({ row: 'post', id: '1', title: 'Dark mode', text }))],
    [
      'fider',
      await makeZip(t, zipOf({ ...FIDER_TABLES, 'posts.json': posts, 'comments.json': [], 'post_votes.json': [] })),
    ],
  ];
}

test('a text that is too long is a problem of its line, and nothing else is done with it', async (t) => {
  for (const length of [MAX_TEXT - 1, MAX_TEXT]) {
    for (const [from, file] of await makeFiles(t, 'x'.repeat(length))) {
      const [item] = await itemsOf(from, file);
      assert.equal(item?.kind === 'post' && item.text?.length, length, from);
    }
  }
  for (const [from, file] of await makeFiles(t, 'x'.repeat(MAX_TEXT + 1))) {
    const items = await itemsOf(from, file);
    const problem = items.pop();
    assert.equal(
      problem?.kind === 'problem' && problem.message,
      'A text has 100,001 characters: over 100,000 are not imported',
      from,
    );
    assert.ok((problem?.line ?? 0) >= 1);
    // In a table, it costs the cell.
    assert.deepEqual(
      items.map((item) => item.kind === 'post' && item.text),
      from === 'csv' ? [null] : [],
    );
  }
});

test('a list that is too long is a problem of its line, and nothing is made of its entries', async (t) => {
  const lists: [row: string, of: (list: readonly unknown[]) => object][] = [
    ...['tags', 'files', 'properties'].map((name): (typeof lists)[number] => ['post', (list) => ({ [name]: list })]),
    ...['values', 'names'].map((name): (typeof lists)[number] => [
      'post',
      (list) => ({ properties: [{ label: 'Plan', [name]: list }] }),
    ]),
    ['comment', (files) => ({ files, postId: '1', type: 'BASIC', text: 'Yes' })],
    ...['labels', 'postIds', 'files'].map((name): (typeof lists)[number] => [
      'changelogEntry',
      (list) => ({ [name]: list }),
    ]),
  ];
  for (const [row, of] of lists) {
    const kinds = async (length: number) => {
      const line = JSON.stringify({ row, id: '1', title: 'Dark mode', ...of(Array.from({ length }, () => 1)) });
      const items = await itemsOf('earshot', makeFile(t, 'a.jsonl', line));
      return items.map((item) => (item.kind === 'problem' ? item.message : item.kind));
    };
    const kind = row === 'changelogEntry' ? 'entry' : row;
    assert.deepEqual(await kinds(MAX_LIST), [kind]);
    assert.deepEqual(await kinds(MAX_LIST + 1), ['A list has 1,001 entries: over 1,000 are not imported']);
  }
});

test('the voters of an idea are read one after the other', async (t) => {
  const voters = Array.from({ length: 100_000 }, (_, n) => `v${n}`).join();
  const items = read('csv', makeFile(t, 'a.csv', `title,voters\nDark mode,"${voters}"\n`))[Symbol.asyncIterator]();
  await items.next();
  const looks = await counted('lastIndexOf', async () => {
    for (let n = 0; n < 3; n++) assert.equal((await items.next()).value?.kind, 'problem');
  });
  assert.ok(looks < 10, `${looks} addresses were looked at for three voters`);
  await items.return?.();
});

test('columns are looked for once in a file', async (t) => {
  const noise = Array.from({ length: 50 }, (_, n) => `${'-'.repeat(1_000)}${n}`);
  const file = makeFile(
    t,
    'a.csv',
    `id,title,${noise}\n${Array.from({ length: 500 }, (_, n) => `${n},Dark mode\n`).join('')}`,
  );
  let items = 0;
  const looks = await counted('toLowerCase', async () => {
    items = (await itemsOf('csv', file)).length;
  });
  assert.equal(items, 500);
  assert.ok(looks < 1_000, `${looks} names for 52 columns and 500 rows`);
});

/** How often a method of texts is called. */
async function counted(name: 'lastIndexOf' | 'toLowerCase', work: () => Promise<void>): Promise<number> {
  const method = String.prototype[name] as (...given: unknown[]) => unknown;
  let calls = 0;
  const replacement = function count(this: string, ...given: unknown[]) {
    calls++;
    return method.apply(this, given);
  };
  Object.assign(String.prototype, { [name]: replacement });
  try {
    await work();
  } finally {
    Object.assign(String.prototype, { [name]: method });
  }
  return calls;
}

test('pictures that a backup does not have are one problem, and too many are one as well', async (t) => {
  const backup = async (count: number, isInText: boolean) => {
    const keys = Array.from({ length: count }, (_, n) => `attachments/${n}.png`);
    const description = isInText ? keys.map((key) => `![](fider-image:${key})`).join('') : '';
    const posts = [{ id: 1, title: 'Dark mode', description, status: 0 }];
    const attachments = keys.map((key) => ({ post_id: 1, comment_id: null, attachment_bkey: key }));
    const tables = { 'users.json': [], 'posts.json': posts, 'attachments.json': isInText ? [] : attachments };
    const items = await itemsOf('fider', await makeZip(t, zipOf(tables)));
    return items.map((item) => (item.kind === 'problem' ? item.message : item.kind));
  };
  const few = 'The backup has no pictures 0.png, 1.png, 2.png';
  assert.deepEqual(await backup(3, true), ['post', few]);
  const first = Array.from({ length: 10 }, (_, n) => `${n}.png`).join(', ');
  for (const isInText of [true, false]) {
    const all = `The backup has no pictures ${first} and ${PICTURES - 10} others`;
    assert.deepEqual(await backup(PICTURES, isInText), ['post', all]);
    assert.deepEqual(await backup(PICTURES + 1, isInText), ['It has over 1,000 pictures']);
  }
});

test('an idea of a backup with too many tags is a problem', async (t) => {
  for (const [count, kind] of [
    [100, 'post'],
    [101, 'problem'],
  ] as const) {
    const tagged = Array.from({ length: count }, () => ({ post_id: 1, tag_id: 5 }));
    const posts = [{ id: 1, title: 'Dark mode', status: 0 }];
    const tables = {
      'users.json': [],
      'posts.json': posts,
      'tags.json': [{ id: 5, name: 'ui' }],
      'post_tags.json': tagged,
    };
    assert.deepEqual(
      (await itemsOf('fider', await makeZip(t, zipOf(tables)))).map((item) => item.kind),
      [kind],
    );
  }
});

test('a table of a backup may have as many bytes as are read at once', async (t) => {
  for (const [length, isRead] of [
    [MAX_TABLE_BYTES - 1, true],
    [MAX_TABLE_BYTES, true],
    [MAX_TABLE_BYTES + 1, false],
  ] as const) {
    const file = await makeZip(t, { 'users.json': '[]'.padEnd(length), 'posts.json': '[]'.padEnd(MAX_TABLE_BYTES) });
    const reading = readBackup(file, MAX_TABLE_BYTES);
    if (isRead) assert.deepEqual((await reading).tables.users, []);
    else await assert.rejects(reading, /^Error: users\.json is larger than 5 MB$/);
  }
});

test('long work lets everything else have turns', async () => {
  const takeTurns = makeTurns();
  let hadTurn = false;
  setImmediate(() => {
    hadTurn = true;
  });
  while (!hadTurn) await takeTurns();
});

testBoth('only the first of very many fields of an idea are read', async (app, t) => {
  const problems = async (count: number) => {
    const properties = Array.from({ length: count }, (_, n) => ({ label: `f${n}`, values: ['x'] }));
    const line = JSON.stringify({ row: 'post', id: '1', title: 'Dark mode', properties });
    const messages: string[] = [];
    const onProblem = ({ message }: { message: string }) => void messages.push(message);
    const options = { isPlan: true, folder: makeFileFolder(app.dataDir), onProblem };
    await importItems(
      { ...app, baseUrl: 'http://board.test' },
      'earshot',
      read('earshot', makeFile(t, 'a.jsonl', line)),
      options,
    );
    return messages;
  };
  assert.equal((await problems(100)).length, 100);
  const many = await problems(MAX_LIST);
  assert.deepEqual([many.length, many[0]], [101, 'Of its 1000 fields, only the first 100 are imported']);
});

testBoth('an import adds tags until the board has a thousand, and undoing it removes them', async (app, t) => {
  const { db, clock, board } = app;
  const context = { db, clock, board, baseUrl: 'http://board.test' };
  await app.api.createTag({ name: 'own' });
  const namesOf = (n: number) => JSON.stringify(Array.from({ length: 50 }, (_, m) => ({ name: `t${n * 50 + m}` })));
  const lines = Array.from({ length: 20 }, (_, n) => `{"row":"post","id":"${n}","title":"t","tags":${namesOf(n)}}`);
  const file = makeFile(t, 'a.jsonl', lines.join('\n'));
  const problems: string[] = [];
  const options = { isPlan: false, folder: makeFileFolder(app.dataDir) };
  const report = await importItems(context, 'earshot', read('earshot', file), {
    ...options,
    onProblem: ({ message }) => problems.push(message),
  });
  assert.deepEqual([report.posts.added, report.tags.length], [20, MAX_TAGS - 1]);
  assert.deepEqual(problems, ['The tag t999 is left out: a board gets at most 1000 tags by imports']);
  assert.equal((await undoImport(context)).tags, MAX_TAGS - 1);
  const left = await db.read.selectFrom('tags').select('name').execute();
  assert.deepEqual(left, [{ name: 'own' }]);
});

testBoth('refused lines leave nothing and are not counted, in a plan as well', async (app, t) => {
  const { db, clock, board } = app;
  const lines = [
    { row: 'post', id: '1', title: 'Dark mode', expected: 'soon', isPinned: true },
    { row: 'post', id: '2', title: 'Export', author: { ssoType: 'x'.repeat(51), ssoId: '1' } },
    { row: 'post', id: '3', title: 'Import', author: { ssoType: 'SSO', ssoId: 'ann' }, expected: '2026-Q3' },
  ];
  const file = makeFile(t, 'a.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'));
  const reportOf = async (isPlan: boolean) => {
    const options = { isPlan, folder: makeFileFolder(app.dataDir) };
    const context = { db, clock, board, baseUrl: 'http://board.test' };
    const { posts, people, problems } = await importItems(context, 'earshot', read('earshot', file), options);
    return { posts, people, problems };
  };
  const planned = await reportOf(true);
  assert.deepEqual(planned, { posts: { added: 1, existing: 0 }, people: 1, problems: 2 });
  assert.deepEqual(await reportOf(false), planned);
  const posts = await db.read.selectFrom('posts').select(['title', 'expected']).execute();
  assert.deepEqual(posts, [{ title: 'Import', expected: '2026-Q3' }]);
});

testBoth('an import that holds up other work continues in smaller batches', async ({ db, clock, board, dataDir }) => {
  const ideas = Array.from({ length: 100 }, (_, n) => ({
    kind: 'post' as const,
    line: n + 2,
    id: `i${n}`,
    title: `Idea ${n}`,
    text: null,
    status: null,
    tags: [],
    author: null,
    dateCreated: null,
  }));
  const done: number[] = [];
  const others = db.transaction(async (tx) => {
    await tx.updateTable('boards').set({ name: board.name }).where('id', '=', board.id).execute();
    await delay(HELD_MS);
  });
  const context = { db, clock, board, baseUrl: 'http://board.test' };
  await importItems(context, 'csv', Readable.from(ideas), {
    isPlan: false,
    folder: makeFileFolder(dataDir),
    onProgress: (items) => done.push(items),
  });
  await others;
  assert.equal(done[0], 50);
  assert.ok((done[1] ?? 100) <= 60, done.join());
  assert.equal(done.at(-1), 100);
});
