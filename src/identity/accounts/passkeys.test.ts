import assert from 'node:assert/strict';
import { PASSWORD, type TestAccounts, type TestBrowser, testAccounts } from '../../../test/support/accounts.ts';
import { makeDevice } from '../../../test/support/passkeys.ts';
import { HOUR_MS, MINUTE_MS } from '../../platform/lib/clock.ts';
import { deleteAccount } from './deleting.ts';

const ADA = { email: 'ada@example.com', name: 'Ada', password: PASSWORD };
const SITE = { origin: 'https://ideas.example.com' };
const OTHER = { origin: 'https://feedback.example.com' };
const REFUSED = /passkey was not accepted/;

/** A browser with a signed-in account, and a device that has a passkey of it. */
async function addPasskey({ makeBrowser, accounts }: TestAccounts, site = SITE) {
  const browser = makeBrowser();
  await browser.access().create(ADA, 'proven');
  const device = await addTo(browser, site);
  await accounts.idle();
  return { browser, device };
}

async function addTo(browser: TestBrowser, site = SITE) {
  const device = makeDevice(site.origin);
  const options = await browser.access().passkeys.beginAdding(site, PASSWORD);
  await browser.access().passkeys.add(site, device.create(options));
  return device;
}

const whoIs = async (browser: TestBrowser) => (await browser.access().current())?.account.email;

testAccounts('a passkey signs in without address and password, and its owner gets a mail', async (world) => {
  const { browser, device } = await addPasskey(world);
  const { recipient, subject, body } = await world.takeMail();
  assert.deepEqual([recipient, subject], [ADA.email, 'A passkey was added to your account']);
  assert.match(body, /ideas\.example\.com/);
  const visitor = world.makeBrowser('192.0.2.9');
  const options = await visitor.access().passkeys.beginSignIn(SITE);
  assert.deepEqual([options.rpId, options.allowCredentials], ['ideas.example.com', undefined]);
  await visitor.access().passkeys.signIn(SITE, device.sign(options));
  assert.equal(await whoIs(visitor), ADA.email);
  const [{ user_agent, date_used } = {}] = await browser.access().passkeys.list();
  assert.equal(user_agent, 'Test browser');
  assert.ok(date_used);
});

testAccounts(
  'what a passkey has signed counts once, for five minutes, in the browser that was asked',
  async (world) => {
    const { device } = await addPasskey(world);
    const [browser, other] = [world.makeBrowser(), world.makeBrowser()];
    const asked = await browser.access().passkeys.beginSignIn(SITE);
    const before = new Map(browser.cookies);
    await assert.rejects(other.access().passkeys.signIn(SITE, device.sign(asked)), REFUSED);
    await other.access().passkeys.beginSignIn(SITE);
    await assert.rejects(other.access().passkeys.signIn(SITE, device.sign(asked)), REFUSED, 'another challenge');
    await browser.access().passkeys.signIn(SITE, device.sign(asked));
    for (const [name, value] of before) other.cookies.set(name, value);
    await assert.rejects(other.access().passkeys.signIn(SITE, device.sign(asked)), REFUSED, 'replayed');
    const late = await other.access().passkeys.beginSignIn(SITE);
    world.advance(5 * MINUTE_MS);
    await assert.rejects(other.access().passkeys.signIn(SITE, device.sign(late)), REFUSED, 'expired');
    assert.equal(await whoIs(other), undefined);
  },
);

testAccounts('a passkey works only at the domain and the origin that it was added for', async (world) => {
  const { device } = await addPasskey(world);
  const browser = world.makeBrowser();
  for (const [site, origin] of [
    [OTHER, OTHER.origin],
    [SITE, OTHER.origin],
    [SITE, `${SITE.origin}:8443`],
  ] as const) {
    const asked = await browser.access().passkeys.beginSignIn(site);
    await assert.rejects(browser.access().passkeys.signIn(site, device.sign(asked, { origin })), REFUSED);
  }
  for (const response of ['', '1', 'null', '{}', '{"id":"\\u0000"}', JSON.stringify({ id: 'x', response: {} })]) {
    await browser.access().passkeys.beginSignIn(SITE);
    await assert.rejects(browser.access().passkeys.signIn(SITE, response), REFUSED, response);
  }
});

