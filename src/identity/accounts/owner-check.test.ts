import assert from 'node:assert/strict';
import { PASSWORD, type TestAccounts, type TestBrowser, testAccounts, totpOf } from '../../../test/support/accounts.ts';
import { FRESH_MS } from './rules.ts';

const EVE = 'eve@example.com';
const NEW = 'eve@new.example.com';
const UNCONFIRMED = /Confirm that this is your account/;

/** A browser whose user signed in with a mailed code, and has no password. */
async function comeByCode(world: TestAccounts, email = EVE): Promise<TestBrowser> {
  const browser = world.makeBrowser();
  await browser.access().byMail.requestLink(email, null);
  await browser.access().byMail.redeemCode(await takeCode(world));
  return browser;
}

async function takeCode({ takeMail }: TestAccounts): Promise<string> {
  return /code: (\d{6})$/m.exec((await takeMail()).body)?.[1] ?? '';
}

const needsOf = (browser: TestBrowser) => browser.access().ownerCheck.needs();

testAccounts('an account that was made by a code or a link has no password, and sets its first one', async (world) => {
  const eve = await comeByCode(world);
  assert.equal(await needsOf(eve), 'none');
  assert.deepEqual(await world.db.read.selectFrom('credentials').select('id').execute(), []);
  await assert.rejects(eve.access().changePassword('', 'short'), { code: 'BAD_REQUEST' });
  await eve.access().changePassword('', PASSWORD);
  assert.equal(await needsOf(eve), 'password');
  assert.equal(await world.makeBrowser().access().signIn(EVE, PASSWORD), 'in');
  await assert.rejects(eve.access().changePassword('', 'another long password'), /current password is wrong/);
  await assert.rejects(eve.access().requestEmailChange(NEW, ''), /current password is wrong/);
  const { byMail } = world.makeBrowser().access();
  await byMail.requestLink('bob@example.com', null);
  const bob = world.makeBrowser();
  await bob.access().byMail.signUp(/sign-up\/([\w.-]+)/.exec((await world.takeMail()).body)?.[1] ?? '', {
    name: 'Bob',
    password: '',
  });
  assert.equal(await needsOf(bob), 'none');
});

testAccounts(
  'a user who has just signed in without a password changes the address and turns the second factor on',
  async (world) => {
    const eve = await comeByCode(world);
    await eve.access().requestEmailChange(NEW, '');
    await world.accounts.idle();
    assert.deepEqual(
      world.mails.splice(0).map(({ recipient }) => recipient),
      [NEW, EVE],
    );
    await eve.access().changePassword('', PASSWORD);
    const { secret } = await eve.access().secondFactor.begin(PASSWORD);
    await eve.access().secondFactor.confirm(totpOf(secret, Date.now()));
    assert.equal(await world.makeBrowser().access().signIn(EVE, PASSWORD), 'code');
  },
);

testAccounts('an old session without a password changes nothing until a mailed code is entered', async (world) => {
  const eve = await comeByCode(world);
  world.advance(FRESH_MS + 60_000);
  assert.equal(await needsOf(eve), 'code');
  await assert.rejects(eve.access().changePassword('', PASSWORD), UNCONFIRMED);
  await assert.rejects(eve.access().requestEmailChange(NEW, PASSWORD), UNCONFIRMED);
  await assert.rejects(eve.access().ownerCheck.pass(''), UNCONFIRMED);
  await assert.rejects(eve.access().secondFactor.begin(''), /password is wrong/);
  assert.deepEqual(world.mails, []);
  const before = (await eve.access().listSessions()).map(({ id }) => id);
  await eve.access().ownerCheck.requestCode('/b/acme/settings/account');
  const code = await takeCode(world);
  assert.equal(await eve.access().ownerCheck.isWaiting(), true);
  await assert.rejects(eve.access().ownerCheck.redeemCode('x'), /code is wrong/);
  await eve.access().ownerCheck.redeemCode(code);
  const after = (await eve.access().listSessions()).map(({ id }) => id);
  assert.deepEqual([before.length, after.length, before[0] !== after[0]], [1, 1, true]);
  // The new session begins now by the clock of the machine, which no test moves.
  await world.db.transaction((tx) =>
    tx.updateTable('sessions').set({ date_created: world.accounts.deps.clock.now() }).execute(),
  );
  assert.equal(await needsOf(eve), 'none');
  await eve.access().changePassword('', PASSWORD);
});

testAccounts('the code of another address confirms nothing', async (world) => {
  const eve = await comeByCode(world);
  await eve.access().byMail.requestLink('mallory@example.com', null);
  const code = await takeCode(world);
  assert.equal(await eve.access().ownerCheck.isWaiting(), false);
  await assert.rejects(eve.access().ownerCheck.redeemCode(code), /has expired/);
  assert.equal((await eve.access().current())?.account.email, EVE);
  await assert.rejects(world.makeBrowser().access().ownerCheck.needs(), /Sign in again/);
});
