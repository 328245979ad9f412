import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Dialog } from 'playwright-core';
import { setBoard } from '../../src/identity/board/board.ts';
import { assertSound, launchBrowser, openSite } from '../support/browser.ts';
import { makeField } from '../support/fields.ts';
import { until } from '../support/until.ts';
import { visitAsOwner } from './people.ts';

const browser = await launchBrowser();
const SETTINGS = '/b/acme/settings';

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts';

  test(`an owner finds a page by what can be set there, ${how}`, async (t) => {
    const site = await openSite(t, browser);
    const { page, wrong } = await visitAsOwner(site, { javaScriptEnabled });
    const find = async (query: string) => {
      await page.getByRole('searchbox', { name: 'Find a setting' }).fill(query);
      await page.getByRole('searchbox', { name: 'Find a setting' }).press('Enter');
      await page.locator('main').getByText(`for “${query}”`).waitFor();
    };
    await find('SECRET signing');
    assert.deepEqual(await page.locator('main').getByRole('link').allInnerTexts(), ['Slack and Discord', 'Webhooks']);
    await page.getByText('Signing secret', { exact: true }).waitFor();
    await find('Passwords <b>');
    await page.getByText('No setting has that name').waitFor();
    for (const words of ['integrations', 'Integrations webhooks']) {
      await find(words);
      const found = await page.locator('main').getByRole('link').allInnerTexts();
      assert.deepEqual(
        found,
        words === 'integrations'
          ? [
              'Single sign-on',
              'Widget',
              'Ideas by email',
              'Slack and Discord',
              'Issue trackers',
              'APIs',
              'Agents (MCP)',
              'Webhooks',
            ]
          : ['Webhooks'],
      );
    }
    const sections = page.getByRole('navigation', { name: 'Settings' });
    await sections.getByText('Integrations', { exact: true }).waitFor();
    await sections.getByRole('link', { name: 'Webhooks' }).waitFor();
    if (javaScriptEnabled) {
      await page.getByRole('searchbox', { name: 'Find a setting' }).fill('two-fac');
      await sections.getByText('1 page for “two-fac”').waitFor();
      assert.deepEqual(await sections.getByRole('link').allInnerTexts(), ['Account'], 'found while it is typed');
    }
    await find('two-factor');
    await page.locator('main').getByRole('link', { name: 'Account' }).click();
    await page.getByRole('heading', { name: 'Account' }).waitFor();
    await site.db.transaction((tx) => setBoard(tx, site.board.id, { locale: 'de' }));
    await page.goto(`${SETTINGS}/search?find=schlussel`);
    await page.locator('main').getByRole('link', { name: 'APIs' }).waitFor();
    assert.deepEqual(wrong, []);
  });
}

test('statuses are dragged into another order, which can be undone', async (t) => {
  const site = await openSite(t, browser);
  const { page, wrong } = await visitAsOwner(site);
  await page.goto(`${SETTINGS}/statuses`);
  const rows = page.locator('main li.row-item');
  const names = async () => (await rows.locator('.status-chip').allInnerTexts()).map((text) => text.trim());
  const before = await names();
  const [first, second, ...others] = before;
  const handle = (n: number) => rows.nth(n).locator('.drag-handle');
  const { height } = (await rows.last().boundingBox()) ?? assert.fail();
  await handle(0).dragTo(rows.last(), { targetPosition: { x: 40, y: height - 4 } });
  await until('it is the last', async () => (await names()).at(-1) === first);
  assert.deepEqual(await names(), [second, ...others, first]);
  await handle(before.length - 1).dragTo(rows.nth(1), { targetPosition: { x: 40, y: 4 } });
  await until('it is the second', async () => (await names())[1] === first);
  // The page is loaded again once the server has answered.
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Undo' }).click()]);
  await until('it is the last again', async () => (await names()).at(-1) === first);
  assert.deepEqual(wrong, []);
});

test('a row that is opened moves no control, and a status that is moved can be moved back', async (t) => {
  const site = await openSite(t, browser);
  const { page, wrong } = await visitAsOwner(site);
  await page.goto(`${SETTINGS}/statuses`);
  const row = page.locator('main li.row-item').nth(1);
  const places = async () =>
    Promise.all((await row.locator('.icon-button, summary').all()).map((control) => control.boundingBox()));
  const before = await places();
  await row.getByText('Change').click();
  await row.getByLabel('Name').waitFor();
  assert.deepEqual(await places(), before);
  await row.getByText('Change').click();
  await row.getByLabel('Name').waitFor({ state: 'hidden' });
  const names = async () => page.locator('main li.row-item .status-chip').allInnerTexts();
  const inOrder = await names();
  await row.locator('.icon-button').last().click();
  await until('it is the third', async () => (await names())[2] === inOrder[1]);
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Undo' }).click()]);
  await until('it is the second again', async () => (await names())[1] === inOrder[1]);
  assert.deepEqual(wrong, []);
});

