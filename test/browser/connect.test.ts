import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { makeTestApp } from '../support/app.ts';
import { assertSound, launchBrowser, type Site, visitOrigin } from '../support/browser.ts';
import { onEnd } from '../support/cleanup.ts';
import { register, VERIFIER } from '../support/oauth-agent.ts';
import { visitAs } from './people.ts';

const browser = await launchBrowser();
const HOSTILE =
  '<b>Claude</b> \u202e & a name that is as long as an assistant may give itself, and a little longer still';

/** A server whose address is that at which it listens, as assistants compare the two. */
async function openOwnSite(t: TestContext): Promise<Site> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const testApp = await makeTestApp(t, 'sqlite', { web: true, baseUrl: origin });
  await testApp.app.listen({ port, host: '127.0.0.1' });
  return { ...testApp, origin, visit: (path, options = {}) => visitOrigin(t, browser, origin, path, options) };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** An assistant on this device: where it listens for its answer, and what arrives there. */
async function startAssistant(t: TestContext) {
  const arrived: URLSearchParams[] = [];
  const server = createServer(({ url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    if (pathname === '/callback') arrived.push(searchParams);
    response.setHeader('content-type', 'text/html').end('<title>Assistant</title>Back in the assistant');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onEnd(t, () => server.close());
  return { callback: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`, arrived };
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts';

  test(`an admin connects an assistant and chooses what it may do, ${how}`, async (t) => {
    const site = await openOwnSite(t);
    const { callback, arrived } = await startAssistant(t);
    const { clientId, path } = await register(site, callback, HOSTILE);
    const admin = await visitAs(site, 'Ada Admin', { role: 'ADMIN', path: '/b/acme', javaScriptEnabled });
    const { page } = admin;
    await page.goto(path);
    await page.getByText('It is an app on this device').waitFor();
    assert.equal(await page.getByRole('heading', { level: 1 }).locator('b').count(), 0);
    if (javaScriptEnabled) await assertSound(admin, 'the page of an assistant');
    await page.getByLabel('Name').fill('Claude');
    await page.getByLabel('Changes', { exact: true }).fill('3');
    await page.getByLabel('May change things').check();
    await page.getByRole('button', { name: 'Connect' }).click();
    if (!javaScriptEnabled) await page.getByRole('link', { name: 'Continue' }).click();
    await page.getByText('Back in the assistant').waitFor();
    const [answer] = arrived;
    assert.equal(answer?.get('state'), 'a state');
    const form = { grant_type: 'authorization_code', code: answer?.get('code') ?? '', client_id: clientId };
    const body = new URLSearchParams({ ...form, redirect_uri: callback, code_verifier: VERIFIER });
    const response = await fetch(`${site.origin}/oauth/token`, { method: 'POST', body });
    const { access_token, scope } = await response.json();
    assert.deepEqual([typeof access_token, scope], ['string', 'read write']);
    await page.goto(`${site.origin}/b/acme/settings/apis`);
    await page.getByRole('link', { name: 'Claude' }).click();
    await page.getByText('Signs in by OAuth').waitFor();
    assert.equal(await page.getByLabel('Changes', { exact: true }).inputValue(), '3');
    // Where the assistant led back to is no longer a way in.
    await page.goto(`${site.origin}${path}`);
    await page.getByRole('button', { name: 'Refuse' }).click();
    if (!javaScriptEnabled) await page.getByRole('link', { name: 'Continue' }).click();
    await page.getByText('Back in the assistant').waitFor();
    assert.equal(arrived[1]?.get('error'), 'access_denied');
  });
}

test('an assistant is connected by a browser in which the board has been read before, however long the page is looked at', async (t) => {
  const site = await openOwnSite(t);
  const { callback, arrived } = await startAssistant(t);
  const { path } = await register(site, callback, 'Claude');
  const { page } = await visitAs(site, 'Ada Admin', { role: 'ADMIN', path: '/b/acme' });
  const asked: string[] = [];
  site.app.server.on('request', ({ url = '' }) => void asked.push(url));
  // From now on the worker of the pages is asked first.
  await page.evaluate('navigator.serviceWorker.ready.then(() => new Promise((done) => setTimeout(done, 500)))');
  await page.goto(path);
  await page.evaluate('new Promise((done) => setTimeout(done, 3_000))');
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByText('Back in the assistant').waitFor();
  assert.equal(typeof arrived[0]?.get('code'), 'string');
  // What works once is asked for once, wherever it is.
  for (const once of ['/join/nothing', '/sign-in/link/nothing', '/b/acme/settings'])
    await page.goto(site.origin + once);
  const navigations = asked.filter((url) => /^\/(oauth|join|sign-in\/link)\/|^\/b\/acme\/settings$/.test(url));
  assert.deepEqual(navigations.length, new Set(navigations).size, navigations.join('\n'));
});

test('who is signed out signs in first, and is asked then', async (t) => {
  const site = await openOwnSite(t);
  const { callback } = await startAssistant(t);
  const { path } = await register(site, callback, 'Claude');
  const { page } = await site.visit('/b/acme');
  await page.goto(path);
  await page.getByRole('form', { name: 'Sign in' }).waitFor();
  const next = new URL(page.url()).searchParams.get('next') ?? '';
  assert.equal(await page.getByText('To vote, comment').count(), 0);
  assert.match(next, /^\/connect\/[\w-]+$/);
});
