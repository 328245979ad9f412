import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openBehind } from '../field/behind.ts';
import { engines } from '../support/store.ts';
import { until } from '../support/until.ts';

const OLD = /^The server does not answer\. This is the page as of /;

/** The paths that the browser keeps. */
const KEPT = `caches.keys()
  .then(([name]) => (name === undefined ? [] : caches.open(name).then((cache) => cache.keys())))
  .then((kept) => kept.map(({ url }) => new URL(url).pathname))`;

/** Waits until a page is kept, and what it links to is kept from now on. */
async function untilKept(page: Page, path: string): Promise<void> {
  await until(`${path} is kept`, () =>
    page.evaluate<boolean>(`caches.match('${path}', { ignoreVary: true }).then((kept) => kept !== undefined)`),
  );
}

for (const engine of engines) {
  test(`pages that were read are there without the server, say how old they are, and become current [${engine}]`, async (t) => {
    const { makePost, proxy, visitAsMember, api } = await openBehind(t, engine);
    const postId = await makePost('Dark mode');
    await makePost('Light mode');
    const { page } = await visitAsMember('/b/acme');
    await until('a worker is there', () => page.evaluate<boolean>('navigator.serviceWorker.controller !== null'));
    await page.reload();
    await untilKept(page, '/b/acme');
    await page.getByRole('link', { name: 'Dark mode' }).first().click();
    await page.getByRole('heading', { name: 'Dark mode', level: 1 }).waitFor();
    const { pathname } = new URL(page.url());
    await untilKept(page, `${pathname}.data`);
    await page.reload();
    await untilKept(page, pathname);

    proxy.trouble({ kind: 'answers itself', status: 502 });
    await page.reload();
    await page.getByRole('heading', { name: 'Dark mode', level: 1 }).waitFor();
    await page.getByText(OLD).waitFor();
    await api.updatePost({ id: postId, title: 'Night mode' });
    proxy.heal();
    await page.getByRole('heading', { name: 'Night mode', level: 1 }).waitFor();
    await page.getByText(OLD).waitFor({ state: 'detached' });

    proxy.trouble({ kind: 'cuts the response', at: 0, isReset: true });
    await page.goto('/b/acme');
    await page.getByRole('link', { name: 'Light mode' }).first().waitFor();
    await page.getByText(OLD).waitFor();
    proxy.heal();
    await page.getByText(OLD).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Night mode' }).first().waitFor();

    await page.getByRole('button', { name: 'Your menu, Mo' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    const kept = await page.evaluate<string[]>(KEPT);
    assert.ok(!kept.includes(pathname), `nothing of what was read before is left: ${kept}`);
  });
}

test('what answers in place of the server is not kept, nor what another visitor has read [sqlite]', async (t) => {
  const { makePost, proxy, visitAsMember } = await openBehind(t, 'sqlite');
  await makePost('Dark mode');
  const { page } = await visitAsMember('/b/acme/posts/1/dark-mode');
  const { pathname } = new URL(page.url());
  await until('a worker is there', () => page.evaluate<boolean>('navigator.serviceWorker.controller !== null'));
  await page.reload();
  await untilKept(page, pathname);
  proxy.trouble({ kind: 'answers itself', status: 200 }, { times: 1 });
  await page.reload();
  const asked = proxy.trouble({ kind: 'answers itself', status: 503 }, { only: ({ url = '' }) => url.includes('/b/') });
  await page.goto(pathname);
  await page.getByRole('heading', { name: 'Dark mode', level: 1 }).waitFor();
  await page.getByText(OLD).waitFor();
  await until('the page is asked for', () => asked.filter((name) => name.startsWith('HEAD ')).length > 2);
  assert.deepEqual(
    asked.filter((name) => name.includes('.data')),
    [],
    'although its files are answered, it is not loaded before the server has it',
  );
  proxy.heal();
  await page.getByText(OLD).waitFor({ state: 'detached' });
  assert.ok((await page.evaluate<string[]>(KEPT)).includes(pathname));

  await page.context().clearCookies();
  await page.goto('/b/acme');
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
  await until('what the member has read is forgotten', async () => {
    const kept = await page.evaluate<string[]>(KEPT);
    return kept.includes('/b/acme') && !kept.includes(pathname);
  });
});
