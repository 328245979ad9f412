import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listKeys } from '../../src/identity/keys/keys.ts';
import { KeyUsage } from '../../src/identity/keys/usage.ts';
import { DAY_MS, HOUR_MS } from '../../src/platform/lib/clock.ts';
import { launchBrowser, openSite } from '../support/browser.ts';
import { visitAsOwner } from './people.ts';

const browser = await launchBrowser();

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts';

  test(`an owner sees the results of requests with a key, ${how}`, async (t) => {
    const site = await openSite(t, browser);
    const { page, wrong } = await visitAsOwner(site, { javaScriptEnabled });
    const [key] = await listKeys(site.db.read, site.board.id);
    assert.ok(key);
    await page.goto(`/b/acme/settings/apis/${key.id}`);
    await page.getByText('No requests in this period').waitFor();
    const usage = new KeyUsage();
    const used = { boardId: site.board.id, id: key.id };
    const now = site.clock.now();
    for (const hours of [0, 23]) usage.count(used, undefined, now - hours * HOUR_MS);
    usage.count(used, 'RATE_LIMIT_EXCEEDED', now);
    usage.count(used, 'RATE_LIMIT_EXCEEDED', now - 24 * HOUR_MS);
    usage.count(used, 'INTERNAL_SERVER_ERROR', now - 29 * DAY_MS);
    await usage.save(site.db);
    const total = (name: string) => page.locator('.totals > div', { hasText: name }).locator('dd').innerText();
    await page.reload();
    await page.locator('.totals').waitFor();
    assert.deepEqual([await total('Successful'), await total('429'), await total('5xx')], ['2', '1', '0']);
    assert.equal(await page.locator('.bar-chart g').count(), 24);
    await page.getByText('Requests as a table').click();
    const rows = await page.getByRole('row').allInnerTexts();
    assert.match(rows[1] ?? '', /^Nov 20, 10:00\s+1\s+0\s+0\s+0\s+0\s+0$/);
    assert.match(rows.at(-1) ?? '', /^Nov 21, 09:00\s+1\s+0\s+0\s+1\s+0\s+0$/);
    await page.getByRole('link', { name: 'Last 30 days' }).click();
    await page.locator('[aria-current="page"]', { hasText: 'Last 30 days' }).waitFor();
    assert.deepEqual([await total('Successful'), await total('429'), await total('5xx')], ['2', '2', '1']);
    assert.equal(await page.locator('.bar-chart g').count(), 30);
    assert.deepEqual(wrong, []);
  });
}
