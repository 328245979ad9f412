import assert from 'node:assert/strict';
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { TOOLS_FOLDER } from '../../src/api/playground/assets.ts';
import { startBackground } from '../../src/background.ts';
import { makeLog } from '../../src/platform/lib/log.ts';
import { makeTransport } from '../../src/platform/mail/transport.ts';
import { makeMetrics } from '../../src/platform/metrics/metrics.ts';
import { launchBrowser } from '../support/browser.ts';
import { onEnd } from '../support/cleanup.ts';
import { makeTestSender } from '../support/sender.ts';
import { until } from '../support/until.ts';
import { startSite } from './tools-support.ts';

const BUDGET_BYTES = 1_700_000;
const browser = await launchBrowser();

test('both tools together stay within their budget', () => {
  const files = globSync('assets/*', { cwd: TOOLS_FOLDER }).map((file) => join(TOOLS_FOLDER, file));
  const sent = files.filter((file) => !files.includes(`${file}.br`));
  const bytes = sent.reduce((sum, file) => sum + statSync(file).size, 0);
  assert.ok(bytes > 0, 'run npm run build:tools');
  assert.ok(bytes <= BUDGET_BYTES, `${bytes.toLocaleString('en')} bytes`);
});

test('the playground shows docs and schema before a key is typed', async (t) => {
  const { visit } = await startSite(t, browser);
  const { page, wrong } = await visit('/api/v1/playground');
  await page.getByRole('link', { name: 'Mutation', exact: true }).click();
  await page.getByRole('link', { name: 'createPost' }).first().waitFor();
  await page.getByRole('button', { name: 'Show Schema' }).click();
  const schema = page.getByRole('region', { name: 'Schema' });
  await schema.getByText('type Mutation').waitFor();
  await schema.getByRole('searchbox').fill('votetype');
  await schema.locator('mark').first().waitFor();
  assert.doesNotMatch(await schema.innerText(), /type Board \{/);
  await schema.getByRole('button', { name: 'Copy' }).click();
  await schema.getByRole('button', { name: 'Copied' }).waitFor();
  assert.match(await page.evaluate<string>('navigator.clipboard.readText()'), /type Board \{/);
  const download = page.waitForEvent('download');
  await schema.getByRole('link', { name: 'Download' }).click();
  assert.equal((await download).suggestedFilename(), 'schema.graphql');
  assert.deepEqual(wrong, []);
});

test('the playground runs the four operations with its headers, introspects with them and copies one as cURL', async (t) => {
  const { api, visit, key, origin } = await startSite(t, browser);
  const { page, wrong, requests } = await visit('/api/v1/playground');
  await page.getByLabel('Value of apikey').fill(key);
  assert.match(await run(page, 'Board'), /"name": "Acme"/);
  assert.match(await run(page, 'CreateUser'), /"name": "Ada"/);
  const created = await run(page, 'CreatePost');
  assert.match(created, /"title": "Dark mode"/);
  const id = /"id": "([^"]+)"/.exec(created)?.[1] ?? '';
  await page.getByRole('button', { name: 'Post', exact: true }).click();
  await page.locator('.graphiql-editor-tool .view-lines').first().click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.evaluate(`navigator.clipboard.writeText('{"id":"${id}"}')`);
  await page.keyboard.press('ControlOrMeta+v');
  assert.match(await execute(page), /"upvoteCount": 0/);
  assert.equal((await api.post({ id }, { title: true }))?.title, 'Dark mode');

  const answer = page.waitForResponse((response) => response.url().endsWith('/graphql'));
  await page.getByRole('button', { name: /Re-fetch GraphQL schema/ }).click();
  const { data } = await (await answer).json();
  assert.equal(data.__schema.queryType.name, 'Query');
  const asked = requests.filter(({ url }) => url.endsWith('/graphql'));
  assert.equal(asked.length, 5);
  for (const { headers } of asked) {
    assert.deepEqual([headers.apikey, headers.ssotype, headers.ssoid], [key, 'SSO', '1']);
  }

  await page.getByLabel('Value of ssoid').fill("o'hara");
  await page.getByRole('button', { name: 'Copy as cURL' }).click();
  await page.getByText('Copied as cURL').waitFor();
  const line = await page.evaluate<string>('navigator.clipboard.readText()');
  assert.ok(line.startsWith(`curl '${origin}/api/v1/graphql'`));
  for (const part of [`-H 'apikey: ${key}'`, `-H 'ssoid: o'\\''hara'`, '--data-raw \'{"query":"# ', 'query Post(']) {
    assert.ok(line.includes(part), line);
  }
  assert.deepEqual(wrong, []);
});

