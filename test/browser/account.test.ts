import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from 'uqr';
import { makeQrPath } from '../../web/lib/qr.ts';
import { launchBrowser, openSite } from '../support/browser.ts';
import { PASSWORD, readMail, visitAsOwner } from './people.ts';

const browser = await launchBrowser();
const PAGE = '/b/acme/settings/account';

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

  test(`somebody sets a second factor up with a QR code, ${how}`, async (t) => {
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

  test(`somebody changes their e-mail address, ${how}`, async (t) => {
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
