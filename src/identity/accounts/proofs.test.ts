import assert from 'node:assert/strict';
import { PASSWORD, type TestAccounts, testAccounts, tokenOf, totpOf } from '../../../test/support/accounts.ts';
import { HOUR_MS, MINUTE_MS } from '../../platform/lib/clock.ts';
import { countAttemptFrom } from '../../platform/limits/throttle.ts';

const ADA = { email: 'ada@example.com', name: 'Ada', password: PASSWORD };

/** A browser that waits for a code, and the code. */
async function ask({ makeBrowser, takeMail }: TestAccounts, email: string, address = '192.0.2.1') {
  const browser = makeBrowser(address);
  await browser.access().byMail.requestLink(email, null, 'what was begun');
  const mail = await takeMail();
  return { browser, mail, code: /code: (\d{6})$/m.exec(mail.body)?.[1] ?? '' };
}

/** Codes that are not this one. */
const wrongCodes = (code: string) =>
  ['111111', '222222', '333333', '444444', '555555', '666666'].filter((c) => c !== code);

testAccounts('a code signs in the browser that asked for it, once, and no other', async (world) => {
  const { makeBrowser, db } = world;
  await makeBrowser().access().create(ADA, 'proven');
  const { browser, mail, code } = await ask(world, ADA.email);
  assert.equal(await browser.access().byMail.findWaiting(), ADA.email);
  assert.ok(!mail.subject.includes(code), 'the team reads the subjects in the list of mails');
  const kept = JSON.stringify(await db.read.selectFrom('verifications').selectAll().execute());
  for (const secret of [code, browser.cookies.get('earshot.waiting') ?? '']) assert.ok(!kept.includes(secret));
  await assert.rejects(makeBrowser().access().byMail.redeemCode(code), /has expired/);
  const { browser: other } = await ask(world, 'bob@example.com');
  if ((await other.access().byMail.findWaiting()) === 'bob@example.com') {
    await assert.rejects(other.access().byMail.redeemCode(code), /code is wrong/);
  }
  const before = new Map(browser.cookies);
  const typed = `${code.slice(0, 3)} ${code.slice(3)}`;
  assert.deepEqual(await browser.access().byMail.redeemCode(typed), { state: 'in', begun: 'what was begun' });
  assert.equal((await browser.access().current())?.account.email, ADA.email);
  assert.equal(await browser.access().byMail.findWaiting(), null);
  browser.cookies.clear();
  for (const [name, value] of before) browser.cookies.set(name, value);
  await assert.rejects(browser.access().byMail.redeemCode(code), /has expired/);
  const link = await makeBrowser().access().byMail.redeemLink(tokenOf(mail));
  assert.equal(link.state, 'in', 'the link works once by itself');
});

testAccounts('the codes of the three newest mails to one address work, each for thirty minutes', async (world) => {
  const browser = world.makeBrowser();
  const ask = async (email: string) => {
    await browser.access().byMail.requestLink(email, null);
    return /code: (\d{6})$/m.exec((await world.takeMail()).body)?.[1] ?? '';
  };
  const redeem = (code = '') => browser.access().byMail.redeemCode(code);
  const tooOld = await ask('eve@example.com');
  const codes = [await ask('eve@example.com')];
  world.advance(20 * MINUTE_MS);
  codes.push(await ask('eve@example.com'), await ask('eve@example.com'));
  if (!codes.includes(tooOld)) await assert.rejects(redeem(tooOld), /code is wrong/);
  world.advance(10 * MINUTE_MS);
  if (codes.lastIndexOf(codes[0] ?? '') === 0) await assert.rejects(redeem(codes[0]), /code is wrong/);
  assert.equal((await redeem(codes[1])).state, 'new');
  await assert.rejects(redeem(codes[2]), /has expired/);
  const first = await ask('ada@example.com');
  const other = await ask('bob@example.com');
  if (first !== other) await assert.rejects(redeem(first), /code is wrong/);
});

testAccounts('the same code sent twice at the same time signs in once', async (world) => {
  await world.makeBrowser().access().create(ADA, 'proven');
  const { browser, code } = await ask(world, ADA.email);
  const answers = await Promise.allSettled([1, 2, 3].map(() => browser.access().byMail.redeemCode(code)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), ['fulfilled', 'rejected', 'rejected']);
});

