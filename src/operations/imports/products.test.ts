import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeFile } from '../../../test/support/import-files.ts';
import { testRemote } from '../../../test/support/remote.ts';
import type { ImportItem } from './items.ts';
import { recognizeFile } from './recognizing.ts';
import { baseOf } from './sources/github-api.ts';
import type { TableChoices } from './sources/survey.ts';
import { openFile } from './sources.ts';

const FOLDER = join(import.meta.dirname, '../../../test/support/tables');

async function read(file: string, choices: TableChoices = {}) {
  const { source, reading } = await recognizeFile(file, choices);
  const items = await Array.fromAsync(openFile(source, file, { reading, remote: testRemote }));
  return { source, reading, items };
}

const ideasOf = (items: readonly ImportItem[]) => items.filter((item) => item.kind === 'post');
const dayOf = (instant: number | null | undefined) => (instant ? new Date(instant).toISOString().slice(0, 10) : null);

type Expected = [
  source: string,
  counts: string,
  title: string,
  author: string | null,
  day: string | null,
  labels: string,
];

/**
 * Tables with headers and forms of values as products write them, and made-up contents. What was read of each: its product;
 * how many ideas, comments, votes, votes without voters, and problems; and of the first idea its title, author, day, status and tags.
 */
const tables: Record<string, Expected> = {
  // The columns of `posts` in https://github.com/astuto/astuto/blob/main/db/schema.rb, as PostgreSQL's \copy writes them
  'astuto-posts.csv': ['astuto', '2 0 0 0 0', 'Dark mode', null, '2026-01-15', ''],
  'canny-like.csv': ['canny', '1 0 0 3 0', 'Dark', 'ana@example.com', '2024-01-05', 'under review,UI,x'],
  // clearflask/clearflask: clearflask-server/…/web/resource/ProjectResource.java
  'clearflask-posts.csv': ['clearflask', '2 0 0 17 0', 'Dark mode', null, '2026-01-15', ''],
  'duplicate-column.csv': ['csv', '1 0 0 0 0', 'A', null, null, ''],
  'eu-dates.csv': ['csv', '1 0 0 0 0', 'Erste Idee', null, '2024-12-31', 'Offen'],
  'excel-sep-line.csv': ['csv', '1 0 0 0 0', 'Idea', null, null, ''],
  'featurebase-like.csv': ['featurebase', '1 0 2 1 0', 'A', 'ana@example.com', '2024-05-06', 'In Review,t'],
  'github-camelcase.csv': ['github', '1 0 0 0 0', 'Slow start', 'ana-example', '2024-05-06', 'OPEN,bug,perf'],
  'github.csv': ['github', '2 0 0 0 0', 'Dark mode', null, null, 'open,enhancement,ui'],
  // As https://cli.github.com/manual/gh_issue_list describes
  'github.json': ['github', '2 1 0 7 0', 'Dark mode', 'lford', '2026-01-15', 'Open,enhancement,ui'],
  // gitlabhq/gitlabhq: app/services/issues/export_csv_service.rb, and app/services/work_items/export_csv_service.rb
  'gitlab-old.csv': ['gitlab', '2 0 0 0 0', 'Add dark mode', 'Lena Ford', '2026-01-15', 'Open,feature,ui'],
  'gitlab.csv': ['gitlab', '2 0 0 0 0', 'Add dark mode', 'Lena Ford', '2026-01-15', 'Open,feature,ui'],
  'google-forms-download.csv': ['csv', '2 0 0 0 1', 'Dark mode', 'lena@example.com', null, ''],
  'google-forms-sheet.csv': ['csv', '2 0 0 0 0', 'Dark mode', 'lena@example.com', '2026-08-31', ''],
  'html-in-text.csv': ['csv', '1 0 0 0 0', 'A & B bold', null, null, ''],
  // linear/linear: packages/import/src/importers/jiraCsv/JiraCsvImporter.ts, and exports of 2024 and 2026
  'jira-all-fields.csv': ['jira', '2 2 0 7 0', 'Dark mode', 'Lena Ford', '2026-02-25', 'In Progress'],
  'jira-cloud.csv': [
    'jira',
    '2 2 0 17 0',
    'Sort the list by date',
    'Ana Example',
    '2024-03-12',
    'In Progress,list,sorting',
  ],
  'jira-server.csv': ['jira', '2 0 0 27 0', 'Dark mode', 'lford', '2024-05-11', 'To Do,ui'],
  // linear/linear: packages/import/src/importers/linearCsv/LinearCsvImporter.ts
  'linear-34-columns.csv': [
    'linear',
    '2 0 0 0 0',
    'Dark mode',
    'lena@example.com',
    '2026-10-02',
    'In Progress,Feature,UI',
  ],
  'linear-iso.csv': ['linear', '2 0 0 0 0', 'Dark mode', 'lena@example.com', '2026-05-14', 'Done,Improvement,UI'],
  'linear.csv': ['linear', '2 0 0 0 0', 'Faster start', 'ana@example.com', '2026-05-13', 'In Progress,speed,start'],
  // logchimp/logchimp: packages/server/src/database/migrations, as PostgreSQL's \copy writes them
  'logchimp-posts.csv': ['logchimp', '2 0 0 0 0', 'Dark mode', null, '2026-01-15', ''],
  'loose-quote.csv': ['csv', '2 0 0 0 0', '6" pipe', null, null, ''],
  'notion.csv': ['notion', '2 0 0 0 0', 'Dark mode', null, '2026-04-10', 'Active,Product,Planning'],
  'pasted-controls.csv': ['csv', '8 0 0 0 2', 'Pasted from a word processor', 'Ana', null, 'a'],
  // linear/linear: packages/import/src/importers/planeCsv/__tests__/sample.csv
  'plane.csv': ['plane', '2 1 0 0 0', 'Dark mode', 'Lena Ford', '2026-01-01', 'Todo,ui,theme'],
  'productboard-like.csv': ['productboard', '1 0 0 0 0', 'Faster', null, '2024-01-05', 'In progress,a'],
  'psql-dates.csv': ['csv', '5 0 0 0 0', 'A', null, '2024-05-06', ''],
  // QuackbackIO/quackback: apps/web/src/routes/api/export.ts, and …/domains/export/entities/posts.ts
  'quackback-board-export.csv': [
    'quackback',
    '2 0 0 7 0',
    'Add dark mode',
    'lena@example.com',
    '2026-01-15',
    'Under Review,feature,ui',
  ],
  'quackback-posts.csv': [
    'quackback',
    '2 0 0 7 0',
    'Add dark mode',
    'lena@example.com',
    '2026-01-15',
    'Under Review,feature,ui',
  ],
  'titles.csv': ['csv', '4 0 0 0 0', 'W'.repeat(200), null, null, ''],
  // The CSV of paid boards, with a date that is in the card's id
  'trello-premium.csv': ['trello', '2 0 0 7 0', 'Dark mode', null, '2023-09-26', 'Planned,Feature,UI'],
  'trello.csv': ['trello', '2 0 0 0 0', 'Dark theme', null, '2024-01-11', 'Under review,Design'],
  // linear/linear: packages/import/src/importers/trelloJson/TrelloJsonImporter.ts; who voted:
  // developer.atlassian.com/cloud/trello/guides/rest-api/object-definitions/#card-object
  'trello.json': ['trello', '2 1 1 7 0', 'Dark mode', 'Nadia Bell', '2023-09-26', 'Planned,Feature'],
  'us-dates.csv': ['csv', '2 0 0 0 0', 'One', null, '2024-12-31', ''],
  'uservoice-suggestion-fields.csv': [
    'uservoice',
    '2 0 0 0 0',
    'Dark mode',
    null,
    '2026-07-21',
    'Under Review,Features,ui',
  ],
  'uservoice.csv': ['csv', '2 0 3 0 0', 'Dark mode', 'lena@example.com', '2026-07-21', 'Under Review,ui,theme'],
};

