import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import jsonwebtoken from 'jsonwebtoken';
import type { Browser, BrowserContextOptions, FrameLocator, Page } from 'playwright-core';
import { changeSsoSettings, decryptSsoSecrets, rotateSsoSecret } from '../../src/identity/sso/settings.ts';
import { findUser } from '../../src/identity/users/users.ts';
import type { Site } from '../support/browser.ts';
import { onEnd } from '../support/cleanup.ts';
import { testCipher, textOfMail } from '../support/sender.ts';
import { PATIENCE_MS, until } from '../support/until.ts';

/** A page of another site: its markup, and the script that it loads before the widget. */
export type HostPage = { body?: string; script: string };

/** Another site, which allows scripts and frames of the board and nothing else. */
export type Host = { origin: string; pages: Map<string, HostPage> };

/** What a page of a host records: violations of its policy, and what the widget has called back. */
const RECORD = `window.seen = [];
document.addEventListener('securitypolicyviolation', (event) => seen.push('violation of ' + event.effectiveDirective));
window.earshotQueue = window.earshotQueue || [];
function earshot() { earshotQueue.push(arguments); }
window.noltQueue = window.noltQueue || [];
function nolt() { noltQueue.push(arguments); }
`;

/** Serves another site. Its name is `localhost`, so that the board, at 127.0.0.1, is not of the same site. */
export async function openHost(t: TestContext, board: string): Promise<Host> {
  const pages = new Map<string, HostPage>();
  const server = createServer(({ url = '/' }, response) => {
    const page = pages.get(url.replace(/\.js$/, ''));
    const { origin } = new URL(board);
    const policy = `default-src 'none'; script-src 'self' ${origin}; frame-src ${origin}; require-trusted-types-for 'script'`;
    response.setHeader('content-security-policy', policy);
    response.setHeader('content-type', url.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8');
    if (!page) return response.writeHead(404).end();
    response.end(url.endsWith('.js') ? RECORD + page.script : documentOf(url, page, board));
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  onEnd(t, async () => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://localhost:${(server.address() as AddressInfo).port}`, pages };
}

function documentOf(url: string, { body = '' }: HostPage, board: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Oak & Anchor</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><script src="${url}.js"></script>
<script async src="${board}/widget.js"></script></head>
<body><main><h1>Small houses by large water</h1>${body}</main></body></html>`;
}

/** A visitor of a host, and everything that went wrong on the page. */
export async function visitHost(
  t: TestContext,
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; panel: FrameLocator; wrong: string[] }> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  onEnd(t, () => context.close());
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on('console', (message) => {
    // A private board answers 404 before the visitor is known.
    if (message.type() === 'error' && !/status of 404/.test(message.text())) wrong.push(message.text());
  });
  page.on('pageerror', (error) => wrong.push(String(error)));
  await page.goto(url);
  return { page, panel: page.frameLocator('earshot-widget iframe'), wrong };
}

/** Waits until a panel's page is taken over by its scripts, with which votes and signing in stay on it. */
export const untilTakenOver = (panel: FrameLocator) =>
  until('the panel is taken over', () =>
    panel.locator('main').evaluate((main) => Object.keys(main).some((key) => key.startsWith('__reactProps'))),
  );

/** What a page of a host has recorded. */
export const seenBy = (page: Page) => page.evaluate<string[]>('window.seen');

/** Turns single sign-on on, and gives what signs its tokens. */
export async function openSso({ db, clock, board }: Site) {
  const actor = await findUser(db.read, board.id, { ssoType: 'SSO', ssoId: 'ada' });
  if (!actor) throw new Error('The board has no owner');
  const context = { db, clock, baseUrl: 'http://board.test', board, actor };
  await changeSsoSettings(context, { algorithm: 'HS256' });
  const [secret = ''] = decryptSsoSecrets(testCipher, await rotateSsoSecret(context, testCipher));
  return (claims: object, key = secret) =>
    jsonwebtoken.sign({ exp: clock.now() / 1_000 + 300, ...claims }, key, { noTimestamp: true });
}

/** The code of the mail with which a visitor signs in. */
export async function readCode({ db }: Site): Promise<string> {
  const sent = async () => db.read.selectFrom('mails').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst();
  await until('a mail is sent', async () => (await sent()) !== undefined);
  const mail = await sent();
  return /code: (\d{6})/.exec(mail ? textOfMail(mail) : '')?.[1] ?? '';
}
