import assert from 'node:assert/strict';
import { signUp, testWeb, type WebVisitor } from '../../test/support/web.ts';
import { DAY_MS } from '../platform/lib/clock.ts';

testWeb('a session lasts for ninety days, and for a week without use on the team', async (web) => {
  const [vera, mo] = [await signUp(web, 'Vera'), await web.makeMember('Mo', 'MODERATOR')];
  const { db, clock } = web;
  const sessions = await db.read.selectFrom('sessions').selectAll().execute();
  assert.deepEqual([...new Set(sessions.map((s) => Math.round((s.date_expires - s.date_created) / DAY_MS)))], [90]);
  const isSignedIn = async (visitor: WebVisitor) => (await visitor.get('/b/acme')).payload.includes('/sign-out');
  const lastUsed = (days: number, milliseconds: number) =>
    db.transaction((tx) =>
      tx
        .updateTable('sessions')
        .set({ date_updated: clock.now() - days * DAY_MS + milliseconds })
        .execute(),
    );
  await lastUsed(7, 1);
  assert.deepEqual([await isSignedIn(vera), await isSignedIn(mo)], [true, true]);
  await lastUsed(7, 0);
  assert.deepEqual([await isSignedIn(vera), await isSignedIn(mo)], [true, false]);
});
