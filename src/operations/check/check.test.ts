import assert from 'node:assert/strict';
import { rmSync, truncateSync } from 'node:fs';
import { sql } from 'kysely';
import { fillBoard } from '../../../test/contracts/filled-board.ts';
import { PASSWORD, testAccounts } from '../../../test/support/accounts.ts';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { upload } from '../../../test/support/files.ts';
import { makeTestSender, testCipher } from '../../../test/support/sender.ts';
import { addTracker } from '../../../test/support/trackers.ts';
import { removeOldEvents } from '../../events/retention.ts';
import { makeFileFolder } from '../../feedback/files/folder.ts';
import { operator } from '../../identity/users/authority.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { queueMail } from '../../platform/mail/mails.ts';
import { createWebhook } from '../../webhooks/managing/changing.ts';
import { changeChat } from '../chat-in/settings.ts';
import { type CheckDeps, checkStore } from './check.ts';
import { findUnreadableSecrets } from './secrets.ts';

const depsOf = ({ db, dataDir }: TestApp): CheckDeps => ({
  db,
  folder: makeFileFolder(dataDir),
  secretKey: 'a key for tests only',
});

const problemsOf = async (deps: CheckDeps) => (await checkStore(deps)).map(({ problem }) => problem);

/** A value encrypted with the key of the store in each table that has some. */
async function addSecrets({ db, clock, board }: TestApp): Promise<void> {
  const secrets = { verifyToken: 'a', signingSecret: 'b', events: null };
  const context = { db, clock, board, baseUrl: 'http://board.test' };
  await createWebhook(context, makeTestSender(), { url: 'http://127.0.0.1:1/', ...secrets });
  const mail = { boardId: board.id, recipient: 'ada@example.com', subject: 'Hello', body: 'Ada' };
  const inSso = testCipher.encrypt('c', `sso_settings.secret ${board.id}`);
  await changeChat({ ...context, actor: operator }, testCipher, 'SLACK', 'ab'.repeat(16));
  await db.transaction(async (tx) => {
    await queueMail(tx, testCipher, mail, clock.now());
    const sealed = testCipher.encrypt('store', 'key_check.store');
    await tx.insertInto('key_check').values({ name: 'store', sealed }).execute();
    await sql`
      insert into sso_settings
        (board_id, algorithm, secret, is_role_allowed, is_expiry_optional, attribute_claims, date_updated)
      values (${board.id}, 'HS256', ${inSso}, 0, 0, '', 0)`.execute(tx);
  });
}

testBoth('a store in which all is well has no problems, and nothing in it is changed', async (app) => {
  await fillBoard(app);
  await addSecrets(app);
  const steps: number[] = [];
  const refuse = () => Promise.reject(new Error('a check writes nothing'));
  const db = { ...app.db, transaction: refuse };
  assert.deepEqual(await checkStore({ ...depsOf(app), db }, (done, all) => steps.push(done / all)), []);
  assert.equal(steps.at(-1), 1);
});

testBoth('events that were removed because of their age are no gap, others are', async (app) => {
  await fillBoard(app);
  app.clock.advance(2 * DAY_MS);
  await app.makePost('Later');
  await removeOldEvents(app.db, app.clock.now(), 1);
  assert.deepEqual(await problemsOf(depsOf(app)), []);
  const { events_removed: removed } = await app.db.read.selectFrom('boards').selectAll().executeTakeFirstOrThrow();
  assert.ok(removed > 0);
  await app.db.transaction((tx) => tx.deleteFrom('events').where('seq', '>', removed).execute());
  assert.deepEqual(await problemsOf(depsOf(app)), [
    'Not true: event seq has no gaps',
    'Not true: event seq ends with the newest event',
  ]);
  await app.db.transaction((tx) =>
    tx
      .updateTable('boards')
      .set({ events_removed: (e) => e.ref('event_seq') })
      .execute(),
  );
  assert.deepEqual(await problemsOf(depsOf(app)), []);
});

