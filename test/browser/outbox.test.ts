import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openBehind } from '../field/behind.ts';
import { findBarriers } from '../support/browser.ts';
import { engines } from '../support/store.ts';
import { until } from '../support/until.ts';

const WAITS = 'Not saved yet. We keep trying.';
const onlyForms = { only: ({ method }: IncomingMessage) => method === 'POST' };

async function writeComment(page: Page, text: string): Promise<void> {
  await page.getByLabel('Your comment').fill(text);
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  await page.getByText(WAITS).waitFor();
}

/** Waits until the page has loaded what keeps things, which comes after all else. */
async function untilReady(page: Page): Promise<Page> {
  const isLoaded = "performance.getEntriesByType('resource').some(({ name }) => name.includes('/outbox-'))";
  await until('the outbox is there', () => page.evaluate<boolean>(isLoaded));
  await page.waitForLoadState('networkidle');
  return page;
}

/** Closes the tab, and opens another one. */
async function openNext(page: Page, path: string): Promise<Page> {
  const next = await page.context().newPage();
  await page.close();
  await next.goto(path);
  return untilReady(next);
}

for (const engine of engines) {
  test(`what a visitor did while nothing was answered happens once, after its tab was closed [${engine}]`, async (t) => {
    const { makePost, proxy, visitAsMember, api } = await openBehind(t, engine);
    const postId = await makePost('Dark mode');
    const { page } = await visitAsMember('/b/acme/posts/1/dark-mode');
    await untilReady(page);
    proxy.trouble({ kind: 'answers itself', status: 502 }, onlyForms);
    await page.getByRole('button', { name: /^Vote for Dark mode/ }).click();
    await page.getByText(WAITS).waitFor();
    const list = await openNext(page, '/b/acme');
    await list.getByText('Not sent yet').waitFor();
    await list.getByLabel('Your idea in one sentence').fill('Light mode');
    await list.getByRole('button', { name: 'Post idea' }).last().click();
    await list.getByText(WAITS).waitFor();
    const again = await openNext(list, '/b/acme/posts/1/dark-mode');
    await writeComment(again, 'At night, please');
    // Another page, and the form is gone; what was typed there is no draft.
    await again.getByRole('link', { name: 'All ideas' }).click();
    await again.getByText('Not sent yet').waitFor();
    for (const words of ['Dark mode', 'Light mode', 'At night, please']) {
      await again.locator('.outbox').getByText(words).waitFor();
    }
    assert.deepEqual(await findBarriers(again), []);
    proxy.heal();
    await until('all is sent', async () => (await again.locator('.outbox [data-sent]').count()) === 3);
    await again.getByRole('heading', { name: 'Sent' }).waitFor();
    const post = await api.post({ id: postId }, { comments: { nodes: { text: true } }, upvoteCount: true });
    assert.deepEqual(post, {
      comments: { nodes: [{ text: 'Because.' }, { text: 'At night, please' }] },
      upvoteCount: 1,
    });
    const { nodes } = await api.posts({}, { nodes: { title: true } });
    assert.deepEqual(nodes.map(({ title }) => title).sort(), ['Dark mode', 'Light mode']);
    await again.reload();
    assert.equal(await again.locator('.outbox').count(), 0);
    await again.goto('/b/acme/posts/1/dark-mode');
    assert.equal(await again.getByLabel('Your comment').inputValue(), '');
  });
}

test('what is refused by then is said with all that was written, and can be discarded [sqlite]', async (t) => {
  const { makePost, proxy, visitAsMember, api } = await openBehind(t, 'sqlite');
  const postId = await makePost('Dark mode');
  const other = await makePost('Light mode');
  const { page } = await visitAsMember('/b/acme/posts/1/dark-mode');
  await untilReady(page);
  proxy.trouble({ kind: 'answers itself', status: 502 }, onlyForms);
  await writeComment(page, 'At night, please');
  const next = await openNext(page, '/b/acme/posts/2/light-mode');
  await writeComment(next, 'By day');
  const last = await openNext(next, '/b/acme');
  await api.deletePost({ postId });
  await api.updatePost({ id: other, isLocked: true });
  proxy.heal();
  const box = last.locator('.outbox');
  await box.getByRole('heading', { name: 'This could not be completed' }).waitFor();
  await until(
    'both are refused',
    async () => (await box.getByText('The idea is closed or no longer there.').count()) === 2,
  );
  await box.getByText('At night, please').waitFor();
  assert.deepEqual(await findBarriers(last), []);
  await api.updatePost({ id: other, isLocked: false });
  await box.locator('li', { hasText: 'By day' }).getByRole('button', { name: 'Try again' }).click();
  await box.locator('[data-sent]').getByText('By day').waitFor();
  await box.getByRole('button', { name: 'Discard' }).click();
  await box.getByText('At night, please').waitFor({ state: 'detached' });
});

test('what waits is of its visitor alone, and forgotten when they sign out [sqlite]', async (t) => {
  const { makePost, makeMember, proxy, visitAsMember, api } = await openBehind(t, 'sqlite');
  const postId = await makePost('Dark mode');
  const { page } = await visitAsMember('/b/acme/posts/1/dark-mode');
  await untilReady(page);
  const context = page.context();
  proxy.trouble({ kind: 'answers itself', status: 502 }, onlyForms);
  await writeComment(page, 'At night, please');
  const own = await context.cookies();
  // The session ends elsewhere: it waits until its visitor is there again.
  await context.clearCookies();
  const anonymous = await openNext(page, '/b/acme');
  await anonymous.getByRole('link', { name: 'Sign in' }).waitFor();
  const kept = () =>
    anonymous.evaluate<number>("Object.keys(localStorage).filter((name) => name.includes('outbox')).length");
  assert.deepEqual([await anonymous.locator('.outbox').count(), await kept()], [0, 1]);
  await context.addCookies(own);
  await anonymous.goto('/b/acme');
  await anonymous.locator('.outbox').getByText('At night, please').waitFor();
  // Another visitor of the same browser.
  const { cookies } = await makeMember('Ann', 'MODERATOR');
  const [{ domain, path } = { domain: '', path: '' }] = own;
  await context.clearCookies();
  await context.addCookies(
    [...cookies].map(([name, value]) => ({ name, value, domain, path, secure: true, httpOnly: true })),
  );
  proxy.heal();
  await anonymous.goto('/b/acme');
  await anonymous.getByRole('button', { name: 'Your menu, Ann' }).waitFor();
  await until('it is forgotten', async () => (await kept()) === 0);

  proxy.trouble(
    { kind: 'answers itself', status: 502 },
    { only: ({ method, url }) => method === 'POST' && !url?.includes('sign-out') },
  );
  await anonymous.goto('/b/acme/posts/1/dark-mode');
  await untilReady(anonymous);
  await writeComment(anonymous, 'Mine');
  const last = await openNext(anonymous, '/b/acme');
  await last.locator('.outbox').getByText('Mine').waitFor();
  await last.getByRole('button', { name: 'Your menu, Ann' }).click();
  await last.getByRole('button', { name: 'Sign out' }).click();
  await last.getByRole('link', { name: 'Sign in' }).waitFor();
  assert.equal(
    await last.evaluate<number>("Object.keys(localStorage).filter((name) => name.includes('outbox')).length"),
    0,
  );
  const post = await api.post({ id: postId }, { commentCount: true });
  assert.equal(post?.commentCount, 0);
});
