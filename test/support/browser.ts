import assert from 'node:assert/strict';
import { createHash, X509Certificate } from 'node:crypto';
import { after, type TestContext } from 'node:test';
import axe, { type AxeResults, type ElementContext, type RunOptions } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { makeTestApp, type TestApp, type TestConfig } from './app.ts';
import { onEnd } from './cleanup.ts';
import { readCertificate } from './raw-receiver.ts';
import { PATIENCE_MS, until } from './until.ts';

/** A page and everything that went wrong on it: its console, its policy, requests to elsewhere. */
export type Watched = { page: Page; wrong: string[] };

/** An app that listens, and visitors to it. */
export type Site = TestApp & {
  origin: string;
  /** A new visitor, who has no cookies yet. */
  visit(path: string, options?: BrowserContextOptions): Promise<Watched>;
};

/** Serves a fresh store on a free port until the test ends. */
export async function openSite(t: TestContext, browser: Browser, config: TestConfig = {}): Promise<Site> {
  const testApp = await makeTestApp(t, 'sqlite', { web: true, ...config });
  const origin = await testApp.app.listen({ port: 0, host: '127.0.0.1' });
  return {
    ...testApp,
    origin,
    visit: (path, options = {}) => visitOrigin(t, browser, origin, path, options),
  };
}

/** A new visitor of a server, who has no cookies yet. */
export async function visitOrigin(
  t: TestContext,
  browser: Browser,
  origin: string,
  path: string,
  options: BrowserContextOptions = {},
): Promise<Watched> {
  const context = await browser.newContext({ baseURL: origin, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  onEnd(t, () => context.close());
  const page = await context.newPage();
  if (options.javaScriptEnabled !== false) waitForHydration(page);
  const wrong = watch(page, origin);
  await page.goto(path);
  return { page, wrong };
}

/** A page that was loaded is used only once its scripts have taken it over: what is done before is not noticed by them. */
function waitForHydration(page: Page): void {
  const { goto, reload } = page;
  // Effects, which listen to keys, run soon after that, and before the browser has nothing to do.
  const isReady = `new Promise((resolve) => {
    const isTakenOver = () => !window.__reactRouterContext ||
      Object.keys(document.querySelector('main') ?? document.body).some((key) => key.startsWith('__reactProps'));
    const look = () => isTakenOver() ? requestIdleCallback(() => resolve(true), { timeout: 2000 }) : setTimeout(look, 10);
    look();
  })`;
  // A page that leads on to another one at once ends what was asked of it.
  const takenOver = () => until('the page is taken over', () => page.evaluate<boolean>(isReady).catch(() => false));
  page.goto = async (...args) => {
    const response = await goto.apply(page, args);
    await takenOver();
    return response;
  };
  page.reload = async (...args) => {
    const response = await reload.apply(page, args);
    await takenOver();
    return response;
  };
}

function watch(page: Page, origin: string): string[] {
  const wrong: string[] = [];
  page.on('console', (message) => {
    // The answer 422 to a form with a mistake is noted as an error, and is none.
    const isRefusal = /status of (4\d\d)/.test(message.text());
    if (message.type() === 'error' && !isRefusal) wrong.push(message.text());
  });
  page.on('pageerror', (error) => wrong.push(String(error)));
  // Routes would take the browser its cache, which loads a part of a page only once.
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && /^https?:$/.test(url.protocol)) wrong.push(`request to ${url}`);
  });
  return wrong;
}

/** What of axe is WCAG 2.2 AA. */
export const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Which rules of axe to check: those with a tag, or some by name. */
type Rules = { tags?: string[]; rules?: string[] };

/** Everything that axe finds against WCAG 2.2 AA, in words, and against its own advice for pages. */
export async function findBarriers(
  page: Page,
  { tags = [...WCAG, 'best-practice'], rules }: Rules = {},
): Promise<string[]> {
  await placeBars(page, 'static');
  await untilStill(page);
  // It is asked directly: its package for Playwright opens another page for each analysis, which takes five times as long.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  const context: ElementContext = { exclude: [['iframe']] };
  const runOnly = rules ? { type: 'rule' as const, values: rules } : { type: 'tag' as const, values: tags };
  const options: RunOptions = { runOnly, resultTypes: ['violations'], iframes: false };
  const given = [context, options].map((value) => JSON.stringify(value)).join();
  const { violations } = await page.evaluate<Pick<AxeResults, 'violations'>>(
    `axe.run(${given}).then(({ violations }) => ({ violations }))`,
  );
  await placeBars(page, '');
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target} ${node.failureSummary ?? ''}`),
  );
}

/** Waits for transitions and animations that end: on their way, colors have less contrast. */
async function untilStill(page: Page): Promise<void> {
  const isStill = `document.getAnimations().every(({ effect, playState }) =>
    playState !== 'running' || effect.getComputedTiming().endTime === Infinity)`;
  await until('nothing moves', () => page.evaluate<boolean>(isStill));
}

/** Sticky bars cover parts of the page, which axe would report as targets that are too small. */
async function placeBars(page: Page, position: string): Promise<void> {
  const bars =
    "document.querySelectorAll('.site-header, .list-head, .site-footer, .bottom-bar, .save-bar, .embed-head, .embed-foot')";
  await page.evaluate(`${bars}.forEach((bar) => { bar.style.position = '${position}'; })`);
}

/** A page must fit its width, be free of barriers, and have caused nothing that it may not. */
export async function assertSound({ page, wrong }: Watched, where: string, rules: Rules = {}): Promise<void> {
  assert.deepEqual(await findBarriers(page, rules), [], where);
  const overflow = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  assert.ok(overflow <= 0, `${where} is ${overflow} px too wide`);
  assert.deepEqual(wrong, [], where);
}

/** The browser that the tests of a process share; each visitor has cookies of their own. */
let shared: Promise<Browser> | null = null;

/**
 * The browser for tests: that of CHROMIUM_PATH, else the one that npm has brought.
 * @param more arguments for it: with some, it is one of its own
 */
export function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  if (more.length > 0) return launch(more);
  shared ??= launch([]);
  return shared;
}

/** A browser that ignores all errors of certificates, as contexts of Playwright do, keeps nothing in its cache. */
function trustOfProxies(): string {
  const { publicKey } = new X509Certificate(readCertificate('good'));
  const key = publicKey.export({ type: 'spki', format: 'der' });
  return `--ignore-certificate-errors-spki-list=${createHash('sha256').update(key).digest('base64')}`;
}

async function launch(more: readonly string[]): Promise<Browser> {
  const { CHROMIUM_PATH: executablePath } = process.env;
  if (!executablePath) throw new Error('Tests need a browser: run them with npm test, or npm run test:only -- FILE');
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--in-process-gpu', trustOfProxies(), ...more],
  });
  after(() => browser.close());
  return browser;
}