test('unsaved input stays visible, and leaving it asks first', async (t) => {
  const site = await openSite(t, browser);
  const watched = await visitAsOwner(site, { viewport: { width: 320, height: 568 } });
  const { page } = watched;
  await page.goto(`${SETTINGS}/general`);
  const name = page.getByLabel('Board name');
  const words = page.getByText('Unsaved changes');
  const openPages = page.getByRole('button', { name: 'General' });
  await name.evaluate((field) => field.scrollIntoView({ block: 'center' }));
  await name.fill('Ideas');
  await words.first().waitFor();
  const bar = await page.locator('[data-unsaved] .save-bar').boundingBox();
  assert.ok(bar && bar.y + bar.height <= 568, 'the button is in sight');
  await assertSound(watched, 'a form with something that is not saved');
  await name.fill('Acme');
  await words.first().waitFor({ state: 'hidden' });
  await openPages.click();
  await page.getByRole('link', { name: 'Team', exact: true }).click();
  await page.getByRole('heading', { name: 'Team', exact: true }).waitFor();

  await page.goto(`${SETTINGS}/general`);
  await name.fill('Ideas');
  await words.first().waitFor();
  await openPages.click();
  await page.getByRole('link', { name: 'Team', exact: true }).click();
  await page.getByRole('button', { name: 'Stay here' }).click();
  assert.equal(await name.inputValue(), 'Ideas');
  const asked: string[] = [];
  page.on('dialog', (dialog: Dialog) => {
    asked.push(dialog.type());
    return dialog.dismiss();
  });
  const questions = page.waitForEvent('dialog');
  // The answer is no, so the page stays, and what waits for another one waits in vain.
  const reload = page.evaluate('setTimeout(() => location.reload())');
  await Promise.all([questions, reload]);
  assert.deepEqual(asked, ['beforeunload']);
  assert.equal(await name.inputValue(), 'Ideas');

  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await words.first().waitFor({ state: 'hidden' });
  await page.getByLabel('Board URL: /b/…').fill('Not so!');
  await page.getByRole('button', { name: 'Save' }).last().click();
  await page.getByText('The URL must have').waitFor();
  await openPages.click();
  await page.getByRole('link', { name: 'Team', exact: true }).click();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByRole('heading', { name: 'Team', exact: true }).waitFor();
  assert.deepEqual(watched.wrong, []);
});

test('what is typed before the scripts have come counts as not saved, until it is as it was', async (t) => {
  const site = await openSite(t, browser);
  await site.db.transaction((tx) => setBoard(tx, site.board.id, { description: 'For users' }));
  const { page, wrong } = await visitAsOwner(site);
  const scripts = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await scripts.promise;
    await route.continue();
  });
  await page.goto(`${SETTINGS}/general`, { waitUntil: 'commit' });
  const name = page.getByLabel('Board name');
  const words = page.getByText('Unsaved changes');
  const description = page.getByLabel('Description');
  await description.fill('For everyone');
  await name.fill('Ideas');
  scripts.resolve();
  await words.first().waitFor();
  assert.equal(await name.inputValue(), 'Ideas');
  assert.equal(await description.inputValue(), 'For everyone');
  await description.fill('For users');
  await name.fill('Acme');
  await words.first().waitFor({ state: 'hidden' });
  await page.locator('main').getByLabel('Language').selectOption('de');
  await words.first().waitFor();
  await page.locator('main').getByLabel('Language').selectOption('en');
  await words.first().waitFor({ state: 'hidden' });
  assert.deepEqual(wrong, []);
});

test('the dialog for a new key stays in its place while the page loads, and when it shows the key', async (t) => {
  const site = await openSite(t, browser);
  const { page, wrong } = await visitAsOwner(site, { viewport: { width: 390, height: 844 } });
  await page.addInitScript(`window.shifts = 0; new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shifts += value;
  }).observe({ type: 'layout-shift', buffered: true });`);
  await page.goto(`${SETTINGS}/apis/new`);
  await page.locator('dialog:modal').waitFor();
  assert.ok((await page.evaluate<number>('window.shifts')) < 0.1);
  const title = page.getByRole('heading', { name: 'Create key' });
  const before = await title.boundingBox();
  await page.getByLabel('Name').fill('Website');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('button', { name: 'Copy' }).first().waitFor();
  assert.deepEqual(await title.boundingBox(), before);
  assert.deepEqual(wrong, []);
});

test('the preview of the form for ideas fits a phone, whatever its fields are called, and takes no focus', async (t) => {
  const site = await openSite(t, browser);
  const watched = await visitAsOwner(site, { viewport: { width: 320, height: 640 } });
  const { page } = watched;
  const word = 'W'.repeat(60);
  const options = [{ name: word }, { name: 'Small' }];
  for (const [label, type] of [
    [word, 'TEXT'],
    [`${word}?`, 'SELECTION_MULTI'],
    ['Size', 'SELECTION'],
    ['Agreed', 'CHECKBOX'],
  ] as const) {
    const { id } = await makeField(site, label, { type, description: word, ...(/SEL/.test(type) && { options }) });
    await site.api.updateField({ id, isOnForm: true, isRequired: true });
  }
  await page.goto(`${SETTINGS}/ideas`);
  await page.locator('.new-idea').getByText('Size').waitFor();
  await assertSound(watched, 'the preview');
  await page.locator('.new-idea textarea').evaluate((field) => (field as unknown as { focus(): void }).focus());
  assert.equal(await page.evaluate<string>('document.activeElement.tagName'), 'BODY');
});