testAccounts('a code creates a missing account, named after the address', async (world) => {
  const { browser, code } = await ask(world, 'Lina.Haddad+ideas@Example.com');
  assert.equal((await browser.access().byMail.redeemCode(code)).state, 'new');
  const { account } = (await browser.access().current()) ?? {};
  assert.deepEqual(
    [account?.name, account?.email, account?.is_email_verified],
    ['Lina', 'lina.haddad+ideas@example.com', 1],
  );
  const numbered = await ask(world, '4711@example.com');
  await numbered.browser.access().byMail.redeemCode(numbered.code);
  assert.equal((await numbered.browser.access().current())?.account.name, '4711');
});

testAccounts('a code lives for thirty minutes', async (world) => {
  const { browser, code } = await ask(world, 'eve@example.com');
  world.advance(30 * MINUTE_MS - 1);
  assert.equal(await browser.access().byMail.findWaiting(), 'eve@example.com');
  world.advance(1);
  assert.equal(await browser.access().byMail.findWaiting(), null);
  await assert.rejects(browser.access().byMail.redeemCode(code), /has expired/);
});

testAccounts('after five wrong codes the right one is refused', async (world) => {
  for (const wrong of [4, 5]) {
    const { browser, code } = await ask(world, `eve${wrong}@example.com`);
    for (const tried of wrongCodes(code).slice(0, wrong)) {
      await assert.rejects(browser.access().byMail.redeemCode(tried), /code is wrong/);
    }
    if (wrong === 4) await browser.access().byMail.redeemCode(code);
    else await assert.rejects(browser.access().byMail.redeemCode(code), /too many attempts/);
  }
});

testAccounts('codes for one address are counted by network, and from anywhere', async (world) => {
  const { db, accounts, advance } = world;
  const tries = (count: number, network: (n: number) => string) =>
    Promise.all(
      Array.from({ length: count }, (_, n) =>
        countAttemptFrom(db, accounts.deps.clock, 'code of', 'eve@example.com', network(n)),
      ),
    );
  await tries(15, () => '192.0.2.1');
  const near = await ask(world, 'eve@example.com');
  await assert.rejects(near.browser.access().byMail.redeemCode(near.code), { code: 'RATE_LIMIT_EXCEEDED' });
  const far = await ask(world, 'eve@example.com', '198.51.100.1');
  assert.equal((await far.browser.access().byMail.redeemCode(far.code)).state, 'new');
  await tries(84, (n) => `10.0.0.${n}`);
  const refused = await ask(world, 'eve@example.com', '203.0.113.1');
  await assert.rejects(refused.browser.access().byMail.redeemCode(refused.code), { code: 'RATE_LIMIT_EXCEEDED' });
  advance(24 * HOUR_MS);
  const later = await ask(world, 'eve@example.com', '203.0.113.1');
  assert.equal((await later.browser.access().byMail.redeemCode(later.code)).state, 'in');
});

testAccounts('with a second factor neither code nor link is enough', async (world) => {
  const ada = world.makeBrowser();
  await ada.access().create(ADA, 'proven');
  const { secret } = await ada.access().secondFactor.begin(PASSWORD);
  await ada.access().secondFactor.confirm(totpOf(secret, Date.now()));
  const { browser, mail, code } = await ask(world, ADA.email);
  const answer = { state: 'password', begun: 'what was begun' };
  assert.deepEqual(await browser.access().byMail.redeemCode(code), answer);
  assert.equal(await browser.access().current(), null);
  const phone = world.makeBrowser();
  assert.deepEqual(await phone.access().byMail.redeemLink(tokenOf(mail)), answer);
  assert.equal(await phone.access().current(), null);
});

testAccounts('a visitor who waits for a code can ask for another mail', async (world) => {
  const { browser, code } = await ask(world, 'eve@example.com');
  await browser.access().byMail.stopWaiting();
  assert.equal(await browser.access().byMail.findWaiting(), null);
  await assert.rejects(browser.access().byMail.redeemCode(code), /has expired/);
});

testAccounts('who waits for a code of an earlier version is sent another', async (world) => {
  const { browser, code } = await ask(world, 'eve@example.com');
  const value = JSON.stringify({ email: 'eve@example.com', begun: null, code: 'its MAC' });
  await world.db.transaction((tx) =>
    tx.updateTable('verifications').set({ value }).where('identifier', 'like', 'sign-in-code-%').execute(),
  );
  await assert.rejects(browser.access().byMail.redeemCode(code), /code is wrong/);
  await browser.access().byMail.requestLink('eve@example.com', null);
  const next = /code: (\d{6})$/m.exec((await world.takeMail()).body)?.[1] ?? '';
  assert.equal((await browser.access().byMail.redeemCode(next)).state, 'new');
});
