import type { Browser } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';

/** How browsers refuse to keep something for a page, as a script that runs before those of the page. */
export const REFUSALS = {
  'denies storage': `for (const name of ['sessionStorage', 'localStorage'])
    Object.defineProperty(window, name, { get() { throw new DOMException('Access is denied', 'SecurityError'); } });`,
  'has no storage': `for (const name of ['sessionStorage', 'localStorage'])
    Object.defineProperty(window, name, { get: () => null });`,
  'has no room': `Storage.prototype.setItem = () => { throw new DOMException('The quota is exceeded', 'QuotaExceededError'); };`,
} as const;

/** Starts a browser that refuses storage to all pages and frames. */
export async function launchRefusing(refusal: string): Promise<Browser> {
  // With an argument, it is one of its own.
  const browser = await launchBrowser(['--test-third-party-cookie-phaseout']);
  const { newContext } = browser;
  browser.newContext = async (options) => {
    const context = await newContext.call(browser, options);
    await context.addInitScript(refusal);
    return context;
  };
  return browser;
}