const damages = [
  ['event seq has no gaps', "delete from events where type = 'comment.created'"],
  ['boards.post_count', 'update boards set post_count = post_count + 1'],
  ['boards.post_number is not below', 'update boards set post_number = 1'],
  ['boards.changelog_count', 'update boards set changelog_count = 0'],
  ['statuses.post_count', 'update statuses set post_count = post_count + 1'],
  ['tags.post_count', 'update tags set post_count = 0'],
  ['posts.upvotes', 'delete from votes'],
  ['posts.comment_count', 'update posts set comment_count = 7'],
  ['changelog_entries count HEART', 'update changelog_entries set heart_count = 0'],
  ['changelog_reactions belong to a user', "update changelog_reactions set user_id = 'nothing'"],
  ['search index of a post', 'delete from post_search'],
  ['posts belong to a status', "update posts set status_id = 'nothing'"],
  ['files belong to a post', "update files set post_id = 'nothing', comment_id = null"],
  ['files belong to a comment', "update files set comment_id = 'nothing' where comment_id is not null"],
  ['deliveries belong to a webhook', "update deliveries set webhook_id = 'nothing'"],
] as const;

testBoth('each kind of damage to the rows of a store is found, with examples', async (app) => {
  await fillBoard(app);
  await addSecrets(app);
  await app.db.transaction((tx) =>
    sql`
      insert into deliveries (board_id, id, webhook_id, event_id, event_type, state, date_created)
      select board_id, id, id, id, 'test', 'delivered', 0 from webhooks`.execute(tx),
  );
  for (const [found, statement] of damages) {
    const undone = new Error('undone');
    const damage = app.db.transaction(async (tx) => {
      await sql.raw(statement).execute(tx);
      const problems = await checkStore({ ...depsOf(app), db: { ...app.db, read: tx } });
      const [problem] = problems.filter(({ problem }) => problem.startsWith(`Not true: ${found}`));
      assert.ok(problem && problem.examples.length === Math.min(problem.count, 5), `${statement}: ${found}`);
      throw undone;
    });
    await assert.rejects(damage, (error) => error === undone);
  }
});

testBoth('files without their bytes, or with others, are found by their ids', async (app) => {
  const [gone, short, whole] = await Promise.all(['Gone', 'Short', 'Whole'].map((bytes) => upload(app, { bytes })));
  const deps = depsOf(app);
  rmSync(deps.folder.pathOf(gone?.id ?? ''));
  truncateSync(deps.folder.pathOf(short?.id ?? ''), 2);
  const [{ problem, examples, count } = assert.fail(), ...others] = await checkStore(deps);
  assert.deepEqual([problem, count, others], ['Uploaded files that are missing or incomplete', 2, []]);
  assert.deepEqual(examples.sort(), [`${gone?.id} is missing`, `${short?.id} has 2 bytes instead of 5`].sort());
  assert.ok(!examples.join().includes(whole?.id ?? ''));
});

testBoth('secrets that another key encrypted are found, in every table that has some', async (app) => {
  await addSecrets(app);
  const deps = depsOf(app);
  assert.deepEqual(await problemsOf(deps), []);
  for (const secretKey of ['another key of the tests', null]) {
    const [{ problem, examples } = assert.fail(), ...others] = await checkStore({ ...deps, secretKey });
    assert.deepEqual([problem, others], ['Secrets that this SECRET_KEY does not open', []]);
    const tables = examples.map((example) => example.split(' ')[0]);
    assert.deepEqual(tables.sort(), ['chat_settings', 'key_check', 'mails', 'sso_settings', 'webhooks']);
  }
  const countOf = async () => (await checkStore({ ...deps, secretKey: null }))[0]?.count ?? 0;
  const before = await countOf();
  await addTracker(app, app.board.id);
  assert.deepEqual([await problemsOf(deps), await countOf()], [[], before + 1]);
});

testAccounts('second factors are among the secrets', async ({ makeBrowser, db }) => {
  const ada = makeBrowser();
  await ada.access().create({ email: 'ada@example.com', name: 'Ada', password: PASSWORD }, 'proven');
  await ada.access().secondFactor.begin(PASSWORD);
  assert.deepEqual(await Array.fromAsync(findUnreadableSecrets(db.read, 'a secret of the tests')), []);
  const unreadable = await Array.fromAsync(findUnreadableSecrets(db.read, 'another key of the tests'));
  assert.match(unreadable.join(), /^second_factors [\w-]+$/);
});
