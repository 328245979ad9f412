import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFileFolder } from '../../src/feedback/files/folder.ts';
import { setBoard } from '../../src/identity/board/board.ts';
import { importItems } from '../../src/operations/imports/import.ts';
import { openFile } from '../../src/operations/imports/sources.ts';
import { HOUR_MS } from '../../src/platform/lib/clock.ts';
import { makeFile } from '../support/import-files.ts';
import { makeScene, prefer, startNotifying } from '../support/notifying.ts';
import { testRemote } from '../support/remote.ts';
import { testSite } from '../support/site.ts';
import { signUp, testWeb, type WebVisitor } from '../support/web.ts';

/** What works once the recipes of CONTRIBUTING.md have been followed; `recipes.test.ts` runs it in its copy. */
type Event = { type: string; data: { post: { quarter: string | null } } };

const CHANGE = 'mutation($id: String!, $q: String) { updatePost(id: $id, quarter: $q) { node { quarter } } }';

testWeb('a column of a post is written, read, exported, imported and shown', async (web, t) => {
  const id = await web.makePost('Dark mode');
  assert.deepEqual(await web.ask(CHANGE, { id, q: '2027-Q1' }), { updatePost: { node: { quarter: '2027-Q1' } } });
  const tooLong = await web.gql(CHANGE, { id, q: 'x'.repeat(21) });
  assert.deepEqual(tooLong.errors[0]?.extensions.field, 'quarter');
  assert.match((await web.makeVisitor().get('/b/acme/posts/1')).payload, /Quarter<\/dt><dd>.*2027-Q1/);
  const owner = await web.makeMember('Olga', 'OWNER');
  for (const [format, found] of [
    ['csv', /,Quarter\r\n.*,2027-Q1\r\n/s],
    ['jsonl', /"quarter":"2027-Q1"/],
  ] as const) {
    assert.match(await exported(owner, format), found);
  }
  const { db, clock, board } = web;
  const items = openFile('earshot', makeFile(t, 'a.jsonl', await exported(owner, 'jsonl')), {
    reading: null,
    remote: testRemote,
  });
  const context = { db, clock, board, baseUrl: 'http://board.test' };
  await importItems(context, 'earshot', items, { isPlan: false, folder: makeFileFolder(web.dataDir) });
  const { posts } = await web.ask('{ posts { nodes { quarter } } }');
  assert.deepEqual(posts.nodes, [{ quarter: '2027-Q1' }, { quarter: '2027-Q1' }]);
});

