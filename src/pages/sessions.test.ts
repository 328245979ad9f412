import assert from 'node:assert/strict';
import { signUp, type TestWeb, testPages, testWeb, type WebVisitor } from '../../test/support/web.ts';
import { DAY_MS } from '../platform/lib/clock.ts';

const isSignedIn = async (visitor: WebVisitor) => (await visitor.get('/b/acme')).payload.includes('/sign-out');

/** Makes every session one that was last used so many days ago, and later by so many milliseconds. */
function setLastUse({ db, clock }: TestWeb, days: number, milliseconds = 0) {
  const date_updated = clock.now() - days * DAY_MS + milliseconds;
  const date_expires = date_updated + 90 * DAY_MS;
  return db.transaction((tx) => tx.updateTable('sessions').set({ date_updated, date_expires }).execute());
}

testWeb('a session lasts for ninety days, and for a week without use on the team', async (web) => {
  const [vera, mo] = [await signUp(web, 'Vera'), await web.makeMember('Mo', 'MODERATOR')];
  const sessions = await web.db.read.selectFrom('sessions').selectAll().execute();
  assert.deepEqual([...new Set(sessions.map((s) => Math.round((s.date_expires - s.date_created) / DAY_MS)))], [90]);
  await setLastUse(web, 7, 1);
  assert.deepEqual([await isSignedIn(vera), await isSignedIn(mo)], [true, true]);
  await setLastUse(web, 7);
  assert.deepEqual([await isSignedIn(vera), await isSignedIn(mo)], [true, false]);
});

testPages('a cookie that is written in another way prolongs no session that has ended', async (web) => {
  const mo = await web.makeMember('Mo', 'MODERATOR');
  const cookie = mo.cookies.get('earshot.session_token') ?? assert.fail();
  const token = decodeURIComponent(cookie);
  const forms = [
    `earshot.session_token=%${token.charCodeAt(0).toString(16)}${encodeURIComponent(token.slice(1))}`,
    `earshot.session_token="${encodeURIComponent(token)}"`,
    `earshot.session_token =${encodeURIComponent(token)}`,
    `__Secure-earshot.session_token=x.y; earshot.session_token=${encodeURIComponent(token)}`,
    `a=b;earshot.session_token=${encodeURIComponent(token)}`,
  ];
  const session = await web.db.read.selectFrom('sessions').selectAll().executeTakeFirstOrThrow();
  for (const cookie of forms) {
    for (const isWithCode of [false, true]) {
      await web.db.transaction((tx) => tx.deleteFrom('sessions').execute());
      await web.db.transaction((tx) => tx.insertInto('sessions').values(session).execute());
      await setLastUse(web, 8);
      const thief = web.makeVisitor();
      if (isWithCode) await thief.post('/sign-in/code', { code: '123456' }, { origin: 'http://board.test', cookie });
      const { payload } = await thief.get('/b/acme', { cookie });
      assert.ok(!payload.includes('/sign-out'), `${cookie}${isWithCode ? ' after a code' : ''}`);
    }
  }
});
