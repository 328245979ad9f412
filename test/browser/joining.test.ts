import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { launchBrowser, openSite, type Site } from '../support/browser.ts';
import { askForLink, PASSWORD, signIn, visitAsOwner } from './people.ts';

const browser = await launchBrowser();

/** Has a link mailed from the page to sign in, opens it, and makes an account. */
async function signUp(site: Site, page: Page, name: string, email: string): Promise<void> {
  await page.goto(await askForLink(site, page, email));
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', { name: 'Create account' }).click();
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts';

  test(`an anonymous visitor votes, creates an account, and the vote counts, ${how}`, async (t) => {
    const site = await openSite(t, browser);
    await site.makePost('Dark mode');
    const { page, wrong } = await site.visit('/b/acme', { javaScriptEnabled });
    await page.getByRole('button', { name: 'Vote for Dark mode, 0 votes' }).click();
    if (javaScriptEnabled) await page.getByRole('link', { name: 'Other ways' }).click();
    await page.getByRole('heading', { name: 'Sign in to vote for “Dark mode”' }).waitFor();
    await signUp(site, page, 'Vera', 'vera@example.com');
    await page.getByText('Vote counted').waitFor();
    await page.getByRole('heading', { name: 'Dark mode' }).waitFor();
    const voted = page.getByRole('button', { name: 'Vote for Dark mode, 1 vote', pressed: true });
    await voted.click();
    await page.getByRole('button', { name: 'Vote for Dark mode, 0 votes', pressed: false }).waitFor();
    const vera = await site.db.read.selectFrom('users').selectAll().where('name', '=', 'Vera').execute();
    assert.deepEqual(
      vera.map(({ role, email }) => [role, email]),
      [['MEMBER', 'vera@example.com']],
    );
    assert.deepEqual(wrong, []);
  });

  test(`an idea waits while its author signs in, ${how}`, async (t) => {
    const site = await openSite(t, browser);
    const owner = await visitAsOwner(site, { javaScriptEnabled });
    await owner.page.context().clearCookies();
    const { page } = owner;
    await page.goto('/b/acme');
    await page.getByLabel('Your idea in one sentence').fill('Export to CSV');
    await page.getByLabel('Details (optional)').fill('With **filters**.');
    await page.getByRole('button', { name: 'Post idea' }).click();
    await page.getByRole('heading', { name: 'Sign in to post “Export to CSV”' }).waitFor();
    await signIn(page, 'olga@example.com', 'not the password');
    await page.getByText('is wrong').waitFor();
    await signIn(page, 'olga@example.com', PASSWORD);
    await page.getByText('Idea posted').waitFor();
    await page.getByRole('heading', { name: 'Export to CSV' }).waitFor();
    await page.reload();
    const posts = await site.api.posts(
      { sort: 'OLDEST' },
      { nodes: { title: true, content: true, author: { name: true } } },
    );
    assert.deepEqual(
      posts.nodes.map((post) => [post.title, post.content, post.author?.name]),
      [['Export to CSV', 'With **filters**.', 'Olga Owner']],
    );
    assert.deepEqual(owner.wrong, []);
  });

  test(`an idea is refused with what was typed, and posted, ${how}`, async (t) => {
    const site = await openSite(t, browser);
    const { page, wrong } = await visitAsOwner(site, { javaScriptEnabled });
    await page.goto('/b/acme');
    await page.getByText('No ideas yet.').waitFor();
    await page.getByLabel('Your idea in one sentence').fill('\u{1F319}');
    await page.getByLabel('Details (optional)').fill('# <img src=x onerror=alert(1)>\n[x](javascript:alert(1))');
    // What a browser counts as characters is not what the server counts: the limit is tried from the server's side.
    await page.locator('textarea[name=comment]').evaluate((area) => area.removeAttribute('maxlength'));
    await page.getByLabel('Details (optional)').fill('x'.repeat(20_001));
    await page.getByRole('button', { name: 'Post idea' }).click();
    await page.getByText('This must have 1 to 20,000 characters').waitFor();
    assert.equal(await page.getByLabel('Your idea in one sentence').inputValue(), '\u{1F319}');
    assert.equal((await page.getByLabel('Details (optional)').inputValue()).length, 20_001);
    await page.getByLabel('Details (optional)').fill('<img src=x onerror=alert(1)> and `code`');
    await page.getByRole('button', { name: 'Post idea' }).click();
    await page.getByText('Idea posted').waitFor();
    await page.getByText('<img src=x onerror=alert(1)> and').first().waitFor();
    assert.equal(await page.locator('main img').count(), 0);
    assert.deepEqual(wrong, []);
  });

  test(`the list is narrowed, sorted and searched by its address, ${how}`, async (t) => {
    const site = await openSite(t, browser);
    const dark = await site.makePost('Dark mode');
    site.clock.advance(1_000);
    await site.makePost('Export to CSV');
    await site.api.upvotePost({ postId: dark });
    await site.api.changePostStatus({ postId: dark, statusType: 'COMPLETED' });
    const { page, wrong } = await site.visit('/b/acme?sort=new&show=all', { javaScriptEnabled });
    const titles = () => page.locator('.posts h2').allTextContents();
    assert.deepEqual(await titles(), ['Export to CSV', 'Dark mode']);
    await page.getByRole('link', { name: 'Top' }).click();
    await page.waitForURL('**/b/acme?sort=top&show=all');
    // With scripts the address is there a moment before the list.
    await page.locator('.posts h2').first().filter({ hasText: 'Dark mode' }).waitFor();
    assert.deepEqual(await titles(), ['Dark mode', 'Export to CSV']);
    await page.getByRole('navigation', { name: 'Filters' }).getByRole('link', { name: 'Completed' }).click();
    await page.waitForURL('**/b/acme?sort=top&status=completed');
    await page.getByText('1 idea', { exact: true }).waitFor();
    assert.deepEqual(await titles(), ['Dark mode']);
    await page.getByRole('link', { name: 'Remove the filter Completed' }).click();
    // What is done is left out until it is asked for.
    await page.locator('.posts h2').first().filter({ hasText: 'Export to CSV' }).waitFor();
    assert.deepEqual(await titles(), ['Export to CSV']);
    await page.getByRole('navigation', { name: 'Filters' }).getByRole('link', { name: 'All ideas' }).click();
    await page.getByText('2 ideas', { exact: true }).waitFor();
    await page.getByLabel('Search ideas').fill('csv');
    await page.getByLabel('Search ideas').press('Enter');
    await page.getByRole('heading', { name: '1 idea for “csv”' }).waitFor();
    assert.deepEqual(await titles(), ['Export to CSV']);
    await page.getByLabel('Search ideas').fill('telepathy');
    await page.getByLabel('Search ideas').press('Enter');
    await page.getByText('Nothing found for “telepathy”').waitFor();
    assert.equal(await page.getByLabel('Your idea in one sentence').inputValue(), 'telepathy');
    await page.goto('/b/acme?status=nowhere&tag=none&sort=sideways&after=broken&show=all');
    assert.equal((await titles()).length, 2);
    assert.deepEqual(wrong, []);
  });
}

