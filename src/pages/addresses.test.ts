import assert from 'node:assert/strict';
import { signUp, type TestWeb, testPages, testWeb } from '../../test/support/web.ts';

/** Asks for a page and follows nothing. */
async function ask({ app }: TestWeb, url: string, headers: Record<string, string> = {}) {
  const { statusCode, headers: answered } = await app.inject({ url, headers: { host: 'board.test', ...headers } });
  return [statusCode, answered.location];
}

testPages('an idea has one address, and every other one redirects there permanently', async (web) => {
  await web.makePost('Größe, please!');
  const own = '/b/acme/posts/1/gr%C3%B6%C3%9Fe-please';
  for (const path of ['/posts/1', '/posts/1/wrong', '/posts/01/größe-please', '/posts/1/gr%C3%B6%C3%9Fe']) {
    assert.deepEqual(await ask(web, `/b/acme${encodeURI(decodeURI(path))}`), [301, own], path);
  }
  assert.deepEqual(await ask(web, '/b/acme/posts/1?comments=newest&show=x'), [301, `${own}?comments=newest&show=x`]);
  assert.deepEqual(await ask(web, own), [200, undefined]);
  assert.deepEqual(await ask(web, own.toLowerCase()), [200, undefined], 'escapes are the same in both cases');
  assert.deepEqual(await ask(web, '/b/acme/posts/2/x'), [404, undefined]);
  await web.api.updatePost({ id: (await web.ask('{ post: postByNumber(number: 1) { id } }')).post.id, title: 'Size' });
  assert.deepEqual(await ask(web, own), [301, '/b/acme/posts/1/size']);
});

testPages('a form that is refused comes back where it was sent, with what was typed', async (web) => {
  await web.makePost('Dark mode');
  const vera = await signUp(web, 'Vera');
  const answer = await vera.post('/b/acme/posts/1/old-title', { intent: 'comment', text: 'x'.repeat(20_001) });
  assert.equal(answer.statusCode, 422);
  assert.match(answer.payload, /x{20001}/);
});

testWeb('a merged idea redirects to its target, which names it', async (web) => {
  const vera = await signUp(web, 'Vera');
  await vera.post('/b/acme?index', { title: 'Night theme', comment: '' });
  await web.makePost('Dark mode');
  const mo = await web.makeMember('Mo', 'MODERATOR');
  const merged = await mo.post('/b/acme/posts/1/night-theme', { intent: 'merge', target: '2' });
  const there = '/b/acme/posts/2/dark-mode';
  assert.deepEqual(await ask(web, '/b/acme/posts/1'), [301, `${there}?from=1`]);
  assert.deepEqual(await ask(web, '/b/acme/posts/1/night-theme?after=x&show=y'), [301, `${there}?from=1`]);
  const location = String(merged.headers.location);
  assert.match(location, /\?done=merged/);
  assert.deepEqual(await ask(web, location), [301, `${there}?from=1&${location.split('?')[1]}`]);
  const note = /“Night theme” was merged into this idea/;
  assert.match((await vera.get('/b/acme/posts/1')).payload, note);
  for (const query of ['', '?from=2', '?from=3', '?from=x', '?from=']) {
    assert.doesNotMatch((await vera.get(there + query)).payload, note, query);
  }
  assert.doesNotMatch((await vera.get('/b/acme/posts/1')).payload, /Undo the merge/);
  const mine = (await vera.get('/b/acme?sort=mine')).payload;
  assert.match(
    mine,
    /Night theme.*Merged into.{0,10}<a[^>]*href="\/b\/acme\/posts\/2\/dark-mode"[^>]*>Dark mode<\/a>/s,
  );
  assert.doesNotMatch((await vera.get('/b/acme')).payload, /Night theme/);

  const asModerator = (await mo.get('/b/acme/posts/1')).payload;
  const [, undo = ''] =
    /action="([^"]*)"[^>]*><input type="hidden" name="intent" value="unmerge"/.exec(asModerator) ?? [];
  assert.equal(undo, '/b/acme/posts/1/night-theme');
  const { headers } = await mo.post(undo, { intent: 'unmerge' });
  assert.ok(String(headers.location).startsWith(`${undo}?done=saved&operation=`));
  assert.deepEqual(await ask(web, undo), [200, undefined]);
});