testWeb('a change of a column of a post is in the log, and can be undone', async (web) => {
  const id = await web.makePost('Dark mode');
  await web.ask(CHANGE, { id, q: '2027-Q1' });
  await web.ask(CHANGE, { id, q: '2027-Q2' });
  const { operations } = await web.ask('{ operations { nodes { id changes { before after } } } }');
  const [last, first] = operations.nodes;
  assert.deepEqual(last.changes, [{ before: { quarter: '2027-Q1' }, after: { quarter: '2027-Q2' } }]);
  assert.deepEqual(first.changes, [{ before: { quarter: null }, after: { quarter: '2027-Q1' } }]);
  const undo = (operationId: string) =>
    web.gql('mutation($id: String!) { undo(operationId: $id) { id } }', { id: operationId });
  assert.match((await undo(first.id)).errors[0]?.message ?? '', /changed since then: quarter \(#1\)/);
  const quarter = async () => (await web.ask('query($id: String!) { post(id: $id) { quarter } }', { id })).post.quarter;
  for (const [operation, before] of [
    [last, '2027-Q1'],
    [first, null],
  ] as const) {
    assert.deepEqual((await undo(operation.id)).errors, []);
    assert.equal(await quarter(), before);
  }
  const owner = await web.makeMember('Olga', 'OWNER');
  assert.match((await owner.get('/b/acme/activity')).payload, /Idea edited/);
});

testWeb('a column of a post is in the events of its creation and deletion', async (web) => {
  const id = await web.makePost('Dark mode');
  await web.ask(CHANGE, { id, q: '2027-Q1' });
  await web.ask('mutation($id: String!) { deletePost(postId: $id) { id } }', { id });
  const { events } = await web.ask('{ events { nodes { type data } } }');
  assert.deepEqual(
    events.nodes.map(({ type, data }: Event) => [type, data.post.quarter]),
    [
      ['post.created', null],
      ['post.deleted', '2027-Q1'],
    ],
  );
});

testSite('a column of a post is in a static site', async (site) => {
  await site.ask(CHANGE, { id: await site.makePost('Dark mode'), q: '2027-Q1' });
  await site.write();
  assert.match(readFileSync(join(site.folder, 'posts/1/index.json'), 'utf8'), /"quarter": ?"2027-Q1"/);
});

async function exported(owner: WebVisitor, format: 'csv' | 'jsonl'): Promise<string> {
  return (await owner.get(`/b/acme/settings/export/file?format=${format}`)).payload;
}

testWeb('a query answers', async (web) => {
  assert.deepEqual(await web.ask('{ hasRoadmap }'), { hasRoadmap: true });
});

testWeb('an event is logged, and webhooks can choose it', async (web) => {
  const id = await web.makePost('Dark mode');
  const rename = 'mutation($id: String!) { updatePost(id: $id, title: "Night mode") { node { title } } }';
  await web.ask(rename, { id });
  await web.ask(rename, { id });
  const { events } = await web.ask('{ events(types: ["post.title.updated"]) { nodes { data } } }');
  assert.deepEqual(
    events.nodes.map(({ data }: { data: { previousTitle: string } }) => data.previousTitle),
    ['Dark mode'],
  );
  const owner = await web.makeMember('Olga', 'OWNER');
  assert.match((await owner.get('/b/acme/settings/webhooks/new')).payload, /post\.title\.updated/);
});

testWeb(
  'a kind of mail notifies followers in their language, in digests and the inbox, until it is switched off',
  async (web, t) => {
    const { id } = await makeScene(web);
    const grace = await signUp(web, 'Grace');
    await grace.post('/b/acme/votes/1', { vote: 'up', next: '/b/acme' });
    const notifying = await startNotifying(t, web);
    await notifying.deliverAfter();
    await prefer(web, 'up', { locale: 'de' });
    await prefer(web, 'down', { onStatus: false });
    await prefer(web, 'talker', { frequency: 'DAILY' });
    await web.ask(
      'mutation($id: String!) { updatePost(id: $id, title: "Night mode") { node { id } } }',
      { id },
      { as: 'mod' },
    );
    const mails = new Map((await notifying.deliverAfter()).map((mail) => [mail.to[0], mail]));
    assert.deepEqual(
      [...mails.keys()].sort(),
      ['author', 'fan', 'grace', 'up'].map((name) => `${name}@example.com`),
    );
    const { headers, text } = mails.get('fan@example.com') ?? assert.fail();
    assert.equal(headers.subject, 'New title: Night mode');
    assert.match(text, /^An idea that you follow has a new title:$/m);
    assert.equal(mails.get('up@example.com')?.headers.subject, 'Neuer Titel: Night mode');
    const [digest] = await notifying.deliverAfter(24 * HOUR_MS);
    assert.match(digest?.text ?? '', /Night mode.*^New title$/ms);
    assert.match((await grace.get('/b/acme/inbox')).payload, /mod changed the title/);
  },
);

testWeb('a page of the settings is listed, found and shown', async (web) => {
  const owner = await web.makeMember('Olga', 'OWNER');
  assert.match((await owner.get('/b/acme/settings')).payload, /href="\/b\/acme\/settings\/about"[^>]*>About</);
  const found = (await owner.get('/b/acme/settings/search?find=about')).payload;
  assert.equal(found.match(/href="\/b\/acme\/settings\/about"/g)?.length, 2, 'in the navigation and among the results');
  assert.match((await owner.get('/b/acme/settings/about')).payload, /Earshot \d/);
  assert.equal((await web.makeVisitor().get('/b/acme/settings/about')).statusCode, 302);
});

testWeb('a text is shown in its new words', async (web) => {
  const id = await web.makePost('Dark mode');
  const change = 'mutation($id: String!) { updatePost(id: $id, expected: "soon") { node { title } } }';
  const { errors } = await web.gql(change, { id });
  assert.equal(errors[0]?.message, 'expected must be a quarter such as 2027-Q1, or a month such as 2027-01');
});

testWeb('a language can be chosen, and pages are in it', async (web) => {
  const owner = await web.makeMember('Olga', 'OWNER');
  assert.match((await owner.get('/b/acme/settings/general')).payload, /<option value="nl">Nederlands</);
  await web.db.transaction((tx) => setBoard(tx, web.board.id, { locale: 'nl' }));
  assert.match((await web.makeVisitor().get('/b/acme')).payload, /<html lang="nl"/);
});
