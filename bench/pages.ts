import { type Browser, chromium, type Page } from 'playwright-core';
import { requireBoard } from '../src/identity/board/board.ts';
import { makeSetupLink } from '../src/identity/team/inviting.ts';
import type { Engine } from '../src/platform/db/db.ts';
import { openDb } from '../src/platform/db/open.ts';
import { systemClock } from '../src/platform/lib/clock.ts';
import { atEnd } from './cleanup.ts';
import { type Served, startEarshot, untilAnswered } from './earshot.ts';
import type { Options } from './options.ts';
import { format, type PartResult, type Target } from './report.ts';
import { median } from './statistics.ts';
import type { Store, Stores } from './stores.ts';

/** A first visit: when the largest thing was painted, in ms, and by how much the layout moved. */
type Visit = { page: string; lcp: number; cls: number };
/** The time from an action to the next picture, in ms. */
type Interaction = { what: string; inp: number };

const SIZE = { posts: 1_000, commentsPerPost: 5 };
/** "Slow 4G" of Chromium's developer tools: 1.6 and 0.75 Mbit/s less a tenth, 562.5 ms to each answer. */
const SLOW_4G = {
  offline: false,
  latency: 562.5,
  downloadThroughput: (0.9 * 1_600_000) / 8,
  uploadThroughput: (0.9 * 750_000) / 8,
};
const LIMITS = { lcp: 1_200, cls: 0.02, inp: 100 };
const SETTLE_MS = 1_000;

/** What visitors wait for on a slow line: Chromium visits the board and a post with an empty cache, votes and searches. */
export async function measurePages(options: Options, stores: Stores): Promise<PartResult> {
  const browser = await launch();
  const visits: Visit[] = [];
  const interactions: Interaction[] = [];
  const [engine = 'sqlite'] = options.engines;
  console.error(`pages: ${engine}`);
  const store = await stores.make(engine, 'pages', SIZE);
  const { pid, path } = await readBoard(store);
  const served = await startEarshot(store);
  try {
    await untilAnswered(served, '/healthz');
    const post = await findCanonical(`${served.url}/b/${pid}/posts/1`);
    for (let n = -1; n < options.rounds; n++) {
      const round = [await visit(browser, served, `/b/${pid}`), await visit(browser, served, post)];
      // The first visit starts what the server loads with the first page.
      if (n >= 0) visits.push(...round);
    }
    interactions.push(...(await interact(browser, served, { pid, join: path, rounds: options.rounds })));
  } finally {
    await served.stop();
  }
  return report(engine, visits, interactions);
}

async function launch(): Promise<Browser> {
  const { default: packed } = await import('@sparticuz/chromium');
  const executablePath = process.env.CHROMIUM_PATH || (await packed.executablePath());
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  atEnd(() => void browser.close());
  return browser;
}

/** Where links to a page lead: a number alone costs a redirect, which no link of ours has. */
async function findCanonical(url: string): Promise<string> {
  return new URL((await fetch(url)).url).pathname;
}

/** The board's name in addresses, and the path of a link that makes an account. */
async function readBoard(store: Store): Promise<{ pid: string; path: string }> {
  const db = openDb(store);
  try {
    const board = await requireBoard(db.read, store.boardId);
    const link = await makeSetupLink({ db, clock: systemClock, baseUrl: 'http://localhost', board });
    return { pid: board.pid, path: new URL(link).pathname };
  } finally {
    await db.close();
  }
}

async function openPage(browser: Browser, served: Served): Promise<Page> {
  const context = await browser.newContext({ baseURL: served.url, viewport: { width: 412, height: 823 } });
  const page = await context.newPage();
  await page.addInitScript(OBSERVE);
  const session = await context.newCDPSession(page);
  await session.send('Network.emulateNetworkConditions', SLOW_4G);
  return page;
}

