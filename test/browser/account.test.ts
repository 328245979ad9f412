import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { BrowserContextOptions } from 'playwright-core';
import { encode } from 'uqr';
import { MINUTE_MS } from '../../src/platform/lib/clock.ts';
import { makeQrPath } from '../../web/lib/qr.ts';
import { assertSound, launchBrowser, openSite, type Site, type Watched } from '../support/browser.ts';
import { PNG } from '../support/files.ts';
import { ageSessions, takeCode } from '../support/own-account.ts';
import { askForLink, PASSWORD, readMail, visitAsOwner } from './people.ts';

const browser = await launchBrowser();
const PAGE = '/b/acme/settings/account';
const DATA = '/b/acme/settings/data';

test('a QR code is drawn as it is encoded', () => {
  const text = 'otpauth://totp/Earshot:ada@example.com?secret=ABCDEFGHIJKLMNOP&issuer=Earshot';
  const { path, size } = makeQrPath(text);
  const painted = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
    painted[Number(y)]?.fill(true, Number(x), Number(x) + Number(length));
  }
  assert.deepEqual(painted, encode(text, { ecc: 'M', border: 4 }).data);
});

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts';

  test(`a user sets up a second factor with a QR code, ${how}`, async (t) => {
    const site = await openSite(t, browser);
    const { page, wrong } = await visitAsOwner(site, { javaScriptEnabled });
    await page.goto(PAGE);
    const factor = page.getByRole('region', { name: 'Two-factor authentication' });
    await factor.getByLabel('Current password').fill(PASSWORD);
    await factor.getByRole('button', { name: 'Set up' }).click();
    const code = page.getByRole('img', { name: 'QR code for your authenticator app' });
    const uri = await page.getByRole('link', { name: 'Open in an app on this device' }).getAttribute('href');
    assert.equal(await code.locator('path').getAttribute('d'), makeQrPath(uri ?? '').path);
    assert.deepEqual(wrong, []);
  });

  test(`a user changes their email address, ${how}`, async (t) => {
    const site = await openSite(t, browser);
    const { page, wrong } = await visitAsOwner(site, { javaScriptEnabled });
    await page.goto(PAGE);
    await page.getByText('You sign in with olga@example.com.').waitFor();
    const section = page.getByRole('region', { name: 'Email address' });
    await section.getByLabel('New email address').fill('olga@new.example.com');
    await section.getByLabel('Current password').fill('not the password');
    await section.getByRole('button', { name: 'Change email address' }).click();
    await section.getByText('The current password is wrong').waitFor();
    assert.equal(await section.getByLabel('New email address').inputValue(), 'olga@new.example.com');
    await section.getByLabel('Current password').fill(PASSWORD);
    await section.getByRole('button', { name: 'Change email address' }).click();
    await page.getByText('We sent a link to olga@new.example.com').waitFor();
    const { path } = await readMail(site, 'olga@new.example.com');
    await page.goto(path);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('You sign in with olga@new.example.com.').waitFor();
    const query = site.db.read.selectFrom('users').select('email').where('account_id', 'is not', null);
    assert.deepEqual(await query.execute(), [{ email: 'olga@new.example.com' }]);
    await page.goto(path);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('This link was already used or has expired').waitFor();
    assert.deepEqual(wrong, []);
  });
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts';

  test(`a user without a password sets one, after a mailed code if the session is old, ${how}`, async (t) => {
    const site = await openSite(t, browser);
    const visitor = await visitByCode(site, { javaScriptEnabled });
    const { page, wrong } = visitor;
    await ageSessions(site, 20 * MINUTE_MS);
    await page.goto(PAGE);
    await page.getByRole('heading', { name: 'Confirm that this is your account' }).waitFor();
    if (javaScriptEnabled) await assertSound(visitor, 'the page that asks for a code');
    await page.getByRole('button', { name: 'Email me a code' }).click();
    await page.getByLabel('Code from the email').waitFor();
    if (javaScriptEnabled) await assertSound(visitor, 'the page that waits for a code');
    await page.getByLabel('Code from the email').fill(await takeCode(site, 'eve@example.com'));
    if (!javaScriptEnabled) await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByRole('button', { name: 'Set password' }).waitFor();
    await ageSessions(site, 0);
    const section = page.getByRole('region', { name: 'Password' });
    await section.getByLabel('New password').fill(PASSWORD);
    await section.getByRole('button', { name: 'Set password' }).click();
    await section.getByRole('button', { name: 'Change password' }).waitFor();
    await section.getByLabel('Current password').waitFor();
    assert.deepEqual(wrong, []);
  });

  test(`a user downloads what is kept about them and deletes the account, ${how}`, async (t) => {
    const site = await openSite(t, browser);
    const visitor = await visitByCode(site, { javaScriptEnabled });
    const { page, wrong } = visitor;
    await page.goto(DATA);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download', exact: true }).click(),
    ]);
    assert.match(file.suggestedFilename(), /^my-data-\d{4}-\d\d-\d\d\.json$/);
    assert.equal(JSON.parse(readFileSync(await file.path(), 'utf8')).account.email, 'eve@example.com');
    if (javaScriptEnabled) await assertSound(visitor, 'the page of one’s own data');
    const confirm = page.getByLabel('Type your email address to confirm: eve@example.com');
    await page.getByLabel('Are deleted too').check();
    await confirm.fill('mallory@example.com');
    await page.getByRole('button', { name: 'Delete account' }).click();
    await page.getByText('Type the email address of your account').waitFor();
    assert.equal(await page.getByLabel('Are deleted too').isChecked(), true);
    await confirm.fill('eve@example.com');
    await page.getByRole('button', { name: 'Delete account' }).click();
    await page.getByText('Your account is deleted', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    assert.deepEqual(await site.db.read.selectFrom('accounts').select('id').execute(), []);
    assert.deepEqual(wrong, []);
  });
}

