import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Engine } from '../../src/platform/db/db.ts';
import { openHost, untilTakenOver, visitHost } from '../browser/widget-support.ts';
import { startMailServer } from '../support/mail-server.ts';
import { startProxy } from '../support/proxy.ts';
import { browser, type Field, openField } from './field.ts';
import { allowWidget, changeSettings, setUp, signOut, voteAgain, voteAsVisitor, write } from './people.ts';
import { type WayName, ways } from './ways.ts';

/** A whole installation: how it was started, who comes with scripts, and what stands between it and them. */
type Walkthrough = {
  engine: Engine;
  /** Whether the operator has set all that the documentation advises, or only `BASE_URL`. */
  isAdvised: boolean;
  /** Whether the owner's browser runs scripts; that of the visitor then does not. */
  isOwnerScripted: boolean;
  /** Whether the visitor comes by the custom domain, or by the server's own host. */
  isByDomain: boolean;
  /** What is in between while the board is set up, while its settings change, and when the visitor comes. */
  ways: [WayName, WayName, WayName];
};

const walkthroughs: Walkthrough[] = [
  {
    engine: 'sqlite',
    isAdvised: false,
    isOwnerScripted: false,
    isByDomain: false,
    ways: ['nginx with proxy_pass alone', 'nginx with $host, which loses the port', 'HAProxy behind HAProxy'],
  },
  {
    engine: 'postgres',
    isAdvised: false,
    isOwnerScripted: true,
    isByDomain: false,
    ways: ['Caddy behind Caddy', 'Azure Application Gateway', 'nginx with proxy_pass alone'],
  },
  {
    engine: 'sqlite',
    isAdvised: true,
    isOwnerScripted: true,
    isByDomain: true,
    ways: ['nginx as in deploy/nginx.conf', 'nginx behind a tunnel', 'Caddy'],
  },
  {
    engine: 'postgres',
    isAdvised: true,
    isOwnerScripted: false,
    isByDomain: true,
    ways: ['Azure Application Gateway', 'nginx with $host, which loses the port', 'IIS with request routing'],
  },
];

for (const walkthrough of walkthroughs) {
  const { engine, isAdvised, isOwnerScripted } = walkthrough;
  const settings = isAdvised ? 'all that is advised' : 'BASE_URL alone';
  const how = isOwnerScripted ? 'with scripts' : 'without scripts';
  test(`behind TLS, with ${settings}, an owner sets up, ${how}, and an anonymous visitor takes part [${engine}]`, async (t) => {
    const advised = isAdvised && { env: { TRUST_PROXY: '127.0.0.1' }, mail: await startMailServer(t) };
    const field = await openField(t, engine, advised || {});
    const widget = await openWidget(t, field);
    const owner = await field.visit(field.setupLink, { javaScriptEnabled: isOwnerScripted });
    const [first, second, third] = walkthrough.ways;
    goBy(field, first);
    await setUp(owner.page);
    goBy(field, second);
    await changeSettings(owner.page, field);
    await allowWidget(owner.page, field, widget.origin);
    await signOut(owner.page);
    assert.deepEqual(owner.wrong, []);

    goBy(field, third);
    await takePart(field, walkthrough);
    if (isOwnerScripted) await voteInWidget(t, field, widget.origin);
    assert.deepEqual([field.proxy.failures, errorsOf(field)], [[], []]);
  });
}

function goBy({ proxy }: Field, way: WayName): void {
  proxy.passing = ways[way];
}

/** An anonymous visitor votes, writes, and leaves. */
async function takePart(field: Field, { isOwnerScripted, isByDomain }: Walkthrough): Promise<void> {
  const url = isByDomain ? field.domainUrl : field.baseUrl;
  const isScripted = !isOwnerScripted;
  const { page, wrong } = await field.visit(`${url}/`, { javaScriptEnabled: isScripted });
  assert.equal(page.url(), `${url}/b/feedback`);
  await voteAsVisitor(page, field, 'lina@example.com', isScripted);
  await write(page, url);
  await voteAgain(page, url);
  await signOut(page);
  assert.deepEqual(wrong, []);
}

/** Another site, with TLS as well, whose pages have the widget. */
async function openWidget(t: TestContext, { baseUrl }: Field): Promise<{ origin: string }> {
  const host = await openHost(t, baseUrl);
  host.pages.set('/', { script: `earshot('init', { url: '${baseUrl}/b/feedback' }); earshot('open');` });
  const { port } = await startProxy(t, [host.origin], { isSecure: true });
  return { origin: `https://shop.example-customer.test:${port}` };
}

async function voteInWidget(t: TestContext, field: Field, origin: string): Promise<void> {
  const { page, panel, wrong } = await visitHost(t, browser, `${origin}/`);
  await untilTakenOver(panel);
  await panel.getByRole('button', { name: 'Vote for Dark mode, 2 votes' }).click();
  await panel.getByRole('dialog').getByLabel('Email address').fill('wim@example.com');
  await panel.getByRole('button', { name: 'Continue' }).click();
  await panel.getByLabel('Code from the email').fill(await field.readCode('wim@example.com'));
  await panel.getByRole('dialog').waitFor({ state: 'detached' });
  await page.reload();
  await panel.getByRole('button', { name: 'Vote for Dark mode, 3 votes' }).waitFor();
  assert.deepEqual([wrong, await page.context().cookies()], [[], []]);
}

/** What the log calls an error. */
function errorsOf({ server }: Field): string[] {
  const lines = server.stderr().split('\n').filter(Boolean);
  return lines.filter((line) => JSON.parse(line).level === 'error');
}