testPages('a merged idea whose target a visitor may not see leads them nowhere', async (web) => {
  await web.makePost('Night theme');
  await web.makePost('Secret plan');
  const mo = await web.makeMember('Mo', 'MODERATOR');
  await mo.post('/b/acme/posts/1/night-theme', { intent: 'merge', target: '2' });
  await mo.post('/b/acme/posts/2/secret-plan', { intent: 'moderate', moderationStatus: 'REJECTED' });
  const { payload } = await web.makeVisitor().get('/b/acme/posts/1/night-theme');
  assert.doesNotMatch(payload, /Secret|secret/);
  assert.deepEqual((await ask(web, '/b/acme/posts/1/night-theme'))[0], 200);
});

testPages('only users who may restore an idea are offered to', async (web) => {
  const vera = await signUp(web, 'Vera');
  await vera.post('/b/acme?index', { title: 'Mine', comment: '' });
  const deleted = await vera.post('/b/acme/posts/1/mine', { intent: 'delete' });
  const path = String(deleted.headers.location);
  assert.match((await vera.get(path)).payload, /Idea deleted/);
  const bob = await signUp(web, 'Bob');
  for (const visitor of [web.makeVisitor(), bob])
    assert.doesNotMatch((await visitor.get(path)).payload, /Idea deleted/);
  assert.doesNotMatch((await vera.get('/b/acme?deleted=x')).payload, /Idea deleted/);
});

testPages('a missing page is reported within the board', async (web) => {
  await web.makeMember('Olga', 'OWNER');
  for (const path of ['/b/acme/posts/7', '/b/acme/nothing']) {
    const { statusCode, payload } = await web.makeVisitor().get(path);
    assert.equal(statusCode, 404);
    assert.match(payload, /<header class="site-header">.*Acme.*type="search".*Page not found/s, path);
  }
});

testWeb(
  'a former address of a board leads to it, for those who may see it, until another board has it',
  async (web) => {
    await web.makePost('Dark mode');
    const olga = await web.makeMember('Olga', 'OWNER');
    const rename = (from: string, to: string) =>
      olga.post(`/b/${from}/settings/general`, { intent: 'address', pid: to, domain: '' });
    const { headers } = await rename('acme', 'better');
    assert.match(String(headers.location), /^\/b\/better\/settings\/general\?done=saved&operation=/);
    for (const path of ['', '?sort=new', '/posts/1/dark-mode?show=y', '/posts.atom', '/changelog.atom', '/roadmap']) {
      assert.deepEqual(await ask(web, `/b/acme${path}`), [301, `/b/better${path}`], path);
    }
    assert.deepEqual(await ask(web, '/b/never'), [404, undefined]);
    await rename('better', 'best');
    assert.deepEqual(await ask(web, '/b/acme/roadmap'), [301, '/b/best/roadmap']);
    assert.deepEqual(await ask(web, '/b/better'), [301, '/b/best']);
    await rename('best', 'acme');
    assert.deepEqual(await ask(web, '/b/acme'), [200, undefined]);
    assert.deepEqual(await ask(web, '/b/best'), [301, '/b/acme']);
    await web.makeBoard({ name: 'Best' });
    assert.deepEqual(await ask(web, '/b/best'), [200, undefined]);
    await olga.post('/b/acme/settings/access', {
      intent: 'close',
      access: 'MEMBERS',
      mailDomains: '',
      approval: 'NONE',
    });
    assert.deepEqual(await ask(web, '/b/better'), [404, undefined]);
    assert.equal((await olga.get('/b/better')).statusCode, 200);
  },
);
