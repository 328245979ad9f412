import assert from 'node:assert/strict';
import { testBoth } from '../../../test/support/app.ts';
import { contextOf, makeScene, prefer, startNotifying, statusId } from '../../../test/support/notifying.ts';
import { DAY_MS, MINUTE_MS } from '../../platform/lib/clock.ts';
import { makeId } from '../../platform/lib/ids.ts';
import { changePostStatus } from '../lifecycle/moving.ts';
import { stopNotifications } from '../notices/stopping.ts';
import { countAudience } from './audience.ts';

testBoth('users choose what they get by mail and when', async (app, t) => {
  const { comment, change } = await makeScene(app);
  const notifying = await startNotifying(t, app);
  await prefer(app, 'author', { frequency: 'OFF' });
  await prefer(app, 'talker', { onStatus: false });
  await prefer(app, 'fan', { onComment: false });
  await change();
  assert.deepEqual(await notifying.recipients(), ['down', 'fan', 'up']);
  await comment('newcomer');
  assert.deepEqual(await notifying.recipients(), ['talker']);
  await assert.rejects(prefer(app, 'fan', { frequency: 'HOURLY' }), /frequency must be one of/);
  await assert.rejects(prefer(app, 'fan', { timeZone: 'Mars/Olympus' }), /timeZone must be a time zone/);
  await assert.rejects(prefer(app, 'fan', { locale: 'xx' }), /locale must be one of/);
});

testBoth('a digest comes at eight in the morning of its reader, in their language, once', async (app, t) => {
  const { comment, change } = await makeScene(app);
  const notifying = await startNotifying(t, app);
  // It is Saturday, 9:30 UTC: half past four in New York, where winter time has begun.
  await prefer(app, 'author', { frequency: 'DAILY', timeZone: 'America/New_York', locale: 'de' });
  await prefer(app, 'fan', { frequency: 'WEEKLY', timeZone: 'Asia/Kolkata' });
  await prefer(app, 'talker', { frequency: 'OFF' });
  await change();
  for (let n = 0; n < 3; n++) await comment('newcomer');
  await notifying.deliverAfter();
  const saturday = Date.parse('2026-11-21T08:00:00-05:00');
  assert.deepEqual(await notifying.recipients(saturday - app.clock.now() - 1), []);
  const [mail, ...others] = await notifying.deliverAfter(1);
  assert.deepEqual([mail?.to, others.length], [['author@example.com'], 0]);
  assert.equal(mail?.headers.subject, 'Eine Idee auf Acme wurde aktualisiert');
  assert.match(mail?.text ?? '', /Dark mode\n.*Offen → Geplant\n\n3 neue Kommentare/s);
  const monday = Date.parse('2026-11-23T08:00:00+05:30');
  assert.deepEqual(await notifying.recipients(monday - app.clock.now() - 1), []);
  assert.deepEqual(await notifying.recipients(1), ['fan']);
  assert.deepEqual(await notifying.recipients(8 * DAY_MS), []);
});

testBoth('a digest shows the first posts and counts the others', async (app, t) => {
  await makeScene(app);
  const notifying = await startNotifying(t, app);
  await prefer(app, 'author', { frequency: 'DAILY' });
  const status = await statusId(app);
  for (let n = 0; n < 12; n++) {
    const id = await app.makePost(`Post ${n}`, { as: 'author' });
    await app.api.as('mod').changePostStatus({ postId: id, statusType: 'CUSTOM', statusId: status });
  }
  const [mail] = await notifying.deliverAfter(DAY_MS);
  assert.equal(mail?.headers.subject, '12 ideas on Acme were updated');
  assert.equal(mail?.text.match(/Open → Planned/g)?.length, 10);
  assert.match(mail?.text ?? '', /and 2 more/);
  assert.deepEqual(await notifying.deliverAfter(2 * DAY_MS), []);
});

testBoth('held notifications can be stopped, and are sent otherwise', async (app, t) => {
  const { id } = await makeScene(app);
  const notifying = await startNotifying(t, app);
  const context = await contextOf(app, 'mod');
  const { statuses } = await app.api.board({ statuses: { id: true, name: true, type: true } });
  const move = async (name: string, notice: string, holdMs: number) => {
    const status = statuses.find((s) => s.name === name);
    const statusId = status?.type === 'CUSTOM' ? status?.id : null;
    await changePostStatus(context, id, {
      statusType: status?.type ?? 'CUSTOM',
      statusId,
      notifying: { id: notice, holdMs },
    });
  };
  const [first, second] = [makeId(), makeId()];
  await move('Planned', first, MINUTE_MS);
  app.clock.advance(MINUTE_MS - 1);
  await notifying.notifier.settled();
  await assert.rejects(stopNotifications(await contextOf(app, 'fan'), first), /Only the team/);
  assert.equal(await stopNotifications(context, first), true);
  assert.deepEqual(await notifying.recipients(), []);
  await move('Completed', second, DAY_MS); // at most a minute counts
  app.clock.advance(MINUTE_MS);
  await notifying.notifier.settled();
  assert.equal(await stopNotifications(context, second), false);
  assert.deepEqual(await notifying.recipients(), ['author', 'down', 'fan', 'talker', 'up']);
});

testBoth('the audience of a change is counted before it is made', async (app, t) => {
  const { id, change, act } = await makeScene(app);
  const context = await contextOf(app, 'mod');
  await act('upvotePost', 'fan');
  const byReason = { author: 1, commenters: 1, upvoters: 2, downvoters: 1, followers: 1 };
  assert.deepEqual(await countAudience(context, id, 'STATUS'), { total: 5, mailed: 5, byReason });
  const ofComment = { ...byReason, upvoters: 0, downvoters: 0 };
  assert.deepEqual(await countAudience(context, id, 'COMMENT'), { total: 3, mailed: 3, byReason: ofComment });
  const audience = { author: false, commenters: false, followers: false };
  assert.equal((await countAudience(context, id, 'STATUS', { audience })).total, 3);
  await assert.rejects(countAudience(await contextOf(app, 'fan'), id, 'STATUS'), /Only moderators can/);
  await prefer(app, 'talker', { onStatus: false });
  await prefer(app, 'fan', { frequency: 'OFF' });
  const { total, mailed } = await countAudience(context, id, 'STATUS');
  assert.deepEqual([total, mailed], [5, 3]);
  const notifying = await startNotifying(t, app);
  await change();
  assert.equal((await notifying.recipients()).length, mailed);
});
