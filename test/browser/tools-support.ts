import type { TestContext } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { makeTestApp, type TestApp, type TestConfig } from '../support/app.ts';
import { onEnd } from '../support/cleanup.ts';

/** A page, and what went wrong on it: errors on its console, requests to other origins, violations of its policy. */
export type Watched = { page: Page; wrong: string[]; requests: { url: string; headers: Record<string, string> }[] };

/** An app that listens, and its visitors. */
export type Site = TestApp & {
  origin: string;
  /** Opens a path in a context of its own: another visitor. */
  visit(path: string, options?: BrowserContextOptions): Promise<Watched>;
};

/** Starts an app; it and its visits end with the test. */
export async function startSite(t: TestContext, browser: Browser, config: TestConfig = {}): Promise<Site> {
  const testApp = await makeTestApp(t, 'sqlite', config);
  const origin = await testApp.app.listen({ port: 0, host: '127.0.0.1' });
  return {
    ...testApp,
    origin,
    async visit(path, options = {}) {
      const context = await browser.newContext(options);
      onEnd(t, () => context.close());
      await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
      const page = await context.newPage();
      const watched = watch(page, origin);
      await page.goto(origin + path);
      return watched;
    },
  };
}

function watch(page: Page, origin: string): Watched {
  const wrong: string[] = [];
  const requests: Watched['requests'] = [];
  page.on('console', (message) => {
    // A refused operation is an answer like others, which the browser notes as an error.
    if (message.type() === 'error' && !message.location().url.endsWith('/graphql')) wrong.push(message.text());
  });
  page.on('pageerror', (error) => wrong.push(String(error)));
  page.on('request', (request) => {
    const url = request.url();
    if (!/^(data|blob):/.test(url) && new URL(url).origin !== origin) wrong.push(`request to ${url}`);
    requests.push({ url, headers: request.headers() });
  });
  return { page, wrong, requests };
}
