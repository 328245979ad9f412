import assert from 'node:assert/strict';
import { test } from 'node:test';
import { launchBrowser, openSite } from '../support/browser.ts';
import { askForLink } from './people.ts';

const browser = await launchBrowser();

test('the field for a mailed code has the focus at once, and a wrong code is selected', async (t) => {
  const site = await openSite(t, browser);
  const { page } = await site.visit('/sign-in');
  await askForLink(site, page, 'lina@example.com');
  const field = page.locator('input[name=code]');
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'code');
  await page.keyboard.type('000000');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  await page.waitForFunction(() => getSelection()?.toString() === '000000');
  await page.keyboard.type('1');
  assert.equal(await field.inputValue(), '1');
});
