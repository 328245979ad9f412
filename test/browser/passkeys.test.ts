import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { makeTestApp } from '../support/app.ts';
import { assertSound, launchBrowser, type Site, visitOrigin } from '../support/browser.ts';
import { ageSessions, takeCode } from '../support/own-account.ts';
import { PASSWORD } from './people.ts';

const browser = await launchBrowser();
const PAGE = '/b/acme/settings/account';

/** A site at `localhost`: browsers use passkeys neither at IP addresses nor, without https, at other names. */
async function openLocalSite(t: TestContext): Promise<Site> {
  const port = await findFreePort();
  const origin = `http://localhost:${port}`;
  const testApp = await makeTestApp(t, 'sqlite', { web: true, baseUrl: origin });
  await testApp.app.listen({ port, host: 'localhost' });
  return { ...testApp, origin, visit: (path, options = {}) => visitOrigin(t, browser, origin, path, options) };
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, 'localhost');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

/** Gives the page a device that unlocks its passkeys by itself. */
async function addDevice(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
  } as const;
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
  });
}

test('a user adds a passkey, signs in and votes with it, and removes it', async (t) => {
  const site = await openLocalSite(t);
  await site.makePost('Dark mode');
  const visitor = await site.visit(`/sign-in?next=${PAGE}`);
  const { page, wrong } = visitor;
  await addDevice(page);
  await page.getByLabel('Email address').fill('lina@example.com');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Code from the email').fill(await takeCode(site, 'lina@example.com'));
  await page.waitForURL(`**${PAGE}`);
  await ageSessions(site, 0);
  await page.reload();
  const section = page.getByRole('region', { name: 'Passkeys' });
  await section.getByRole('button', { name: 'Add a passkey' }).click();
  await section.getByText('Not used yet').waitFor();
  await assertSound(visitor, 'the account with a passkey');

  await page.context().clearCookies();
  await page.goto(`/sign-in?next=${PAGE}`);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.waitForURL(`**${PAGE}`);
  await section.getByText('Last used: today').waitFor();

  await page.context().clearCookies();
  await page.goto('/b/acme');
  await page.getByRole('button', { name: /Dark mode/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('button', { name: 'Your menu, Lina' }).waitFor();
  await page.getByRole('button', { name: /Dark mode/, pressed: true }).waitFor();

  await ageSessions(site, 0);
  await page.goto(PAGE);
  await page.getByLabel('New password').first().fill(PASSWORD);
  await page.getByRole('button', { name: 'Set password' }).click();
  await section.getByLabel('Current password').last().waitFor();
  await section.getByText('Remove').first().click();
  await section.getByLabel('Current password').first().fill(PASSWORD);
  await section.getByRole('button', { name: 'Remove' }).click();
  await section.getByText('Last used').waitFor({ state: 'detached' });
  await page.context().clearCookies();
  await page.goto('/sign-in');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByText('The passkey was not accepted').waitFor();
  assert.deepEqual(wrong, []);
});
