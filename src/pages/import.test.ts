import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { listBytes } from '../../test/support/files.ts';
import { FIDER_CSV, FIDER_TABLES, packZip, USERVOICE_CSV, zipOf } from '../../test/support/import-files.ts';
import { ended, IMPORT_PAGE, owners, send, titles } from '../../test/support/import-page.ts';
import { signUp, testPages, testWeb, type WebVisitor } from '../../test/support/web.ts';
import { makeFileFolder } from '../feedback/files/folder.ts';
import { cleanFiles } from '../feedback/files/removing.ts';
import { forgetJobs } from '../operations/imports/jobs.ts';
import { MAX_IMPORT_BYTES } from '../operations/imports/upload.ts';
import { DAY_MS, HOUR_MS } from '../platform/lib/clock.ts';

const CSV = 'Title,Description,Created\r\nDark mode,For nights,2024-01-02\r\n,No title,\r\nLight mode,,\r\n';

async function act(visitor: WebVisitor, intent: string): Promise<number> {
  return (await visitor.post(IMPORT_PAGE, { intent })).statusCode;
}

const countOf = (page: string, words: string) => new RegExp(`>${words}</dt><dd>([^<]*)</dd>`).exec(page)?.[1] ?? 'none';

testWeb('an admin uploads a file, sees its plan, imports it and undoes that', async (web) => {
  const admin = await web.makeMember('Alma', 'ADMIN');
  assert.equal(await send(admin, { bytes: CSV }), IMPORT_PAGE);
  const plan = await ended(admin);
  assert.match(plan, /What would be imported/);
  assert.match(plan, /“ideas\.csv” was read as: CSV/);
  assert.deepEqual([countOf(plan, 'Ideas'), countOf(plan, 'Votes')], ['2', '0']);
  assert.match(plan, /Problems: 1/);
  assert.deepEqual(await titles(web), []);
  const problems = await admin.get(`${IMPORT_PAGE}/problems`);
  assert.match(problems.payload, /^\ufeffLine,Column,Problem\r\n3,,[^\r]*title[^\r]*\r\n$/);
  assert.match(String(problems.headers['content-disposition']), /filename="acme-import-problems\.csv"/);

  assert.equal(await act(admin, 'proceed'), 302);
  const done = await ended(admin);
  assert.deepEqual([countOf(done, 'Ideas'), await titles(web)], ['2', ['Dark mode', 'Light mode']]);
  assert.match(done, /Last import/);
  await send(admin, { bytes: CSV });
  await ended(admin);
  await act(admin, 'proceed');
  assert.match(await ended(admin), /Already on the board, unchanged: 2/);
  assert.deepEqual(await titles(web), ['Dark mode', 'Light mode']);

  assert.equal(await act(admin, 'undo'), 302);
  assert.match(await ended(admin), /Ideas removed: 2/);
  assert.deepEqual(await titles(web), []);
  assert.doesNotMatch(await ended(admin), /Last import/);
});

testPages('what a file is shows from its content, whatever its name', async (web) => {
  const owner = await owners(web);
  const post = JSON.stringify({ row: 'post', id: 'a', title: 'From a board' });
  const named: Record<number, string> = { 0: 'Post', 2: 'Title', 14: 'Status', 23: 'Tags' };
  const nolt = `${Array.from({ length: 29 }, (_, n) => named[n] ?? `c${n}`)}\n`;
  const files: [bytes: Buffer | string, product: string, ideas: string][] = [
    [FIDER_CSV, 'Fider', '3'],
    [await packZip(zipOf(FIDER_TABLES)), 'Fider', '3'],
    [USERVOICE_CSV, 'CSV', '2'],
    [`\ufeff${post}\n`, 'Earshot', '1'],
    [nolt, 'Nolt', '0'],
  ];
  for (const [bytes, product, ideas] of files) {
    await send(owner, { bytes, filename: 'a.bin' });
    const plan = await ended(owner);
    assert.match(plan, new RegExp(`was read as: ${product}\\.`));
    assert.equal(countOf(plan, 'Ideas'), ideas, product);
  }
});

