import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findBarriers, launchBrowser, openSite } from '../support/browser.ts';
import { visitAsOwner } from './people.ts';

const browser = await launchBrowser();

test('an idea is found, voted for and commented on by single keys', async (t) => {
  const site = await openSite(t, browser);
  for (const title of ['Dark mode', 'Export', 'Search']) await site.makePost(title);
  const { page, wrong } = await visitAsOwner(site);
  await page.goto('/b/acme');
  const focused = () => page.evaluate<string>('document.activeElement.textContent || document.activeElement.name');
  const steps = [
    ['j', 'Search'],
    ['j', 'Export'],
    ['j', 'Dark mode'],
    ['j', 'Dark mode'],
    ['k', 'Export'],
  ] as const;
  for (const [key, expected] of steps) {
    await page.keyboard.press(key);
    assert.equal(await focused(), expected);
  }
  await page.keyboard.press('v');
  await page.locator('.post-row', { hasText: 'Export' }).locator('.vote[aria-pressed=true]').waitFor();
  assert.equal(await page.locator('.vote[aria-pressed=true]').count(), 1, 'the vote is for the idea in focus');

  await page.keyboard.press('Enter');
  await page.getByLabel('Your comment').waitFor();
  await page.keyboard.press('c');
  await page.keyboard.type('vjn: yes, please');
  await page.keyboard.press('Control+Enter');
  await page.locator('.comment', { hasText: 'vjn: yes, please' }).waitFor();

  await page.goto('/b/acme/roadmap');
  await page.keyboard.press('/');
  assert.equal(await focused(), 'q');
  await page.goto('/b/acme/roadmap');
  await page.keyboard.press('n');
  await page.waitForURL('**/b/acme#new-idea');
  await page.locator('#new-idea:focus').waitFor();
  assert.deepEqual(wrong, []);
});

test('the keys are listed in a dialog, and single keys can be turned off', async (t) => {
  const site = await openSite(t, browser);
  await site.makePost('Dark mode');
  const { page, wrong } = await site.visit('/b/acme');
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await dialog.waitFor();
  assert.deepEqual(await findBarriers(page), []);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await dialog.getByLabel('Use single-key shortcuts').uncheck();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.reload();
  await page.keyboard.press('j');
  await page.keyboard.press('?');
  assert.equal(await dialog.isVisible(), false);
  assert.equal(await page.evaluate<string>('document.activeElement.tagName'), 'BODY');
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await dialog.getByLabel('Use single-key shortcuts').check();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.keyboard.press('?');
  await dialog.waitFor();
  assert.deepEqual(wrong, []);
});

test('the list of keys has those of triage before an idea is open', async (t) => {
  const site = await openSite(t, browser);
  await site.makePost('Dark mode');
  const { page, wrong } = await visitAsOwner(site);
  await page.goto('/b/acme/triage/unanswered');
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await dialog.getByText('Snooze').waitFor();
  const keys = (await dialog.locator('kbd').allInnerTexts()).map((key) => key.toLowerCase());
  for (const key of ['x', 'e', 's', 't', 'a', 'z', 'm', 'r']) assert.ok(keys.includes(key), key);
  await page.keyboard.press('Escape');
  await page.goto('/b/acme/triage/unanswered/1');
  await page.keyboard.press('?');
  await dialog.getByText('Snooze').waitFor();
  const names = await dialog.locator('dd').allInnerTexts();
  assert.equal(new Set(names).size, names.length, 'each key is listed once');
  assert.deepEqual(wrong, []);
});

test('Ctrl+K leads visitors to the search', async (t) => {
  const site = await openSite(t, browser);
  await site.makePost('Dark mode');
  const { page, wrong } = await site.visit('/b/acme/posts/1');
  await page.keyboard.press('Control+k');
  assert.equal(await page.evaluate<string>('document.activeElement.name'), 'q');
  assert.deepEqual(wrong, []);
});
