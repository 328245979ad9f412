import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { requireFirstBoard } from '../../src/identity/board/board.ts';
import { setRole } from '../../src/identity/users/users.ts';
import { openDb } from '../../src/platform/db/open.ts';
import { systemClock } from '../../src/platform/lib/clock.ts';
import { CANNY_IDEAS, CANNY_KEY, startCanny } from '../support/canny.ts';
import { type CommandLine, makeCommandLine, testCommandLine } from '../support/command-line.ts';
import { dumpStore } from '../support/dump.ts';
import { type Exported, essence, exported, WRITTEN } from '../support/exported.ts';
import { addFields, FIELDS_CSV, FIELDS_MAP, valuesOf } from '../support/import-fields.ts';
import { FIDER_TABLES, makeFile, makeZip, zipOf } from '../support/import-files.ts';
import { makePng } from '../support/pictures.ts';
import { startServer } from '../support/process.ts';
import { startReceiver } from '../support/receiver.ts';
import { engines, makeStorePlace, type StorePlace } from '../support/store.ts';

/** The command line with a key of another product. */
function withKey(line: CommandLine, name: 'CANNY_API_KEY' | 'NOLT_API_KEY', key: string): CommandLine {
  return makeCommandLine(line.place, { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', [name]: key });
}

/** What the files of the board are, by what they are on. */
async function filesOf({ place }: CommandLine): Promise<string[]> {
  const db = openDb(place);
  try {
    const files = await db.read.selectFrom('files').select(['name', 'content_type', 'post_id', 'comment_id']).execute();
    return files
      .map((file) => `${file.post_id ? 'post' : file.comment_id ? 'comment' : 'nothing'} ${file.name}`)
      .sort();
  } finally {
    await db.close();
  }
}

testCommandLine(
  'a board of Canny is imported by its API, page by page, though the API is busy at times',
  async (plain, t) => {
    const canny = await startCanny(t);
    const line = withKey(plain, 'CANNY_API_KEY', CANNY_KEY);
    await line.json('board', 'create', '--name', 'Acme');
    const args = ['import', canny.url, '--from', 'canny', '--from-board', 'feature requests'];
    const before = await dumpStore(line.place);
    const plan = await line.json(...args, '--plan');
    assert.deepEqual(await dumpStore(line.place), before);
    assert.equal(plan.files, 5);
    const done = await line.json(...args);
    assert.deepEqual(
      [done.posts, done.comments, done.votes, done.merges, plan.posts, plan.comments, plan.votes, plan.merges],
      [CANNY_IDEAS + 1, 5, CANNY_IDEAS, 1, CANNY_IDEAS + 1, 5, CANNY_IDEAS, 1].map((added) => ({ added, existing: 0 })),
    );
    assert.deepEqual([done.people, done.tags], [6, ['mobile', 'Apps']]);
    assert.deepEqual([done.files, done.problems], [2, 3], JSON.stringify(done.firstProblems));
    assert.match(
      JSON.stringify(done.firstProblems),
      /gone.png cannot be imported.*404.*fake.png is not a picture.*not the address/,
    );
    assert.deepEqual(await filesOf(line), ['comment two.png', 'post one.png']);
    checkCannyBoard(await exported(line));

    const imported = await dumpStore(line.place);
    const again = await line.json(...args);
    assert.deepEqual(
      [again.posts.added, again.comments.added, again.votes.added, again.files, again.merges.added],
      [0, 0, 0, 0, 0],
    );
    assert.deepEqual(await dumpStore(line.place), imported);
    const { posts } = await line.json('undo-import');
    assert.deepEqual([posts, await filesOf(line)], [CANNY_IDEAS + 1, []]);
  },
);

function checkCannyBoard(rows: readonly Exported[]): void {
  const posts = rows.filter(({ row }) => row === 'post');
  const first = posts[0] ?? assert.fail('there are no ideas');
  assert.equal(posts.length, CANNY_IDEAS + 1);
  const { title, text, dateCreated, upvoteCount } = first;
  assert.deepEqual([title, text, dateCreated, upvoteCount], ['Idea 0', 'Because of 0.', '2021-01-01T00:00:00.000Z', 1]);
  assert.partialDeepStrictEqual(first, { author: { email: 'person2@example.com' }, status: { name: 'In progress' } });
  assert.equal(posts.find((post) => post.title === 'The same')?.mergedIntoId, first.id);
  const comments = rows.filter(({ row, type }) => row === 'comment' && WRITTEN.includes(String(type)));
  assert.deepEqual(comments.map((comment) => [comment.text, comment.type]).sort(), [
    ['Between us', 'INTERNAL'],
    ['Me too', 'BASIC'],
    ['We have begun', 'OFFICIAL'],
    ['Yes please', 'BASIC'],
    ['two.png', 'BASIC'],
  ]);
  const parent = comments.find((comment) => comment.text === 'Yes please') ?? assert.fail('a comment is missing');
  assert.partialDeepStrictEqual(parent, {
    user: { ssoType: 'SSO', ssoId: 'u-4' },
    dateCreated: '2021-01-02T00:00:00.000Z',
  });
  assert.equal(comments.find((comment) => comment.text === 'Me too')?.parentId, parent.id);
}

testCommandLine('an API that cannot be read is reported with the reason, and nothing is changed', async (plain, t) => {
  const canny = await startCanny(t);
  const line = withKey(plain, 'CANNY_API_KEY', CANNY_KEY);
  await line.json('board', 'create', '--name', 'Acme');
  const answers: Record<string, [status: number, body: string]> = {
    '/busy/v1/boards/list': [503, ''],
    '/page/v1/boards/list': [200, '<html>'],
    '/long/v1/boards/list': [200, `{"boards": "${'x'.repeat(17_000_000)}"}`],
    '/none/v1/boards/list': [200, '[]'],
    '/gone/v1/boards/list': [404, '{}'],
    '/evil/v1/boards/list': [400, JSON.stringify({ error: `no\u001b[2J\n${'x'.repeat(10_000)}` })],
  };
  const other = await startReceiver(t, ({ url }, response) => {
    const [status, body] = answers[url] ?? [404, ''];
    response.writeHead(status, { 'retry-after': '0' }).end(body);
  });
  const before = await dumpStore(line.place);
  const at = (path: string) => [`${other.origin}/${path}/v1`, '--from', 'canny'];
  const cases: [args: string[], words: RegExp, line?: CommandLine][] = [
    [[canny.url, '--from', 'canny'], /CANNY_API_KEY/, plain],
    [[canny.url, '--from', 'canny'], /invalid apiKey. Check CANNY_API_KEY/, withKey(plain, 'CANNY_API_KEY', 'wrong')],
    [[canny.url, '--from', 'canny'], /Name the board .* there are: Feature Requests, Bugs/],
    [[canny.url, '--from', 'canny', '--from-board', 'Ideas'], /no board “Ideas”: name one .* Feature Requests, Bugs/],
    [[canny.url], /--from csv reads a file/],
    [['/nowhere.csv', '--from', 'canny'], /There is no file/],
    [at('busy'), /it responded with 503. Start the import again later/],
    [at('page'), /responded with 200 and no JSON/],
    [at('long'), /longer than 16 MB/],
    [at('none'), /there are: none/],
    [at('gone'), /Canny refused v1\/boards\/list: status 404/],
    [at('evil'), /^Canny refused v1\/boards\/list: no \[2J x{200,300}…\n$/],
    [['http://10.0.0.1/api/v1', '--from', 'canny'], /WEBHOOK_ALLOW_CIDRS must allow its address/],
    [['http://127.0.0.1:1/api/v1', '--from', 'canny'], /127.0.0.1:1 cannot be read: connection refused/],
  ];
  for (const [args, words, by = line] of cases) {
    const { status, stderr } = await by.run('import', ...args);
    assert.equal(status, 1, args.join(' '));
    assert.match(stderr, words);
    assert.ok(!stderr.includes(CANNY_KEY));
  }
  assert.equal(other.received.filter(({ url }) => url.startsWith('/busy')).length, 5);
  assert.deepEqual(await dumpStore(line.place), before);
});

/** A server with a board that was imported from Fider, with pictures; and a key and a user who may see all of it. */
async function startSource(t: TestContext, place: StorePlace) {
  const line = makeCommandLine(place);
  await line.json('board', 'create', '--name', 'Acme');
  const pictures = {
    'attachments.json': JSON.stringify([
      { id: 1, post_id: 7, comment_id: null, user_id: 1, attachment_bkey: 'attachments/a.png' },
    ]),
    'blobs/attachments/a.png': makePng(3, 2),
  };
  await line.json('import', await makeZip(t, { ...zipOf(FIDER_TABLES), ...pictures }), '--from', 'fider');
  await addFields(line, 'acme');
  await line.json('import', makeFile(t, 'ideas.csv', FIELDS_CSV), ...FIELDS_MAP);
  const db = openDb(place);
  const context = { db, clock: systemClock, baseUrl: 'http://localhost', board: await requireFirstBoard(db.read) };
  await setRole(context, { ssoType: 'SSO', ssoId: 'boss' }, 'ADMIN');
  await db.close();
  const { key } = await line.json('key', 'create', '--name', 'import', '--rate', 'none');
  const server = await startServer(t, { ...line.env, BASE_URL: '' });
  return { line, server, key: String(key) };
}

testCommandLine('a board is imported by its GraphQL API and becomes the same', async (plain, t) => {
  const engine = engines.find((name) => (name === 'sqlite') === (plain.place.databaseUrl === null)) ?? 'sqlite';
  const source = await startSource(t, await makeStorePlace(t, engine));
  const line = withKey(plain, 'NOLT_API_KEY', source.key);
  await line.json('board', 'create', '--name', 'Copy');
  await addFields(line, 'copy');
  const args = ['import', `${source.server.url}/api/v1/graphql`, '--from', 'nolt'];
  const refused = await line.run(...args);
  assert.match(refused.stderr, /refused to be read: .* name a user with --as/);
  const wrong = await withKey(plain, 'NOLT_API_KEY', 'esk_wrong').run(...args, '--as', 'SSO:boss');
  assert.match(wrong.stderr, /refused to be read: .*Check NOLT_API_KEY and --as/);
  const report = await line.json(...args, '--as', 'SSO:boss');
  assert.deepEqual([report.problems, report.files], [0, 1], JSON.stringify(report.firstProblems));
  assert.deepEqual(essence(await exported(line, 'copy')), essence(await exported(source.line)));
  assert.deepEqual(valuesOf(await exported(line, 'copy')), valuesOf(await exported(source.line)));
  assert.deepEqual(await filesOf(line), await filesOf(source.line));
  const before = await dumpStore(line.place);
  const again = await line.json(...args, '--as', 'SSO:boss');
  assert.deepEqual([again.posts.added, again.comments.added, again.votes.added, again.merges.added], [0, 0, 0, 0]);
  assert.deepEqual(await dumpStore(line.place), before);
});

const FINISH = `mutation($dark: String!, $other: String!) {
  updatePost(id: $dark, isPinned: true, expected: "2031-Q2") { node { id } }
  locked: updatePost(id: $other, isLocked: true) { node { id } }
  downvotePost(postId: $dark) { id }
  done: createChangelogEntry(title: "Done", text: "At last", labels: [NEW, FIXED], postIds: [$dark, $other]) { id }
  later: createChangelogEntry(title: "Later") { id }
  createChangelogEntry(title: "Draft") { id }
}`;
const PUBLISH = `mutation($done: String!, $later: String!, $at: DateTime!) {
  publishChangelogEntry(id: $done) { id }
  later: publishChangelogEntry(id: $later, at: $at) { id }
}`;

testCommandLine('an export with files and the changelog becomes the same board, and is undone', async (plain, t) => {
  const engine = engines.find((name) => (name === 'sqlite') === (plain.place.databaseUrl === null)) ?? 'sqlite';
  const source = await startSource(t, await makeStorePlace(t, engine));
  const ask = async (query: string, variables: object): Promise<Record<string, { id: string }>> => {
    const headers = { apikey: source.key, ssotype: 'SSO', userid: 'boss', 'content-type': 'application/json' };
    const body = JSON.stringify({ query, variables });
    const response = await fetch(`${source.server.url}/api/v1/graphql`, { method: 'POST', headers, body });
    const { data, errors } = (await response.json()) as { data: Record<string, { id: string }>; errors?: unknown };
    assert.equal(errors, undefined);
    return data;
  };
  const posts = (await exported(source.line)).filter(({ row, mergedIntoId }) => row === 'post' && !mergedIntoId);
  const [dark, other] = posts.filter(({ isLocked }) => !isLocked).map(({ id }) => id);
  const { done, later } = await ask(FINISH, { dark, other });
  await ask(PUBLISH, { done: done?.id, later: later?.id, at: '2031-05-01T10:00:00Z' });
  const headers = { apikey: source.key, ssotype: 'SSO', userid: 'boss' };
  const response = await fetch(`${source.server.url}/api/jsonl?comments=true&votes=true`, { headers });
  const file = makeFile(t, 'acme.jsonl', await response.text());

  const line = withKey(plain, 'NOLT_API_KEY', '');
  await line.json('board', 'create', '--name', 'Copy');
  await addFields(line, 'copy');
  const empty = await dumpStore(line.place);
  const plan = await line.json('import', file, '--from', 'earshot', '--plan');
  assert.deepEqual([plan.problems, plan.entries], [0, { added: 3, existing: 0 }], JSON.stringify(plan.firstProblems));
  assert.deepEqual(await dumpStore(line.place), empty);
  const report = await line.json('import', file, '--from', 'earshot');
  assert.deepEqual(
    [report.problems, report.files, report.entries.added],
    [0, 1, 3],
    JSON.stringify(report.firstProblems),
  );
  assert.deepEqual(essence(await exported(line, 'copy')), essence(await exported(source.line)));
  assert.deepEqual(await filesOf(line), await filesOf(source.line));
  const before = await dumpStore(line.place);
  const again = await line.json('import', file, '--from', 'earshot');
  assert.deepEqual([again.posts.added, again.entries], [0, { added: 0, existing: 3 }]);
  assert.deepEqual(await dumpStore(line.place), before);
  const undone = await line.json('undo-import');
  assert.deepEqual([undone.entries, undone.tags], [3, report.tags.length]);
  // Users of the export keep their identities, so they may be the customer's own.
  const left = ['operations', 'boards', 'events', 'search_pending', 'file_removals', 'users'];
  const kept = (dump: Map<string, string[]>) => [...dump].filter(([table]) => !left.includes(table));
  assert.deepEqual(kept(await dumpStore(line.place)), kept(empty));
});