test('tables of other products are recognized, and everything in them is read', async () => {
  assert.deepEqual(readdirSync(FOLDER).sort(), Object.keys(tables).sort());
  for (const [file, expected] of Object.entries(tables)) {
    const { source, items } = await read(join(FOLDER, file));
    const numberOf = (kind: ImportItem['kind']) => items.filter((item) => item.kind === kind).length;
    const unnamed = items.reduce((sum, item) => sum + (item.kind === 'voteCount' ? item.count : 0), 0);
    const counts = [numberOf('post'), numberOf('comment'), numberOf('vote'), unnamed, numberOf('problem')];
    const [first = assert.fail(file)] = ideasOf(items);
    const author = first.author?.email ?? first.author?.name ?? null;
    const labels = [first.status, ...first.tags].filter((label) => label !== null).join();
    assert.deepEqual([source, counts.join(' '), first.title, author, dayOf(first.dateCreated), labels], expected, file);
  }
});

test('HTML and the markup of Jira become Markdown', async () => {
  const textOf = async (file: string) => ideasOf((await read(join(FOLDER, file))).items)[0]?.text;
  assert.equal(await textOf('html-in-text.csv'), 'para one\n\npara two\n\n-   x\n\n![](https://x.example/y.png)');
  assert.equal(await textOf('jira-cloud.csv'), '## Why\n\n- first `code` point\n- second, with "quotes"');
  assert.equal(await textOf('github-camelcase.csv'), 'Body ```js\nx\n```');
});

