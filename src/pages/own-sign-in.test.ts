import assert from 'node:assert/strict';
import { ageSessions, comeByCode, takeCode } from '../../test/support/own-account.ts';
import { PASSWORD, readMail, signUp, testWeb } from '../../test/support/web.ts';
import { MINUTE_MS } from '../platform/lib/clock.ts';

const PAGE = '/b/acme/settings/account';

testWeb('who came by a mailed code sets a password on their page, and then needs it', async (web) => {
  const eve = await comeByCode(web, 'eve@example.com');
  const { payload } = await eve.get(PAGE);
  assert.match(payload, /You have no password/);
  assert.doesNotMatch(payload, /name="currentPassword"/);
  assert.equal((await eve.post(PAGE, { intent: 'password', password: 'short' })).statusCode, 422);
  assert.equal((await eve.post(PAGE, { intent: 'password', password: PASSWORD })).statusCode, 302);
  assert.match((await eve.get(PAGE)).payload, /name="currentPassword"/);
  for (const intent of ['password', 'email', 'factor']) {
    const forged = await eve.post(PAGE, { intent, password: 'another long password', email: 'mallory@example.com' });
    assert.equal(forged.statusCode, 422, intent);
    assert.match(forged.payload, /password is wrong/, intent);
  }
  const again = await web.makeVisitor().post('/sign-in', {
    intent: 'password',
    email: 'eve@example.com',
    password: PASSWORD,
  });
  assert.equal(again.statusCode, 302);
});

testWeb('who has no password turns the second factor on with the password that they choose', async (web) => {
  const eve = await comeByCode(web, 'eve@example.com');
  assert.match((await eve.get(PAGE)).payload, /choose a password first/);
  const begun = await eve.post(PAGE, { intent: 'factor', password: PASSWORD });
  assert.equal(begun.statusCode, 200);
  assert.match(begun.payload, /otpauth:\/\/totp/);
  assert.equal((await eve.post(PAGE, { intent: 'factor', currentPassword: PASSWORD })).statusCode, 200);
});

testWeb('an old session of an account without a password changes nothing before a mailed code', async (web) => {
  const eve = await comeByCode(web, 'eve@example.com');
  await ageSessions(web, 20 * MINUTE_MS);
  const { payload } = await eve.get(PAGE);
  assert.match(payload, /Confirm that this is your account/);
  assert.doesNotMatch(payload, /name="password"|name="email"/);
  for (const form of [
    { intent: 'password', password: PASSWORD },
    { intent: 'email', email: 'mallory@example.com' },
    { intent: 'factor', password: PASSWORD },
  ]) {
    assert.equal((await eve.post(PAGE, form)).statusCode, 422, form.intent);
  }
  const remove = { intent: 'delete', confirm: 'eve@example.com' };
  assert.equal((await eve.post('/b/acme/settings/data', remove)).statusCode, 422);
  const [credentials, mails] = await Promise.all([
    web.db.read.selectFrom('credentials').select('id').execute(),
    web.db.read.selectFrom('mails').select('id').where('recipient', '=', 'mallory@example.com').execute(),
  ]);
  assert.deepEqual([credentials, mails], [[], []]);
  await eve.post(PAGE, { intent: 'owner-mail' });
  assert.match((await eve.get(PAGE)).payload, /We sent a code and a link to eve@example.com/);
  assert.equal((await eve.post(PAGE, { intent: 'owner-code', code: '000' })).statusCode, 422);
  const confirmed = await eve.post(PAGE, { intent: 'owner-code', code: await takeCode(web, 'eve@example.com') });
  assert.equal(confirmed.statusCode, 302, confirmed.payload);
  const sessions = await web.db.read.selectFrom('sessions').select('id').execute();
  assert.equal(sessions.length, 1, 'the old session is replaced');
  await ageSessions(web, MINUTE_MS);
  assert.equal((await eve.post(PAGE, { intent: 'password', password: PASSWORD })).statusCode, 302);
});

testWeb('the pages of mailed links have the frame of the board that they came from, and lead back', async (web) => {
  const eve = await signUp(web, 'Eve');
  const header = /<header class="site-header"/;
  await web.db.transaction(async (tx) => {
    await tx.updateTable('boards').set({ brand_color: '#7a1f5b' }).execute();
    await tx.deleteFrom('mails').execute();
  });
  const asked = await web.makeVisitor().get(`/reset-password?next=${PAGE}`);
  assert.match(asked.payload, header);
  await web.makeVisitor().post(`/reset-password?next=${PAGE}`, { email: 'eve@example.com' });
  const reset = await readMail(web, 'eve@example.com');
  assert.match(reset.path, /^\/reset-password\/[\w-]+\?next=%2Fb%2Facme%2Fsettings%2Faccount$/);
  const page = await eve.get(reset.path);
  assert.match(page.payload, header);
  assert.match(page.payload, /--accent-light/);
  const short = await eve.post(reset.path, { password: 'short' });
  assert.match(short.payload, header);

  await eve.post(PAGE, { intent: 'email', email: 'eve@new.example.com', currentPassword: PASSWORD });
  const change = await readMail(web, 'eve@new.example.com');
  assert.match((await eve.get(change.path)).payload, header);
  const confirmed = await eve.post(change.path, {});
  assert.equal(confirmed.headers.location, `${PAGE}?done=saved`);
  await eve.post(PAGE, { intent: 'email', email: 'eve@third.example.com', currentPassword: PASSWORD });
  const { path } = await readMail(web, 'eve@third.example.com');
  const elsewhere = path.replace(/next=.*/, 'next=https%3A%2F%2Fevil.example');
  assert.equal((await eve.post(elsewhere, {})).headers.location, '/sign-in');
  const done = await eve.post(reset.path, { password: 'another long password' });
  assert.match(done.payload, /href="\/sign-in\?next=%2Fb%2Facme%2Fsettings%2Faccount"/);
});

testWeb('sessions are named by browser and system, in the language and the time zone of the reader', async (web) => {
  const eve = await signUp(web, 'Eve');
  const UA = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';
  const other = web.makeVisitor();
  const credentials = { intent: 'password', email: 'eve@example.com', password: PASSWORD };
  await other.post('/sign-in', credentials, { origin: 'http://board.test', 'user-agent': UA });
  await web.db.transaction((tx) =>
    tx
      .updateTable('sessions')
      .set({ date_created: Date.parse('2026-11-20T23:30:00Z'), date_updated: web.clock.now() })
      .execute(),
  );
  const { payload } = await eve.get(PAGE);
  assert.match(payload, /Chrome on Linux/);
  assert.match(payload, /Last used: today/);
  assert.match(payload, /Signed in: Nov 20, 2026/);
  assert.equal(payload.match(/\(this browser\)/g)?.length, 1);
  const zone = { intent: 'profile', name: 'Eve', locale: 'de', timeZone: 'Europe/Berlin' };
  assert.equal((await eve.post('/b/acme/settings/profile', zone)).statusCode, 302);
  const german = (await eve.get(PAGE)).payload;
  assert.match(german, /Chrome auf Linux/);
  assert.match(german, /Zuletzt benutzt: heute/);
  assert.match(german, /Angemeldet: 21\. Nov\. 2026/, 'it was the next day in Berlin');
  await eve.post(PAGE, { intent: 'sessions' });
  assert.doesNotMatch((await other.get('/b/acme')).payload, /\/sign-out/);
});