test('a key is kept in memory only, unless it is to be remembered', async (t) => {
  const { visit, key } = await startSite(t, browser);
  const { page, wrong } = await visit('/api/v1/playground');
  await page.getByLabel('Value of apikey').fill(key);
  await run(page, 'Board');
  await run(page, 'CreateUser');
  await page.waitForTimeout(1_000); // GraphiQL stores its tabs half a second after a change
  assert.match(await readStorage(page), /CreateUser/);
  assert.doesNotMatch(await readStorage(page), new RegExp(key));
  await page.reload();
  assert.equal(await page.getByLabel('Value of apikey').inputValue(), '');

  await page.getByLabel('Value of apikey').fill(key);
  await page.getByLabel('Remember in this browser').check();
  await page.reload();
  assert.equal(await page.getByLabel('Value of apikey').inputValue(), key);
  await page.getByLabel('Remember in this browser').uncheck();
  assert.doesNotMatch(await readStorage(page), new RegExp(key));
  assert.deepEqual(wrong, []);
});

test('the playground shows the results of a subscription until it is stopped', async (t) => {
  const { visit, key, app, makePost } = await startSite(t, browser);
  const countStreams = async () => /^earshot_streams (\d+)$/m.exec((await app.inject('/metrics')).body)?.[1];
  const { page, wrong } = await visit('/api/v1/playground');
  await page.getByLabel('Value of apikey').fill(key);
  await page.getByLabel('Value of ssoid').fill('ada');
  await page.locator('.graphiql-query-editor .view-lines').first().click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.evaluate("navigator.clipboard.writeText('subscription { events { type post { title } } }')");
  await page.keyboard.press('ControlOrMeta+v');
  await page.getByRole('button', { name: /Execute query/ }).click();
  for (const title of ['First', 'Second']) {
    await makePost(title);
    await page.locator('.result-window').getByText(`"${title}"`).waitFor();
  }
  assert.equal(await countStreams(), '1');
  await page.getByRole('button', { name: /Stop query/ }).click();
  await until('the stream is left', async () => (await countStreams()) === '0');
  assert.deepEqual(wrong, []);
});

