import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PNG } from '../support/files.ts';
import type { Trouble } from '../support/passing.ts';
import { engines } from '../support/store.ts';
import { until } from '../support/until.ts';
import { openBehind } from './behind.ts';

/** Browsers keep no pages in private windows; with them, pages that were read are shown (`test/browser/kept-pages.test.ts`). */
const WITHOUT_KEPT = { serviceWorkers: 'block' } as const;
const NOT_SAVED = 'Not saved. Try again.';
const NO_ANSWER = 'The server does not answer. Trying again…';

/** What a visitor meets while a server restarts, or on a bad line: nothing arrives at all, or an answer of the proxy. */
const silences: Record<string, Trouble> = {
  'a 502': { kind: 'answers itself', status: 502 },
  'a line that breaks': { kind: 'cuts the response', at: 0, isReset: true },
};

for (const engine of engines) {
  for (const [name, trouble] of Object.entries(silences)) {
    test(`${name}, while a page loads more of itself, loses no input, and loading continues afterwards [${engine}]`, async (t) => {
      const board = await openBehind(t, engine);
      await board.makePost('Dark mode');
      const { page } = await board.visitAsMember('/b/acme', WITHOUT_KEPT);
      await page.waitForLoadState('networkidle');
      const idea = page.getByLabel('Your idea in one sentence');
      const roadmap = page.getByRole('link', { name: 'Roadmap' }).first();
      const follow = async () => {
        board.proxy.trouble(trouble);
        await idea.fill('Dark mode at noon');
        await roadmap.click();
        await page.getByText(NO_ANSWER).waitFor();
        assert.equal(await idea.inputValue(), 'Dark mode at noon');
        board.proxy.heal();
        await page.getByRole('heading', { name: 'Roadmap', level: 1 }).waitFor();
        await page.getByText(NO_ANSWER).waitFor({ state: 'detached' });
      };
      await idea.fill('S');
      const had = board.proxy.trouble(trouble);
      // Looks for ideas like this one, of which the code has not been loaded either. A page that is not listening yet,
      // because the machine is busy, misses what is typed.
      await until('the page misses an answer', async () => {
        await idea.fill('Dark mode');
        await idea.fill('Dark mode at night');
        return page
          .getByText(NO_ANSWER)
          .waitFor({ timeout: 10_000 })
          .then(
            () => true,
            () => false,
          );
      });
      const picture = { name: 'night.png', mimeType: 'image/png', buffer: PNG };
      await page.locator('form', { has: idea }).locator('input[type=file]').setInputFiles(picture);
      await until('the picture was tried', () => had.some((line) => line.includes('picture-upload')));
      assert.equal(await idea.inputValue(), 'Dark mode at night');
      board.proxy.heal();
      await page.getByAltText('night.png').waitFor();
      await page.getByText(NO_ANSWER).waitFor({ state: 'detached' });
      await page.getByText('Already suggested?').waitFor();
      assert.equal(await idea.inputValue(), 'Dark mode at night');

      await follow(); // another page, and its code
      await page.goBack();
      await idea.waitFor();
      await follow(); // only the page
      board.proxy.trouble(trouble);
      await page.goBack();
      await page.getByText(NO_ANSWER).waitFor();
      board.proxy.heal();
      await idea.waitFor();
    });
  }

  test(`a form sent to another address than its page that fails on the way reports the failure and keeps the page [${engine}]`, async (t) => {
    const board = await openBehind(t, engine);
    const { page } = await board.visitAsMember('/b/acme', WITHOUT_KEPT);
    await page.waitForLoadState('networkidle');
    const idea = page.getByLabel('Your idea in one sentence');
    const menu = page.getByRole('button', { name: 'Your menu, Mo' });
    const dark = page.getByRole('button', { name: 'Dark', exact: true }).first();
    for (const [name, trouble] of Object.entries(silences)) {
      await idea.fill(name);
      await menu.click();
      board.proxy.trouble(trouble);
      await dark.click();
      await page.getByText(NO_ANSWER).waitFor();
      assert.equal(await idea.inputValue(), name);
      board.proxy.heal();
      await page.getByText(NO_ANSWER).waitFor({ state: 'detached' });
      await page.getByText(NOT_SAVED).waitFor();
      assert.equal(await idea.inputValue(), name);
      assert.equal(new URL(page.url()).pathname, '/b/acme');
      await dark.waitFor({ state: 'hidden' }); // the page has come again, with its menu closed
    }
    await menu.click();
    await dark.click();
    await page.locator('html[data-theme=dark]').waitFor();
    await page.getByText(NOT_SAVED).waitFor({ state: 'detached' });
  });

  test(`undoing on a page of settings waits for the server, and then happens [${engine}]`, async (t) => {
    const board = await openBehind(t, engine);
    const { page } = await board.visitAsMember('/b/acme/settings/tags');
    await page.waitForLoadState('networkidle');
    for (const trouble of Object.values(silences)) {
      await page.locator('input[name=name]').last().fill('Later');
      await page.getByRole('button', { name: 'Add a tag' }).click();
      const undo = page.getByRole('button', { name: 'Undo' });
      await undo.waitFor();
      board.proxy.trouble(trouble);
      await undo.click();
      await page.getByText(NO_ANSWER).waitFor();
      await page.getByText('Later').first().waitFor();
      board.proxy.heal();
      await page.getByText('There are no tags yet.').waitFor();
      assert.equal(new URL(page.url()).pathname, '/b/acme/settings/tags');
      assert.deepEqual(await board.api.listTags({ name: true }), []);
    }
  });

  test(`an entry of the changelog that fails on the way stays, and is saved once when sent again [${engine}]`, async (t) => {
    const board = await openBehind(t, engine);
    const { page } = await board.visitAsMember('/b/acme/changelog/new');
    for (const [name, trouble] of Object.entries(silences)) {
      await page.goto(`${board.baseUrl}/b/acme/changelog/new`);
      await page.getByLabel('Title').fill(name);
      await page.getByLabel('What is new').fill('Now at night.');
      board.proxy.trouble(trouble, { only: ({ method }) => method === 'POST' });
      await page.getByRole('button', { name: 'Publish' }).click();
      await page.getByRole('alert').filter({ hasText: NOT_SAVED }).waitFor();
      assert.equal(await page.getByText(NOT_SAVED).count(), 1);
      assert.equal(await page.getByLabel('What is new').inputValue(), 'Now at night.');
      board.proxy.heal();
      await page.getByRole('button', { name: 'Publish' }).click();
      await page.getByRole('heading', { name, level: 1 }).waitFor();
    }
    const saved = await board.api.changelog({}, { nodes: { title: true } });
    assert.deepEqual(saved.nodes.map(({ title }) => title).sort(), Object.keys(silences).sort());
  });
}