test('a file that is not in UTF-8 is read in the encoding that its letters show, or that was chosen', async (t) => {
  const files: [bytes: Buffer, encoding: string, title: string][] = [
    [Buffer.from('Titel;Text\nGr\xf6\xdfe \xe4ndern;F\xfcr alle\n', 'latin1'), 'windows-1252', 'Größe ändern'],
    [Buffer.from('title\nit\x92s \x93ok\x94\n', 'latin1'), 'windows-1252', 'it’s “ok”'],
    // タイトル,説明 / ダークモード,夜に使いたい in Shift JIS
    [
      Buffer.from('835e83438367838b2c90e096be0a835f815b834e8382815b83682c96e982c98e6782a282bd82a20a', 'hex'),
      'shift_jis',
      'ダークモード',
    ],
    // 标题,描述 / 深色模式,请添加深色模式，晚上使用 in GB 18030
    [
      Buffer.from('b1eacce22cc3e8caf60ac9eec9abc4a3cabd2cc7ebccedbcd3c9eec9abc4a3cabda3accdedc9cfcab9d3c30a', 'hex'),
      'gb18030',
      '深色模式',
    ],
    [Buffer.from('\ufeffTitle,Text\nGrün,a\n', 'utf16le'), 'utf-16le', 'Grün'],
  ];
  for (const [bytes, encoding, title] of files) {
    const { reading, items } = await read(makeFile(t, 'a.csv', bytes));
    assert.deepEqual([reading?.encoding, ideasOf(items)[0]?.title], [encoding, title]);
  }
  // "Żółw" in Windows-1250, which six letters do not tell from Windows-1252.
  const polish = makeFile(t, 'a.csv', Buffer.from('Tytu\xb3\n\xaf\xf3\xb3w\n', 'latin1'));
  assert.equal(ideasOf((await read(polish, { encoding: 'windows-1250' })).items)[0]?.title, 'Żółw');
});

test('a few bytes that mean nothing cost their characters, and are reported', async (t) => {
  const text = Buffer.from(`title,text\nDark mode,${'ü'.repeat(100)}`);
  const { reading, items } = await read(
    makeFile(t, 'a.csv', Buffer.concat([text, Buffer.from([0xff]), Buffer.from('\n')])),
  );
  assert.deepEqual([reading?.encoding, ideasOf(items).length], ['utf-8', 1]);
  assert.match(JSON.stringify(items.at(-1)), /"column":"text","message":"It has bytes that mean nothing in utf-8"/);
});

test('dates that fit two ways are one question for the file, and one date that does not is its answer', async (t) => {
  const rows = (...dates: string[]) =>
    makeFile(t, 'a.csv', `Title,Created\n${dates.map((date, n) => `${n},${date}\n`).join('')}`);
  const datesOf = (items: readonly ImportItem[]) => ideasOf(items).map(({ dateCreated }) => dayOf(dateCreated));
  const asked = await read(rows('01/02/2025', '03/04/2025'));
  assert.deepEqual([asked.reading?.dates, datesOf(asked.items)], ['ASK', [null, null]]);
  assert.equal(asked.items.filter(({ kind }) => kind === 'problem').length, 1);
  const told = await read(rows('01/02/2025', '03/04/2025'), { dates: 'month-first' });
  assert.deepEqual(datesOf(told.items), ['2025-01-02', '2025-03-04']);
  const shown = await read(rows('01/02/2025', ...Array.from({ length: 300 }, () => '03/04/2025'), '31/12/2024'));
  assert.deepEqual([shown.reading?.dates, datesOf(shown.items)[0]], ['day-first', '2025-02-01']);
});

