import assert from 'node:assert/strict';
import { PASSWORD, testAccounts, tokenOf } from '../../test/support/accounts.ts';
import { MINUTE_MS } from '../lib/clock.ts';
import { LINK_MINUTES } from './rules.ts';

const ADA = { email: 'ada@example.com', name: 'Ada', password: PASSWORD };
const NEW = 'ada@new.example.com';

testAccounts('an address changes when the link that went there is used, once', async (world) => {
  const { makeBrowser, accounts, mails, db } = world;
  const ada = makeBrowser();
  await ada.access().create(ADA);
  await ada.access().requestEmailChange(` Ada@New.example.com `, PASSWORD);
  await accounts.idle();
  const [link, notice] = mails;
  assert.ok(link && notice);
  assert.deepEqual([link.recipient, notice.recipient], [NEW, ADA.email]);
  assert.match(notice.body, /sign in with ada@new\.example\.com from now on/);
  assert.equal((await ada.access().current())?.account.email, ADA.email);
  const token = tokenOf(link);
  assert.ok(!JSON.stringify(await db.read.selectFrom('verifications').selectAll().execute()).includes(token));
  const elsewhere = makeBrowser();
  await elsewhere.access().confirmEmailChange(token);
  assert.equal((await ada.access().current())?.account.email, NEW);
  await assert.rejects(elsewhere.access().confirmEmailChange(token), /used or is too old/);
  await assert.rejects(elsewhere.access().signIn(ADA.email, PASSWORD), /is wrong/);
  assert.equal(await elsewhere.access().signIn(NEW, PASSWORD), 'in');
});

testAccounts(
  'an address is not changed without the password, to itself, or to none',
  async ({ makeBrowser, mails }) => {
    const ada = makeBrowser();
    await ada.access().create(ADA);
    await assert.rejects(ada.access().requestEmailChange(NEW, 'not the password'), /current password is wrong/);
    await assert.rejects(ada.access().requestEmailChange('ADA@example.com', PASSWORD), /your address already/);
    await assert.rejects(ada.access().requestEmailChange('nowhere', PASSWORD), /must look like/);
    await assert.rejects(makeBrowser().access().requestEmailChange(NEW, PASSWORD), /Sign in again/);
    assert.deepEqual(mails, []);
  },
);

testAccounts('an address that another account has, now or by then, changes nothing', async (world) => {
  const { makeBrowser, mails, takeMail } = world;
  const ada = makeBrowser();
  await ada.access().create(ADA);
  await makeBrowser()
    .access()
    .create({ ...ADA, email: 'bob@example.com' });
  await ada.access().requestEmailChange('bob@example.com', PASSWORD);
  assert.deepEqual([(await takeMail()).recipient, mails], [ADA.email, []]);
  await ada.access().requestEmailChange(NEW, PASSWORD);
  await takeMail();
  const token = tokenOf(await takeMail());
  await makeBrowser()
    .access()
    .create({ ...ADA, email: NEW });
  await assert.rejects(ada.access().confirmEmailChange(token), /used or is too old/);
  assert.equal((await ada.access().current())?.account.email, ADA.email);
});

testAccounts(
  'the link to a new address works for half an hour, and for the address that it was asked from',
  async (world) => {
    const { makeBrowser, takeMail, advance } = world;
    const ada = makeBrowser();
    await ada.access().create(ADA);
    const ask = async (email: string) => {
      await ada.access().requestEmailChange(email, PASSWORD);
      await takeMail();
      return tokenOf(await takeMail());
    };
    const late = await ask(NEW);
    advance(LINK_MINUTES * MINUTE_MS);
    await assert.rejects(ada.access().confirmEmailChange(late), /used or is too old/);
    const first = await ask(NEW);
    const second = await ask('ada@third.example.com');
    advance(LINK_MINUTES * MINUTE_MS - 1);
    await ada.access().confirmEmailChange(first);
    await assert.rejects(ada.access().confirmEmailChange(second), /used or is too old/);
    assert.equal((await ada.access().current())?.account.email, NEW);
  },
);
