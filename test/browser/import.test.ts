import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { assertSound, launchBrowser, openSite } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { visitAsOwner } from './people.ts';

const browser = await launchBrowser();
const CSV = [
  'Title,Description,Status,Tags,Author email,Voters',
  'Dark mode,For long evenings,Planned,"design, app",ada@example.com,"ben@example.com, cleo@example.com"',
  ',An idea without a title,,,,',
  'Calendar feed,,Shipped,,ben@example.com,',
].join('\r\n');

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts';

  test(`an owner uploads a file, sees the plan, imports it and undoes that, ${how}`, async (t) => {
    const site = await openSite(t, browser);
    const owner = await visitAsOwner(site, { javaScriptEnabled });
    const { page } = owner;
    const heading = (name: string) => page.getByRole('heading', { name, exact: true });
    /** Without scripts, a page shows that something has ended once it is loaded again. */
    const shows = async (name: string) => {
      if (javaScriptEnabled) return heading(name).waitFor();
      await until(name, async () => {
        const refresh = page.getByRole('link', { name: 'Refresh' });
        if (await refresh.isVisible()) await refresh.click();
        return heading(name).isVisible();
      });
    };
    await page.goto('/b/acme');
    await page.getByRole('link', { name: 'Import your ideas' }).click();
    await heading('Upload a file').waitFor();
    if (javaScriptEnabled) await assertSound(owner, 'import');
    await page.getByLabel('File', { exact: true }).setInputFiles({
      name: 'ideas.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(CSV),
    });
    await page.getByRole('button', { name: 'Check the file' }).click();
    await shows('What would be imported');
    await page.getByText('“ideas.csv” was read as: CSV').waitFor();
    await page.getByText('New tags: app and design').or(page.getByText('New tags: design and app')).waitFor();
    await page.getByText('The first ideas').click();
    await page.locator('.bullets').getByText('Calendar feed').waitFor();
    await page.getByRole('cell', { name: /title must have/ }).waitFor();
    if (javaScriptEnabled) await assertSound(owner, 'import-plan');
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download problems as CSV' }).click();
    const file = await downloading;
    assert.equal(file.suggestedFilename(), 'acme-import-problems.csv');
    assert.match(readFileSync(await file.path(), 'utf8'), /^\uFEFFLine,Column,Problem\r\n3,/);

    // A column that is not wanted is left out of the next plan.
    await page.getByLabel('Imported as: Tags').selectOption('Not imported');
    await page.getByRole('button', { name: 'Check again' }).click();
    await until('the file is read without tags', async () => {
      const refresh = page.getByRole('link', { name: 'Refresh' });
      if (!javaScriptEnabled && (await refresh.isVisible())) await refresh.click();
      return (await heading('What would be imported').isVisible()) && !(await page.getByText('New tags').isVisible());
    });

    // A status of the file becomes another one.
    await page.getByLabel('Status here: Shipped').selectOption('New status: Shipped');
    await page.getByRole('button', { name: 'Check again' }).last().click();
    await until('the status is a new one', async () => {
      const refresh = page.getByRole('link', { name: 'Refresh' });
      if (!javaScriptEnabled && (await refresh.isVisible())) await refresh.click();
      return page.getByText('New statuses: Shipped').isVisible();
    });
    assert.ok(!(await page.getByText('New tags').isVisible()), 'what was chosen before stays');

    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await shows('Imported');
    await heading('Last import').waitFor();
    if (javaScriptEnabled) await assertSound(owner, 'import-done');
    await page.goto('/b/acme');
    await page.getByRole('link', { name: 'Dark mode' }).waitFor();

    await page.goto('/b/acme/settings/import');
    await page.getByRole('button', { name: 'Undo import' }).click();
    await page.getByRole('button', { name: 'Remove these ideas' }).click();
    await until('the ideas are removed', async () => {
      const refresh = page.getByRole('link', { name: 'Refresh' });
      if (!javaScriptEnabled && (await refresh.isVisible())) await refresh.click();
      return page.getByText('Ideas removed: 2').isVisible();
    });
    await page.goto('/b/acme');
    await page.getByText('No ideas yet').waitFor();
    assert.deepEqual(owner.wrong, []);
  });
}