test('the time zone of the browser is suggested, and dates are shown in it once it is saved', async (t) => {
  const site = await openSite(t, browser);
  const visitor = await visitByCode(site, { timezoneId: 'Pacific/Auckland', locale: 'en-US' });
  const { page, wrong } = visitor;
  await page.goto('/b/acme/settings/profile');
  const zone = page.getByLabel('Time zone');
  assert.equal(await zone.inputValue(), 'Pacific/Auckland');
  await page.locator('main').getByLabel('Language').selectOption('de');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByText('Gespeichert', { exact: true }).waitFor();
  assert.equal(await page.getByLabel('Zeitzone').inputValue(), 'Pacific/Auckland');
  await assertSound(visitor, 'the page of the profile');
  await site.db.transaction((tx) =>
    tx
      .updateTable('sessions')
      .set({ date_created: Date.parse('2026-11-20T12:00:00Z') })
      .execute(),
  );
  await page.goto(PAGE);
  await page.getByText('Angemeldet: 21. Nov. 2026, 01:00').waitFor();
  assert.deepEqual(wrong, []);
});

test('a picture is chosen on the page of the profile, and shown there', async (t) => {
  const site = await openSite(t, browser);
  const { page, wrong } = await visitByCode(site);
  await page.goto('/b/acme/settings/profile');
  await page.getByLabel('Your picture').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: PNG });
  await page.getByRole('region', { name: 'Picture' }).getByRole('button', { name: 'Save' }).click();
  const picture = page.getByRole('img', { name: 'Current image' });
  await picture.waitFor();
  assert.equal(await picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth), 1);
  await page.getByRole('button', { name: 'Remove' }).click();
  await picture.waitFor({ state: 'detached' });
  assert.deepEqual(wrong, []);
});

/** A visitor who has just signed in with a mailed code, to an account without a password. */
async function visitByCode(site: Site, options: BrowserContextOptions = {}): Promise<Watched> {
  const visitor = await site.visit('/sign-in?next=/b/acme', options);
  const { page } = visitor;
  await askForLink(site, page, 'eve@example.com');
  await page.getByLabel('Code from the email').fill(await takeCode(site, 'eve@example.com'));
  if (options.javaScriptEnabled === false) await page.getByRole('button', { name: 'Confirm' }).click();
  await page.waitForURL('**/b/acme');
  await ageSessions(site, 0);
  return visitor;
}
