import assert from 'node:assert/strict';
import { setBoard } from '../../src/identity/board/board.ts';
import { testWeb } from '../support/web.ts';

/** What works once the recipes of CONTRIBUTING.md have been followed; `recipes.test.ts` runs it in its copy. */
testWeb('a column of a post is written, read, exported and shown', async (web) => {
  const id = await web.makePost('Dark mode');
  const change = 'mutation($id: String!, $q: String) { updatePost(id: $id, quarter: $q) { node { quarter } } }';
  assert.deepEqual(await web.ask(change, { id, q: '2027-Q1' }), { updatePost: { node: { quarter: '2027-Q1' } } });
  const tooLong = await web.gql(change, { id, q: 'x'.repeat(21) });
  assert.deepEqual(tooLong.errors[0]?.extensions.field, 'quarter');
  assert.match((await web.makeVisitor().get('/b/acme/posts/1')).payload, /Quarter<\/dt><dd>.*2027-Q1/);
  const owner = await web.makeMember('Olga', 'OWNER');
  for (const [format, found] of [
    ['csv', /,Quarter\r\n.*,2027-Q1\r\n/s],
    ['jsonl', /"quarter":"2027-Q1"/],
  ] as const) {
    assert.match((await owner.get(`/b/acme/settings/export/file?format=${format}`)).payload, found);
  }
});

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

testWeb('a page of the settings is listed, found and shown', async (web) => {
  const owner = await web.makeMember('Olga', 'OWNER');
  assert.match((await owner.get('/b/acme/settings')).payload, /href="\/b\/acme\/settings\/about"[^>]*>About</);
  const found = (await owner.get('/b/acme/settings/search?find=about')).payload;
  assert.equal(found.match(/href="\/b\/acme\/settings\/about"/g)?.length, 2, 'in the navigation and among the results');
  assert.match((await owner.get('/b/acme/settings/about')).payload, /Earshot \d/);
  assert.equal((await web.makeVisitor().get('/b/acme/settings/about')).statusCode, 302);
});

testWeb('a language can be chosen, and pages are in it', async (web) => {
  const owner = await web.makeMember('Olga', 'OWNER');
  assert.match((await owner.get('/b/acme/settings/general')).payload, /<option value="nl">Nederlands</);
  await web.db.transaction((tx) => setBoard(tx, web.board.id, { locale: 'nl' }));
  assert.match((await web.makeVisitor().get('/b/acme')).payload, /<html lang="nl"/);
});
