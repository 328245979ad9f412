import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { publishNew } from '../../test/support/changelog.ts';
import { signUp, type TestWeb, testPages, testWeb } from '../../test/support/web.ts';

const schema = XmlDocument.fromString(readFileSync(new URL('../../test/support/atom.xsd', import.meta.url), 'utf8'));
const validator = XsdValidator.fromDoc(schema);
const NAMESPACE = { a: 'http://www.w3.org/2005/Atom' };

/** A feed that is valid, with the texts that a path in it leads to. @throws for an invalid one */
function readFeed(text: string) {
  const document = XmlDocument.fromString(text);
  validator.validate(document);
  return (path: string) => document.find(path, NAMESPACE).map((node) => node.content);
}

/** What is hard to put into XML. */
const HARD = '<b>&amp; "1" ]]> \ufffe\uffff \u{1f312} &#0; &#12; &#x1b;';

async function fill(web: TestWeb): Promise<string> {
  const id = await web.makePost(`Dark mode ${HARD}`);
  await web.api.createComment({ postId: id, text: `Please **soon** ${HARD}` });
  await web.api.createComment({ postId: id, text: 'We will.', type: 'OFFICIAL' });
  await web.api.createComment({ postId: id, text: 'Secret', type: 'INTERNAL' });
  await web.api.changePostStatus({ postId: id, statusType: 'COMPLETED' });
  await publishNew(web, {
    title: `Dark ${HARD}`,
    text: `It **follows** ${HARD}`,
    labels: ['NEW', 'FIXED'],
    postIds: [id],
  });
  return id;
}

const feeds = ['/b/acme/changelog.atom', '/b/acme/posts.atom', '/b/acme/posts/1/feed.atom'] as const;

