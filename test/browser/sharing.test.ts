import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findBarriers, launchBrowser, openSite } from '../support/browser.ts';
import { visitAsOwner } from './people.ts';

const browser = await launchBrowser();
const LINK = 'http://board.test/b/acme/posts/1/dark-mode';

test('a link to an idea is copied, or given to other programs where the device can', async (t) => {
  const site = await openSite(t, browser);
  await site.makePost('Dark mode');
  const { page, wrong } = await site.visit('/b/acme/posts/1/dark-mode', {
    permissions: ['clipboard-write', 'clipboard-read'],
  });
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  assert.equal(await page.getByLabel('Link to this idea').inputValue(), LINK);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByText('Copied', { exact: true }).waitFor();
  assert.equal(await page.evaluate<string>('navigator.clipboard.readText()'), LINK);
  assert.equal(await page.getByRole('button', { name: 'Share with…' }).count(), 0);
  assert.deepEqual(await findBarriers(page), []);

  await page.addInitScript(`navigator.canShare = ({ url }) => url !== undefined;
    navigator.share = (data) => { window.shared = data; return Promise.resolve(); }`);
  await page.reload();
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('button', { name: 'Share with…' }).click();
  assert.deepEqual(await page.evaluate<object>('window.shared'), { url: LINK, title: 'Dark mode' });
  assert.deepEqual(wrong, []);
});

test('without scripts the link is there to be copied', async (t) => {
  const site = await openSite(t, browser);
  await site.makePost('Dark mode');
  const { page, wrong } = await site.visit('/b/acme/posts/1', { javaScriptEnabled: false });
  assert.equal(new URL(page.url()).pathname, '/b/acme/posts/1/dark-mode');
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  assert.equal(await page.getByLabel('Link to this idea').inputValue(), LINK);
  assert.deepEqual(wrong, []);
});

test('a toast is shown once: neither a copied address nor reloading the page repeats it', async (t) => {
  const site = await openSite(t, browser);
  await site.makePost('Dark mode');
  const { page, wrong } = await visitAsOwner(site);
  const words = page.getByText('You now follow this idea');
  await page.goto('/b/acme/posts/1?comments=newest&done=followed');
  await page.getByRole('button', { name: 'Follow', exact: true }).waitFor();
  assert.equal(await words.count(), 0, 'nothing was done');
  await page.getByRole('button', { name: 'Follow', exact: true }).click();
  await words.waitFor();
  assert.doesNotMatch(page.url(), /done/);
  await page.reload();
  await page.getByRole('button', { name: 'Following' }).waitFor();
  assert.equal(await words.count(), 0);
  assert.deepEqual(wrong, []);
});

test('titles and addresses of the head change with the page', async (t) => {
  const site = await openSite(t, browser);
  await site.makePost('Dark mode');
  const { page, wrong } = await site.visit('/b/acme');
  const canonical = () =>
    page.locator('link[rel=canonical]').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  await page.getByRole('link', { name: 'Dark mode' }).click();
  await page.waitForURL('**/dark-mode');
  await page.getByRole('heading', { name: 'Dark mode', level: 1 }).waitFor();
  assert.deepEqual([await page.title(), await canonical()], ['Dark mode · Acme', [LINK]]);
  await page.getByRole('link', { name: 'Roadmap' }).click();
  await page.waitForURL('**/roadmap');
  await page.getByRole('heading', { name: 'Roadmap' }).waitFor();
  assert.deepEqual([await page.title(), await canonical()], ['Roadmap · Acme', ['http://board.test/b/acme/roadmap']]);
  assert.deepEqual(wrong, []);
});
