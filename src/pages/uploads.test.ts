import assert from 'node:assert/strict';
import { listBytes, PNG } from '../../test/support/files.ts';
import { signUp, testPages, testWeb } from '../../test/support/web.ts';
import { DAY_MS, MINUTE_MS } from '../platform/lib/clock.ts';

const UPLOADS = '/b/acme/uploads';
const picture = { field: 'file', filename: 'screen.png', bytes: PNG, type: 'image/png' };

testPages('a picture is uploaded by users who may write, and belongs to one of their ideas', async (web) => {
  const [vera, otto] = [await signUp(web, 'Vera'), await signUp(web, 'Otto')];
  const { id, name, href } = (await vera.postForm(UPLOADS, [picture])).json();
  assert.equal(name, 'screen.png');
  assert.equal((await vera.get(href)).statusCode, 200);
  const post = (title: string, file: string) =>
    ({ title, comment: '', [`file:${file}`]: 'on' }) satisfies Record<string, string>;
  assert.equal((await otto.post('/b/acme?index', post('Stolen', id))).statusCode, 422);
  assert.equal((await vera.post('/b/acme?index', post('Own', id))).statusCode, 302);
  assert.equal((await vera.post('/b/acme?index', post('Again', id))).statusCode, 422);
  const broken = await vera.post('/b/acme?index', post('Broken', "x' or 1=1"));
  assert.equal(broken.statusCode, 422);
  assert.match(broken.payload, /This file no longer exists: upload it again/);
  assert.match((await vera.get('/b/acme/posts/1/own')).payload, /<img[^>]+alt="screen\.png"/);
  assert.equal((await web.api.posts({}, { totalCount: true })).totalCount, 1);
});

testPages('an upload of an anonymous visitor or a blocked user, or without a file, is refused', async (web) => {
  assert.equal((await web.makeVisitor().postForm(UPLOADS, [picture])).statusCode, 403);
  const vera = await signUp(web, 'Vera');
  assert.equal((await vera.postForm(UPLOADS, [])).statusCode, 400);
  const broken = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
  const svg = await vera.postForm(UPLOADS, [{ ...picture, filename: 'a.svg', bytes: broken, type: 'image/svg+xml' }]);
  assert.equal(svg.statusCode, 200, 'as with the API, it is a file to download');
  await web.db.transaction((tx) =>
    tx.updateTable('users').set({ standing: 'BLOCKED' }).where('name', '=', 'Vera').execute(),
  );
  assert.equal((await vera.postForm(UPLOADS, [picture])).statusCode, 422);
});

testPages('a form with more files than an idea may have is refused before any of them is kept', async (web) => {
  const vera = await signUp(web, 'Vera');
  const fields = [
    { field: 'title', bytes: 'Flood' },
    { field: 'comment', bytes: 'Kept.' },
  ];
  const sent = (await vera.postForm(UPLOADS, [picture])).json();
  for (const extra of [
    Array(11).fill(picture),
    [{ field: `file:${sent.id}`, bytes: 'on' }, ...Array(10).fill(picture)],
  ]) {
    const refused = await vera.postForm('/b/acme?index', [...fields, ...extra]);
    assert.equal(refused.statusCode, 422);
    assert.match(refused.payload, /At most 10 files can be attached; 11 are chosen/);
  }
  assert.deepEqual(listBytes(web), [sent.id]);
  assert.equal((await vera.postForm('/b/acme?index', [...fields, ...Array(10).fill(picture)])).statusCode, 302);
});

testPages('a form whose picture is too large comes back with what was typed, and nothing is saved', async (web) => {
  const vera = await signUp(web, 'Vera');
  const photo = { ...picture, filename: 'photo.jpg', bytes: Buffer.alloc(3_000_000, 'x') };
  const words = /The files are larger than 1 MiB: choose smaller ones/;
  const idea = await vera.postForm('/b/acme?index', [
    { field: 'title', bytes: 'Dark mode' },
    { field: 'comment', bytes: 'My eyes hurt.' },
    ...[photo, photo],
    { field: 'formId', bytes: 'x' },
  ]);
  assert.equal(idea.statusCode, 422);
  assert.match(idea.payload, /value="Dark mode".*My eyes hurt\./s);
  assert.match(idea.payload, words);
  await web.makePost('Night theme');
  const comment = await vera.postForm('/b/acme/posts/1/night-theme', [
    { field: 'intent', bytes: 'comment' },
    { field: 'text', bytes: 'I need this, too.' },
    photo,
  ]);
  assert.equal(comment.statusCode, 422);
  assert.match(comment.payload, /I need this, too\..*<\/textarea>/s);
  assert.match(comment.payload, words);
  const olga = await web.makeMember('Olga', 'OWNER');
  const entry = await olga.postForm('/b/acme/changelog/new', [
    { field: 'title', bytes: 'Version 2' },
    { field: 'text', bytes: 'New.' },
    photo,
    { field: 'intent', bytes: 'publish' },
  ]);
  assert.match(entry.payload, words);
  for (const [path, intent] of [
    ['/b/acme/settings/profile', 'picture'],
    ['/b/acme/settings/general', 'logo'],
  ] as const) {
    const parts = [
      { field: 'intent', bytes: intent },
      { ...photo, field: 'picture' },
    ];
    assert.match((await olga.postForm(path, parts)).payload, words, path);
  }
  const { posts, changelog } = await web.ask('{ posts { totalCount } changelog { nodes { id } } }');
  assert.deepEqual([posts.totalCount, changelog.nodes.length, listBytes(web)], [1, 0, []]);
});

testWeb('a member uploads 100 files a day, and the team as many as it needs', async (web) => {
  const [vera, mona] = [await signUp(web, 'Vera'), await web.makeMember('Mona', 'MODERATOR')];
  const upload = async (visitor: typeof vera) => (await visitor.postForm(UPLOADS, [picture])).json();
  for (let n = 0; n < 100; n++) {
    if (n === 50) web.clock.advance(16 * MINUTE_MS);
    assert.equal((await upload(vera)).name, 'screen.png');
  }
  web.clock.advance(16 * MINUTE_MS);
  assert.match((await upload(vera)).message, /Too many attempts/);
  const form = [{ field: 'title', bytes: 'With a picture' }, picture];
  const refused = await vera.postForm('/b/acme?index', form);
  assert.deepEqual([refused.statusCode, Boolean(refused.headers['retry-after'])], [429, true]);
  assert.equal(listBytes(web).length, 100);
  for (let n = 0; n < 101; n++) assert.equal((await upload(mona)).name, 'screen.png');
  web.clock.advance(DAY_MS);
  assert.equal((await upload(vera)).name, 'screen.png');
});
