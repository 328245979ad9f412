import assert from 'node:assert/strict';
import { PASSWORD, testAccounts, tokenOf } from '../../../test/support/accounts.ts';
import { MINUTE_MS } from '../../platform/lib/clock.ts';
import { LINK_MINUTES } from './rules.ts';

const ADA = { email: 'ada@example.com', name: 'Ada', password: PASSWORD };
const NEW = 'ada@new.example.com';

testAccounts('an address changes when the link mailed to it is used, once', async (world) => {
  const { makeBrowser, accounts, mails, db } = world;
  const ada = makeBrowser();
  await ada.access().create(ADA, 'proven');
  await ada.access().requestEmailChange(` Ada@New.example.com `, PASSWORD);
  await accounts.idle();
  const [link, notice] = mails;
  assert.ok(link && notice);
  assert.deepEqual([link.recipient, notice.recipient], [NEW, ADA.email]);
  assert.match(notice.body, /sign in with ada@new\.example\.com instead/);
  assert.equal((await ada.access().current())?.account.email, ADA.email);
  const token = tokenOf(link);
  assert.ok(!JSON.stringify(await db.read.selectFrom('verifications').selectAll().execute()).includes(token));
  const elsewhere = makeBrowser();
  await elsewhere.access().confirmEmailChange(token);
  assert.equal((await ada.access().current())?.account.email, NEW);
  await assert.rejects(elsewhere.access().confirmEmailChange(token), /used or has expired/);
  await assert.rejects(elsewhere.access().signIn(ADA.email, PASSWORD), /is wrong/);
  assert.equal(await elsewhere.access().signIn(NEW, PASSWORD), 'in');
});

testAccounts(
  'an address is not changed without the password, to itself, or to none',
  async ({ makeBrowser, mails }) => {
    const ada = makeBrowser();
    await ada.access().create(ADA, 'proven');
    await assert.rejects(ada.access().requestEmailChange(NEW, 'not the password'), /current password is wrong/);
    await assert.rejects(ada.access().requestEmailChange('ADA@example.com', PASSWORD), /already your address/);
    await assert.rejects(ada.access().requestEmailChange('nowhere', PASSWORD), /must be an address such as/);
    await assert.rejects(makeBrowser().access().requestEmailChange(NEW, PASSWORD), /Sign in again/);
    assert.deepEqual(mails, []);
  },
);

testAccounts('an address that another account has, now or by then, changes nothing', async (world) => {
  const { makeBrowser, mails, takeMail } = world;
  const ada = makeBrowser();
  await ada.access().create(ADA, 'proven');
  await makeBrowser()
    .access()
    .create({ ...ADA, email: 'bob@example.com' }, 'proven');
  await ada.access().requestEmailChange('bob@example.com', PASSWORD);
  assert.deepEqual([(await takeMail()).recipient, mails], [ADA.email, []]);
  await ada.access().requestEmailChange(NEW, PASSWORD);
  await takeMail();
  const token = tokenOf(await takeMail());
  await makeBrowser()
    .access()
    .create({ ...ADA, email: NEW }, 'proven');
  await assert.rejects(ada.access().confirmEmailChange(token), /used or has expired/);
  assert.equal((await ada.access().current())?.account.email, ADA.email);
});

testAccounts(
  'the link to a new address works for half an hour, and for the address that it was asked from',
  async (world) => {
    const { makeBrowser, takeMail, advance } = world;
    const ada = makeBrowser();
    await ada.access().create(ADA, 'proven');
    const ask = async (email: string) => {
      await ada.access().requestEmailChange(email, PASSWORD);
      await takeMail();
      return tokenOf(await takeMail());
    };
    const late = await ask(NEW);
    advance(LINK_MINUTES * MINUTE_MS);
    await assert.rejects(ada.access().confirmEmailChange(late), /used or has expired/);
    const first = await ask(NEW);
    const second = await ask('ada@third.example.com');
    advance(LINK_MINUTES * MINUTE_MS - 1);
    await ada.access().confirmEmailChange(first);
    await assert.rejects(ada.access().confirmEmailChange(second), /used or has expired/);
    assert.equal((await ada.access().current())?.account.email, NEW);
  },
);

