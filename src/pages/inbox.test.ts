import assert from 'node:assert/strict';
import { startNotifying, statusId } from '../../test/support/notifying.ts';
import { signUp, testWeb } from '../../test/support/web.ts';
import { MINUTE_MS } from '../platform/lib/clock.ts';

const mainOf = (page: string) => /<main.*<\/main>/s.exec(page)?.[0] ?? '';

testWeb('the inbox shows what changed on what a user follows, once as new', async (web, t) => {
  const notifying = await startNotifying(t, web);
  const id = await web.makePost('Dark mode');
  const other = await web.makePost('Export');
  const grace = await signUp(web, 'Grace');
  assert.equal((await web.makeVisitor().get('/b/acme/inbox')).headers.location, '/sign-in?next=%2Fb%2Facme%2Finbox');
  await grace.post('/b/acme/votes/1', {});
  const inbox = async (query = '') => mainOf((await grace.get(`/b/acme/inbox${query}`)).payload);
  assert.match(await inbox(), /No updates yet/);
  web.clock.advance(MINUTE_MS);
  await web.api.changePostStatus({ postId: id, statusType: 'CUSTOM', statusId: await statusId(web) });
  await web.api.createComment({ postId: id, text: 'Soon <b>', notifyUpVoters: true });
  await web.api.createComment({ postId: other, text: 'Soon <b>', notifyUpVoters: true });
  await notifying.notifier.settled();
  assert.match((await grace.get('/b/acme')).payload, /aria-label="New updates"/);
  const first = await inbox();
  assert.match(first, /New<\/strong>.*Status changed from Open to Planned/s);
  assert.match(first, /Soon &lt;b&gt;/);
  assert.doesNotMatch(first, /Export/);
  assert.doesNotMatch((await grace.get('/b/acme')).payload, /aria-label="New updates"/);
  assert.doesNotMatch(await inbox(), /New<\/strong>/);
  await web.api.deletePost({ postId: id });
  assert.match(await inbox(), /No updates yet/, 'what is no longer seen is left out');
});

testWeb('a user finds the ideas that they wrote, voted for, commented on and follow', async (web) => {
  for (const title of ['First idea', 'Second idea', 'Third idea']) await web.makePost(title);
  const grace = await signUp(web, 'Grace');
  await grace.post('/b/acme/votes/1', {});
  await grace.post('/b/acme/posts/2', { intent: 'comment', text: 'Me too' });
  await grace.post('/b/acme?index', { title: 'Fourth idea', comment: '' });
  const listed = async (show: string) => {
    const { payload } = await grace.get(`/b/acme/inbox?show=${show}`);
    return [...mainOf(payload).matchAll(/(First|Second|Third|Fourth) idea<\/a>/g)].map(([, n]) => n);
  };
  assert.deepEqual(await listed('ideas'), ['Fourth']);
  assert.deepEqual(await listed('votes'), ['Fourth', 'First']);
  assert.deepEqual(await listed('comments'), ['Second']);
  assert.deepEqual(await listed('following'), ['Fourth', 'Second', 'First']);
  assert.deepEqual(await listed('__proto__'), []);
  for (const query of ['?after=x', '?show=votes&after=x']) {
    assert.equal((await grace.get(`/b/acme/inbox${query}`)).statusCode, 400, query);
  }
});
