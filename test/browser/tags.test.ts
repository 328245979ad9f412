import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findBarriers, launchBrowser, openSite } from '../support/browser.ts';
import { visitAsOwner } from './people.ts';

const browser = await launchBrowser();

test('many tags are narrowed by typing: of an idea, of chosen ideas and in the filters', async (t) => {
  const site = await openSite(t, browser);
  await site.makeUser('mia');
  await site.api.createTag({ name: 'Later' });
  for (const title of ['Dark mode', 'Export as CSV', 'Search by tags']) await site.makePost(title, { as: 'mia' });
  const { page, wrong } = await visitAsOwner(site);
  await page.goto('/b/acme/triage/unanswered/1');
  assert.equal(await page.locator('.narrowing').count(), 0);
  for (let n = 1; n <= 11; n++) await site.api.createTag({ name: `Area ${n}` });
  await page.reload();
  await page.keyboard.press('t');
  await page.keyboard.type('area 7');
  await page.locator('#pick-tags').getByLabel('Later').waitFor({ state: 'hidden' });
  assert.deepEqual(await findBarriers(page), []);
  for (const key of ['Enter', 'Space', 'Enter']) await page.keyboard.press(key);
  await page.getByText('Saved').waitFor();

  await page.getByLabel('Select Export as CSV').check();
  const bulk = page.locator('.bulk');
  await bulk.getByRole('button', { name: 'Add tag' }).click();
  await bulk.getByLabel('Type to filter').fill('nothing like it');
  await bulk.getByText('Nothing found').waitFor();
  await bulk.getByLabel('Type to filter').fill('area 7');
  for (const key of ['Enter', 'Enter']) await page.keyboard.press(key);
  await page.getByText('1 idea changed').waitFor();

  await page.goto('/b/acme');
  const filters = page.getByRole('navigation', { name: 'Filters' });
  await filters.getByLabel('Type to filter').fill('AREA 1');
  await filters.getByRole('link', { name: 'Area 7' }).waitFor({ state: 'hidden' });
  assert.equal(await filters.getByRole('link', { name: 'Area 1' }).count(), 3);
  await filters.getByLabel('Type to filter').fill('7');
  await filters.getByRole('link', { name: 'Area 7' }).click();
  await page.locator('.post-row', { hasText: 'Search by tags' }).waitFor({ state: 'detached' });
  assert.deepEqual((await page.locator('.post-title').allInnerTexts()).sort(), ['Dark mode', 'Export as CSV']);
  assert.deepEqual(wrong, []);
});
