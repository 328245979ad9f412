import assert from 'node:assert/strict';
import { PASSWORD, testAccounts, tokenOf } from '../../../test/support/accounts.ts';
import { MINUTE_MS } from '../../platform/lib/clock.ts';

const ADA = { email: 'ada@example.com', name: 'Ada', password: PASSWORD };

testAccounts(
  'a visitor creates an account and is signed in, signs out, and signs in again',
  async ({ makeBrowser }) => {
    const browser = makeBrowser();
    assert.equal(await browser.access().current(), null);
    await browser.access().create({ ...ADA, email: ' Ada@Example.com ' }, 'proven');
    assert.equal((await browser.access().current())?.account.email, 'ada@example.com');
    await browser.access().signOut();
    assert.equal(await browser.access().current(), null);
    assert.equal(await browser.access().signIn('ADA@example.com', PASSWORD), 'in');
    assert.equal((await browser.access().current())?.account.name, 'Ada');
  },
);

testAccounts('signing in creates a new session and does not reuse an earlier one', async (world) => {
  const ada = world.makeBrowser();
  await ada.access().create(ADA, 'proven');
  const before = new Map(ada.cookies);
  await ada.access().signIn(ADA.email, PASSWORD);
  assert.notDeepEqual(before, ada.cookies);
  const victim = world.makeBrowser();
  victim.cookies.set('earshot.session_token', 'chosen-by-another');
  assert.equal(await victim.access().current(), null);
  await victim.access().signIn(ADA.email, PASSWORD);
  assert.ok(!victim.cookies.get('earshot.session_token')?.includes('chosen'));
});

testAccounts('a wrong password and an unknown address get the same answer', async ({ makeBrowser }) => {
  await makeBrowser().access().create(ADA, 'proven');
  const browser = makeBrowser();
  const wrong = await browser
    .access()
    .signIn(ADA.email, 'wrong password')
    .catch((error) => error);
  const unknown = await browser
    .access()
    .signIn('bob@example.com', 'wrong password')
    .catch((error) => error);
  const noAddress = await browser
    .access()
    .signIn('<script>', 'wrong password')
    .catch((error) => error);
  assert.deepEqual([wrong.message, wrong.extensions], [unknown.message, unknown.extensions]);
  assert.deepEqual([wrong.message, wrong.extensions], [noAddress.message, noAddress.extensions]);
});

testAccounts('a link by mail signs in once, on any device', async ({ makeBrowser, takeMail, mails, db }) => {
  await makeBrowser().access().create(ADA, 'proven');
  const browser = makeBrowser();
  await browser.access().byMail.requestLink(ADA.email, null);
  const mail = await takeMail();
  assert.equal(mail.recipient, ADA.email);
  const token = tokenOf(mail);
  const kept = await db.read.selectFrom('verifications').selectAll().execute();
  assert.ok(kept.length === 2 && !JSON.stringify(kept).includes(token), 'only a hash of the token is kept');
  const phone = makeBrowser();
  await phone.access().byMail.redeemLink(token);
  assert.equal((await phone.access().current())?.account.email, ADA.email);
  assert.equal(await browser.access().current(), null);
  await assert.rejects(makeBrowser().access().byMail.redeemLink(token), /used or has expired/);
  assert.deepEqual(mails, []);
});

testAccounts('a mailed link creates a missing account, once', async ({ makeBrowser, takeMail, advance }) => {
  const eve = makeBrowser();
  await eve.access().byMail.requestLink(' Eve@Example.com', '/b/acme?sort=top');
  const mail = await takeMail();
  assert.deepEqual([mail.recipient, mail.subject], ['eve@example.com', 'Your sign-in code']);
  assert.match(mail.body, /^http:\/\/board\.test\/sign-up\/[\w.-]+\?next=%2Fb%2Facme%3Fsort%3Dtop$/m);
  const token = tokenOf(mail);
  const known = { email: 'eve@example.com', begun: null };
  assert.deepEqual(await eve.access().byMail.readLink(token), { ...known, hasAccount: false });
  await assert.rejects(eve.access().byMail.readLink(token.slice(0, -3)), { code: 'BAD_REQUEST' });
  await assert.rejects(eve.access().byMail.signUp(token, { name: ' ', password: '' }), /name must have 1 to 100/);
  await assert.rejects(eve.access().byMail.signUp(token, { name: 'Eve', password: 'short' }), /password must have 10/);
  await eve.access().byMail.signUp(token, { name: 'Eve', password: '' });
  const { account } = (await eve.access().current()) ?? {};
  assert.deepEqual([account?.name, account?.is_email_verified], ['Eve', 1]);
  await assert.rejects(
    makeBrowser().access().byMail.signUp(token, { name: 'Eva', password: '' }),
    /used or has expired/,
  );

  await makeBrowser().access().byMail.requestLink('eve@example.com', null);
  const again = makeBrowser();
  await again.access().byMail.redeemLink(tokenOf(await takeMail()));
  assert.equal((await again.access().current())?.account.id, account?.id);

  await makeBrowser().access().byMail.requestLink('late@example.com', null);
  const late = tokenOf(await takeMail());
  advance(30 * MINUTE_MS - 1);
  assert.equal((await makeBrowser().access().byMail.readLink(late)).email, 'late@example.com');
  advance(1);
  await assert.rejects(makeBrowser().access().byMail.readLink(late), /has expired/);
  await assert.rejects(makeBrowser().access().byMail.requestLink('no address', null), { code: 'BAD_REQUEST' });
});

