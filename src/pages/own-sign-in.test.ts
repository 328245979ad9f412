import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ageSessions, comeByCode, takeCode } from '../../test/support/own-account.ts';
import { PASSWORD, readMail, signUp, testPages, testWeb } from '../../test/support/web.ts';
import { describeDevice } from '../../web/account/device.ts';
import { formatDaysAgo } from '../../web/i18n/measures.ts';
import { setBoard } from '../identity/board/board.ts';
import { DAY_MS, MINUTE_MS } from '../platform/lib/clock.ts';

const PAGE = '/b/acme/settings/account';

testPages('a user who signed up with a mailed code sets a password on their page, and then needs it', async (web) => {
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

testPages('a passkey is requested for the custom domain of the page, else for the host of BASE_URL', async (web) => {
  const { id } = web.board;
  await web.db.transaction((tx) => setBoard(tx, id, { domain: 'ideas.example.com' }));
  for (const [host = '', domain] of [
    ['ideas.example.com', 'ideas.example.com'],
    ['board.test', 'board.test'],
    ['elsewhere.example', 'board.test'],
  ]) {
    const form = { intent: 'passkey-begin' };
    const { payload } = await web.makeVisitor().post('/sign-in', form, { host, 'sec-fetch-site': 'same-origin' });
    assert.ok(payload.includes(`\\"rpId\\",\\"${domain}\\"`), `${host}: ${payload}`);
  }
});

testPages('a user without a password turns the second factor on with a new password', async (web) => {
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
  assert.match((await eve.get(PAGE)).payload, /Code sent to eve@example.com/);
  assert.equal((await eve.post(PAGE, { intent: 'owner-code', code: '000' })).statusCode, 422);
  const confirmed = await eve.post(PAGE, { intent: 'owner-code', code: await takeCode(web, 'eve@example.com') });
  assert.equal(confirmed.statusCode, 302, confirmed.payload);
  const sessions = await web.db.read.selectFrom('sessions').select('id').execute();
  assert.equal(sessions.length, 1, 'the old session is replaced');
  await ageSessions(web, MINUTE_MS);
  assert.equal((await eve.post(PAGE, { intent: 'password', password: PASSWORD })).statusCode, 302);
});

testPages('the pages of mailed links have the frame of the board that they came from, and lead back', async (web) => {
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
  assert.match(page.payload, /<html[^>]* style="--hue:/);
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
  assert.match((await eve.post(reset.path, { password: PASSWORD })).payload, /already used or has expired/);
  await web.db.transaction((tx) => tx.deleteFrom('mails').execute());
  await web.makeVisitor().post(`/reset-password?next=${PAGE}`, { email: 'eve@third.example.com' });
  const again = await readMail(web, 'eve@third.example.com');
  const done = await eve.post(again.path, { password: 'another long password' });
  assert.match(done.payload, /href="\/sign-in\?next=%2Fb%2Facme%2Fsettings%2Faccount"/);
});

testPages('sessions are named by browser and system, in the language and the time zone of the reader', async (web) => {
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

test('browsers and systems are found in user agents, whichever others these name', () => {
  const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
  const cases: [userAgent: string | null, browser: string | null, system: string | null][] = [
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/141.0.0.0 Safari/537.36`, 'Chrome', 'Windows'],
    [`Mozilla/5.0 (Windows NT 10.0) ${webKit} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`, 'Edge', 'Windows'],
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webKit} Chrome/141.0.0.0 Safari/537.36`, 'Chrome', 'ChromeOS'],
    [`Mozilla/5.0 (X11; Linux x86_64) ${webKit} Chrome/141.0.0.0 Safari/537.36 OPR/122.0.0.0`, 'Opera', 'Linux'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox', 'Linux'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15',
      'Safari',
      'macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0 Mobile/15E148 Safari/604.1',
      'Chrome',
      'iPhone',
    ],
    [
      `Mozilla/5.0 (Linux; Android 16; SM-S931B) ${webKit} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`,
      'Samsung Internet',
      'Android',
    ],
    ['curl/8.16.0', null, null],
    ['<script>alert(1)</script>', null, null],
    [null, null, null],
  ];
  for (const [userAgent, browser, system] of cases) {
    assert.deepEqual(describeDevice(userAgent), { browser, system }, String(userAgent));
  }
});

test('ages in days go by the calendar of the time zone', () => {
  const now = Date.parse('2026-11-21T23:30:00Z');
  const agoIn = (timeZone: string, age: number) => formatDaysAgo('en', now - age, now, timeZone);
  assert.deepEqual(
    [agoIn('UTC', 0), agoIn('UTC', DAY_MS), agoIn('UTC', 5 * DAY_MS)],
    ['today', 'yesterday', '5 days ago'],
  );
  assert.deepEqual([agoIn('Europe/Berlin', 60 * MINUTE_MS), agoIn('UTC', 60 * MINUTE_MS)], ['yesterday', 'today']);
  assert.deepEqual([agoIn('UTC', -DAY_MS), agoIn('UTC', 40 * DAY_MS)], ['today', 'Oct 12, 2026']);
});
