import assert from 'node:assert/strict';
import { makeScene, startNotifying, statusId } from '../../test/support/notifying.ts';
import { testWeb } from '../../test/support/web.ts';
import { MINUTE_MS } from '../platform/lib/clock.ts';

testWeb('a moderator sees how many a status notifies, chooses whom, and can stop it for a minute', async (web, t) => {
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
  assert.match((await mo.get(changed)).payload, /Users will be notified in a minute/);
  const notice = new URL(changed, 'http://board.test').searchParams.get('notice') ?? '';
  assert.match(
    String((await mo.post('/b/acme/posts/1', { intent: 'stop-mails', notice })).headers.location),
    /mailsStopped/,
  );
  assert.deepEqual(await notified(), []);
  assert.doesNotMatch((await mo.get(changed)).payload, /Users will be notified in a minute/);

  const { statuses } = (await web.ask('{ board { statuses { id type } } }')).board;
  const open = statuses.find(({ type }: { type: string }) => type === 'UNASSIGNED').id;
  await change({ status: open, audience: 'chosen', 'notify:author': 'on', 'notify:upvoters': 'on' });
  assert.deepEqual(await notified(), ['author', 'up']);
  const late = await mo.post('/b/acme/posts/1', { intent: 'stop-mails', notice });
  assert.match(String(late.headers.location), /mailsTooLate/);
});
