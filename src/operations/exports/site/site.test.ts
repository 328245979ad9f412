import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { publishNew } from '../../../../test/support/changelog.ts';
import { PNG, upload } from '../../../../test/support/files.ts';
import { readHead } from '../../../../test/support/page-head.ts';
import {
  assertLinksResolve,
  makeSiteFolder,
  readPages,
  readSite,
  type TestSite,
  testSite,
  writeSite,
} from '../../../../test/support/site.ts';
import { setBoard } from '../../../identity/board/board.ts';
import { seedBoard } from '../../sample/seed.ts';

const COMMENT = `mutation($id: String!, $text: String!, $type: CommentType, $files: [String]) {
  createComment(postId: $id, text: $text, type: $type, files: $files) { id }
}`;
const TITLE = 'mutation($id: String!, $title: String) { updatePost(id: $id, title: $title) { node { id } } }';
const VOTE = 'mutation($id: String!) { upvotePost(postId: $id) { id } }';
const RENAME = 'mutation($id: String!, $name: String) { updateUser(ssoId: $id, ssoType: SSO, name: $name) { id } }';

const change = ({ db, board }: TestSite, set: Parameters<typeof setBoard>[2]) =>
  db.transaction((tx) => setBoard(tx, board.id, set));

/** A file of the site as text. */
const read = ({ folder }: TestSite, path: string) => readFileSync(join(folder, path), 'utf8');

/** When each file of the site was written. */
function readTimes(folder: string): Map<string, bigint> {
  return new Map(
    [...readSite(folder).keys()].map((path) => [path, statSync(join(folder, path), { bigint: true }).mtimeNs]),
  );
}

/** Which of them were written since, or are new; the list of posts is written in every run. */
function writtenSince(folder: string, before: ReadonlyMap<string, bigint>): string[] {
  return [...readTimes(folder)].flatMap(([path, time]) =>
    before.get(path) === time || path === 'posts.json' ? [] : [path],
  );
}

testSite('the pages of a board become files that lead to each other and need no server', async (site) => {
  const { api, db, clock, board, folder } = site;
  await seedBoard({ db, clock, board, baseUrl: 'http://board.test' }, 130);
  const picture = await upload(site, { filename: 'shot.png', bytes: PNG });
  const notes = await upload(site, { filename: 'page.html', bytes: '<script>alert(1)</script>' });
  const id = await site.makePost('Größe & <b>Form</b>');
  const files = [picture.id, notes.id];
  const comment = await api.createComment({ postId: id, text: 'See [this](/b/acme/posts/999) and **that**.', files });
  await api.addCommentReaction({ id: comment.id, reaction: 'HEART' });
  await api.createComment({ postId: id, text: 'We will.', type: 'OFFICIAL' });
  await api.createTag({ name: '日本 / ../x' });
  await publishNew(site, { title: 'Shapes', text: 'New.', postIds: [id] });
  const { posts, written, removed } = await site.write();
  assert.ok(posts === 131 && written === 131 && removed === 0, JSON.stringify({ posts, written, removed }));
  assert.ok(assertLinksResolve(folder) > 1_000);
  for (const [path, html] of readPages(folder)) {
    assert.doesNotMatch(
      html,
      /<script(?! type="application\/ld\+json")|<form|<input|<textarea|<select|type="submit"/,
      path,
    );
    assert.doesNotMatch(html, /modulepreload|href="\/|src="\//, path);
  }
  const [number] = [131];
  const page = read(site, `posts/${number}/index.html`);
  assert.match(page, /<h1[^>]*>Größe &amp; &lt;b&gt;Form&lt;\/b&gt;<\/h1>/);
  assert.match(page, /<a href="http:\/\/board\.test\/b\/acme\/posts\/999"/);
  assert.deepEqual(readFileSync(join(folder, `posts/${number}/files/${picture.id}.png`)), PNG);
  assert.ok([...readSite(folder).keys()].every((path) => /^[\w./-]+$/.test(path) && !path.endsWith('.js')));
  assert.ok(readSite(folder).has('page-2/index.html') && readSite(folder).has('ideas/all/page-2/index.html'));
  const data = JSON.parse(read(site, `posts/${number}/index.json`));
  assert.deepEqual([data.title, data.author, data.comments.length], ['Größe & <b>Form</b>', 'ada', 2]);
  assert.deepEqual(data.comments[0].reactions, [{ reaction: 'HEART', count: 1 }]);
  assert.deepEqual(
    data.comments[0].files.map(({ path }: { path: string }) => readSite(folder).has(`posts/${number}/${path}`)),
    [true, true],
  );
  assert.match(
    read(site, `posts/${number}/index.md`),
    /"title": "Größe & <b>Form<\/b>"[\s\S]*Because\.[\s\S]*OFFICIAL[\s\S]*We will\./,
  );
  const all = JSON.parse(read(site, 'posts.json'));
  assert.deepEqual([all.length, all.at(-1).title], [131, data.title]);
});

testSite('with a URL, search engines and feed readers find the site instead of the server', async (site) => {
  const { db, clock, board } = site;
  await seedBoard({ db, clock, board, baseUrl: 'http://board.test' }, 20);
  await site.makePost('Dark mode');
  await publishNew(site, { title: 'News' });
  const url = 'https://archive.example.com/old/board/';
  await site.write();
  assert.equal(readHead(read(site, 'posts/21/index.html')).canonical, 'http://board.test/b/acme/posts/21/dark-mode');
  assert.ok(!readSite(site.folder).has('sitemap.xml'));
  const { written } = await site.write({ url });
  assert.equal(written, 21);
  const indexed: string[] = [];
  for (const [path, html] of readPages(site.folder)) {
    const { title, canonical, meta, data } = readHead(html);
    assert.ok(title, `${path} has a title`);
    if (meta.robots === 'noindex') continue;
    assert.ok(canonical && meta.description, path);
    assert.ok(canonical.startsWith(url) && meta['og:url'] === canonical, path);
    assert.equal(meta['og:image'], `${url}picture.png`, path);
    assert.ok(readSite(site.folder).has(`${canonical.slice(url.length)}index.html`), canonical);
    if (data) assert.doesNotMatch(JSON.stringify(data), /board\.test/);
    indexed.push(canonical);
  }
  const sitemap = read(site, 'sitemap-1.xml');
  const listed = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, loc = '']) => loc);
  assert.ok(listed.includes(`${url}posts/21/`) && listed.includes(url) && listed.includes(`${url}roadmap/`));
  assert.deepEqual(
    listed.filter((loc) => !indexed.includes(loc)),
    [],
  );
  assert.match(read(site, 'sitemap.xml'), /<loc>https:\/\/archive\.example\.com\/old\/board\/sitemap-1\.xml<\/loc>/);
  validate(sitemap, '../../../../node_modules/sitemap/schema/sitemap.xsd');
  for (const name of ['posts.atom', 'changelog.atom']) {
    const feed = read(site, name);
    validate(feed, '../../../../test/support/atom.xsd');
    assert.match(feed, new RegExp(` href="${url}${name}"`));
    assert.doesNotMatch(feed, / href="http:\/\/board\.test/);
  }
});

