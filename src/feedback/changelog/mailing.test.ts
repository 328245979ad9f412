import assert from 'node:assert/strict';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { makeEntry, publishNew } from '../../../test/support/changelog.ts';
import { addUsers, makeScene, startNotifying } from '../../../test/support/notifying.ts';
import { testCipher } from '../../../test/support/sender.ts';
import { DAY_MS, MINUTE_MS } from '../../platform/lib/clock.ts';
import { recordBounce } from '../../platform/mail/bounces.ts';
import type { ChangelogLabel } from './entries.ts';
import { forgetMailings, mailNext } from './mailing.ts';
import { addSubscriber, countSubscribers, removeSubscribers } from './subscribers.ts';

/** Subscribes `<name>@example.com`, as its owner has confirmed. */
function subscribe({ db, board, clock }: TestApp, name: string, labels: ChangelogLabel[] = [], locale = 'en') {
  return addSubscriber(db, board.id, { address: `${name}@example.com`, labels, locale }, clock.now());
}

testBoth('an entry is mailed once to each who subscribed to one of its labels, in their language', async (app, t) => {
  const notifying = await startNotifying(t, app);
  await subscribe(app, 'all');
  await subscribe(app, 'new', ['NEW', 'IMPROVED']);
  await subscribe(app, 'fixed', ['FIXED'], 'de');
  const input = { title: 'Dark mode is here', text: 'It **follows** your system.', labels: ['NEW', 'FIXED'] };
  const entry = await makeEntry(app, input);
  assert.deepEqual(await notifying.recipients(), [], 'a draft is not mailed');
  await app.api.publishChangelogEntry({ id: entry });
  assert.deepEqual(await notifying.deliverAfter(2 * MINUTE_MS - 1), [], 'it can still be withdrawn');
  await subscribe(app, 'late');
  const mails = await notifying.deliverAfter(1);
  assert.deepEqual(
    mails.map(({ to }) => to[0]).sort(),
    ['all', 'fixed', 'new'].map((name) => `${name}@example.com`),
  );
  const german = mails.find(({ to }) => to[0] === 'fixed@example.com') ?? assert.fail('no mail came');
  assert.equal(german.headers.subject, 'Dark mode is here');
  assert.match(german.text, /Neu im Changelog.*http:\/\/board\.test\/b\/acme\/changelog\/1\/dark-mode-is-here/s);
  assert.match(german.text, /It follows your system\..*weil Sie das Changelog abonniert haben/s);
  assert.match(german.text, /^Abbestellen: http:\/\/board\.test\/email\/end\/v1\.\S+$/m);
  assert.match(german.html, /<html lang="de">/);
  assert.match(german.headers['list-unsubscribe'] ?? '', /^<http:\/\/board\.test\/email\/end\/v1\.[\w-]+>$/);
  assert.equal(german.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click');
  assert.deepEqual(await notifying.recipients(), []);
  await publishNew(app, { title: 'No labels' });
  assert.deepEqual(await notifying.recipients(), ['all', 'late']);
});

testBoth('a follower of its ideas gets one mail about an entry', async (app, t) => {
  const { id } = await makeScene(app);
  const notifying = await startNotifying(t, app);
  for (const name of ['up', 'newcomer', 'outsider']) await subscribe(app, name);
  await notifying.deliverAfter();
  await publishNew(app, { postIds: [id] }, { as: 'mod' });
  assert.deepEqual(await notifying.recipients(), ['author', 'fan', 'newcomer', 'outsider', 'talker', 'up']);
});

testBoth('an entry that is withdrawn goes out later only to those who do not have it', async (app, t) => {
  const notifying = await startNotifying(t, app);
  await subscribe(app, 'first');
  const id = await publishNew(app);
  await app.api.unpublishChangelogEntry({ id });
  assert.deepEqual(await notifying.recipients(), []);
  await app.api.publishChangelogEntry({ id });
  assert.deepEqual(await notifying.recipients(), ['first']);
  await app.api.unpublishChangelogEntry({ id });
  await subscribe(app, 'second');
  await app.api.publishChangelogEntry({ id });
  assert.deepEqual(await notifying.recipients(), ['second']);
  await app.api.deleteChangelogEntry({ id: await publishNew(app) });
  assert.deepEqual(await notifying.recipients(), []);
});

testBoth('who has bounced, unsubscribed, or may no longer see a private board gets no entry', async (app, t) => {
  const { db, board, clock } = app;
  const notifying = await startNotifying(t, app);
  await addUsers(app, 'member', 'blocked');
  for (const name of ['member', 'blocked', 'outsider', 'former', 'gone']) await subscribe(app, name);
  await db.transaction(async (tx) => {
    await recordBounce(tx, board.id, 'former@example.com', 'no such mailbox', clock.now());
    await removeSubscribers(tx, board.id, ['gone@example.com']);
  });
  assert.equal(await countSubscribers(db.read, board.id), 4);
  await publishNew(app);
  assert.deepEqual(await notifying.recipients(), ['blocked', 'member', 'outsider']);
  const written = db.read.selectFrom('mails').select('id').where('recipient', '=', 'former@example.com');
  assert.deepEqual(await written.execute(), [], 'it bounced');
  await db.transaction(async (tx) => {
    await tx.updateTable('boards').set({ access: 'MEMBERS' }).execute();
    await tx.updateTable('users').set({ standing: 'BLOCKED' }).where('name', '=', 'blocked').execute();
  });
  await publishNew(app);
  assert.deepEqual(await notifying.recipients(), ['member']);
});

testBoth(
  'mails to many subscribers are written some at a time, and a failure in the middle repeats none',
  async (app) => {
    const { db, clock, board } = app;
    for (let n = 0; n < 120; n++) await subscribe(app, `reader${n}`);
    await publishNew(app);
    clock.advance(2 * MINUTE_MS);
    const deps = { db, clock, cipher: testCipher, baseUrl: 'http://board.test' };
    const recipients = async () =>
      (await db.read.selectFrom('mails').select('recipient').where('board_id', '=', board.id).execute()).map(
        ({ recipient }) => recipient,
      );
    assert.equal(await mailNext(deps), true);
    assert.equal((await recipients()).length, 50);
    const broken = { ...testCipher, encrypt: () => assert.fail('no key') };
    await assert.rejects(mailNext({ ...deps, cipher: broken }), /no key/);
    assert.equal((await recipients()).length, 50);
    // Two processes at once.
    while ((await Promise.all([mailNext(deps), mailNext(deps)])).includes(true));
    const all = await recipients();
    assert.deepEqual([all.length, new Set(all).size], [120, 120]);
    assert.equal(await mailNext(deps), false);
    await forgetMailings(db, clock.now() + DAY_MS);
    assert.deepEqual(await db.read.selectFrom('changelog_mailings').selectAll().execute(), []);
  },
);
