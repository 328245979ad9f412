import assert from 'node:assert/strict';
import { PASSWORD, testAccounts, tokenOf, totpOf } from '../../../test/support/accounts.ts';
import { MINUTE_MS } from '../lib/clock.ts';
import { countAttemptFrom } from './throttle.ts';

const ADA = { email: 'ada@example.com', name: 'Ada', password: PASSWORD };

testAccounts('an eleventh wrong password makes its network wait, and no other', async (world) => {
  const { makeBrowser, advance } = world;
  await makeBrowser().access().create(ADA, 'proven');
  const guess = (address: string) => makeBrowser(address).access().signIn(ADA.email, 'wrong password');
  for (let n = 0; n < 10; n++) await assert.rejects(guess(`2001:db8:0:1::${n}`), /is wrong/);
  await assert.rejects(guess('2001:db8:0:1::a'), { code: 'RATE_LIMIT_EXCEEDED' });
  const late = makeBrowser('2001:db8:0:1::b');
  await assert.rejects(late.access().signIn(ADA.email, PASSWORD), { code: 'RATE_LIMIT_EXCEEDED' });
  assert.equal(await makeBrowser('2001:db8:0:2::1').access().signIn(ADA.email, PASSWORD), 'in');
  advance(15 * MINUTE_MS);
  assert.equal(await late.access().signIn(ADA.email, PASSWORD), 'in');
});

testAccounts('a right password clears the wrong ones before it', async ({ makeBrowser }) => {
  const ada = makeBrowser();
  await ada.access().create(ADA, 'proven');
  for (let round = 0; round < 2; round++) {
    for (let n = 0; n < 9; n++) await assert.rejects(ada.access().signIn(ADA.email, 'wrong password'), /is wrong/);
    assert.equal(await ada.access().signIn(ADA.email, PASSWORD), 'in');
  }
});

testAccounts(
  'many networks together lock an account after 500 tries in an hour, and a new password opens it, also with a second factor',
  async ({ makeBrowser, takeMail, db, accounts }) => {
    const ada = makeBrowser();
    await ada.access().create(ADA, 'proven');
    const { secret } = await ada.access().secondFactor.begin(PASSWORD);
    await ada.access().secondFactor.confirm(totpOf(secret, Date.now()));
    const { clock } = accounts.deps;
    const count = (n: number) => countAttemptFrom(db, clock, 'password of', ADA.email, `10.0.0.${n % 250} ${n >> 3}`);
    for (let n = 0; n < 499; n++) await count(n);
    const elsewhere = makeBrowser('198.51.100.7');
    assert.equal(await elsewhere.access().signIn(ADA.email, PASSWORD), 'code', 'what was right is not counted');
    await count(499);
    for (const password of [PASSWORD, 'wrong password']) {
      await assert.rejects(elsewhere.access().signIn(ADA.email, password), { code: 'RATE_LIMIT_EXCEEDED' });
    }
    await elsewhere.access().requestReset(ADA.email);
    await elsewhere.access().resetPassword(tokenOf(await takeMail()), 'another long password');
    const phone = makeBrowser('203.0.113.9');
    assert.equal(await phone.access().signIn(ADA.email, 'another long password'), 'code');
    await phone.access().secondFactor.signIn(totpOf(secret, Date.now() + 30_000));
    assert.ok(await phone.access().current());
  },
);

testAccounts(
  'a network that keeps trying while it must wait does not use up the limit of all',
  async ({ db, accounts }) => {
    const { clock } = accounts.deps;
    const count = (network: string) => countAttemptFrom(db, clock, 'password of', ADA.email, network);
    for (let n = 0; n < 10; n++) await count('192.0.2.1');
    for (let n = 0; n < 600; n++) await assert.rejects(count('192.0.2.1'), { code: 'RATE_LIMIT_EXCEEDED' });
    await count('192.0.2.2');
  },
);

testAccounts('one address cannot try many accounts', async ({ makeBrowser }) => {
  const tries = Array.from({ length: 41 }, (_, n) => n);
  const answers: string[] = [];
  for (const n of tries) {
    const error = await makeBrowser(`2001:db8::${n}`)
      .access()
      .byMail.redeemLink(`guess${n}`)
      .catch((e) => e);
    answers.push(error.code);
  }
  assert.deepEqual([...new Set(answers)], ['BAD_REQUEST', 'RATE_LIMIT_EXCEEDED']);
});

testAccounts('five mails an hour from a network to an address, and other networks are not affected', async (world) => {
  const { makeBrowser, advance } = world;
  const ask = (address: string) => makeBrowser(address).access().byMail.requestLink(ADA.email, null);
  for (let n = 0; n < 5; n++) await ask('192.0.2.1');
  await assert.rejects(ask('192.0.2.1'), { code: 'RATE_LIMIT_EXCEEDED' });
  await assert.rejects(makeBrowser('192.0.2.1').access().requestReset(ADA.email), { code: 'RATE_LIMIT_EXCEEDED' });
  await ask('198.51.100.1');
  await makeBrowser('192.0.2.1').access().byMail.requestLink('bob@example.com', null);
  advance(60 * MINUTE_MS);
  await ask('192.0.2.1');
});
