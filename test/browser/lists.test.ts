import assert from 'node:assert/strict';
import { test } from 'node:test';
import { launchBrowser, openSite, type Site } from '../support/browser.ts';
import { until } from '../support/until.ts';

const browser = await launchBrowser();

async function makePosts(site: Site, count: number): Promise<void> {
  for (let n = 1; n <= count; n++) await site.makePost(`Idea ${n}`);
}

test('a list grows in its place, and going back to it finds it as it was', async (t) => {
  const site = await openSite(t, browser);
  await makePosts(site, 45);
  const { page, wrong } = await site.visit('/b/acme?sort=new');
  const rows = page.locator('.post-row');
  assert.equal(await rows.count(), 20);
  await page.getByRole('link', { name: 'Show 20 more' }).click();
  await rows.nth(39).waitFor();
  await page.locator('.post-row:nth-child(21) .post-title a:focus').waitFor();
  await page.getByRole('link', { name: 'Show 5 more' }).click();
  await rows.nth(44).waitFor();
  assert.equal(await page.getByRole('link', { name: /Show \d+ more/ }).count(), 0);
  await page.getByRole('link', { name: 'Idea 2', exact: true }).click();
  await page.getByRole('heading', { name: 'Idea 2', exact: true, level: 1 }).waitFor();
  await page.waitForFunction('document.getAnimations().length === 0');
  await page.goBack();
  await rows.nth(44).waitFor();
  assert.ok((await page.evaluate<number>('window.scrollY')) > 1_000);
  await page.goBack();
  await page.waitForURL('about:blank');
  assert.deepEqual(wrong, []);
});

test('what sends votes is asked for once, however many votes a list has', async (t) => {
  const site = await openSite(t, browser);
  await makePosts(site, 20);
  const { page, wrong } = await site.visit('/b/acme');
  const countAsked = async () => {
    const files = await page.evaluate<string[]>("performance.getEntriesByType('resource').map(({ name }) => name)");
    return files.filter((file) => /\/vote-[\w-]+\.js$/.test(file)).length;
  };
  // Once to see that the server has it, and once to run it, from the browser's cache.
  await until('votes can be sent', async () => (await countAsked()) >= 2);
  assert.equal(await countAsked(), 2);
  assert.deepEqual(wrong, []);
});

test('without scripts a list grows by its link', async (t) => {
  const site = await openSite(t, browser);
  await makePosts(site, 25);
  const { page } = await site.visit('/b/acme', { javaScriptEnabled: false });
  await page.getByRole('link', { name: 'Show 5 more' }).click();
  await page.locator('.post-row').nth(24).waitFor();
  assert.equal(await page.getByRole('link', { name: /Show \d+ more/ }).count(), 0);
});

test('ideas are found while one types, and show the words', async (t) => {
  const site = await openSite(t, browser);
  for (const title of ['Export filters', 'Dark mode', 'Filtros y más']) await site.makePost(title);
  const { page, wrong } = await site.visit('/b/acme?sort=top');
  const field = page.getByRole('searchbox', { name: 'Search ideas' });
  await field.pressSequentially('filt');
  await page.getByRole('heading', { name: '2 ideas for “filt”' }).waitFor();
  await field.pressSequentially('ers');
  await page.getByRole('heading', { name: '1 idea for “filters”' }).waitFor();
  assert.equal(await page.locator('.post-title mark').innerText(), 'filters');
  assert.equal(await field.evaluate((element) => element === element.ownerDocument.activeElement), true);
  await field.fill('nothing like it');
  await page.getByText('Nothing found for').waitFor();
  assert.equal(await page.locator('.empty .button').count(), 0);
  await page.goBack();
  await page.getByRole('heading', { name: 'What should we build next?' }).waitFor();
  assert.equal(await page.locator('.post-row').count(), 3);
  assert.deepEqual(wrong, []);
});

test('an idea that is not sent comes back with all of its fields, and can be discarded', async (t) => {
  const site = await openSite(t, browser);
  await site.makePost('Dark mode');
  const { page, wrong } = await site.visit('/b/acme');
  const title = page.getByRole('textbox', { name: 'Your idea in one sentence' });
  const text = page.locator('[name="comment"]');
  await title.fill('Bright mode');
  await text.fill('For the day.');
  await page.reload();
  await page.getByText('Draft kept').waitFor();
  assert.deepEqual([await title.inputValue(), await text.inputValue()], ['Bright mode', 'For the day.']);
  assert.ok(await page.getByRole('button', { name: 'Post idea' }).isVisible());
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.reload();
  assert.deepEqual([await title.inputValue(), await text.inputValue()], ['', '']);
  assert.equal(await page.getByText('Draft kept').count(), 0);
  assert.deepEqual(wrong, []);
});

test('a page that takes long shows that it is under way', async (t) => {
  const site = await openSite(t, browser);
  await site.makePost('Dark mode');
  const { page, wrong } = await site.visit('/b/acme');
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\.data/, async (route) => {
    await promise;
    await route.continue();
  });
  await page.getByRole('link', { name: 'Dark mode', exact: true }).click();
  await page.getByRole('progressbar', { name: 'Loading' }).waitFor();
  assert.equal(await page.locator('.post-row a[aria-busy]').innerText(), 'Dark mode');
  resolve();
  await page.getByRole('heading', { name: 'Dark mode' }).waitFor();
  await page.getByRole('progressbar').waitFor({ state: 'detached' });
  assert.deepEqual(wrong, []);
});