test('a sandbox runs the operations and shows what its webhook is sent; another visitor sees nothing of it', async (t) => {
  const site = await startSite(t, browser);
  startWorker(t, site);
  const { page, wrong, requests } = await site.visit('/api/v1/sandbox');
  const inbox = page.getByRole('region', { name: 'Webhook inbox' });
  site.clock.advance(1_000); // the app looks for keys it does not know once in a tenth of a second
  await inbox.getByText('verification').click();
  await inbox.getByText('hub.verify_token=sandbox-verify-token').waitFor();
  for (const operation of ['Board', 'CreateUser', 'CreatePost', 'Post']) {
    assert.match(await run(page, operation), /"data": \{/, operation);
  }
  await inbox.getByText('POST post.created').click();
  await inbox.getByText(/X-Hub-Signature: sha256=[0-9a-f]{64}/).waitFor();
  await inbox.getByText('"title": "Dark mode"').waitFor();
  const [introspection] = requests.filter(({ url }) => url.endsWith('/graphql'));
  assert.match(introspection?.headers.apikey ?? '', /^esk_/);

  const other = await site.visit('/api/v1/sandbox');
  await other.page.getByText('verification').waitFor();
  assert.equal(await other.page.getByText('post.created').count(), 0);
  const keyOf = (of: Page) => of.getByLabel('Value of apikey').inputValue();
  assert.notEqual(await keyOf(page), await keyOf(other.page));

  const before = await keyOf(page);
  await page.getByRole('button', { name: 'Reset' }).click();
  await page.locator(`[aria-label="Value of apikey"]:not([value="${before}"])`).waitFor();
  site.clock.advance(5_000); // the app reads its keys again
  assert.equal((await site.gql('{ board { id } }', {}, { key: before })).status, 401);
  assert.match(await run(page, 'Board'), /"name": "Sandbox"/);
  assert.deepEqual([wrong, other.wrong], [[], []]);
});

test('a visitor who comes when all sandboxes are in use learns when to retry', async (t) => {
  const site = await startSite(t, browser);
  for (let n = 0; n < 20; n++) await site.app.inject({ method: 'POST', url: '/api/v1/sandbox/board' });
  const { page } = await site.visit('/api/v1/sandbox');
  await page.getByText('All sandboxes are in use. One will be free in 10 minutes.').waitFor();
  await page.getByRole('button', { name: 'Try again' }).waitFor();
});

for (const path of ['/api/v1/playground', '/api/v1/sandbox']) {
  test(`${path} is accessible, in light and dark, wide and narrow`, async (t) => {
    const { visit } = await startSite(t, browser);
    const { page, wrong } = await visit(path);
    await page.locator('.graphiql-query-editor .view-line').first().waitFor();
    const accents = { light: 'rgb(45, 71, 190)', dark: 'rgb(145, 174, 253)' } as const;
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const accent = () =>
        page.evaluate<string>("getComputedStyle(document.querySelector('.graphiql-execute-button')).backgroundColor");
      await until('our accent', async () => (await accent()) === accents[colorScheme]);
      // GraphiQL's own faults: its tabs contain buttons, and Monaco's text field has a role that does not fit it.
      const axe = new AxeBuilder({ page }).disableRules('nested-interactive').exclude('.monaco-editor');
      const { violations } = await axe.analyze();
      assert.deepEqual(
        violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]),
        [],
        colorScheme,
      );
    }
    await page.setViewportSize({ width: 320, height: 640 });
    await fits(page, 320);
    assert.match(await run(page, 'Board'), /data|errors/);
    assert.deepEqual(wrong, []);
  });
}

/** Goes to the tab of an operation, runs it and gives the answer. */
async function run(page: Page, operation: string): Promise<string> {
  await page.getByRole('button', { name: operation, exact: true }).click();
  return execute(page);
}

async function execute(page: Page): Promise<string> {
  const answer = page.waitForResponse((response) => response.url().endsWith('/graphql'));
  await page.getByRole('button', { name: /Execute query/ }).click();
  return JSON.stringify(await (await answer).json(), null, 1);
}

/** Waits until nothing is wider than the screen: the editors follow its size a moment later. */
async function fits(page: Page, width: number): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const actual = await page.evaluate<number>('document.documentElement.scrollWidth');
    if (actual <= width) return;
    assert.ok(attempt < 50, `it is ${actual} px wide`);
    await page.waitForTimeout(100);
  }
}

function readStorage(page: Page): Promise<string> {
  return page.evaluate<string>(
    'indexedDB.databases().then((bases) => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, bases]))',
  );
}

/** Delivers what is due to the webhooks of sandboxes, as the worker of the server does. */
function startWorker(t: TestContext, { db, clock }: Awaited<ReturnType<typeof startSite>>): void {
  const metrics = makeMetrics();
  const transport = makeTransport({ smtpUrl: null, mailFrom: 'board@acme.example', dataDir: '' });
  const config = { baseUrl: 'http://board.test', dataDir: 'unused' };
  const worker = startBackground({
    db,
    clock,
    log: makeLog('silent'),
    metrics,
    sender: makeTestSender(),
    transport,
    config,
  });
  onEnd(t, async () => {
    await worker.stop();
  });
}