test('columns are recognized by names in many languages, by their values, or as they are chosen', async (t) => {
  const meaningsOf = async (table: string, choices?: TableChoices) =>
    (await read(makeFile(t, 'a.csv', table), choices)).reading?.columns.map(({ meaning }) => meaning);
  assert.deepEqual(await meaningsOf('タイトル,説明,作成日,投票数\nA,b,2024-01-01,3\n'), [
    'title',
    'text',
    'created',
    'votes',
  ]);
  assert.deepEqual(await meaningsOf('Titre;Étiquettes;Créé le\nA;b;2024-01-01\n'), ['title', 'tags', 'created']);
  const form = 'Zeitstempel,Wunsch,Genauer\n2024-01-01,Dunkles Design,"Mir tun\nnachts die Augen weh"\n';
  assert.deepEqual(await meaningsOf(form), ['created', 'title', 'text']);
  assert.deepEqual(await meaningsOf('a,b,c\nDark,ana@example.com,2024-05-06\n'), ['title', 'email', 'created']);
  // The number of comments is none of them, and a due date is no date of creation.
  assert.deepEqual(await meaningsOf('title,comments,due date\nA,3,2024-01-01\n'), ['title', null, null]);
  assert.deepEqual(await meaningsOf('title,b\nA,c\n', { meanings: ['text', 'title'] }), ['text', 'title']);
  assert.deepEqual(await meaningsOf('title,b\nA,c\n', { mapping: { title: 'B' } }), [null, 'title']);
});

test('no row, no equal title and no cell is lost on its way without a word', async (t) => {
  const readText = (table: string) => read(makeFile(t, 'a.csv', table));
  const problemsOf = (items: readonly ImportItem[]) =>
    items.flatMap((item) => (item.kind === 'problem' ? [`${item.column ?? ''}: ${item.message}`] : []));
  const mixed = await readText('title,text\r\nA,one\nB,two\rC,three\n');
  assert.deepEqual(
    ideasOf(mixed.items).map(({ title }) => title),
    ['A', 'B', 'C'],
  );
  const equal = await readText('title,text\nDark mode,one\nDark mode,two\nDark mode,two\n');
  assert.equal(new Set(ideasOf(equal.items).map(({ id }) => id)).size, 2);
  assert.equal(ideasOf(equal.items)[0]?.id, 'Dark mode');
  assert.deepEqual(problemsOf(equal.items), [
    ': An earlier line says the same at the same time: only that one is imported',
  ]);
  const answers = await readText('Timestamp,Idea\n2024-01-01,No\n2024-01-02,No\n2024-01-03,No\n');
  assert.deepEqual([new Set(ideasOf(answers.items).map(({ id }) => id)).size, problemsOf(answers.items)], [3, []]);
  const quoted = readText('a,b,c\n"1,""x"",2"\n"2,""y"",3"\n');
  await assert.rejects(quoted, /The header has 3 columns and most rows have one/);
  const repeated = await readText('id,title\n1,A\n1,B\n');
  assert.deepEqual(problemsOf(repeated.items), ['id: “1” is on an earlier line, too: only that idea is imported']);
  const surplus = await readText('title,text\nD, one, two\n');
  assert.match(problemsOf(surplus.items)[0] ?? '', /^: 1 cell is left out, as the header has fewer/);
  const wrong = await readText('title,email\nA,ann@\n');
  assert.deepEqual(problemsOf(wrong.items), ['email: “ann@” is not an address']);
});

test('people, comments and texts without a title are taken for what they are', async (t) => {
  const readText = (table: string) => read(makeFile(t, 'a.csv', table));
  const form = await readText('Timestamp,Name,Email,What is missing?\n2024-01-01,Ann Lee,ann@example.com,Dark mode\n');
  const [{ title, author } = assert.fail()] = ideasOf(form.items);
  assert.deepEqual([title, author?.name, author?.email], ['Dark mode', 'Ann Lee', 'ann@example.com']);
  const mailbox = await readText('title,author\nA,Ann Lee <ann@example.com>\n');
  assert.equal(ideasOf(mailbox.items)[0]?.author?.email, 'ann@example.com');
  const review = await readText('content,score\nIt crashes at night,1\n');
  assert.deepEqual(
    ideasOf(review.items).map(({ title, text }) => [title, text]),
    [['It crashes at night', 'It crashes at night']],
  );
  const lists = await readText('title,comment,comment\nA,"[""first"",""second""]",+1\nB,[1],+1\n');
  assert.deepEqual(
    lists.items.flatMap((item) => (item.kind === 'comment' ? [item.text] : [])),
    ['first', 'second', '+1', '[1]', '+1'],
  );
});

/**
 * Tables of comments and votes as these products write them, with made-up contents: QuackbackIO/quackback,
 * apps/web/src/lib/server/domains/export/entities/{comments,votes}.ts; logchimp/logchimp, packages/server/src/database/migrations;
 * astuto/astuto, db/schema.rb.
 */
