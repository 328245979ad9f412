import assert from 'node:assert/strict';
import { testBoth } from '../../../test/support/app.ts';
import { makeEntry, publishNew } from '../../../test/support/changelog.ts';
import { makeScene, startNotifying } from '../../../test/support/notifying.ts';
import { HOUR_MS } from '../../platform/lib/clock.ts';
import { publishDue } from '../changelog/publishing.ts';

testBoth('voters and followers are notified once of the entry that completes their ideas', async (app, t) => {
  const { id } = await makeScene(app);
  const notifying = await startNotifying(t, app);
  const other = await app.makePost('Night theme', { as: 'fan' });
  await app.api.as('up').upvotePost({ postId: other });
  await notifying.deliverAfter();
  const input = { title: 'Dark mode is here', text: 'It **follows** your system.', postIds: [id, other] };
  const entry = await makeEntry(app, input, { as: 'mod' });
  assert.deepEqual(await notifying.recipients(), [], 'a draft sends no notifications');
  await app.api.as('mod').publishChangelogEntry({ id: entry });
  const mails = await notifying.deliverAfter();
  assert.deepEqual(mails.map(({ to }) => to[0]).sort(), [
    ...['author@example.com', 'fan@example.com', 'talker@example.com', 'up@example.com'],
  ]);
  const { headers, text } = mails.find(({ to }) => to[0] === 'up@example.com') ?? assert.fail('no mail came');
  assert.equal(headers.subject, 'Released: Dark mode');
  assert.match(text, /Dark mode is here.*http:\/\/board\.test\/b\/acme\/changelog\/1\/dark-mode-is-here/s);
  assert.match(text, /It follows your system\./);
  assert.match(text, /because you voted on this idea on November 21\./);
  await app.api.unpublishChangelogEntry({ id: entry });
  await app.api.publishChangelogEntry({ id: entry });
  assert.deepEqual(await notifying.recipients(), []);
});

testBoth('an entry that is withdrawn or deleted before the mail is sent sends no notifications', async (app, t) => {
  const { id } = await makeScene(app);
  const notifying = await startNotifying(t, app);
  await notifying.deliverAfter();
  const entry = await publishNew(app, { postIds: [id] });
  await notifying.deliver();
  await app.api.unpublishChangelogEntry({ id: entry });
  assert.deepEqual(await notifying.recipients(), []);
  await app.api.publishChangelogEntry({ id: entry });
  assert.deepEqual(await notifying.recipients(), ['author', 'fan', 'talker', 'up'], 'no one had been notified');
  await app.api.deleteChangelogEntry({ id: await publishNew(app, { postIds: [id] }) });
  assert.deepEqual(await notifying.recipients(), []);
});

testBoth('a scheduled entry notifies at its time, and not of posts that the reader may not see', async (app, t) => {
  const { id } = await makeScene(app);
  const notifying = await startNotifying(t, app);
  const hidden = await app.makePost('Hidden', { as: 'author' });
  await app.api.as('newcomer').upvotePost({ postId: hidden });
  await app.api.changePostModerationStatus({ id: hidden, moderationStatus: 'REJECTED' });
  await notifying.deliverAfter();
  const entry = await makeEntry(app, { postIds: [id, hidden] });
  await app.api.publishChangelogEntry({ id: entry, at: new Date(app.clock.now() + HOUR_MS).toISOString() });
  assert.deepEqual(await notifying.recipients(), []);
  await notifying.deliverAfter(HOUR_MS);
  await publishDue({ db: app.db, clock: app.clock, baseUrl: 'http://board.test' });
  assert.deepEqual(await notifying.recipients(), ['author', 'fan', 'talker', 'up']);
});