testWeb('the changelog, new ideas and the discussion of an idea are valid Atom feeds', async (web) => {
  const visitor = web.makeVisitor();
  for (const path of feeds.slice(0, 2)) readFeed((await visitor.get(path)).payload);
  await fill(web);
  const read = async (path: string) => {
    const { statusCode, headers, payload } = await visitor.get(path);
    assert.deepEqual([statusCode, headers['content-type']], [200, 'application/atom+xml; charset=utf-8'], path);
    return readFeed(payload);
  };
  const ofChangelog = await read(feeds[0]);
  assert.deepEqual(ofChangelog('//a:entry/a:title'), ['Dark <b>&amp; "1" ]]>  \u{1f312} &#0; &#12; &#x1b;']);
  assert.deepEqual(ofChangelog('//a:entry/a:category/@term'), ['New', 'Fixed']);
  assert.match(ofChangelog('//a:entry/a:content').join(), /^<p>It <strong>follows<\/strong> &lt;b&gt;/);
  assert.match(ofChangelog('//a:entry/a:link/@href').join(), /^http:\/\/board\.test\/b\/acme\/changelog\/1\//);
  assert.deepEqual(ofChangelog('/a:feed/a:link/@href'), [
    ...['http://board.test/b/acme/changelog.atom', 'http://board.test/b/acme/changelog'],
  ]);
  const ofPosts = await read(feeds[1]);
  assert.deepEqual(ofPosts('//a:entry/a:author/a:name'), ['ada']);
  assert.deepEqual(ofPosts('//a:entry/a:content'), ['Because.']);
  const ofPost = await read(feeds[2]);
  assert.deepEqual(ofPost('//a:entry/a:title'), ['Something changed', 'Official answer', 'Comment by ada']);
  assert.doesNotMatch(ofPost('//a:entry/a:content').join(), /Secret/);
});

testPages('a feed is sent again only when it has changed, and has the newest entries', async (web) => {
  await fill(web);
  const visitor = web.makeVisitor();
  for (const path of feeds) {
    const { headers } = await visitor.get(path);
    assert.equal(headers['cache-control'], 'public, max-age=300');
    const tag = String(headers.etag);
    const again = await visitor.get(path, { 'if-none-match': `"other", W/${tag}` });
    assert.deepEqual([again.statusCode, again.payload], [304, ''], path);
    const head = await visitor.head(path);
    assert.deepEqual([head.statusCode, head.payload, head.headers.etag], [200, '', tag], path);
  }
  const { headers: before } = await visitor.get('/b/acme/changelog.atom');
  for (let n = 1; n <= 21; n++) {
    await publishNew(web, { title: `Release ${n}`, text: 'long '.repeat(4_000) });
    web.clock.advance(1_000);
  }
  const after = await visitor.get('/b/acme/changelog.atom', { 'if-none-match': String(before.etag) });
  const titles = readFeed(after.payload)('//a:entry/a:title');
  assert.deepEqual([titles.length, titles[0], titles[19]], [20, 'Release 21', 'Release 2']);
  assert.ok(after.payload.length < 100_000, 'long texts are cut');
});

testPages('drafts, hidden posts and private boards are in no feed, not even for the team', async (web) => {
  const id = await fill(web);
  await web.api.createChangelogEntry({ title: 'Draft' });
  const mona = await web.makeMember('Mona', 'MODERATOR');
  assert.doesNotMatch((await mona.get('/b/acme/changelog.atom')).payload, /Draft/);
  await web.api.changePostModerationStatus({ id, moderationStatus: 'REJECTED' });
  assert.doesNotMatch((await mona.get('/b/acme/posts.atom')).payload, /Dark mode/);
  assert.equal((await mona.get('/b/acme/posts/1/feed.atom')).statusCode, 404);
  const vera = await signUp(web, 'Vera');
  for (const access of ['PUBLIC_READ', 'SIGNED_IN', 'MEMBERS'] as const) {
    await web.db.transaction((tx) => tx.updateTable('boards').set({ access }).execute());
    for (const visitor of [mona, vera, web.makeVisitor()]) {
      const { statusCode, payload } = await visitor.get('/b/acme/changelog.atom');
      assert.equal(statusCode, access === 'PUBLIC_READ' ? 200 : 404);
      if (access !== 'PUBLIC_READ') assert.doesNotMatch(payload, /Dark/);
    }
    const page = (await mona.get('/b/acme/changelog')).payload;
    assert.equal(/rel="alternate" type="application\/atom\+xml"/.test(page), access === 'PUBLIC_READ');
  }
  assert.equal((await mona.get('/b/nowhere/changelog.atom')).statusCode, 404);
});

testWeb('the changes of an idea are in its feed as on its page, without the names of hidden statuses', async (web) => {
  const id = await web.makePost('Dark mode');
  const [, planned, started] = await web.api.listStatuses({ id: true, name: true });
  for (const status of [planned, started]) {
    await web.api.changePostStatus({ postId: id, statusType: 'CUSTOM', statusId: status?.id });
  }
  await web.api.changePostStatus({ postId: id, statusType: 'COMPLETED', comment: 'It is **out**' });
  const read = async () => readFeed((await web.makeVisitor().get(feeds[2])).payload)('//a:entry/a:content');
  const message = '<p>It is <strong>out</strong></p>\n';
  assert.deepEqual(await read(), [
    ...[message, 'ada changed the status: Planned → In progress', 'ada changed the status: Open → Planned'],
  ]);
  await web.api.updateStatus({ id: planned?.id ?? '', postVisibility: 'TEAM' });
  assert.deepEqual(await read(), [message, 'ada changed the status to In progress', 'ada changed the status']);
  await web.db.transaction((tx) => tx.updateTable('boards').set({ locale: 'de' }).execute());
  assert.match((await read()).join(), /ada hat den Status auf In Arbeit gesetzt/);
});

testPages('pages name their feed in the head', async (web) => {
  await fill(web);
  const visitor = web.makeVisitor();
  const pages = { '/b/acme/changelog': feeds[0], '/b/acme': feeds[1], '/b/acme/posts/1': feeds[2] };
  for (const [page, feed] of Object.entries(pages)) {
    const [head = ''] = (await visitor.get(page)).payload.split('</head>');
    const [, href] = /<link rel="alternate" type="application\/atom\+xml"[^>]*href="([^"]+)"/.exec(head) ?? [];
    assert.equal(href, `http://board.test${feed}`, page);
  }
});
