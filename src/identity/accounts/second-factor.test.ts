import assert from 'node:assert/strict';
import { PASSWORD, testAccounts, totpOf } from '../../../test/support/accounts.ts';

const ADA = { email: 'ada@example.com', name: 'Ada', password: PASSWORD };

testAccounts('with a second factor neither password nor mailbox is enough', async ({ makeBrowser, takeMail }) => {
  const ada = makeBrowser();
  await ada.access().create(ADA, 'proven');
  await assert.rejects(ada.access().secondFactor.begin('wrong password'), /password is wrong/);
  const { secret, backupCodes } = await ada.access().secondFactor.begin(PASSWORD);
  await assert.rejects(ada.access().secondFactor.confirm(wrongCode(secret)), /code is wrong/);
  await ada.access().secondFactor.confirm(totpOf(secret, Date.now()));

  const phone = makeBrowser();
  assert.equal(await phone.access().signIn(ADA.email, PASSWORD), 'code');
  assert.equal(await phone.access().current(), null);
  await assert.rejects(phone.access().secondFactor.signIn(wrongCode(secret)), /code is wrong/);
  await phone.access().secondFactor.signIn(totpOf(secret, Date.now() + 30_000));
  assert.equal((await phone.access().current())?.account.is_second_factor_on, 1);

  const other = makeBrowser();
  await other.access().signIn(ADA.email, PASSWORD);
  await other.access().secondFactor.signIn(backupCodes[0] ?? '');
  assert.ok(await other.access().current());

  await makeBrowser().access().byMail.requestLink(ADA.email, null);
  assert.match((await takeMail()).body, /password and a code/);

  await ada.access().secondFactor.end(PASSWORD);
  assert.equal(await makeBrowser().access().signIn(ADA.email, PASSWORD), 'in');
});

testAccounts('a code is accepted once, even for sign-ins at the same time', async ({ makeBrowser, db }) => {
  const ada = makeBrowser();
  await ada.access().create(ADA, 'proven');
  const { secret } = await ada.access().secondFactor.begin(PASSWORD);
  const first = totpOf(secret, Date.now());
  await ada.access().secondFactor.confirm(first);
  const begin = async () => {
    const browser = makeBrowser();
    await browser.access().signIn(ADA.email, PASSWORD);
    return browser;
  };
  await assert.rejects((await begin()).access().secondFactor.signIn(first), /already used|wrong or has expired/);
  const browsers = [await begin(), await begin(), await begin()];
  const next = totpOf(secret, Date.now() + 30_000);
  const answers = await Promise.allSettled(browsers.map((browser) => browser.access().secondFactor.signIn(next)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), ['fulfilled', 'rejected', 'rejected']);
  const signedIn = await Promise.all(browsers.map((browser) => browser.access().current()));
  assert.equal(signedIn.filter(Boolean).length, 1);
  const sessions = await db.read.selectFrom('sessions').select('id').execute();
  assert.equal(sessions.length, 2, 'that of the set-up and one more');
});

testAccounts('ten wrong codes lock the second factor for a while, and no longer', async ({ makeBrowser, db }) => {
  const ada = makeBrowser();
  await ada.access().create(ADA, 'proven');
  const { secret, backupCodes } = await ada.access().secondFactor.begin(PASSWORD);
  await ada.access().secondFactor.confirm(totpOf(secret, Date.now()));
  const tryCode = async (code: string) => {
    const phone = makeBrowser();
    await phone.access().signIn(ADA.email, PASSWORD);
    await phone.access().secondFactor.signIn(code);
    return phone.access().current();
  };
  for (let n = 0; n < 10; n++) await assert.rejects(tryCode(wrongCode(secret)), /code is wrong/);
  await assert.rejects(tryCode(backupCodes[0] ?? ''), /code is wrong/);
  // better-auth goes by the clock of the machine, which no test moves.
  await db.transaction((tx) =>
    tx
      .updateTable('second_factors')
      .set({ date_locked_until: Date.now() - 1 })
      .execute(),
  );
  assert.ok(await tryCode(backupCodes[0] ?? ''));
});

/** A code that no step within reach has. */
function wrongCode(secret: string): string {
  const near = [-2, -1, 0, 1, 2].map((steps) => totpOf(secret, Date.now() + steps * 30_000));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code)) ?? '';
}
