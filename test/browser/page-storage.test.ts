import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSite } from '../support/browser.ts';
import { visitAsOwner } from './people.ts';
import { launchRefusing, REFUSALS } from './storage-support.ts';
import { startSite } from './tools-support.ts';

const browser = await launchRefusing(REFUSALS['denies storage']);

test('what is typed, and a choice of keys, last as long as the page in a browser that denies storage', async (t) => {
  const site = await openSite(t, browser);
  await site.makePost('Dark mode');
  const { page, wrong } = await visitAsOwner(site);
  await page.goto('/b/acme/posts/1');
  await page.getByLabel('Your comment').fill('Me too');
  await page.getByRole('link', { name: 'All ideas' }).click();
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await page.getByLabel('Use single-key shortcuts').uncheck();
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  assert.equal(await page.locator('.post-title a:focus').count(), 0);
  await page.getByRole('link', { name: 'Dark mode', exact: true }).click();
  assert.equal(await page.getByLabel('Your comment').inputValue(), 'Me too');
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  await page.locator('.comment .prose', { hasText: 'Me too' }).waitFor();
  assert.equal(await page.getByLabel('Your comment').inputValue(), '');
  assert.deepEqual(wrong, []);
});

test('a link that the browser does not copy can be copied by hand', async (t) => {
  const site = await openSite(t, browser);
  await site.makePost('Dark mode');
  const { page, wrong } = await site.visit('/b/acme/posts/1');
  await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`);
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByText('Copied', { exact: true }).waitFor();
  await page.evaluate(`document.execCommand = () => false`);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByLabel('Link to this idea').and(page.locator(':focus')).waitFor();
  assert.deepEqual(wrong, []);
});

for (const tool of ['playground', 'sandbox']) {
  test(`the ${tool} works in a browser that denies storage`, async (t) => {
    const { visit, key, clock } = await startSite(t, browser);
    const { page, wrong } = await visit(`/api/v1/${tool}`);
    if (tool === 'playground') {
      await page.getByLabel('Value of apikey').fill(key);
      await page.getByLabel('Remember in this browser').check();
    }
    await page.getByRole('button', { name: 'Board', exact: true }).waitFor();
    clock.advance(1_000); // the app looks for keys it does not know once in a tenth of a second
    for (const operation of ['Board', 'CreateUser']) {
      await page.getByRole('button', { name: operation, exact: true }).click();
      await page.getByRole('button', { name: /Execute query/ }).click();
      await page.locator('.result-window').getByText('"data"').waitFor();
    }
    await page.getByRole('button', { name: 'Show History' }).click();
    await page.getByRole('button', { name: 'Show Schema' }).click();
    await page.waitForTimeout(1_000); // GraphiQL stores its tabs half a second after a change
    assert.deepEqual(wrong, []);
  });
}