testAccounts('what a hostile browser makes up about a passkey is refused or left out', async (world) => {
  const { browser, device } = await addPasskey(world);
  const access = () => browser.access().passkeys;
  const begin = () => access().beginAdding(SITE, PASSWORD);
  const long = makeDevice(SITE.origin, 3_000).create(await begin());
  await assert.rejects(access().add(SITE, long), REFUSED, 'PostgreSQL could not index its id');
  const attested = makeDevice(SITE.origin).create(await begin(), { format: 'android-key' });
  await assert.rejects(access().add(SITE, attested), REFUSED);
  for (const attestationObject of [undefined, 1, '', 'gA', Buffer.alloc(50_000, 0x81).toString('base64url')]) {
    await begin();
    await assert.rejects(access().add(SITE, JSON.stringify({ response: { attestationObject } })), REFUSED);
  }
  for (const transports of [null, 'usb', ['usb', 7, 'x'.repeat(100_000)]]) {
    const created = JSON.parse(makeDevice(SITE.origin).create(await begin()));
    await access().add(SITE, JSON.stringify({ ...created, response: { ...created.response, transports } }));
  }
  const stored = (await access().list()).map(({ transports }) => transports);
  assert.deepEqual(stored, ['["usb"]', '[]', '[]', '[]']);
  const visitor = world.makeBrowser('192.0.2.9');
  for (const userHandle of [0, false, '', {}, []]) {
    const signed = JSON.parse(device.sign(await visitor.access().passkeys.beginSignIn(SITE)));
    const response = JSON.stringify({ ...signed, response: { ...signed.response, userHandle } });
    await assert.rejects(visitor.access().passkeys.signIn(SITE, response), REFUSED, response);
  }
});

testAccounts('a copy of a device that counts what it signs is refused', async (world) => {
  const { device } = await addPasskey(world);
  const browser = world.makeBrowser();
  const use = async (counter: number) => {
    const asked = await browser.access().passkeys.beginSignIn(SITE);
    await browser.access().passkeys.signIn(SITE, device.sign(asked, { counter }));
  };
  await use(7);
  await assert.rejects(use(7), REFUSED);
  await use(8);
});

testAccounts('an account with a second factor needs a passkey that its device has unlocked', async (world) => {
  const { device } = await addPasskey(world);
  await world.db.transaction((tx) => tx.updateTable('accounts').set({ is_second_factor_on: 1 }).execute());
  const browser = world.makeBrowser();
  const use = async (isUnlocked: boolean) => {
    const asked = await browser.access().passkeys.beginSignIn(SITE);
    await browser.access().passkeys.signIn(SITE, device.sign(asked, { isUnlocked }));
  };
  await assert.rejects(use(false), /asks for a PIN/);
  await use(true);
  assert.equal(await whoIs(browser), ADA.email);
});

testAccounts('adding and removing a passkey needs the password, or a fresh session without one', async (world) => {
  const { browser, device } = await addPasskey(world);
  const access = () => browser.access().passkeys;
  await assert.rejects(access().beginAdding(SITE, 'wrong password'), /current password is wrong/);
  const [{ id = '' } = {}] = await access().list();
  await assert.rejects(access().remove(id, 'wrong password'), /current password is wrong/);
  await access().remove(id, PASSWORD);
  const other = world.makeBrowser();
  const asked = await other.access().passkeys.beginSignIn(SITE);
  await assert.rejects(other.access().passkeys.signIn(SITE, device.sign(asked)), REFUSED);
  const eve = world.makeBrowser('192.0.2.5');
  await eve.access().create({ email: 'eve@example.com', name: 'Eve', password: null }, 'proven');
  await addTo(eve);
  const [own] = await eve.access().passkeys.list();
  await access().remove(own?.id ?? '', PASSWORD);
  assert.equal((await eve.access().passkeys.list()).length, 1, 'it is not that of another account');
  world.advance(HOUR_MS);
  await assert.rejects(eve.access().passkeys.beginAdding(SITE, ''), /code/);
});

testAccounts(
  'what was begun by one account adds no passkey to another, nor to one that is unconfirmed',
  async (world) => {
    const { browser } = await addPasskey(world);
    const options = await browser.access().passkeys.beginAdding(SITE, PASSWORD);
    const eve = world.makeBrowser();
    await eve.access().create({ email: 'eve@example.com', name: 'Eve', password: PASSWORD }, 'typed');
    await assert.rejects(eve.access().passkeys.beginAdding(SITE, PASSWORD), /Confirm your email address/);
    eve.cookies.set('earshot.passkey', browser.cookies.get('earshot.passkey') ?? '');
    await assert.rejects(eve.access().passkeys.add(SITE, makeDevice(SITE.origin).create(options)), REFUSED);
  },
);

testAccounts('an account has at most ten passkeys, and they are deleted with it', async (world) => {
  const { browser, device } = await addPasskey(world);
  for (let n = 1; n < 10; n++) {
    world.advance(HOUR_MS);
    await addTo(browser);
  }
  await assert.rejects(browser.access().passkeys.beginAdding(SITE, PASSWORD), /at most 10 passkeys/);
  const account = (await browser.access().current())?.account;
  assert.ok(account);
  await world.db.transaction((tx) => deleteAccount(tx, account));
  assert.deepEqual(await world.db.read.selectFrom('passkeys').select('id').execute(), []);
  const other = world.makeBrowser();
  const asked = await other.access().passkeys.beginSignIn(SITE);
  await assert.rejects(other.access().passkeys.signIn(SITE, device.sign(asked)), REFUSED);
});
