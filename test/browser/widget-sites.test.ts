import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { setBoard } from '../../src/identity/board/board.ts';
import { launchBrowser, openSite } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { openHost, openSso, seenBy, untilTakenOver, visitHost } from './widget-support.ts';

const browser = await launchBrowser(['--test-third-party-cookie-phaseout']);

/** A board, and a page of another site on which the widget is called by a script. */
async function openPage(t: Parameters<typeof openSite>[0], script: (url: string, jwt: string) => string, body = '') {
  const site = await openSite(t, browser);
  const host = await openHost(t, site.origin);
  await site.db.transaction((tx) => setBoard(tx, site.board.id, { widget_origins: host.origin }));
  await site.makePost('Dark mode');
  const sign = await openSso(site);
  const jwt = sign({ id: 7, name: 'Vera Visitor' });
  const calls = script(`${site.origin}/b/acme`, jwt);
  host.pages.set('/', { body: body.replaceAll('BOARD', site.origin), script: calls });
  return { site, ...(await visitHost(t, browser, `${host.origin}/`)) };
}

const button = (page: Page) => page.getByRole('button', { name: 'Feedback', exact: true });

test('a script that a page loads twice makes one button, and takes new queues over', async (t) => {
  const again = '<script async src="BOARD/widget.js"></script>';
  const count = (url: string) =>
    `earshot('on', 'ready', () => seen.push('ready')); earshot('init', { url: '${url}' });`;
  const { site, page, wrong } = await openPage(t, count, again + again);
  await button(page).waitFor();
  await page.waitForLoadState('load');
  assert.deepEqual(await seenBy(page), ['ready']);
  assert.equal(await button(page).count(), 1);

  await page.evaluate(`earshot('init', { url: '${site.origin}/b/acme' })`);
  await until('called again', async () => (await seenBy(page)).length === 2);
  await page.evaluate(`window.noltQueue = [['on', 'open', () => seen.push('open')]];
    window.earshotQueue = [['open']]; window.earshot = (...call) => earshotQueue.push(call);
    const script = document.createElement('script');
    const policy = trustedTypes.createPolicy('test', { createScriptURL: (url) => url });
    script.src = policy.createScriptURL('${site.origin}/widget.js');
    document.head.append(script);`);
  await until('opened', async () => (await seenBy(page)).includes('open'));
  assert.deepEqual([await button(page).count(), await page.locator('earshot-widget').count()], [1, 1]);
  assert.deepEqual(wrong, []);
});

test('the panel stays open, with what is written in it, while the site replaces its body', async (t) => {
  const { page, panel, wrong } = await openPage(t, (url) => `earshot('init', { url: '${url}' }); earshot('open');`);
  await untilTakenOver(panel);
  await panel.getByLabel('Your idea in one sentence').fill('Softer beds');
  for (const replace of [
    "document.body.replaceWith(document.createElement('body'))",
    "document.body.innerHTML = ''",
    "document.body = document.createElement('body')",
  ]) {
    await page.evaluate(replace.replace("innerHTML = ''", 'replaceChildren()'));
    await page.evaluate("document.body.append('Another page')");
    assert.equal(await panel.getByLabel('Your idea in one sentence').inputValue(), 'Softer beds', replace);
  }
  await button(page).click();
  await button(page).and(page.locator('[aria-expanded=false]')).waitFor();
  assert.deepEqual(wrong, []);
});

test('a widget that a site removes comes back by itself, with its user, and at once when it is called', async (t) => {
  const { page, panel, wrong } = await openPage(
    t,
    (url, jwt) => `earshot('init', { url: '${url}' });
      earshot('identify', { jwt: '${jwt}' }, (error) => seen.push(error || 'done'));`,
  );
  await until('signed in', async () => (await seenBy(page)).includes('done'));
  for (const remove of [
    "document.querySelector('earshot-widget').remove()",
    'document.documentElement.replaceChildren(document.head, document.body)',
    `const html = document.createElement('html');
     html.append(document.createElement('head'), document.createElement('body'));
     document.replaceChild(html, document.documentElement)`,
  ]) {
    await page.evaluate(`(() => { ${remove} })()`);
    await button(page).click();
    await panel.getByRole('contentinfo').getByText('Vera Visitor').waitFor();
    await button(page).click();
    const isBack = `(() => { ${remove}; earshot('open');
      return new Promise((resolve) => queueMicrotask(() => resolve(document.querySelector('earshot-widget') !== null))); })()`;
    assert.equal(await page.evaluate(isBack), true);
    await button(page).click();
  }
  assert.deepEqual(wrong, []);
});

test('a site that keeps removing the widget is not slowed down by it', async (t) => {
  const { page, wrong } = await openPage(
    t,
    (url) => `earshot('init', { url: '${url}' }); window.removals = 0;
      new MutationObserver(() => document.querySelectorAll('earshot-widget').forEach((widget) => { removals++; widget.remove(); }))
        .observe(document, { childList: true, subtree: true });`,
  );
  const removals = () => page.evaluate<number>('window.removals');
  await until('given up', async () => {
    const before = await removals();
    await page.waitForTimeout(300);
    return before > 0 && (await removals()) === before;
  });
  const count = await removals();
  assert.ok(count > 50 && count <= 102, `${count} removals`);
  assert.deepEqual(wrong, []);
});

test('a page has one button, that of the last board, until it removes it', async (t) => {
  const { site, page, wrong } = await openPage(t, (url) => `earshot('init', { url: '${url}' });`);
  await button(page).waitFor();
  const { db, clock } = site;
  await db.transaction((tx) =>
    tx
      .insertInto('boards')
      .values({ ...site.board, id: 'other', pid: 'other', date_created: clock.now() })
      .execute(),
  );
  const init = (options: string) =>
    page.evaluate(`new Promise((resolve) => { earshot('on', 'ready', resolve); earshot('init', ${options}); })`);
  await init(`{ url: '${site.origin}/b/other', label: 'Other' }`);
  await until(
    'the button of the other board',
    async () => (await page.locator('.launch').allInnerTexts()).join() === 'Other',
  );
  await init(`{ url: '${site.origin}/b/acme' }`);
  await until('that of the first', async () => (await page.locator('.launch').allInnerTexts()).join() === 'Feedback');
  await init(`{ url: '${site.origin}/b/acme', button: false }`);
  await until('none', async () => (await page.locator('.launch').count()) === 0);
  assert.deepEqual(wrong, []);
});
