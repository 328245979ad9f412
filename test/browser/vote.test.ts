import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { compile } from 'svelte/compiler';
import { build, type Plugin } from 'vite';
import { compileScript, parse } from 'vue/compiler-sfc';
import { createPublishableKey } from '../../src/identity/keys/publishable.ts';
import { operator } from '../../src/identity/users/authority.ts';
import { launchBrowser, openSite, type Site } from '../support/browser.ts';
import { onEnd } from '../support/cleanup.ts';
import { PATIENCE_MS } from '../support/until.ts';
import { readCode } from './widget-support.ts';

const browser = await launchBrowser();
const root = fileURLToPath(new URL('../..', import.meta.url));
const examples = join(root, 'examples/vote');
const element = join(root, 'web/build/widget/vote.js');

/** A board, a website whose pages are these, and a key for it in their place. */
async function openBoth(t: TestContext, pages: Record<string, string>) {
  const site = await openSite(t, browser);
  await site.makePost('Dark mode');
  const own = await serve(t, (url) => withKey(pages[url] ?? '', site, key), site.origin);
  const settings = { name: 'Site', origins: own, documents: '', perNetwork: 600, perVisitor: 60 };
  const { key } = await createPublishableKey({ ...site, baseUrl: '', actor: operator }, settings, () => {});
  site.clock.advance(5_000);
  return { site, own, key };
}

function withKey(text: string, site: Site, key: string): string {
  return text.replaceAll('https://feedback.example.com', site.origin).replaceAll('epk_YOUR_KEY', key);
}

