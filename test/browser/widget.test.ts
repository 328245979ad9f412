import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { setBoard } from '../../src/identity/board/board.ts';
import { findBarriers, launchBrowser, openSite, WCAG } from '../support/browser.ts';
import { publishNew } from '../support/changelog.ts';
import { until } from '../support/until.ts';
import { openHost, openSso, readCode, seenBy, untilTakenOver, visitHost } from './widget-support.ts';

// Cookies of other sites are blocked, as most browsers do.
const browser = await launchBrowser(['--test-third-party-cookie-phaseout']);

/** A board with an idea and news, single sign-on, and a site on which its widget may appear. */
async function openBoth(t: Parameters<typeof openSite>[0]) {
  const site = await openSite(t, browser);
  const host = await openHost(t, site.origin);
  await site.db.transaction((tx) => setBoard(tx, site.board.id, { widget_origins: host.origin }));
  await site.makePost('Dark mode');
  await publishNew(site, { title: 'Light mode' });
  return { site, host, sign: await openSso(site), url: `${site.origin}/b/acme` };
}

const voters = async ({ db }: Awaited<ReturnType<typeof openSite>>) =>
  (
    await db.read.selectFrom('votes').innerJoin('users', 'users.id', 'votes.user_id').select('users.name').execute()
  ).map(({ name }) => name);

/** What has the focus: in the panel, or else on the page. */
const focusOf = (page: Page) =>
  page.evaluate<string>(`(() => {
    const inside = document.querySelector('earshot-widget')?.shadowRoot?.activeElement;
    return inside ? inside.className || inside.localName : document.activeElement.id || document.activeElement.localName;
  })()`);

