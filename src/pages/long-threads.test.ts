import assert from 'node:assert/strict';
import { signUp, type TestWeb, testPages, testWeb } from '../../test/support/web.ts';

const POST = '/b/acme/posts/1';

/** Comments on a new post, by the API, in the order of the texts. */
async function comment({ api, makePost, clock }: TestWeb, texts: readonly string[]): Promise<string[]> {
  const id = await makePost('Dark mode');
  const ids: string[] = [];
  for (const text of texts) {
    clock.advance(1_000);
    ids.push((await api.createComment({ postId: id, text })).id);
  }
  return ids;
}

/** What is to be seen of a page: without what scripts need. */
const seen = (payload: string) => payload.replace(/<script\b.*?<\/script>|<!--.*?-->/gs, '');
const linkFrom = (payload: string, words: string) =>
  new RegExp(`<a [^>]*href="([^"#]*)(?:#[^"]*)?"[^>]*>${words}`).exec(seen(payload))?.[1]?.replaceAll('&amp;', '&') ??
  '';

testPages('a comment of more than 3,000 characters is cut, with a link to all of it', async (web) => {
  const lines = (count: number) => `${'A line of thirty characters..\n'.repeat(100).slice(0, count - 4)} end`;
  const [short = '', long = ''] = await comment(web, [lines(3_000), `${lines(3_001)}`]);
  const { payload } = await web.makeVisitor().get(POST);
  assert.equal(seen(payload).match(/ end/g)?.length, 1);
  assert.equal(seen(payload).match(/Read the whole comment/g)?.length, 1);
  const link = linkFrom(payload, 'Read the whole comment');
  assert.equal(link, `${POST}/dark-mode?show=${long}`);
  assert.match(
    seen(payload),
    /Read the whole comment<span class="visually-hidden"> ada<\/span><\/a><span class="muted">3,001 characters/,
  );
  const whole = (await web.makeVisitor().get(link)).payload;
  assert.equal(seen(whole).match(/ end/g)?.length, 2);
  assert.match(seen(whole), /Show less/);
  assert.doesNotMatch(seen(whole), /Read the whole comment/);
  for (const id of [short, 'x', '%00']) {
    const other = (await web.makeVisitor().get(`${POST}?show=${id}`)).payload;
    assert.match(seen(other), /Read the whole comment/);
    assert.doesNotMatch(seen(other), /Show less/);
  }
});

testWeb('a page of a discussion has room for 200,000 bytes; all of it is reached by links', async (web) => {
  // Each of them becomes about six times as many bytes.
  const texts = Array.from({ length: 30 }, (_, n) => `comment${n}. ${'"&'.repeat(1_450)}`);
  await comment(web, texts);
  for (const order of ['', '?comments=newest']) {
    const found: string[] = [];
    let path = POST + order;
    for (let pages = 0; path !== ''; pages++) {
      assert.ok(pages < 10, 'it comes to an end');
      const { payload, rawPayload } = await web.makeVisitor().get(path);
      const [html] = [...seen(payload).matchAll(/<ol class="threads">.*<\/ol>/gs)].map(([list]) => list);
      assert.ok(Buffer.byteLength(html ?? '') < 250_000, `${Buffer.byteLength(html ?? '')} bytes of comments`);
      assert.ok(rawPayload.length < 1_000_000, `${rawPayload.length} bytes of a page`);
      found.push(...[...seen(payload).matchAll(/comment\d+(?=\.)/g)].map(([name]) => name));
      path = linkFrom(payload, 'More comments');
    }
    const expected = texts.map((_, n) => `comment${n}`);
    assert.deepEqual(found, order ? expected.toReversed() : expected);
  }
});

testWeb('long hostile texts all over a post still load', async (web) => {
  const hostile = ['[](a)', '|a|b|\n|-|-|\nc\n', '> - ', '"&', 'http://a.example/é '];
  const texts = hostile.map((unit) => unit.repeat(Math.floor(20_000 / unit.length)));
  const ids = await comment(web, texts);
  const [post] = (await web.api.posts({}, { nodes: { id: true } })).nodes;
  for (const text of texts) {
    await web.api.updatePost({ id: post?.id ?? '', comment: text });
    for (const path of [POST, `${POST}?show=${ids[0]}`]) {
      const { statusCode, rawPayload } = await web.makeVisitor().get(path);
      assert.equal(statusCode, 200);
      assert.ok(rawPayload.length < 3_000_000, `${text.slice(0, 20)}: ${rawPayload.length} bytes`);
    }
  }
});

testPages('a long comment that waits for the team is shown from its beginning, with a link to it', async (web) => {
  const vera = await signUp(web, 'Vera');
  await comment(web, []);
  await vera.post(POST, { intent: 'comment', text: `${'word '.repeat(300)}end` });
  await web.db.transaction((tx) =>
    tx.updateTable('comments').set({ moderation_status: 'PENDING' }).where('is_first', '=', 0).execute(),
  );
  const mo = await web.makeMember('Mo', 'MODERATOR');
  const { payload } = await mo.get('/b/acme/moderation');
  assert.doesNotMatch(seen(payload), /word end/);
  const link = linkFrom(payload, 'Read the whole comment');
  assert.match(link, /^\/b\/acme\/posts\/1\/dark-mode\?show=/);
  assert.match(seen((await mo.get(link)).payload), /word end/);
});
