import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { launchBrowser, visitOrigin } from '../support/browser.ts';
import { onEnd } from '../support/cleanup.ts';
import { findFreePort } from '../support/postgres.ts';
import { environmentFor, startServer } from '../support/process.ts';
import { makeStorePlace } from '../support/store.ts';
import { until } from '../support/until.ts';
import { setUpBoard } from './people.ts';

const browser = await launchBrowser();
const receiver = fileURLToPath(new URL('../../examples/node/receiver.mjs', import.meta.url));

test('a new user goes from the printed link to a delivery that is sent again', async (t) => {
  const server = await startServer(t, {
    ...environmentFor(await makeStorePlace(t, 'sqlite')),
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  });
  const link = new URL(/^ +(http\S+)$/m.exec(server.stdout())?.[1] ?? '');
  const { page, wrong } = await visitOrigin(t, browser, link.origin, link.pathname);
  await setUpBoard(page);
  const ask = await makeKey(page);

  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByText('No webhooks yet.').waitFor();
  await page.getByRole('link', { name: 'Create webhook' }).click();
  const port = await findFreePort();
  await page.getByLabel('Endpoint URL').fill(`http://127.0.0.1:${port}/webhook`);
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await page.getByRole('link', { name: 'Secrets' }).last().click();
  await page.getByRole('button', { name: 'Show secrets' }).click();
  const secret = (await page.locator('.secret').first().textContent()) ?? '';
  const printed = startReceiver(t, port, secret);
  await page.getByRole('link', { name: 'Deliveries' }).click();
  await untilPrinted(printed, 'listening on');
  await page.getByRole('button', { name: 'Verify and enable' }).click();
  await page.getByText('Endpoint verified').waitFor();
  await untilPrinted(printed, 'confirmed');

  ask('mutation { createUser(ssotype: \\"SSO\\", userId: \\"1\\", name: \\"Ada\\") { id } }');
  ask('mutation { createPost(title: \\"Dark mode\\", comment: \\"My eyes hurt.\\") { id } }', [
    ...['-H', 'ssotype: SSO'],
    ...['-H', 'ssoid: 1'],
  ]);
  await untilPrinted(printed, 'verified post.created');
  const delivered = page.getByRole('row').filter({ hasText: 'Delivered' });
  await reloadUntilShown(page, delivered);
  await delivered.getByRole('link', { name: 'post.created' }).click();
  await page.getByRole('heading', { name: 'Attempt 1: delivered' }).waitFor();
  await page.getByLabel('resend anyway').check();
  await page.getByRole('button', { name: 'Resend' }).click();
  await page.getByText('Resending', { exact: true }).waitFor();
  const second = page.getByRole('heading', { name: 'Attempt 2: delivered' });
  await reloadUntilShown(page, second);
  assert.deepEqual(wrong, []);
});

/** Makes a key and runs the line that is shown with it; the same line can then ask for something else. */
async function makeKey(page: Page): Promise<(query: string, more?: string[]) => void> {
  await page.getByRole('button', { name: /^Your menu/ }).click();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'APIs' }).click();
  await page.getByRole('link', { name: 'Create key' }).click();
  await page.getByLabel('Name').fill('Website');
  await page.locator('dialog[open] button[type=submit]').click();
  await page.getByText("I've saved it").waitFor();
  const line = (await page.locator('.secret').nth(1).textContent()) ?? '';
  assert.match(runLine(line), /"name":"Ideas of Acme"/);
  await page.getByRole('link', { name: "I've saved it" }).click();
  return (query, more = []) => {
    const words = more.map((word) => ` '${word}'`).join('');
    const answer = runLine(line.replace(/"query":"[^"]*"/, () => `"query":"${query}"`) + words);
    assert.match(answer, /^\{"data":\{"\w+":\{"id"/);
  };
}

/** As pasted into a terminal. */
function runLine(line: string): string {
  assert.match(line, /^curl /);
  return spawnSync('sh', ['-c', line], { encoding: 'utf8' }).stdout;
}

function startReceiver(t: TestContext, port: number, secret: string): string[] {
  const child = spawn(process.execPath, [receiver], {
    env: { PATH: process.env.PATH ?? '', PORT: String(port), SIGNING_SECRET: secret },
  });
  onEnd(t, () => child.kill('SIGKILL'));
  const printed: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => printed.push(text));
  return printed;
}

function reloadUntilShown(page: Page, shown: Locator): Promise<void> {
  return until('it is on the page', async () => {
    if ((await shown.count()) > 0) return true;
    await page.reload();
    return false;
  });
}

function untilPrinted(printed: readonly string[], words: string): Promise<void> {
  return until(`the receiver prints ${words}`, () => printed.join('').includes(words));
}
