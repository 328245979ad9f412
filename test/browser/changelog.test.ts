import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findBarriers, launchBrowser, openSite } from '../support/browser.ts';
import { publishNew } from '../support/changelog.ts';
import { readMail } from '../support/web.ts';

const browser = await launchBrowser();
const HOME = '/b/acme/changelog';

for (const javaScriptEnabled of [true, false]) {
  test(`a reader subscribes to the changelog ${javaScriptEnabled ? 'with' : 'without'} scripts`, async (t) => {
    const site = await openSite(t, browser);
    await publishNew(site, { title: 'Alpha', labels: ['NEW'] });
    await publishNew(site, { title: 'Beta', labels: ['FIXED'] });
    const { page, wrong } = await site.visit(`${HOME}/1/alpha`, { javaScriptEnabled });
    await page.getByRole('textbox', { name: 'Email address' }).fill('lina@example.com');
    await page.getByRole('checkbox', { name: 'Fixed' }).check();
    await page.getByRole('button', { name: 'Subscribe' }).click();
    await page.getByText('We sent a link to lina@example.com').waitFor();
    assert.equal(new URL(page.url()).pathname, HOME);
    if (javaScriptEnabled) assert.deepEqual(await findBarriers(page), []);
    const text = (await readMail(site, 'lina@example.com')).body;
    await page.goto(/http:\/\/board\.test(\/email\/confirm\/\S+)/.exec(text)?.[1] ?? '');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('New entries are sent to lina@example.com.').waitFor();
    await page.goto(HOME);
    await page.getByRole('navigation', { name: 'Labels' }).getByRole('link', { name: 'Fixed' }).click();
    await page.getByRole('heading', { name: 'Beta' }).waitFor();
    await page.getByRole('heading', { name: 'Alpha' }).waitFor({ state: 'detached' });
    assert.match((await page.getByRole('link', { name: 'RSS' }).getAttribute('href')) ?? '', /\?label=fixed$/);
    assert.deepEqual(wrong, []);
  });
}

test('what was published since the last visit is marked, by the browser alone', async (t) => {
  const site = await openSite(t, browser);
  await publishNew(site, { title: 'Alpha' });
  const { page, wrong } = await site.visit(HOME);
  const marks = page.getByText('New since your last visit');
  assert.equal(await marks.count(), 0, 'a first visit');
  site.clock.advance(2_000);
  await publishNew(site, { title: 'Beta' });
  await page.reload();
  await page.locator('article', { hasText: 'Beta' }).filter({ has: marks }).waitFor();
  assert.equal(await marks.count(), 1);
  site.clock.advance(2_000);
  await page.reload();
  assert.equal(await marks.count(), 0);
  assert.deepEqual((await page.context().cookies()).length, 0);
  assert.deepEqual(wrong, []);
});
