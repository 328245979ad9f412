import assert from 'node:assert/strict';
import { makeScene, startNotifying, statusId } from '../../test/support/notifying.ts';
import { testPages, testWeb } from '../../test/support/web.ts';
import { HOUR_MS, MINUTE_MS } from '../platform/lib/clock.ts';

testWeb(
  'a moderator sees how many users a status notifies, chooses them, and can cancel for a minute',
  async (web, t) => {
    await makeScene(web);
    const notifying = await startNotifying(t, web);
    const mo = await web.makeMember('Mo', 'MODERATOR');
    const { payload } = await mo.get('/b/acme/posts/1');
    assert.match(payload, /5 users will be notified/);
    assert.match(payload, /Users who voted for it \(1\)/);
    assert.doesNotMatch((await web.makeVisitor().get('/b/acme/posts/1')).payload, /will be notified/);
    // A new account gets a mail, too.
    const notified = async () => (await notifying.recipients(5 * MINUTE_MS)).filter((name) => name !== 'mo');
    const status = await statusId(web);
    const change = (form: Record<string, string>) => mo.post('/b/acme/posts/1', { intent: 'status', status, ...form });

    const changed = String((await change({})).headers.location);
    assert.match((await mo.get(changed)).payload, /You have a minute to stop the emails about “Dark mode”/);
    const notice = new URL(changed, 'http://board.test').searchParams.get('notice') ?? '';
    assert.match(
      String((await mo.post('/b/acme/posts/1', { intent: 'stop-mails', notice })).headers.location),
      /mailsStopped/,
    );
    assert.deepEqual(await notified(), []);
    assert.doesNotMatch((await mo.get(changed)).payload, /You have a minute to stop the emails/);

    const { statuses } = await web.api.board({ statuses: { id: true, type: true } });
    const open = statuses.find(({ type }) => type === 'UNASSIGNED')?.id ?? '';
    await change({ status: open, audience: 'chosen', 'notify:author': 'on', 'notify:upvoters': 'on' });
    assert.deepEqual(await notified(), ['author', 'up']);
    const late = await mo.post('/b/acme/posts/1', { intent: 'stop-mails', notice });
    assert.match(String(late.headers.location), /mailsTooLate/);
  },
);

const POST = '/b/acme/posts/1';
/** The HTML of the email that a page shows in a frame. */
const frameOf = (page: string) =>
  (/srcDoc="([^"]*)"/i.exec(page)?.[1] ?? '')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&');

testWeb('a new moderator has a daily digest of new ideas, and of what waits for approval', async (web, t) => {
  await web.makeUser('vera');
  const notifying = await startNotifying(t, web);
  const mo = await web.makeMember('Mo', 'MODERATOR');
  const { payload } = await mo.get('/b/acme/settings/notifications');
  assert.match(payload, /<option value="DAILY" selected="">/);
  for (const name of ['onNewPost', 'onModeration']) assert.match(payload, new RegExp(`name="${name}" checked=""`));
  await notifying.deliverAfter();
  await web.makePost('Dark mode', { as: 'vera' });
  assert.deepEqual(await notifying.recipients(), [], 'not at once');
  assert.deepEqual(await notifying.recipients(24 * HOUR_MS), ['mo']);
});

