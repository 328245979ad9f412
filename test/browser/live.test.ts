import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Engine } from '../../src/platform/db/db.ts';
import { assertSound, launchBrowser, openSite, type Site } from '../support/browser.ts';
import { engines, openTestStore } from '../support/store.ts';
import { until } from '../support/until.ts';
import { visitAs, visitAsOwner } from './people.ts';

const browser = await launchBrowser();

async function open(t: TestContext, engine: Engine): Promise<Site> {
  return openSite(t, browser, { db: await openTestStore(t, engine) });
}

const countPages = async ({ metrics }: Site) => Number(/earshot_live_pages (\d+)/.exec(await metrics.print())?.[1]);

const untilPages = (site: Site, count: number) =>
  until(`${count} pages are open`, async () => (await countPages(site)) === count);

const topOf = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate<number, Element>((element) => element.getBoundingClientRect().top);

for (const engine of engines) {
  test(`what others do to an idea appears while it is read, and nothing moves [${engine}]`, async (t) => {
    const site = await open(t, engine);
    await site.makeUser('bob');
    const postId = await site.makePost('Dark mode');
    for (let n = 1; n <= 12; n++)
      await site.api.createComment({ postId, text: `Comment ${n}\n\n${'Word '.repeat(200)}` });
    const visited = await visitAsOwner(site);
    const { page } = visited;
    await page.goto('/b/acme/posts/1');
    await untilPages(site, 1);
    await page.getByLabel('Your comment').fill('A draft');
    const field = '.write textarea';
    const before = await topOf(page, field);
    await site.api.as('bob').createComment({ postId, text: 'From Bob' });
    await site.api.as('bob').upvotePost({ postId });
    await site.api.changePostStatus({ postId, statusType: 'COMPLETED' });
    await page.getByRole('button', { name: 'Vote for Dark mode, 1 vote' }).waitFor();
    await page.getByRole('button', { name: '1 new comment' }).waitFor();
    await page.locator('.panel .status-chip', { hasText: 'Completed' }).waitFor();
    await page.locator('.steps [aria-current=step]', { hasText: 'Completed' }).waitFor();
    await page.locator('.panel h2', { hasText: '1 vote' }).waitFor();
    assert.equal(await topOf(page, field), before);
    assert.equal(await page.getByText('From Bob').count(), 0);
    assert.equal(await page.evaluate('document.activeElement.name'), 'text');
    await assertSound(visited, 'the page of the idea');

    await page.getByRole('button', { name: '1 new comment' }).click();
    await page.getByText('From Bob').waitFor();
    await page.getByRole('button', { name: '1 new comment' }).waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Your comment').inputValue(), 'A draft');
    // The own vote counts on from those of others.
    await untilPages(site, 1);
    await page.getByRole('button', { name: 'Vote for Dark mode, 1 vote' }).click();
    await page.getByRole('button', { name: 'Vote for Dark mode, 2 votes', pressed: true }).waitFor();
    await site.makeUser('eve');
    await site.api.as('eve').upvotePost({ postId });
    await page.getByRole('button', { name: 'Vote for Dark mode, 3 votes', pressed: true }).waitFor();
    await page.getByRole('button', { name: 'Vote for Dark mode, 3 votes' }).click();
    await page.getByRole('button', { name: 'Vote for Dark mode, 2 votes', pressed: false }).waitFor();
    assert.deepEqual(visited.wrong, []);
  });

  test(`the list shows votes, comments and statuses as they change, in the rows that it has [${engine}]`, async (t) => {
    const site = await open(t, engine);
    await site.makeUser('bob');
    for (const title of ['Dark mode', 'Light mode', 'No mode']) await site.makePost(title);
    const postId = (await site.api.posts({ search: 'Light' }, { nodes: { id: true } })).nodes[0]?.id ?? '';
    const { page, wrong } = await site.visit('/b/acme?sort=new');
    await untilPages(site, 1);
    const row = page.locator('.post-row', { hasText: 'Light mode' });
    const titles = await page.locator('.post-title').allTextContents();
    await site.makePost('A new idea');
    await site.api.as('bob').upvotePost({ postId });
    await site.api.as('bob').createComment({ postId, text: 'Please' });
    await site.api.changePostStatus({ postId, statusType: 'COMPLETED' });
    await row.getByRole('button', { name: 'Vote for Light mode, 1 vote' }).waitFor();
    await row.getByText('1 comment').waitFor();
    await row.locator('.status-chip', { hasText: 'Completed' }).waitFor();
    assert.deepEqual(await page.locator('.post-title').allTextContents(), titles);

    // A page in the background has no connection, and catches up when it is visible again.
    const turn = (isHidden: boolean) =>
      page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'))`);
    await turn(true);
    await untilPages(site, 0);
    await site.api.upvotePost({ postId });
    await turn(false);
    await row.getByRole('button', { name: 'Vote for Light mode, 2 votes' }).waitFor();
    // Another page of the board has other ideas.
    await row.getByRole('link', { name: 'Light mode' }).click();
    await page.getByRole('heading', { name: 'Light mode' }).waitFor();
    await untilPages(site, 0);
    await untilPages(site, 1);
    assert.deepEqual(wrong, []);
  });
}