test('a vote shows at once, and goes back when the server refuses it', async (t) => {
  const site = await openSite(t, browser);
  const id = await site.makePost('Dark mode');
  const { page } = await visitAsOwner(site);
  await page.goto('/b/acme');
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route('**/votes/1.data*', async (route) => {
    await held;
    await route.continue();
  });
  await site.api.updatePost({ id, isLocked: true });
  await page.getByRole('button', { name: 'Vote for Dark mode, 0 votes' }).click();
  await page.getByRole('button', { name: 'Vote for Dark mode, 1 vote', pressed: true }).waitFor();
  letGo();
  await page.getByText('This idea is locked').waitFor();
  const locked = page.getByRole('button', { name: 'Vote for Dark mode, 0 votes', pressed: false });
  await locked.waitFor();
  await page.locator('.vote[disabled]').waitFor();
  await page.getByText('Voting is closed.').first().waitFor({ state: 'attached' });
});

test('ideas like the one that is being written are shown, and can be voted for', async (t) => {
  const site = await openSite(t, browser);
  // Words that every idea has say nothing about what it is like.
  for (let n = 0; n < 30; n++) await site.makePost(`Improve page ${n} of the settings`);
  await site.makePost('Export to CSV with filters');
  const { page, wrong } = await visitAsOwner(site);
  await page.goto('/b/acme');
  await page.getByLabel('Your idea in one sentence').fill('CSV export of filters');
  const similar = page.locator('.similar');
  await similar.getByRole('button', { name: 'Vote for Export to CSV with filters, 0 votes' }).click();
  await similar.getByRole('button', { name: '1 vote', pressed: true }).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  const [ideas, rest] = [await similar.boundingBox(), await page.locator('.new-idea-more').boundingBox()];
  assert.ok(ideas && rest && ideas.y + ideas.height <= rest.y, JSON.stringify({ ideas, rest }));
  assert.equal(await page.getByLabel('Your idea in one sentence').inputValue(), 'CSV export of filters');
  assert.deepEqual(wrong, []);
});

test('what cannot be done after signing in is shown with the reason and the text', async (t) => {
  const site = await openSite(t, browser);
  const id = await site.makePost('Dark mode');
  const { page, wrong } = await visitAsOwner(site);
  await page.context().clearCookies();
  await page.goto('/b/acme');
  await page.getByRole('button', { name: 'Vote for Dark mode, 0 votes' }).click();
  await page.getByRole('link', { name: 'Other ways' }).click();
  await page.getByRole('heading', { name: 'Sign in to vote for “Dark mode”' }).waitFor();
  await site.api.updatePost({ id, isLocked: true });
  await signIn(page, 'olga@example.com', PASSWORD);
  await page.getByRole('heading', { name: 'This could not be completed' }).waitFor();
  await page.getByText('This idea is locked').waitFor();
  await page.getByRole('link', { name: 'Try again' }).click();
  await page.getByText('This idea is locked').waitFor();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('heading', { name: 'What should we build next?' }).waitFor();
  assert.deepEqual(wrong, []);
});