testAccounts('an unconfirmed address is confirmed by a link mailed to it, once', async (world) => {
  const { makeBrowser, takeMail, mails, db } = world;
  const ada = makeBrowser();
  const account = await ada.access().create(ADA, 'typed');
  const isProven = async () => (await ada.access().current())?.account.is_email_verified;
  assert.equal(await isProven(), 0);
  await ada.access().requestConfirmation(account);
  const mail = await takeMail();
  assert.deepEqual([mail.recipient, mail.subject, mails], [ADA.email, 'Confirm your address', []]);
  const token = tokenOf(mail);
  assert.ok(!JSON.stringify(await db.read.selectFrom('verifications').selectAll().execute()).includes(token));
  await makeBrowser().access().confirmEmailChange(token);
  assert.equal(await isProven(), 1);
  await assert.rejects(makeBrowser().access().confirmEmailChange(token), /used or has expired/);
  const now = (await ada.access().current())?.account;
  assert.ok(now);
  await ada.access().requestConfirmation(now);
  assert.deepEqual(mails, [], 'what is confirmed gets no mail');
});

testAccounts(
  'the owner of a mailbox takes over an account that was made with its unconfirmed address',
  async (world) => {
    const { makeBrowser, takeMail } = world;
    const typed = makeBrowser();
    await typed.access().create(ADA, 'typed');
    const owner = makeBrowser();
    await owner.access().byMail.requestLink(ADA.email, null);
    const mail = await takeMail();
    assert.match(mail.body, /removes the account's old password/);
    await owner.access().byMail.redeemLink(tokenOf(mail));
    assert.equal((await owner.access().current())?.account.is_email_verified, 1);
    assert.equal(await typed.access().current(), null);
    await assert.rejects(typed.access().signIn(ADA.email, PASSWORD), /is wrong/);

    const other = makeBrowser();
    await other.access().create({ ...ADA, email: NEW }, 'typed');
    await owner.access().requestReset(NEW);
    await owner.access().resetPassword(tokenOf(await takeMail()), 'another long password');
    await owner.access().signIn(NEW, 'another long password');
    assert.equal((await owner.access().current())?.account.is_email_verified, 1);
  },
);

testAccounts('a new password or address invalidates links that were mailed before', async (world) => {
  const { makeBrowser, accounts, mails } = world;
  const ada = makeBrowser();
  await ada.access().create(ADA, 'proven');
  /** The newest link that was mailed to an address. */
  async function linkTo(address: string, work: Promise<void>): Promise<string> {
    await work;
    await accounts.idle();
    return tokenOf(mails.findLast(({ recipient }) => recipient === address) ?? assert.fail(address));
  }
  const askForChange = (to: string, password: string) => linkTo(to, ada.access().requestEmailChange(to, password));
  const askForReset = (address: string) => linkTo(address, makeBrowser().access().requestReset(address));
  const confirm = (token: string) => makeBrowser().access().confirmEmailChange(token);
  const reset = (token: string, password: string) => makeBrowser().access().resetPassword(token, password);
  const SECOND = 'the second long password';

  const before = [await askForChange(NEW, PASSWORD), await askForReset(ADA.email)] as const;
  await ada.access().changePassword(PASSWORD, SECOND);
  await assert.rejects(confirm(before[0]), /used or has expired/);
  await assert.rejects(reset(before[1], PASSWORD), /used or has expired/);

  const again = [await askForChange(NEW, SECOND), await askForReset(ADA.email)] as const;
  await reset(await askForReset(ADA.email), PASSWORD);
  await assert.rejects(confirm(again[0]), /used or has expired/);
  await assert.rejects(reset(again[1], SECOND), /used or has expired/);

  await ada.access().signIn(ADA.email, PASSWORD);
  const ofOldAddress = await askForReset(ADA.email);
  await confirm(await askForChange(NEW, PASSWORD));
  await assert.rejects(reset(ofOldAddress, SECOND), /used or has expired/);
});

testAccounts('an open browser is no place to guess at the password', async ({ makeBrowser }) => {
  const ada = makeBrowser();
  await ada.access().create(ADA, 'proven');
  const tries = [
    () => ada.access().changePassword('wrong', 'a new long password'),
    () => ada.access().secondFactor.begin('wrong'),
    () => ada.access().secondFactor.end('wrong'),
  ];
  for (let n = 0; n < 10; n++) await assert.rejects(tries[n % 3]?.() ?? assert.fail(), /password is wrong/);
  for (const again of tries) await assert.rejects(again(), { code: 'RATE_LIMIT_EXCEEDED' });
  await assert.rejects(ada.access().requestEmailChange(NEW, PASSWORD), { code: 'RATE_LIMIT_EXCEEDED' });
});