const partTables: Record<string, [source: string, items: string[]]> = {
  'quackback-comments.csv': [
    'quackback',
    [
      'c1 on p1 by lena@example.com: Yes, **please**',
      'c2 on p1 by ivo@example.com, INTERNAL, to c1: Between us',
      'c3 on p1 by Ada, PENDING: Buy watches',
    ],
  ],
  'quackback-votes.csv': [
    'quackback',
    ['vote on p1 by lena@example.com', 'vote on p2 by ivo@example.com', 'problem in 4'],
  ],
  'logchimp-votes.csv': ['logchimp', ['vote on p1 by u1', 'vote on p1 by u2']],
  'astuto-comments.csv': ['astuto', ['1 on 1 by 2: Yes please', '2 on 1 by 3, OFFICIAL: We have begun']],
  'astuto-likes.csv': ['astuto', ['vote on 1 by 2', 'vote on 2 by 2']],
};

test('tables of comments and votes name their ideas', async (t) => {
  const rows: Record<string, string> = {
    'quackback-comments.csv': `id,post_id,parent_id,author_name,author_email,is_team_member,is_private,moderation_state,content,created_at,updated_at
c1,p1,,Lena,lena@example.com,false,false,published,"Yes, **please**",2026-01-15T10:30:00.000Z,2026-01-15T10:30:00.000Z
c2,p1,c1,Ivo,ivo@example.com,true,true,published,Between us,2026-01-16T10:30:00.000Z,2026-01-16T10:30:00.000Z
c3,p1,,Ada,,false,false,pending,Buy watches,2026-01-17T10:30:00.000Z,2026-01-17T10:30:00.000Z
`,
    'quackback-votes.csv':
      'id,post_id,voter_email,source_type,created_at\nv1,p1,lena@example.com,,2026-01-15T10:30:00.000Z\nv2,p2,ivo@example.com,widget,2026-01-15T10:30:00.000Z\nv3,p2,,widget,2026-01-15T10:30:00.000Z\n',
    'logchimp-votes.csv':
      'voteId,userId,postId,createdAt\nv1,u1,p1,2026-01-15 10:30:00.123+00\nv2,u2,p1,2026-01-15 10:30:00.123+00\n',
    'astuto-comments.csv':
      'id,body,user_id,post_id,parent_id,created_at,updated_at,is_post_update,tenant_id\n1,Yes please,2,1,,2026-01-15 10:30:00.123456,2026-01-15 10:30:00.123456,f,1\n2,We have begun,3,1,,2026-01-16 10:30:00.123456,2026-01-16 10:30:00.123456,t,1\n',
    'astuto-likes.csv':
      'id,user_id,post_id,created_at,updated_at,tenant_id\n1,2,1,2026-01-15 10:30:00.123456,2026-01-15 10:30:00.123456,1\n2,2,2,2026-01-15 10:30:00.123456,2026-01-15 10:30:00.123456,1\n',
  };
  for (const [file, [from, expected]] of Object.entries(partTables)) {
    const { source, items } = await read(makeFile(t, 'a.csv', rows[file] ?? ''));
    assert.deepEqual([source, items.map(describePart)], [from, expected], file);
  }
  const lost = await read(makeFile(t, 'a.csv', 'post_id,parent_id,body\n1,7,Me too\n,,Where?\n'));
  assert.deepEqual(lost.items.map(describePart), ['1   Me too on 1 by : Me too', 'problem in 2', 'problem in 3']);
});

function describePart(item: ImportItem): string {
  if (item.kind === 'problem') return `problem in ${item.line}`;
  if (item.kind === 'vote') return `vote on ${item.postId} by ${item.voter.email ?? item.voter.id}`;
  if (item.kind !== 'comment') return item.kind;
  const { id, postId, author, type, parentId, moderation, text } = item;
  const more = [type === 'BASIC' ? null : type, moderation, parentId && `to ${parentId}`]
    .filter(Boolean)
    .map((word) => `, ${word}`);
  return `${id} on ${postId} by ${author?.email ?? author?.name ?? author?.id ?? ''}${more.join('')}: ${text}`;
}

test('a repository of GitHub is found by the address of its page or of its API, also on another server', () => {
  const addresses = {
    'https://github.com/acme/app': 'https://api.github.com/repos/acme/app',
    'https://www.github.com/acme/app/issues/': 'https://api.github.com/repos/acme/app',
    'https://github.com/acme/app.git': 'https://api.github.com/repos/acme/app',
    'https://api.github.com/repos/acme/app/': 'https://api.github.com/repos/acme/app',
    'https://git.example.com/acme/app': 'https://git.example.com/api/v3/repos/acme/app',
    'https://git.example.com/api/v3/repos/acme/app': 'https://git.example.com/api/v3/repos/acme/app',
  };
  assert.deepEqual(Object.fromEntries(Object.keys(addresses).map((given) => [given, baseOf(given)])), addresses);
});