testAccounts('a new password by mail ends every session', async ({ makeBrowser, takeMail, db }) => {
  const ada = makeBrowser();
  await ada.access().create(ADA, 'proven');
  await makeBrowser().access().requestReset(ADA.email);
  const token = tokenOf(await takeMail());
  assert.ok(!JSON.stringify(await db.read.selectFrom('verifications').selectAll().execute()).includes(token));
  await assert.rejects(makeBrowser().access().resetPassword(token, 'short'), { code: 'BAD_REQUEST' });
  await makeBrowser().access().resetPassword(token, 'another long password');
  assert.equal(await ada.access().current(), null);
  await assert.rejects(makeBrowser().access().resetPassword(token, 'a third long password'), /used or has expired/);
  await assert.rejects(ada.access().signIn(ADA.email, PASSWORD), /is wrong/);
  assert.equal(await ada.access().signIn(ADA.email, 'another long password'), 'in');
});

testAccounts(
  'users list and end their own sessions, one by one or all others, but not those of other users',
  async ({ makeBrowser }) => {
    const [ada, phone, bob] = [makeBrowser(), makeBrowser('192.0.2.2'), makeBrowser()];
    await ada.access().create(ADA, 'proven');
    await phone.access().signIn(ADA.email, PASSWORD);
    await bob.access().create({ ...ADA, email: 'bob@example.com' }, 'proven');
    const sessions = await ada.access().listSessions();
    assert.deepEqual(sessions.map((session) => session.address).sort(), ['192.0.2.1', '192.0.2.2']);
    const ofPhone = sessions.find((session) => session.address === '192.0.2.2')?.id ?? '';
    await bob.access().endSessions({ id: ofPhone });
    assert.ok(await phone.access().current());
    await ada.access().endSessions({ id: ofPhone });
    assert.equal(await phone.access().current(), null);
    await phone.access().signIn(ADA.email, PASSWORD);
    await phone.access().endSessions('others');
    assert.equal(await ada.access().current(), null);
    assert.ok(await bob.access().current());
  },
);

testAccounts('a new password needs the old one and ends the other sessions', async ({ makeBrowser }) => {
  const [ada, phone] = [makeBrowser(), makeBrowser()];
  await ada.access().create(ADA, 'proven');
  await phone.access().signIn(ADA.email, PASSWORD);
  await assert.rejects(ada.access().changePassword('wrong password', 'a new long password'), /current password/);
  await ada.access().changePassword(PASSWORD, 'a new long password');
  assert.ok(await ada.access().current());
  assert.equal(await phone.access().current(), null);
});

testAccounts('wrong input is reported with its field', async ({ makeBrowser }) => {
  const create = (input: Partial<typeof ADA>) =>
    makeBrowser()
      .access()
      .create({ ...ADA, ...input }, 'proven');
  const field = (name: string) => (error: { extensions: { field?: string } }) => error.extensions.field === name;
  await assert.rejects(create({ email: 'no address' }), field('email'));
  for (const email of ['a@b', 'a@b.example(c)', 'a@b,c.example', 'jürgen@example.com', 'a&b@example.com', 'a@b.рф'])
    await assert.rejects(create({ email }), field('email'), email);
  await assert.rejects(create({ email: 'ada@example.com\nbcc: all@example.com' }), field('email'));
  await assert.rejects(create({ name: '' }), field('name'));
  await assert.rejects(create({ name: 'x'.repeat(10_000) }), field('name'));
  await assert.rejects(create({ password: 'short' }), field('password'));
  await create({});
  await assert.rejects(create({ email: 'ADA@example.com' }), field('email'));
});
