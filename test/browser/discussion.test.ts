import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';

import { launchBrowser, openSite } from '../support/browser.ts';
import { visitAsOwner } from './people.ts';

const browser = await launchBrowser();

/** Presses what shows a preview: a tab, or without scripts a button. */
async function preview(page: Page, hasTabs: boolean): Promise<void> {
  await page
    .getByRole(hasTabs ? 'tab' : 'button', { name: 'Preview' })
    .last()
    .click();
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts';

  test(`a user comments, replies, edits and deletes, ${how}`, async (t) => {
    const site = await openSite(t, browser);
    await site.makePost('Dark mode');
    const { page, wrong } = await visitAsOwner(site, { javaScriptEnabled });
    await page.goto('/b/acme/posts/1');
    await page.getByLabel('Your comment').fill('Please **soon** <img src=x onerror=alert(1)>');
    await preview(page, javaScriptEnabled);
    await page.locator('.preview strong', { hasText: 'soon' }).waitFor();
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.getByText('Comment posted').waitFor();
    const comment = page.locator('article.comment').first();
    await comment.locator('strong', { hasText: 'soon' }).waitFor();
    assert.equal(await page.getByLabel('Your comment').inputValue(), '');

    await comment.getByRole('link', { name: 'Reply' }).click();
    await page.getByLabel('Your reply').fill('Soon it is.');
    await page.getByRole('button', { name: 'Send reply' }).click();
    await page.locator('.replies').getByText('Soon it is.').waitFor();

    await comment.getByRole('button', { name: 'More about the comment' }).click();
    await comment.getByRole('link', { name: 'Edit' }).click();
    await comment.getByLabel('Your comment').waitFor();
    // While the page is still read, its text could come after that was emptied.
    await page.waitForLoadState();
    await comment.getByLabel('Your comment').fill('');
    await comment.getByLabel('Your comment').evaluate((area) => area.removeAttribute('required'));
    await comment.getByRole('button', { name: 'Save' }).click();
    await comment.getByText('This must have 1 to 20,000 characters').waitFor();
    await comment.getByLabel('Your comment').fill('Please never.');
    await comment.getByRole('button', { name: 'Save' }).click();
    await comment.getByText('Please never.').waitFor();
    await comment.getByText('edited').waitFor();

    await comment.getByRole('button', { name: 'More about the comment' }).click();
    await comment.locator('summary', { hasText: 'Delete' }).click();
    await comment.getByRole('button', { name: 'Yes, delete it' }).click();
    await page.getByText('Comment deleted').waitFor();
    assert.equal(await page.getByText('Please never.').count(), 0);
    await page.getByText('Soon it is.').waitFor();
    assert.deepEqual(wrong, []);
  });

  test(`the team answers, changes the status, deletes and restores, ${how}`, async (t) => {
    const site = await openSite(t, browser);
    await site.makePost('Dark mode');
    const { page, wrong } = await visitAsOwner(site, { javaScriptEnabled });
    await page.goto('/b/acme/posts/1');
    await page.getByLabel('Your comment').fill('We do it.');
    await page.getByLabel('Official answer').check();
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.locator('.answer').getByText('We do it.').waitFor();

    await page.getByRole('button', { name: 'Status: Open' }).click();
    await page.getByLabel('Status', { exact: true }).selectOption('Planned');
    await page.getByLabel('Message').fill('Next month.');
    await page.getByRole('button', { name: 'Change status' }).click();
    await page.locator('.answer').getByText('Next month.').waitFor();
    await page.getByRole('link', { name: 'Roadmap' }).click();
    await page.getByRole('region', { name: 'Planned' }).getByRole('link', { name: 'Dark mode' }).click();

    await page.getByRole('button', { name: 'Delete idea' }).click();
    await page.getByRole('button', { name: 'Yes, delete it' }).click();
    await page.getByText('Idea deleted.').waitFor();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('heading', { name: 'Dark mode' }).waitFor();
    assert.deepEqual(wrong, []);
  });
}

test('a comment being written stays while its author votes and follows', async (t) => {
  const site = await openSite(t, browser);
  await site.makePost('Dark mode');
  const { page, wrong } = await visitAsOwner(site);
  await page.goto('/b/acme/posts/1');
  await page.getByLabel('Your comment').fill('A long thought.');
  await page.getByRole('button', { name: 'Vote for Dark mode, 0 votes' }).click();
  await page.getByRole('button', { name: 'Vote for Dark mode, 1 vote', pressed: true }).waitFor();
  await page.getByRole('button', { name: 'Follow' }).click();
  await page.getByRole('button', { name: 'Following' }).waitFor();
  assert.equal(await page.getByLabel('Your comment').inputValue(), 'A long thought.');
  assert.deepEqual(wrong, []);
});
