import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setBoard } from '../../src/identity/board/board.ts';
import { languages } from '../../src/platform/catalogues.ts';
import { assertSound, launchBrowser, openSite, WCAG } from '../support/browser.ts';
import { visitAsOwner } from './people.ts';
import { withWebhooks } from './webhooks-support.ts';

const browser = await launchBrowser();
const PHONE = { viewport: { width: 320, height: 640 } };

test('every language fits a narrow phone, and Arabic is written from right to left', async (t) => {
  const site = await withWebhooks(t, await openSite(t, browser), PHONE);
  const state = await site.page.context().storageState();
  // Without scripts a page is there in a fraction of the time, and as wide.
  const plain = await site.visit('/b/acme', { ...PHONE, javaScriptEnabled: false, storageState: state });
  const webhook = await site.makeWebhook();
  const id = await site.makePost('Dark mode for the very long evenings of winter');
  await site.api.changePostStatus({ postId: id, statusType: 'COMPLETED' });
  await site.api.createComment({ postId: id, text: 'Soon.', type: 'OFFICIAL' });
  const { page, wrong } = site;
  const paths = ['', '/posts/1', '/roadmap', '/inbox', '/settings/general', `/settings/webhooks/${webhook.id}`];
  for (const locale of languages) {
    await site.db.transaction((tx) => setBoard(tx, site.board.id, { locale }));
    for (const path of paths) {
      await plain.page.goto(`/b/acme${path}`);
      const [language, direction, overflow] = await plain.page.evaluate<[string, string, number]>(
        `(({ lang, dir, scrollWidth, clientWidth }) => [lang, dir, scrollWidth - clientWidth])(document.documentElement)`,
      );
      assert.deepEqual([language, direction], [locale, locale === 'ar' ? 'rtl' : 'ltr']);
      assert.ok(overflow <= 0, `${path} in ${locale} is ${overflow} px too wide`);
    }
  }
  await site.db.transaction((tx) => setBoard(tx, site.board.id, { locale: 'ar' }));
  for (const path of paths) {
    await page.goto(`/b/acme${path}`);
    await assertSound(site, `${path} in Arabic`);
  }
  assert.deepEqual([...wrong, ...plain.wrong], []);
});

test('visitors download the texts of the pages alone, the team those of its own pages as well', async (t) => {
  const site = await openSite(t, browser);
  await site.makePost('Dark mode');
  const loaded = `performance.getEntriesByType('resource').flatMap(({ name }) => /en\\.(\\w+)-/.exec(name)?.[1] ?? [])`;
  const { page, wrong } = await site.visit('/b/acme');
  for (const path of ['', '/posts/1', '/roadmap', '/changelog']) {
    await page.goto(`/b/acme${path}`);
    await page.locator('footer').waitFor();
    assert.deepEqual([...new Set(await page.evaluate<string[]>(loaded))], ['pages'], path);
  }
  const { page: own } = await visitAsOwner(site);
  await own.goto('/b/acme/triage');
  assert.deepEqual([...new Set(await own.evaluate<string[]>(loaded))].sort(), ['pages', 'settings']);
  assert.deepEqual(wrong, []);
});

test('in Arabic, what opens at a vote is in the window, and what is written has its own direction', async (t) => {
  const site = await openSite(t, browser);
  await site.makePost('Dark mode');
  await site.db.transaction((tx) => setBoard(tx, site.board.id, { locale: 'ar' }));
  const { page, wrong } = await site.visit('/b/acme', { locale: 'ar' });
  const direction = `getComputedStyle(document.getElementById('new-idea')).unicodeBidi`;
  assert.equal(await page.evaluate<string>(direction), 'plaintext');
  await page.locator('.post-row .vote').click();
  const popover = page.locator('.ask');
  await popover.waitFor();
  const [box, vote] = [await popover.boundingBox(), await page.locator('.post-row .vote').boundingBox()];
  assert.ok(box && vote);
  assert.ok(box.x >= 0 && Math.abs(box.x + box.width - vote.x - vote.width) <= 1, JSON.stringify({ box, vote }));
  assert.deepEqual(wrong, []);
});

test('in Arabic, names in DNS begin at the left, and marks stand where their line begins', async (t) => {
  const transport = { send: async () => {}, forget: async () => {}, close() {} };
  const from = 'Acme <feedback@acme.example>';
  const site = await openSite(t, browser, {
    mail: { transport, server: 'mail.acme.example', from, folder: '', domainIn: null },
  });
  await site.db.transaction((tx) => setBoard(tx, site.board.id, { locale: 'ar' }));
  const { page, wrong } = await visitAsOwner(site);
  await site.db.transaction((tx) => setBoard(tx, site.board.id, { setup_step: 0 }));
  await page.reload();
  const mark = `getComputedStyle(document.querySelector('.checklist li')).backgroundPositionX`;
  assert.match(await page.evaluate<string>(mark), /100%/);
  await page.goto('/b/acme/settings/mail');
  const direction = `[...document.querySelectorAll('td > code')].map((code) => getComputedStyle(code).direction)`;
  assert.deepEqual([...new Set(await page.evaluate<string[]>(direction))], ['ltr']);
  assert.deepEqual(wrong, []);
});

test('visitors choose a language at the foot of a page, members in their menu, and both keep it', async (t) => {
  const site = await openSite(t, browser);
  await site.makePost('Dark mode');
  const language = `document.documentElement.lang`;
  const { page, wrong } = await site.visit('/b/acme', { locale: 'de-AT' });
  assert.equal(await page.evaluate<string>(language), 'de');
  await page.locator('footer').getByLabel('Sprache').selectOption({ label: '日本語' });
  await page.locator('footer').getByLabel('言語').waitFor();
  assert.equal(await page.evaluate<string>(language), 'ja');
  await page.goto('/b/acme/posts/1');
  await assertSound({ page, wrong }, 'an idea in Japanese', { tags: WCAG.filter((tag) => tag !== 'wcag21a') });
  assert.equal(await page.evaluate<string>(language), 'ja');

  const plain = await site.visit('/b/acme', { locale: 'de', javaScriptEnabled: false });
  const foot = plain.page.locator('footer .language-choice');
  await foot.getByRole('combobox').selectOption('ar');
  await foot.getByRole('button').click();
  await plain.page.locator('html[lang=ar][dir=rtl]').waitFor();

  const owner = await visitAsOwner(site);
  assert.equal(await owner.page.locator('footer .language-choice').count(), 0);
  await owner.page.locator('.site-actions > .icon-button[popovertarget]').last().click();
  await owner.page.locator('.menu-list').getByLabel('Language').selectOption('fr');
  await owner.page.locator('html[lang=fr]').waitFor();
  await owner.page.goto('/b/acme/settings/profile');
  assert.equal(await owner.page.locator('main select[name=locale]').inputValue(), 'fr');
  assert.deepEqual([...plain.wrong, ...owner.wrong], []);
});