const showsName = (name: string) => `.open-by:text-is("Also viewing: ${name}")`;

for (const engine of engines) {
  test(`two of the team see each other on an idea of a private board, and what is new there [${engine}]`, async (t) => {
    const site = await open(t, engine);
    const postId = await site.makePost('Dark mode');
    await site.db.transaction((tx) => tx.updateTable('boards').set({ access: 'MEMBERS' }).execute());
    const mo = await visitAs(site, 'Mo', { role: 'MODERATOR', path: '/b/acme/posts/1' });
    const olga = await visitAs(site, 'Olga', { role: 'OWNER', path: '/b/acme/triage/unanswered/1' });
    await mo.page.locator(showsName('Olga')).waitFor();
    await olga.page.locator(`.triage-steps ${showsName('Mo')}`).waitFor();
    await olga.page.locator(`.triage-item ${showsName('Mo')}`).waitFor();
    await assertSound(mo, 'the page of the idea');
    await assertSound(olga, 'triage');
    // What only the team sees is new for it, too.
    await site.api.createComment({ postId, text: 'Between us', type: 'INTERNAL' });
    await site.api.upvotePost({ postId });
    await olga.page.locator('.triage-item', { hasText: '1 vote' }).waitFor();
    for (const { page } of [mo, olga]) {
      await page.getByRole('button', { name: '1 new comment' }).click();
      await page.getByText('Between us').waitFor();
      await page.getByRole('button', { name: '1 new comment' }).waitFor({ state: 'detached' });
    }
    await mo.page.locator(showsName('Olga')).waitFor();
    await mo.page.goto('/b/acme/roadmap');
    await untilPages(site, 1);
    site.clock.advance(5_000);
    await olga.page.locator('.triage-steps .open-by:empty').waitFor({ state: 'attached' });
    assert.deepEqual([mo.wrong, olga.wrong], [[], []]);
  });
}

test('the widget is not live', async (t) => {
  const site = await openSite(t, browser);
  await site.makePost('Dark mode');
  const asked: string[] = [];
  const { page, wrong } = await visitAsOwner(site);
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.clock.install();
  for (const path of ['/embed/b/acme', '/embed/b/acme/posts/1']) {
    await page.goto(path);
    await page.getByText('Dark mode').first().waitFor();
    await page.clock.fastForward(10_000);
  }
  assert.ok(asked.includes('/embed/b/acme'));
  assert.deepEqual(
    asked.filter((path) => path.endsWith('/live')),
    [],
  );
  assert.deepEqual(wrong, []);
});
