import assert from 'node:assert/strict';
import { testBoth } from '../../../test/support/app.ts';
import { makeFile } from '../../../test/support/import-files.ts';
import { testRemote } from '../../../test/support/remote.ts';
import { makeFileFolder } from '../../feedback/files/folder.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { MINUTE_MS } from '../../platform/lib/clock.ts';
import { importItems } from './import.ts';
import { findLastImport } from './past-imports.ts';
import { openFile } from './sources.ts';
import { removeUnusedUsers } from './unused-users.ts';

testBoth('users who do something while an import is undone stay', async (app, t) => {
  const { db, clock, board } = app;
  const context = { db, clock, board, baseUrl: 'http://board.test' };
  const emails = ['votes', 'changes', 'gets', 'reacts', 'reacted', 'leaves'].map((name) => `${name}@example.com`);
  const file = makeFile(t, 'a.csv', `title,voters\nDark mode,"${emails}"\n`);
  const items = openFile('csv', file, { reading: null, remote: testRemote });
  await importItems(context, 'csv', items, { isPlan: false, folder: makeFileFolder(app.dataDir) });
  const last = await findLastImport(context);
  assert.ok(last);
  await db.transaction((tx) => tx.deleteFrom('votes').execute());
  await db.transaction((tx) => tx.deleteFrom('subscriptions').execute());
  clock.advance(MINUTE_MS);
  const postId = await app.makePost('Light mode');
  const imported = db.read.selectFrom('users').select(['id', 'email']).where('sso_type', '=', 'CSV').orderBy('email');
  const ids = new Map((await imported.execute()).map(({ id, email }) => [email?.split('@')[0], id]));
  const idOf = (name: string) => ids.get(name) ?? '';
  const key = { board_id: board.id };
  const now = clock.now();

  async function react(tx: Tx, name: string): Promise<void> {
    const reaction = { ...key, entry_id: postId, user_id: idOf(name), reaction: 'HEART' as const };
    await tx
      .insertInto('changelog_reactions')
      .values({ ...reaction, date_created: now })
      .execute();
  }

  /** What happens between the look for unused users and their removal. */
  async function act(tx: Tx): Promise<void> {
    const vote = { ...key, id: postId, post_id: postId, type: 'UP' as const, date_created: now };
    await tx
      .insertInto('votes')
      .values({ ...vote, user_id: idOf('votes') })
      .execute();
    await tx.updateTable('users').set({ date_updated: now }).where('id', '=', idOf('changes')).execute();
    const assignment = { ...key, post_id: postId, user_id: idOf('gets'), date_created: now, assigned_by: null };
    await tx.insertInto('assignments').values(assignment).execute();
    await react(tx, 'reacts');
  }
  await db.transaction((tx) => react(tx, 'reacted'));
  let isFirst = true;
  const transaction: Db['transaction'] = async (work) => {
    if (isFirst) await db.transaction(act);
    isFirst = false;
    return db.transaction(work);
  };
  assert.equal(await removeUnusedUsers({ ...context, db: { ...db, transaction } }, last), 1);
  const left = (await imported.execute()).map(({ email }) => email?.split('@')[0]);
  assert.deepEqual(left, ['changes', 'gets', 'reacted', 'reacts', 'votes']);
});