test('on another site, a button opens the board, and a token of that site signs its users in', async (t) => {
  const { site, host, sign, url } = await openBoth(t);
  const vera = sign({ id: 7, name: 'Vera Visitor' });
  host.pages.set('/', {
    body: '<button id="own">Other</button>',
    script: `for (const event of ['ready', 'open', 'close', 'identify', 'logout']) earshot('on', event, () => seen.push(event));
      earshot('init', { url: '${url}' });
      earshot('identify', { jwt: '${vera}' }, (error) => seen.push(error || 'done'));`,
  });
  const { page, panel, wrong } = await visitHost(t, browser, `${host.origin}/`);
  await until('signed in', async () => (await seenBy(page)).includes('done'));
  assert.deepEqual(await seenBy(page), ['ready', 'identify', 'done']);

  const button = page.getByRole('button', { name: 'Feedback, 1 new changelog entry' });
  assert.equal(await button.getAttribute('aria-expanded'), 'false');
  await button.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Feedback: Acme' }).waitFor();
  assert.equal(await button.getAttribute('aria-expanded'), 'true');
  assert.equal(await focusOf(page), 'close');
  await panel.getByText('Vera Visitor').waitFor();
  assert.deepEqual(await findBarriers(page, { tags: WCAG }), []);

  await panel.getByRole('button', { name: 'Dark mode' }).click();
  await until('voted', async () => (await voters(site)).includes('Vera Visitor'));
  await panel.getByLabel('Your idea in one sentence').fill('Softer beds');
  await panel.getByRole('button', { name: 'Post idea' }).click();
  await panel.getByRole('heading', { name: 'Softer beds', level: 1 }).waitFor();
  await panel.getByLabel('Your comment').fill('With two pillows');
  await panel.getByRole('button', { name: 'Comment', exact: true }).click();
  await panel.locator('.prose', { hasText: 'With two pillows' }).waitFor();

  await panel.getByRole('link', { name: 'Changelog 1', exact: true }).focus();
  await page.keyboard.press('Enter');
  await panel.getByRole('heading', { name: 'Light mode' }).waitFor();
  await panel.getByRole('link', { name: 'Changelog', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Feedback', exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await until('closed', async () => (await seenBy(page)).at(-1) === 'close');
  assert.equal(await focusOf(page), 'launch');

  await page.evaluate("earshot('logout', () => seen.push('out'))");
  await until('signed out', async () => (await seenBy(page)).includes('out'));
  await page.evaluate("earshot('open', { view: 'new' })");
  await panel.getByRole('link', { name: 'Sign in' }).waitFor();
  assert.deepEqual(await site.db.read.selectFrom('board_sessions').selectAll().execute(), []);
  await page.reload();
  await page.getByRole('button', { name: 'Feedback', exact: true }).waitFor();
  assert.deepEqual([wrong, (await page.context().cookies()).length], [[], 0]);
});

test('visitors without a token vote with a code from a mail, in the panel, which is the whole phone', async (t) => {
  const { site, host, url } = await openBoth(t);
  host.pages.set('/', { script: `earshot('init', { url: '${url}', theme: 'dark' }); earshot('open');` });
  const viewport = { width: 390, height: 844 };
  const { page, panel, wrong } = await visitHost(t, browser, `${host.origin}/`, { viewport });
  await untilTakenOver(panel);
  await panel.getByRole('button', { name: 'Dark mode' }).click();
  await panel.getByRole('dialog').getByLabel('Email address').fill('ada@example.com');
  await panel.getByRole('button', { name: 'Continue' }).click();
  await panel.getByRole('textbox', { name: 'Code from the email' }).fill(await readCode(site));
  await until('voted', async () => (await voters(site)).length === 1);
  const box = await page.getByRole('dialog', { name: 'Feedback: Acme' }).boundingBox();
  assert.deepEqual(box, { x: 0, y: 0, ...viewport });
  assert.equal(await panel.locator('html').getAttribute('data-theme'), 'dark');
  assert.deepEqual([wrong, (await page.context().cookies()).length], [[], 0]);
});

test('pages that were written for the hosted product work unchanged', async (t) => {
  const { site, host, sign, url } = await openBoth(t);
  const jwt = sign({ id: 8, name: 'Noah' });
  host.pages.set('/', {
    body: `<button class="wishes">Wishes</button> <a id="plain" data-nolt href="${url}/posts/1">Idea</a>
      <a id="modal" data-nolt="modal" href="${url}">Ideas</a> <a id="evil" data-nolt href="${host.origin}/elsewhere">Evil</a>`,
    script: `nolt('identify', { jwt: '${jwt}' }, () => {
      seen.push('identified');
      nolt('init', { url: '${url}', selector: '.wishes', newWindowOnCookieError: true });
    });`,
  });
  host.pages.set('/elsewhere', { script: '' });
  const { page, panel, wrong } = await visitHost(t, browser, `${host.origin}/`);
  await until('identified', async () => (await seenBy(page)).includes('identified'));
  // A private board shows nothing before that.
  await site.db.transaction((tx) => setBoard(tx, site.board.id, { access: 'MEMBERS' }));
  await page.getByRole('button', { name: 'Wishes' }).click();
  await panel.getByText('Noah').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Feedback' }).count(), 0);
  await page.getByRole('button', { name: 'Close' }).click();
  assert.equal(await focusOf(page), 'button');

  await page.locator('#modal').click();
  await panel.getByText('Noah').waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await focusOf(page), 'modal');
  await page.evaluate(
    `for (const call of [['nonsense'], [], null, 7, [{}], ['init', { url: 'x:', selector: '<' }], ['on'], ['identify', { jwt: 'x'.repeat(1e6) }, (error) => seen.push(error)]]) noltQueue.push(call)`,
  );
  await page.locator('#evil').click();
  assert.equal(page.url(), `${host.origin}/elsewhere`, 'links elsewhere stay as they are');

  await page.goBack();
  await until('identified', async () => (await seenBy(page)).includes('identified'));
  await page.locator('#plain').click();
  await page.waitForURL(`${url}/posts/1/dark-mode`);
  await page.getByRole('button', { name: 'Noah' }).waitFor();
  assert.deepEqual(wrong, []);
  assert.equal((await site.db.read.selectFrom('board_sessions').selectAll().execute()).length > 0, true);
});

test('other sites can neither frame the board nor speak to its frame', async (t) => {
  const { site, host, sign, url } = await openBoth(t);
  const other = await openHost(t, site.origin);
  other.pages.set('/', { script: `earshot('init', { url: '${url}' }); earshot('open');` });
  const refused = await visitHost(t, browser, `${other.origin}/`);
  await refused.page.getByRole('dialog').waitFor();
  await until('refused', async () => refused.wrong.some((line) => /frame-ancestors/.test(line)));
  assert.equal(await refused.panel.locator('h1').count(), 0);
  const link = refused.page.getByRole('link', { name: 'Open the board' });
  assert.equal(await link.getAttribute('href'), url);
  await refused.page.getByRole('button', { name: 'Close' }).click();

  // A frame that a window of another origin can reach: the widget hides its own in a shadow tree.
  const script = "addEventListener('message', ({ data }) => seen.push(data.earshot));";
  host.pages.set('/', { body: `<iframe src="${site.origin}/embed/acme"></iframe>`, script });
  const { page } = await visitHost(t, browser, `${host.origin}/`);
  const frame = page.frameLocator('iframe');
  const identify = { earshot: 'identify', jwt: sign({ id: 9, name: 'Mallory' }), call: 1 };
  await until('listening', async () => (await seenBy(page)).includes('ready'));
  await frame.getByRole('link', { name: 'Sign in' }).waitFor();
  const opening = page.waitForEvent('popup');
  await page.evaluate(`void window.open('${other.origin}/')`);
  await (await opening).evaluate(`opener[0].postMessage(${JSON.stringify(identify)}, '*')`);
  // From the right window, but not what it should be.
  await page.evaluate(`for (const message of [null, 'x'.repeat(1e7), { earshot: 'identify', jwt: 'x'.repeat(1e7), call: 1 },
    { earshot: 'identify', jwt: {} }, { earshot: 'show', path: '/b/acme/settings' }, { earshot: 'show', path: '/b/other' }, { earshot: 'show', path: 'https://example.com' }])
    document.querySelector('iframe').contentWindow.postMessage(message, '*')`);
  const show = { earshot: 'show', path: '/b/acme/changelog' };
  await page.evaluate(`document.querySelector('iframe').contentWindow.postMessage(${JSON.stringify(show)}, '*')`);
  await frame.getByRole('heading', { name: 'Light mode' }).waitFor();
  assert.equal(await frame.getByRole('link', { name: 'Sign in' }).count(), 1);
  assert.deepEqual(await site.db.read.selectFrom('board_sessions').selectAll().execute(), []);

  // Nor to the page around it.
  host.pages.set('/widget', { script: `earshot('init', { url: '${url}' }); earshot('open');` });
  await page.goto(`${host.origin}/widget`);
  await page.frameLocator('earshot-widget iframe').getByRole('link', { name: 'Sign in' }).waitFor();
  const again = page.waitForEvent('popup');
  await page.evaluate(`void window.open('${other.origin}/')`);
  await (await again).evaluate("opener.postMessage({ earshot: 'close' }, '*')");
  await page.evaluate("postMessage({ earshot: 'close' }, '*')");
  assert.equal(await page.getByRole('dialog').count(), 1);
});
