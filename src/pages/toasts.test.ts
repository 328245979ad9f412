import assert from 'node:assert/strict';
import { signUp, testPages, type WebVisitor } from '../../test/support/web.ts';

const POST = '/b/acme/posts/1/dark-mode';
const NOTES = /class="toast"|The ideas are merged|Idea deleted|class="triage-changed">\d/;

testPages('an address reports what was done only in the browser that did it', async (web) => {
  await web.makePost('Dark mode');
  const mo = await web.makeMember('Mo', 'MODERATOR');
  const done = await mo.post(POST, { intent: 'lock', to: 'on' });
  const address = String(done.headers.location);
  assert.match(address, /\?done=saved&operation=/);
  const { payload } = await mo.get(address);
  assert.match(payload, /class="toast".*Saved.*name="operation"/s);
  for (const other of [web.makeVisitor(), await signUp(web, 'Vera'), await web.makeMember('Mia', 'MODERATOR')]) {
    assert.doesNotMatch((await other.get(address)).payload, NOTES);
  }
  // What was done just before says nothing of another thing, or of another operation.
  for (const query of ['done=merged', 'done=saved', 'done=saved&operation=x', 'deleted=x']) {
    assert.doesNotMatch((await mo.get(`${POST}?${query}`)).payload, NOTES, query);
  }
});

testPages('a shared link shows no toast for what its reader has not done', async (web) => {
  const id = await web.makePost('Dark mode');
  await web.api.deletePost({ postId: id });
  await web.makePost('Darker mode');
  const mo = await web.makeMember('Mo', 'MODERATOR');
  const paths = ['/b/acme', '/b/acme/posts/2', '/b/acme/roadmap', '/b/acme/changelog', '/sign-in?next=/b/acme'];
  for (const visitor of [web.makeVisitor(), mo]) {
    for (const path of [...paths, '/b/acme/triage/unanswered', '/b/acme/settings/profile']) {
      for (const query of ['done=merged', 'done=accountDeleted', `deleted=${id}`, 'done=published&changed=3']) {
        const { payload } = await visitor.get(`${path}${path.includes('?') ? '&' : '?'}${query}`);
        assert.doesNotMatch(payload, NOTES, `${path} ${query}`);
      }
    }
  }
});

testPages('what the page shows anyway is announced, not shown; a note is called one', async (web) => {
  await web.makePost('Dark mode');
  const toastOf = async (visitor: WebVisitor, form: Record<string, string>) => {
    const { payload } = await visitor.get(String((await visitor.post(POST, form)).headers.location));
    const [, kind, words] = /<div role="status"><div class="([\w-]+)">.*?<span>(.*?)<\/span>/s.exec(payload) ?? [];
    return [kind, words];
  };
  const vera = await signUp(web, 'Vera');
  assert.deepEqual(await toastOf(vera, { intent: 'comment', text: '+1' }), ['visually-hidden', 'Comment posted']);
  assert.deepEqual(await toastOf(vera, { intent: 'follow' }), ['visually-hidden', 'You now follow this idea']);
  const mo = await web.makeMember('Mo', 'MODERATOR');
  const note = { intent: 'note', type: 'INTERNAL', text: 'For us' };
  assert.deepEqual(await toastOf(mo, note), ['toast', 'Internal note added']);
});