function validate(xml: string, schema: string): void {
  const text = readFileSync(new URL(schema, import.meta.url), 'utf8');
  XsdValidator.fromDoc(XmlDocument.fromString(text)).validate(XmlDocument.fromString(xml));
}

testSite('a later run writes only what has changed, whether or not there is an event for it', async (site) => {
  const { ask, makePost, folder } = site;
  await site.makeUser('vera');
  const ids: string[] = [];
  for (let n = 1; n <= 6; n++) ids.push(await makePost(`Idea ${n}`, { as: n === 3 ? 'vera' : 'ada' }));
  const at = (n: number) => ({ id: ids[n - 1] });
  const { createComment } = await ask(COMMENT, { ...at(4), text: 'First' });
  await site.write();
  assert.equal((await site.write()).written, 0);
  const changes: [what: string, number: number, () => Promise<unknown>][] = [
    ['a vote', 1, () => ask(VOTE, at(1))],
    ['a title', 2, () => ask(TITLE, { ...at(2), title: 'Renamed' })],
    ['a name', 3, () => ask(RENAME, { id: 'vera', name: 'Veronika' })],
    ['a comment', 4, () => ask(COMMENT, { ...at(4), text: 'Second' })],
    [
      'a reaction',
      4,
      () =>
        ask('mutation($id: String!) { addCommentReaction(id: $id, reaction: EYES) { id } }', { id: createComment.id }),
    ],
    [
      'a status',
      5,
      () => ask('mutation($id: String!) { changePostStatus(postId: $id, statusType: COMPLETED) { id } }', at(5)),
    ],
  ];
  for (const [what, number, work] of changes) {
    site.clock.advance(1_000);
    const before = readTimes(folder);
    await work();
    assert.deepEqual(await site.write(), { posts: 6, written: 1, removed: 0 }, what);
    const written = writtenSince(folder, before).filter((path) => path.startsWith('posts/'));
    assert.ok(
      written.length > 0 && written.every((path) => path.startsWith(`posts/${number}/`)),
      `${what}: ${written}`,
    );
  }
  assert.match(read(site, 'posts/3/index.html'), /Veronika/);
  assert.equal((await site.write()).written, 0);
  await change(site, { brand_color: '#336699' });
  assert.equal((await site.write()).written, 6);
});

testSite('long discussions have pages, and long comments are there as a whole', async (site) => {
  const id = await site.makePost('Long');
  const long = `${'Long words. '.repeat(600)}END`;
  await site.api.createComment({ postId: id, text: long });
  for (let n = 0; n < 110; n++) await site.api.createComment({ postId: id, text: `Comment ${n}` });
  await site.write();
  assert.match(read(site, 'posts/1/index.html'), /Long words\. END/);
  assert.match(read(site, 'posts/1/index.html'), /href="\.\.\/\.\.\/posts\/1\/page-2\/index\.html"/);
  assert.match(read(site, 'posts/1/page-2/index.html'), /Comment 109/);
  assertLinksResolve(site.folder);
});

testSite(
  'a folder that is not of the board, and a private board, are refused; links lead nowhere else',
  async (site, t) => {
    await site.makePost('One');
    const other = makeSiteFolder(t);
    writeFileSync(join(other, 'precious.txt'), 'Mine');
    await assert.rejects(site.write({ folder: other }), /has files that are not of an export/);
    assert.deepEqual([...readSite(other).keys()], ['precious.txt']);

    await site.write();
    const board = await site.makeBoard({ name: 'Second' });
    await assert.rejects(writeSite({ ...site, board }, { folder: site.folder }), /the export of another board/);

    rmSync(join(site.folder, 'posts'), { recursive: true });
    symlinkSync(other, join(site.folder, 'posts'));
    await site.api.updatePost({ id: await site.makePost('Two'), title: 'Three' });
    await assert.rejects(site.write(), /posts is not a folder of the export/);
    rmSync(join(site.folder, 'posts'));
    mkdirSync(join(site.folder, 'posts'));
    assert.deepEqual([...readSite(other).keys()], ['precious.txt']);

    await change(site, { access: 'SIGNED_IN' });
    await assert.rejects(site.write(), /The board acme is private/);
  },
);
