import { globSync, readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import type { BrowserContextOptions } from 'playwright-core';
import type { Engine } from '../../src/platform/db/db.ts';
import { launchBrowser, visitOrigin, type Watched } from '../support/browser.ts';
import { type MailServer, parseMail, type ReceivedMail } from '../support/mail-server.ts';
import { findFreePort } from '../support/postgres.ts';
import { environmentFor, type RunningServer, startServer } from '../support/process.ts';
import { type ReverseProxy, startProxy } from '../support/proxy.ts';
import { makeStorePlace } from '../support/store.ts';
import { until } from '../support/until.ts';
import { ways } from './ways.ts';

/** Names of `.test` are here. */
export const browser = await launchBrowser(['--host-resolver-rules=MAP *.test 127.0.0.1']);

/** A server on a new store as an operator starts it, behind a proxy that ends TLS. */
export type Field = {
  baseUrl: string;
  /** The proxy by the custom domain that the board is given. */
  domainUrl: string;
  /** The link that the first start has printed. */
  setupLink: string;
  server: RunningServer;
  proxy: ReverseProxy;
  /** A new visitor, with a browser that has no cookies. */
  visit(url: string, options?: BrowserContextOptions): Promise<Watched>;
  /** The code in the newest mail to an address. */
  readCode(recipient: string): Promise<string>;
};

export const DOMAIN = 'feedback.customer.test';

/** Starts a server with nothing set but `BASE_URL`, and what the operator adds. */
export async function openField(
  t: TestContext,
  engine: Engine,
  { env = {}, mail }: { env?: Record<string, string>; mail?: MailServer } = {},
): Promise<Field> {
  const port = await findFreePort();
  const baseUrl = `https://ideas.example.test:${port}`;
  const place = await makeStorePlace(t, engine);
  const sending = mail ? { SMTP_URL: mail.url } : {};
  const server = await startServer(t, { ...environmentFor(place), BASE_URL: baseUrl, ...sending, ...env });
  const proxy = await startProxy(t, [server.url], {
    port,
    isSecure: true,
    passing: ways['nginx as in deploy/nginx.conf'],
  });
  const readMails = () => mail?.mails ?? readKept(place.dataDir);
  return {
    baseUrl,
    domainUrl: `https://${DOMAIN}:${port}`,
    setupLink: /^ +(https:\S+)$/m.exec(server.stdout())?.[1] ?? '',
    server,
    proxy,
    visit: (url, options) => visitThroughTls(t, url, options),
    async readCode(recipient) {
      const find = () => readMails().findLast(({ headers }) => headers.to === recipient);
      await until(`a mail to ${recipient}`, () => find() !== undefined);
      return /code: (\d{6})/.exec(find()?.text ?? '')?.[1] ?? '';
    },
  };
}

/** The mails of a server without a mail server, in the order in which they were kept. */
function readKept(dataDir: string): Pick<ReceivedMail, 'headers' | 'text'>[] {
  return globSync(`${dataDir}/mail/*.eml`)
    .sort()
    .map((file) => parseMail(readFileSync(file, 'utf8')));
}

/** A new visitor at a URL. What fails on the way is wrong as well, and so is a page that is broken. */
export async function visitThroughTls(
  t: TestContext,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Watched> {
  const { origin } = new URL(url);
  const visitor = await visitOrigin(t, browser, origin, 'about:blank', options);
  const { page, wrong } = visitor;
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // A page is left before it has loaded everything, and a browser without scripts loads none.
    const isMeant = reason === 'net::ERR_ABORTED' || (options.javaScriptEnabled === false && reason === 'csp');
    if (!isMeant) wrong.push(`${request.method()} ${request.url()}: ${reason}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 500) wrong.push(`${response.url()}: ${response.status()}`);
  });
  await page.goto(url);
  return visitor;
}