/** Serves a website at `localhost`, which allows scripts and requests of the board and nothing else. */
async function serve(t: TestContext, read: (url: string) => string, board: string): Promise<string> {
  const server = createServer(({ url = '/' }, response) => {
    const path = url.split('?', 1)[0] ?? '/';
    const policy = `default-src 'none'; script-src 'self' ${board}; connect-src ${board}; style-src 'unsafe-inline'`;
    response.setHeader('content-security-policy', policy);
    response.setHeader('content-type', path.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8');
    response.end(read(path));
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  onEnd(t, async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

async function visit(t: TestContext, options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  onEnd(t, () => context.close());
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on('pageerror', (error) => wrong.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
  return { context, page, wrong };
}

const button = (page: Page) => page.locator('earshot-vote').getByRole('button');

/** Votes as a visitor whom the board does not know: address, code, and the question of the board. */
async function voteFirst(page: Page, site: Site) {
  await button(page).filter({ hasText: '0' }).click();
  await signInAndAllow(page, site);
}

async function signInAndAllow(page: Page, site: Site) {
  await page.getByLabel('Email address').fill('vera@example.com');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Code from the email').fill(await readCode(site));
  await page.getByText('(vera@example.com)').waitFor();
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
}

async function isVoted(page: Page, votes: number) {
  await button(page)
    .and(page.locator('[aria-pressed=true]'))
    .filter({ hasText: String(votes) })
    .waitFor();
}

test('the element weighs at most 3 KB', () => {
  assert.ok(statSync(`${element}.br`).size <= 3_072, `${statSync(`${element}.br`).size} bytes`);
});

test('a visitor votes on a plain page, changes their mind, and takes back what they allowed', async (t) => {
  const { site, own } = await openBoth(t, { '/': readFileSync(join(examples, 'plain.html'), 'utf8') });
  const { page, wrong, context } = await visit(t);
  await page.goto(`${own}/?from=mail#news`);
  await voteFirst(page, site);
  await isVoted(page, 1);
  assert.equal(page.url(), `${own}/?from=mail#news`);
  await button(page).click();
  await button(page).and(page.locator('[aria-pressed=false]')).filter({ hasText: '0' }).waitFor();
  await button(page).click();
  await isVoted(page, 1);
  await page.reload();
  await isVoted(page, 1);
  assert.deepEqual(wrong, []);

  const profile = await context.newPage();
  await profile.goto(`${site.origin}/b/acme/settings/profile`);
  await profile.getByRole('button', { name: 'End Site', exact: true }).click();
  await profile.getByRole('heading', { name: 'Websites that vote in your name' }).waitFor({ state: 'detached' });
  await page.reload();
  await button(page).and(page.locator('[aria-pressed=false]')).filter({ hasText: '1' }).click();
  await page.getByRole('heading', { name: /^Let \u2068localhost:\d+\u2069 vote in your name\?$/ }).waitFor();
});

test('a link that another website has made gives the visitor no token of another person', async (t) => {
  const { own } = await openBoth(t, { '/': readFileSync(join(examples, 'plain.html'), 'utf8') });
  const { page } = await visit(t);
  for (const state of ['&state=1', '&state=', '']) {
    await page.goto('about:blank');
    await page.goto(`${own}/#earshot=evt_${'x'.repeat(43)}&post=1${state}`);
    await button(page).and(page.locator('[aria-pressed=false]')).filter({ hasText: '0' }).waitFor();
    assert.equal(await page.evaluate('localStorage.length'), 0);
  }
});

test('the board asks for no website that the key does not allow', async (t) => {
  const { site, key } = await openBoth(t, {});
  const { page } = await visit(t);
  for (const back of [
    'https://evil.example.com/',
    'javascript:alert(1)',
    'http://localhost.evil.example/',
    '//evil.example',
  ]) {
    await page.goto(`${site.origin}/b/acme/allow?${new URLSearchParams({ key, return: back })}`);
    await page.getByText('This link does not work here').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Allow', exact: true }).count(), 0);
  }
});

test('a visitor votes in the web view of an app, in a tab beside it', async (t) => {
  const html = readFileSync(join(examples, 'plain.html'), 'utf8').replace('post="1"', 'post="1" target="_blank"');
  const { site, own } = await openBoth(t, { '/': html });
  const { page, context } = await visit(t, {
    viewport: { width: 390, height: 780 },
    isMobile: true,
    hasTouch: true,
    userAgent:
      'Mozilla/5.0 (Linux; Android 15; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/140 Mobile',
  });
  await page.goto(own);
  const opened = context.waitForEvent('page');
  await button(page).filter({ hasText: '0' }).tap();
  const tab = await opened;
  await signInAndAllow(tab, site);
  await isVoted(tab, 1);
  // The page that was left open is allowed, too.
  await button(page).and(page.locator('[aria-pressed=true]')).filter({ hasText: '1' }).waitFor();
});

for (const [name, entry] of [
  ['React', 'react.jsx'],
  ['Vue', 'vue.js'],
  ['Svelte', 'svelte.js'],
] as const) {
  test(`a visitor votes in an app of ${name}`, async (t) => {
    const script = await bundle(join(examples, entry));
    const html = '<!doctype html><title>App</title><div id="app"></div><script type="module" src="/app.js"></script>';
    const { site, own } = await openBoth(t, { '/': html, '/app.js': script });
    const { page, wrong } = await visit(t);
    await page.goto(own);
    await voteFirst(page, site);
    await isVoted(page, 1);
    await page.getByText('Thank you').waitFor();
    assert.deepEqual(wrong, []);
  });
}

/** Bundles an example as its readers do. */
async function bundle(entry: string): Promise<string> {
  const components: Plugin = {
    name: 'components',
    transform(code, id) {
      if (id.endsWith('.svelte')) return compile(code, { filename: id, generate: 'client' }).js;
      return id.endsWith('.vue') ? compileVue(code, id) : null;
    },
  };
  const built = await build({
    root: examples,
    configFile: false,
    logLevel: 'error',
    plugins: [components],
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: {
      alias: { '@earshot/vote': element },
      conditions: ['browser'],
    },
    build: { write: false, lib: { entry, formats: ['es'] } },
  });
  const [{ output }] = built as { output: { code: string }[] }[] as [{ output: { code: string }[] }];
  return output[0]?.code ?? '';
}

function compileVue(code: string, filename: string): string {
  const { descriptor } = parse(code, { filename });
  const compilerOptions = { isCustomElement: (tag: string) => tag.startsWith('earshot-') };
  return compileScript(descriptor, { id: 'vote', inlineTemplate: true, templateOptions: { compilerOptions } }).content;
}