testPages('a moderator looks at the mail of a status before it is sent, and keeps what they typed', async (web) => {
  await makeScene(web);
  const mo = await web.makeMember('Mo', 'MODERATOR');
  const status = await statusId(web);
  const form = { status, comment: 'We **start** in <January>.', audience: 'chosen', 'notify:upvoters': 'on' };
  const preview = { ...form, intent: 'preview', form: 'status', language: 'de' };
  const { statusCode, payload } = await mo.post(POST, preview);
  assert.equal(statusCode, 200);
  assert.match(payload, /<section id="pick-status" class="sheet"/);
  assert.match(payload, /We \*\*start\*\* in &lt;January&gt;\.<\/textarea>/);
  assert.match(payload, /<iframe sandbox=""[^>]*>/);
  assert.match(frameOf(payload), /^<!doctype html>.*We start in &#60;January&#62;\..*Zur Idee/s);
  assert.doesNotMatch(frameOf(payload), /<style|<script/);
  assert.match(payload, /<pre class="kept" dir="auto">.*Mo, vom Team:\n&gt; We start in &lt;January&gt;\./s);
  const [statusForm = ''] = /id="pick-status".*?<iframe/s.exec(payload) ?? [];
  assert.match(statusForm, /name="notify:upvoters" checked=""/);
  assert.doesNotMatch(statusForm, /name="notify:author" checked=""/);
  const posts = await web.api.posts({}, { nodes: { status: { name: true }, commentCount: true } });
  assert.deepEqual(posts.nodes, [{ status: { name: 'Open' }, commentCount: 1 }], 'nothing has changed');
  const unchanged = await mo.post(POST, { ...preview, status: '' });
  assert.equal(unchanged.statusCode, 422);
  const anonymous = await web.makeVisitor().post(POST, preview);
  assert.doesNotMatch(anonymous.payload, /srcdoc/i);
});

testWeb('an official answer can be looked at, leaves audiences out, and can be stopped', async (web, t) => {
  await makeScene(web);
  const notifying = await startNotifying(t, web);
  const mo = await web.makeMember('Mo', 'MODERATOR');
  await notifying.deliverAfter();
  const form = { text: 'It comes in May.', type: 'OFFICIAL', audience: 'chosen', 'notify:author': 'on' };
  const { payload } = await mo.post(POST, { ...form, intent: 'preview', form: 'comment', language: 'en' });
  assert.match(frameOf(payload), /The team answered an idea that you follow.*It comes in May\./s);
  const basic = await mo.post(POST, { ...form, type: 'BASIC', intent: 'preview', form: 'comment' });
  assert.doesNotMatch(basic.payload, /srcdoc/i);

  const answer = async () => String((await mo.post(POST, { ...form, intent: 'comment' })).headers.location);
  const stopped = await answer();
  assert.match((await mo.get(stopped)).payload, /You have a minute to stop the emails/);
  const notice = new URL(stopped, 'http://board.test').searchParams.get('notice') ?? '';
  await mo.post(POST, { intent: 'stop-mails', notice });
  assert.deepEqual(await notifying.recipients(5 * MINUTE_MS), []);
  await answer();
  assert.deepEqual(await notifying.recipients(5 * MINUTE_MS), ['author']);
  const reply = await mo.post(POST, { intent: 'comment', text: 'And then?' });
  assert.match(String(reply.headers.location), /done=commented#comment-/, 'a comment is not held');
});

testWeb('a merge notifies the users that the moderator chose, and the mail can be stopped', async (web, t) => {
  await makeScene(web);
  const notifying = await startNotifying(t, web);
  await web.makePost('Themes', { as: 'mod' });
  const mo = await web.makeMember('Mo', 'MODERATOR');
  await notifying.deliverAfter();
  assert.match((await mo.get(POST)).payload, /5 users will be notified/);
  assert.match((await mo.get(`${POST}?merge=2`)).payload, /Themes.*4 users will be notified/s);
  const merge = { intent: 'merge', target: '2', audience: 'chosen', 'notify:upvoters': 'on' };
  const merged = String((await mo.post(POST, merge)).headers.location);
  assert.match((await mo.get(merged)).payload, /You have a minute to stop the emails/);
  const notice = new URL(merged, 'http://board.test').searchParams.get('notice') ?? '';
  await mo.post(POST, { intent: 'stop-mails', notice });
  assert.deepEqual(await notifying.recipients(5 * MINUTE_MS), []);
  await mo.post(POST, { intent: 'unmerge' });
  await mo.post(POST, merge);
  assert.deepEqual(await notifying.recipients(5 * MINUTE_MS), ['up']);
});