/** Runs in every page, and keeps what the browser tells of itself. */
const OBSERVE = `
  window.seen = { lcp: 0, cls: 0, inp: 0 };
  const watch = (type, take, more) => new PerformanceObserver((list) => list.getEntries().forEach(take))
    .observe({ type, buffered: true, ...more });
  watch('largest-contentful-paint', (entry) => { seen.lcp = entry.startTime; });
  watch('layout-shift', (entry) => { if (!entry.hadRecentInput) seen.cls += entry.value; });
  watch('event', (entry) => { if (entry.interactionId) seen.inp = Math.max(seen.inp, entry.duration); }, { durationThreshold: 16 });
`;

async function read(page: Page): Promise<{ lcp: number; cls: number; inp: number }> {
  await page.waitForTimeout(SETTLE_MS);
  return page.evaluate('window.seen');
}

async function visit(browser: Browser, served: Served, path: string): Promise<Visit> {
  const page = await openPage(browser, served);
  await page.goto(path, { waitUntil: 'networkidle' });
  const { lcp, cls } = await read(page);
  await page.context().close();
  return { page: path.includes('/posts/') ? 'post' : 'board', lcp, cls };
}

/** Votes and searches as a signed-in user. */
async function interact(
  browser: Browser,
  served: Served,
  { pid, join, rounds }: { pid: string; join: string; rounds: number },
): Promise<Interaction[]> {
  const page = await openPage(browser, served);
  await page.goto(join);
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('Email address').fill('ada@example.com');
  await page.getByLabel('Password').fill('correct horse battery');
  await page.locator('main button[type=submit]').click();
  await page.waitForURL('**/settings');
  const measured: Interaction[] = [];
  for (let n = 0; n < rounds; n++) {
    await page.goto(`/b/${pid}`, { waitUntil: 'networkidle' });
    const vote = page.locator('.post-row .vote').nth(n);
    // A version of the board without votes or search has nothing to measure there.
    if ((await vote.count()) > 0) {
      await vote.click();
      measured.push({ what: 'vote', inp: (await read(page)).inp });
      await page.goto(`/b/${pid}`, { waitUntil: 'networkidle' });
    }
    // On a screen of this width a button opens the search.
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    const search = page.getByRole('searchbox').first();
    await search.pressSequentially('dark mode', { delay: 80 });
    await search.press('Enter');
    await page.waitForURL(/[?&]\w+=dark/);
    measured.push({ what: 'search', inp: (await read(page)).inp });
  }
  return measured;
}

function report(engine: Engine, visits: readonly Visit[], interactions: readonly Interaction[]): PartResult {
  const pages = [...Map.groupBy(visits, ({ page }) => page)].map(([page, all]) => {
    return { page, lcp: median(all.map(({ lcp }) => lcp)), cls: Math.max(...all.map(({ cls }) => cls)) };
  });
  const done = [...Map.groupBy(interactions, ({ what }) => what)].map(([what, all]) => {
    // Below the threshold of what the browser tells, nothing is told.
    return { what, inp: Math.max(16, ...all.map(({ inp }) => inp)) };
  });
  const targets: Target[] = [
    ...pages.map(({ page, lcp }) => ({
      what: `${page}, largest contentful paint on slow 4G`,
      target: '≤ 1.2 s',
      measured: format(lcp / 1_000, ' s'),
      isMet: lcp <= LIMITS.lcp,
    })),
    ...pages.map(({ page, cls }) => ({
      what: `${page}, layout shift`,
      target: '≤ 0.02',
      measured: format(cls),
      isMet: cls < LIMITS.cls,
    })),
    ...done.map(({ what, inp }) => ({
      what: `${what}, slowest interaction to next paint`,
      target: '≤ 100 ms',
      measured: format(inp, ' ms'),
      isMet: inp < LIMITS.inp,
    })),
  ];
  return {
    tables: [
      {
        title: `Pages on slow 4G, ${engine}`,
        columns: ['', 'LCP ms, median', 'CLS, worst'],
        rows: pages.map(({ page, lcp, cls }) => [page, format(lcp), format(cls)]),
      },
    ],
    targets,
    samples: { visits, interactions },
  };
}
