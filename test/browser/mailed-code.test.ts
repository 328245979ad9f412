import assert from 'node:assert/strict';
import { test } from 'node:test';
import { launchBrowser, openSite } from '../support/browser.ts';
import { takeCode } from '../support/own-account.ts';
import { until } from '../support/until.ts';
import { askForLink, signIn } from './people.ts';

const browser = await launchBrowser();

test('a mailed code is sent with its last digit, and a wrong one is selected', async (t) => {
  const site = await openSite(t, browser);
  const { page } = await site.visit('/sign-in');
  await askForLink(site, page, 'lina@example.com');
  const field = page.locator('input[name=code]');
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'code');
  await page.keyboard.type('000000');
  await page.getByRole('alert').waitFor();
  await page.waitForFunction(() => getSelection()?.toString() === '000000');
  await page.keyboard.type('1');
  assert.equal(await field.inputValue(), '1');
});

test('a code is sent again after a while, to the same address, and both codes work', async (t) => {
  const site = await openSite(t, browser);
  const { page, wrong } = await site.visit('/sign-in?next=/b/acme');
  await page.clock.install();
  await askForLink(site, page, 'lina@example.com');
  const first = await takeCode(site, 'lina@example.com');
  const again = page.getByRole('button', { name: /^Send again/ });
  await page.getByText(/^Send again in \d+ s/).waitFor();
  assert.ok(await again.isDisabled());
  await page.clock.runFor(31_000);
  await page.getByRole('button', { name: 'Send again', exact: true }).click();
  await takeCode(site, 'lina@example.com');
  await page.getByText(/^Send again in \d+ s/).waitFor();
  await page.getByLabel('Code from the email').fill(first);
  await page.waitForURL('**/b/acme');
  await page.getByRole('button', { name: 'Your menu, Lina' }).waitFor();
  assert.deepEqual(wrong, []);
});

test('another address, and a password, are one step away, and what was typed stays', async (t) => {
  const site = await openSite(t, browser);
  const { page, wrong } = await site.visit('/sign-in?next=/b/acme');
  await askForLink(site, page, 'lina@example.com');
  await page.getByRole('button', { name: 'Change address' }).click();
  await page.getByLabel('Email address').fill('olga@example.com');
  await page.getByRole('link', { name: 'Use a password' }).click();
  await page.getByLabel('Password').waitFor();
  assert.equal(await page.getByLabel('Email address').inputValue(), 'olga@example.com');
  await page.getByRole('link', { name: 'Use a code by email' }).click();
  await page.getByLabel('Password').waitFor({ state: 'detached' });
  await signIn(page, 'olga@example.com', 'not my password');
  await page.getByText('Email address or password is wrong').waitFor();
  assert.equal(await page.getByLabel('Email address').inputValue(), 'olga@example.com');
  assert.deepEqual(wrong, []);
});

test('by keyboard alone, a first vote takes an address and a code, and ends where it began', async (t) => {
  const site = await openSite(t, browser);
  await site.makePost('Dark mode');
  const { page, wrong } = await site.visit('/b/acme');
  await page.getByRole('button', { name: /^Vote for Dark mode/ }).focus();
  await page.keyboard.press('Enter');
  const focused = () => page.evaluate<string>('document.activeElement.name || document.activeElement.id');
  await until('the address is asked for', async () => (await focused()) === 'email');
  await page.keyboard.type('lina@example.com');
  await page.keyboard.press('Enter');
  await until('the code is asked for', async () => (await focused()) === 'code');
  await page.keyboard.type(await takeCode(site, 'lina@example.com'));
  await page.getByRole('button', { name: 'Vote for Dark mode, 1 vote', pressed: true }).waitFor();
  await until('the vote has the focus', async () => (await focused()) === 'vote-1');
  assert.deepEqual(wrong, []);
});
