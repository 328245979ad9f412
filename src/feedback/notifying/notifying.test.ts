import assert from 'node:assert/strict';
import { testBoth } from '../../../test/support/app.ts';
import { makeScene, startNotifying } from '../../../test/support/notifying.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../platform/lib/clock.ts';
import { forgetNotices } from './forgetting.ts';

testBoth('everyone who follows a post is notified of its status, and never who acted', async (app, t) => {
  const { change, act } = await makeScene(app);
  const notifying = await startNotifying(t, app);
  await act('upvotePost', 'mod');
  await change('mod', { comment: 'We **start** in January.' });
  const mails = await notifying.deliverAfter();
  assert.deepEqual(mails.map(({ to }) => to[0]).sort(), [
    'author@example.com',
    'down@example.com',
    'fan@example.com',
    'talker@example.com',
    'up@example.com',
  ]);
  const mail = mails.find(({ to }) => to[0] === 'up@example.com');
  assert.equal(mail?.headers.subject, 'Planned: Dark mode');
  assert.match(mail?.text ?? '', /Open → Planned/);
  assert.match(mail?.text ?? '', /mod, from the team:\n> We start in January\./);
  assert.match(mail?.text ?? '', /You are receiving this email because you voted on this idea on November 21\./);
  assert.deepEqual(await notifying.deliverAfter(), []);
});

testBoth('a comment notifies the author, commenters and followers, and voters only on request', async (app, t) => {
  const { comment, first } = await makeScene(app);
  const notifying = await startNotifying(t, app);
  await comment('newcomer');
  assert.deepEqual(await notifying.recipients(), ['author', 'fan', 'talker']);
  await comment('newcomer', { op: false, commenters: false, up: true, down: true, followers: false });
  assert.deepEqual(await notifying.recipients(), ['down', 'up']);
  await comment('newcomer', { op: false, commenters: false, followers: false, parent: first });
  assert.deepEqual(await notifying.recipients(), ['talker']);
  await comment('mod', { type: 'OFFICIAL' });
  assert.deepEqual(await notifying.recipients(), ['author', 'down', 'fan', 'newcomer', 'talker', 'up']);
  await comment('mod', { type: 'INTERNAL' });
  assert.deepEqual(await notifying.recipients(), [], 'no other member of the team follows the post');
  await comment('ada', { date: '2020-01-01T00:00:00Z' });
  assert.deepEqual(await notifying.recipients(), [], 'an import sends no notifications');
  await comment('ada', { date: '2020-01-01T00:00:00Z', followers: true });
  assert.deepEqual(await notifying.recipients(), ['fan']);
});

testBoth('what happens within two minutes on one post is one mail', async (app, t) => {
  const { comment, change } = await makeScene(app);
  const notifying = await startNotifying(t, app);
  await comment('newcomer', { text: 'First' });
  await notifying.notifier.settled();
  app.clock.advance(2 * MINUTE_MS - SECOND_MS);
  await comment('newcomer', { text: 'Second' });
  await change();
  assert.deepEqual(await notifying.deliver(), []);
  const mails = await notifying.deliverAfter(SECOND_MS);
  const toAuthor = mails.filter(({ to }) => to[0] === 'author@example.com');
  assert.equal(toAuthor.length, 1);
  assert.match(toAuthor[0]?.text ?? '', /> First.*> Second.*Open → Planned/s);
  assert.deepEqual(mails.map(({ to }) => to[0]).sort(), [
    'author@example.com',
    'fan@example.com',
    'talker@example.com',
  ]);
  assert.deepEqual(await notifying.recipients(), ['down', 'newcomer', 'up']);
});

testBoth('users are not notified of what they may not see, or have muted', async (app, t) => {
  const { id, comment, act, change } = await makeScene(app);
  const notifying = await startNotifying(t, app);
  await act('unsubscribeFromPost', 'up');
  await change();
  await notifying.notifier.settled();
  await act('unsubscribeFromPost', 'down'); // when the notification is made already
  assert.deepEqual(await notifying.recipients(), ['author', 'fan', 'talker']);
  const gone = await comment('newcomer');
  await notifying.notifier.settled();
  await app.api.deleteComment({ id: gone });
  assert.deepEqual(await notifying.recipients(), []);
  await comment('newcomer');
  await app.api.deletePost({ postId: id });
  assert.deepEqual(await notifying.recipients(), []);
});

testBoth('notifications are kept for 90 days', async (app, t) => {
  const { comment } = await makeScene(app);
  const notifying = await startNotifying(t, app);
  await comment('newcomer');
  await notifying.deliverAfter();
  const count = async () => {
    const rows = await app.db.read.selectFrom('notifications').select('user_id').execute();
    const notices = await app.db.read.selectFrom('notices').select('id').execute();
    return [notices.length, rows.length];
  };
  assert.deepEqual(await count(), [1, 3]);
  const { date_created } = await app.db.read.selectFrom('notices').select('date_created').executeTakeFirstOrThrow();
  await forgetNotices(app.db, date_created + 90 * DAY_MS);
  assert.deepEqual(await count(), [1, 3]);
  await forgetNotices(app.db, date_created + 90 * DAY_MS + 1);
  assert.deepEqual(await count(), [0, 0]);
});