testPages('an export for people begins with a byte order mark, and is imported as any other', async (web) => {
  const owner = await owners(web);
  for (const title of ['Größe', '"Über", alles']) await web.makePost(title);
  const file = await owner.get('/b/acme/settings/export/file?format=csv');
  assert.equal(file.rawPayload.toString('latin1').slice(0, 8), '\xef\xbb\xbfPost,');
  assert.match((await owner.get('/b/acme/settings/export/file?format=jsonl')).payload, /^{"row"/);
  web.takeStatements();
  const head = await owner.head('/b/acme/settings/export/file?format=csv');
  assert.deepEqual([head.statusCode, head.headers['content-type']], [200, file.headers['content-type']]);
  assert.ok(!web.takeStatements().some((statement) => /from "posts"/.test(statement)), 'nothing is read for a HEAD');
  await send(owner, { bytes: file.rawPayload, filename: 'board.csv' });
  const plan = await ended(owner);
  assert.match(plan, /was read as: Nolt/);
  assert.equal(countOf(plan, 'Ideas'), '2');
  assert.equal(await act(owner, 'proceed'), 302);
  await ended(owner);
  assert.deepEqual(await titles(web), ['"Über", alles', '"Über", alles', 'Größe', 'Größe']);
});

testPages('an unreadable file is refused with a clear error, and the next one is accepted', async (web) => {
  const owner = await owners(web);
  assert.equal(await send(owner, { bytes: '' }), `${IMPORT_PAGE}?problem=empty`);
  const { payload } = await owner.get(`${IMPORT_PAGE}?problem=empty`);
  assert.match(payload, /The file is empty\. Choose another one/);
  await send(owner, { bytes: 'a,b\n1,2\n' });
  const refused = await ended(owner);
  assert.match(refused, /No column is the title/);
  assert.doesNotMatch(refused, />Continue</);
  assert.match(refused, /Columns of the file/);
  await send(owner, { bytes: 'title\nCafé' });
  assert.equal(countOf(await ended(owner), 'Ideas'), '1');
  assert.equal(await act(owner, 'discard'), 302);
  assert.doesNotMatch(await ended(owner), /What would be imported/);
  assert.equal(await act(owner, 'proceed'), 422);
});

testWeb('the columns of a table are shown, chosen, and read as chosen', async (web) => {
  const owner = await owners(web);
  const table = 'Wunsch;Wann;Notiz\r\nGr\xf6\xdfe \xe4ndern;01/02/2025;Bitte\r\nDruck;03/04/2025;Danke\r\n';
  await send(owner, { bytes: Buffer.from(table, 'latin1'), filename: 'ideen.csv' });
  const plan = await ended(owner);
  assert.match(plan, /<details class="columns" open="">/);
  assert.match(plan, /<bdi>Größe ändern<\/bdi>.*name="column-0"/s);
  assert.match(plan, /<option value="windows-1252" selected="">WINDOWS-1252/);
  assert.match(plan, /Until you choose, dates that can be read in two ways are left out/);

  const without = await owner.post(IMPORT_PAGE, { intent: 'columns', 'column-0': 'created' });
  assert.deepEqual([without.statusCode, /Choose the column that has the titles/.test(without.payload)], [422, true]);
  const chosen = { 'column-0': 'title', 'column-1': 'created', 'column-2': 'text', dates: 'day-first' };
  const answer = await owner.post(IMPORT_PAGE, { intent: 'columns', encoding: 'windows-1252', ...chosen });
  assert.equal(answer.statusCode, 302);
  const again = await ended(owner);
  assert.match(again, /name="column-2"(?:(?!<\/select>).)*<option value="text" selected="">/s);
  assert.doesNotMatch(again, /Problems:/);
  await act(owner, 'proceed');
  await ended(owner);
  const { posts } = await web.ask(
    '{ posts(sort: OLDEST) { nodes { title dateCreated comments { nodes { text } } } } }',
  );
  assert.deepEqual(posts.nodes, [
    { title: 'Größe ändern', dateCreated: '2025-02-01T00:00:00.000Z', comments: { nodes: [{ text: 'Bitte' }] } },
    { title: 'Druck', dateCreated: '2025-04-03T00:00:00.000Z', comments: { nodes: [{ text: 'Danke' }] } },
  ]);
});

testPages('what an idea was called in another product leads to it, for those who may see it', async (web) => {
  const owner = await owners(web);
  await send(owner, { bytes: FIDER_CSV });
  await ended(owner);
  await act(owner, 'proceed');
  await ended(owner);
  const visitor = web.makeVisitor();
  const { posts } = await web.ask('{ posts(sort: OLDEST) { nodes { id number title externalId } } }');
  const { id, number, externalId } = posts.nodes.find(({ title }: { title: string }) => title === 'Go is great');
  const path = `/b/acme/moved/${externalId.replace(':', '/')}`;
  const { payload } = await visitor.get(path);
  assert.match(payload, new RegExp(`rel="canonical" href="http://board\\.test/b/acme/posts/${number}/`));
  for (const wrong of [`${path}9`, '/b/acme/moved/nothing/1', '/b/acme/moved/fider/%00', '/b/acme/moved/__proto__/1']) {
    assert.equal((await visitor.get(wrong)).statusCode, 404, wrong);
  }
  await web.api.deletePost({ postId: id }, { id: true });
  assert.equal((await visitor.get(path)).statusCode, 404);
});

testPages('a file over the limit is not kept', async (web) => {
  const owner = await owners(web);
  const bytes = Buffer.alloc(MAX_IMPORT_BYTES + 1, 'title\n');
  assert.equal(await send(owner, { bytes }), `${IMPORT_PAGE}?problem=too-large`);
  const body = { 'content-length': String(MAX_IMPORT_BYTES * 2), 'content-type': 'multipart/form-data; boundary=x' };
  const early = await owner.post(`${IMPORT_PAGE}/file`, {}, { ...body, origin: 'http://board.test' });
  assert.equal(early.headers.location, `${IMPORT_PAGE}?problem=too-large`);
  assert.deepEqual(listBytes(web), []);
});

testPages('only owners and admins import, from pages of the board', async (web) => {
  const owner = await owners(web);
  const moderator = await web.makeMember('Mona', 'MODERATOR');
  const removed = await web.makeMember('Rita', 'ADMIN');
  const rita = web.db.read.selectFrom('users').select('id').where('name', '=', 'Rita');
  const { id } = await rita.executeTakeFirstOrThrow();
  assert.equal((await removed.get(IMPORT_PAGE)).statusCode, 200);
  await web.db.transaction((tx) => tx.updateTable('users').set({ role: 'MEMBER' }).where('id', '=', id).execute());
  for (const visitor of [moderator, removed, await signUp(web, 'Vera'), web.makeVisitor()]) {
    assert.equal(await send(visitor, { bytes: CSV }), IMPORT_PAGE);
    for (const intent of ['proceed', 'undo', 'discard', 'cancel']) {
      assert.notEqual(await act(visitor, intent), 422);
    }
    assert.ok([302, 403].includes((await visitor.get(`${IMPORT_PAGE}/problems`)).statusCode));
  }
  assert.equal((await moderator.get(IMPORT_PAGE)).statusCode, 403);
  assert.deepEqual([listBytes(web), await web.db.read.selectFrom('import_jobs').selectAll().execute()], [[], []]);
  const elsewhere = await owner.post(`${IMPORT_PAGE}/file`, {}, { origin: 'https://evil.example' });
  assert.equal(elsewhere.statusCode, 403);
});

testPages('a problem is no formula in the file of problems', async (web) => {
  const owner = await owners(web);
  await send(owner, { bytes: CSV });
  await ended(owner);
  const problems = JSON.stringify([...'=+-@'].map((first, n) => ({ line: n + 1, message: `${first}1+1` })));
  await web.db.transaction((tx) => tx.updateTable('import_jobs').set({ problems }).execute());
  const { payload } = await owner.get(`${IMPORT_PAGE}/problems`);
  assert.equal(payload, "\ufeffLine,Column,Problem\r\n1,,'=1+1\r\n2,,'+1+1\r\n3,,'-1+1\r\n4,,'@1+1\r\n");
});

testWeb('while an import runs, no other begins', async (web) => {
  const owner = await owners(web);
  await send(owner, { bytes: CSV });
  await ended(owner);
  await web.db.transaction((tx) => tx.updateTable('import_jobs').set({ outcome: null }).execute());
  assert.match((await owner.get(IMPORT_PAGE)).payload, /<progress/);
  for (const intent of ['proceed', 'undo', 'discard']) assert.equal(await act(owner, intent), 422, intent);
  assert.equal(await send(owner, { bytes: CSV }), `${IMPORT_PAGE}?problem=busy`);
  assert.equal(listBytes(web).length, 1);
});

testWeb('an import is canceled while it runs, and continued', async (web) => {
  const owner = await owners(web);
  const rows = Array.from({ length: 1_000 }, (_, n) => `Idea ${n}`);
  await send(owner, { bytes: `title\n${rows.join('\n')}\n` });
  await ended(owner);
  await act(owner, 'proceed');
  assert.equal(await act(owner, 'cancel'), 302);
  assert.match(await ended(owner), /Canceled\..*What was imported so far stays/s);
  await act(owner, 'proceed');
  assert.doesNotMatch(await ended(owner), /Canceled/);
  const posts = await web.db.read.selectFrom('posts').select('id').execute();
  assert.equal(posts.length, rows.length);
});

testWeb('an import whose process has gone is continued or undone, and nothing is there twice', async (web) => {
  const owner = await owners(web);
  await send(owner, { bytes: CSV });
  await ended(owner);
  await act(owner, 'proceed');
  await ended(owner);
  const lost = { outcome: null, report: null, date_seen: web.clock.now() };
  await web.db.transaction((tx) => tx.updateTable('import_jobs').set(lost).execute());
  assert.match((await owner.get(IMPORT_PAGE)).payload, /<progress/);
  // The file is removed soon after an import, and here it is not yet.
  web.clock.advance(HOUR_MS);
  assert.match(await ended(owner), /The server stopped before this was finished/);
  await act(owner, 'proceed');
  assert.match(await ended(owner), /Already on the board, unchanged: 2/);
  assert.deepEqual(await titles(web), ['Dark mode', 'Light mode']);
  await web.db.transaction((tx) =>
    tx
      .updateTable('import_jobs')
      .set({ ...lost, task: 'UNDO' })
      .execute(),
  );
  web.clock.advance(HOUR_MS);
  await ended(owner);
  await act(owner, 'undo');
  await ended(owner);
  assert.deepEqual(await titles(web), []);
});

testWeb('a plan in one window does not import the file that another window has put in its place', async (web) => {
  const owner = await owners(web);
  await send(owner, { bytes: CSV });
  const job = /name="job" value="([^"]+)"/.exec(await ended(owner))?.[1] ?? '';
  const admin = await web.makeMember('Adam', 'ADMIN');
  await send(admin, { bytes: 'title\nSomething else\n', filename: 'other.csv' });
  await ended(admin);
  for (const intent of ['proceed', 'columns', 'discard']) {
    const { statusCode, headers } = await owner.post(IMPORT_PAGE, { intent, job, 'column-0': 'title' });
    assert.equal(statusCode, 302, intent);
    const { payload } = await owner.get(String(headers.location));
    assert.match(payload, /This plan was replaced, here or in another window.*other\.csv/s);
  }
  assert.deepEqual(await titles(web), []);
  const shown = /name="job" value="([^"]+)"/.exec(await ended(owner))?.[1] ?? '';
  assert.equal((await owner.post(IMPORT_PAGE, { intent: 'proceed', job: shown })).statusCode, 302);
  await ended(owner);
  assert.deepEqual(await titles(web), ['Something else']);
});

testWeb('a file waits for a day, and one that is gone is asked for again', async (web) => {
  const owner = await owners(web);
  const folder = makeFileFolder(web.dataDir);
  await send(owner, { bytes: CSV });
  await ended(owner);
  const [id = ''] = listBytes(web);
  rmSync(folder.pathOf(id));
  const { statusCode, payload } = await owner.post(IMPORT_PAGE, { intent: 'proceed' });
  assert.equal(statusCode, 422);
  assert.match(payload, /The uploaded file is gone: upload it again/);
  await send(owner, { bytes: CSV });
  await ended(owner);
  web.clock.advance(DAY_MS + HOUR_MS);
  await cleanFiles({ ...web, folder });
  await forgetJobs(web.db, web.clock.now());
  assert.deepEqual(listBytes(web), []);
  assert.doesNotMatch(await ended(owner), /What would be imported/);
});

testWeb('ideas that someone has voted on keep an import from being undone', async (web) => {
  const owner = await owners(web);
  await send(owner, { bytes: CSV });
  await ended(owner);
  await act(owner, 'proceed');
  await ended(owner);
  web.clock.advance(HOUR_MS);
  await owner.post('/b/acme/votes/1', { vote: 'up' });
  const page = await ended(owner);
  assert.match(page, /This import can no longer be undone\..*since: 1/);
  await act(owner, 'undo');
  assert.match(await ended(owner), /Nothing was undone\. Ideas changed, .*: 1</);
  await web.db.transaction((tx) => tx.updateTable('users').set({ locale: 'de' }).execute());
  assert.match(await ended(owner), /<bdi>Nichts wurde rückgängig gemacht\. Ideen, die seither .*: 1</);
  assert.equal((await titles(web)).length, 2);
});
