import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { updateBoard } from '../../src/identity/board/board.ts';
import { listKeys } from '../../src/identity/keys/keys.ts';
import { exportBoard, exportFormats } from '../../src/operations/exports/export.ts';
import { seedBoard } from '../../src/operations/sample/seed.ts';
import { makePostCounter } from '../../web/settings/data/post-counter.ts';
import { launchBrowser, openSite, type Site } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { visitAsOwner } from './people.ts';

const browser = await launchBrowser();
const PAGE = '/b/acme/settings/export';

function seed({ db, clock, board }: Site, posts: number): Promise<unknown> {
  return seedBoard({ db, clock, board, baseUrl: 'http://board.test' }, posts);
}

test('posts are counted in the bytes of an export, whatever is written in them', async (t) => {
  const site = await openSite(t, browser);
  await seed(site, 20);
  const texts = ['a,b\n,c', '"\r\n"', ',', '\n,\n"post"', '{"row":"post"}', '🌒'];
  for (const text of texts) await site.api.createPost({ title: text, comment: text });
  const context = { ...site, baseUrl: 'http://board.test' };
  for (const format of exportFormats) {
    const options = { format, comments: true, votes: true, viewer: null, hasByteOrderMark: format === 'csv' };
    const bytes = Buffer.from((await Array.fromAsync(exportBoard(context, options))).join(''));
    for (const size of [1, 7, bytes.length]) {
      const count = makePostCounter(format);
      let posts = 0;
      for (let at = 0; at < bytes.length; at += size) posts = count(bytes.subarray(at, at + size));
      assert.equal(posts, 20 + texts.length, `${format}, ${size} bytes at a time`);
    }
  }
});

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts';

  test(`an owner downloads the board and makes a link for a spreadsheet, ${how}`, async (t) => {
    const site = await openSite(t, browser);
    const { page, wrong } = await visitAsOwner(site, { javaScriptEnabled });
    await page.getByRole('link', { name: 'Export' }).click();
    await page.getByText('no ideas to download').waitFor();
    await page.getByRole('link', { name: 'Post the first idea' }).waitFor();
    await seed(site, 30);
    await page.goto(PAGE);
    const form = page.getByRole('region', { name: 'Download a file' });
    await form.getByLabel('JSONL').check();
    await form.getByLabel('Include votes and voters').uncheck();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const file = await downloading;
    assert.equal(file.suggestedFilename(), 'acme-2026-11-21.jsonl');
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\n');
    const kinds = Map.groupBy(lines, (line) => JSON.parse(line).row as string);
    assert.deepEqual([kinds.get('post')?.length, kinds.has('comment'), kinds.has('vote')], [30, true, false]);
    if (javaScriptEnabled) await page.getByText('Downloaded: 30 ideas').waitFor();

    await page.getByLabel('What the link is for').fill('Accounting');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByText('Copy this link now').waitFor();
    const link = await page.locator('.secret').first().innerText();
    const { pathname, search } = new URL(link);
    assert.equal(pathname, '/api/board.csv');
    assert.equal(await page.locator('.secret').nth(1).innerText(), `=IMPORTDATA("${link}")`);
    site.clock.advance(1_000);
    const csv = await site.app.inject({ url: pathname + search });
    assert.deepEqual([csv.statusCode, csv.body.slice(0, 15)], [200, 'Post,URL,Title,']);
    const made = (await listKeys(site.db.read, site.board.id)).find(({ name }) => name === 'Accounting');
    assert.equal(made?.permissions, 'READ');
    await updateBoard(site.db, 'acme', { plan: 'FREE' });
    await page.goto(PAGE);
    await page.getByText('PLAN_REQUIRED').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Create link' }).count(), 0);
    assert.deepEqual(wrong, []);
  });
}

test('a download shows how far it is, and ends on both sides when it is cancelled', async (t) => {
  const site = await openSite(t, browser);
  const text = 'x'.repeat(20_000);
  for (let n = 0; n < 400; n++) await site.api.createPost({ title: 'Long', comment: text });
  const { page, wrong } = await visitAsOwner(site);
  await page.goto(PAGE);
  const network = await page.context().newCDPSession(page);
  const slow = { offline: false, latency: 0, downloadThroughput: 400_000, uploadThroughput: -1 };
  await network.send('Network.emulateNetworkConditions', slow);
  let broken = false;
  site.app.server.on('request', ({ url = '' }: IncomingMessage, response: ServerResponse) => {
    if (url.includes('/export/file')) {
      response.once('close', () => {
        broken = true;
      });
    }
  });
  await page.getByRole('button', { name: 'Download' }).click();
  await page.getByRole('progressbar', { name: 'Progress of the download' }).waitFor();
  await page.getByText(/^[1-9]\d* of 400 ideas$/).waitFor();
  await page.getByText(/about \d+ seconds left/).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Canceled. Nothing was saved.').waitFor();
  await until('the server knows', () => broken);
  await delay(500); // the page that was being read
  site.takeStatements();
  await delay(500);
  assert.deepEqual(site.takeStatements(), [], 'nothing more is read');

  await page.getByRole('button', { name: 'Download' }).click();
  await page.getByText(/^[1-9]\d* of 400 ideas$/).waitFor();
  site.app.server.closeAllConnections();
  await page.getByText('The download failed').waitFor();
  assert.deepEqual(
    wrong.filter((what) => !/ERR_INCOMPLETE|ERR_CONNECTION|ERR_EMPTY/.test(what)),
    [],
  );
});

test('a user who may not change the settings of a board cannot export it', async (t) => {
  const site = await openSite(t, browser);
  const { page } = await visitAsOwner(site);
  const file = `${PAGE}/file?format=jsonl`;
  assert.equal((await page.request.get(file)).status(), 200);
  await site.db.transaction((tx) => tx.updateTable('users').set({ role: 'MODERATOR' }).execute());
  assert.equal((await page.request.get(file)).status(), 403);
  const visitor = await site.visit('/b/acme');
  assert.match((await visitor.page.request.get(file)).url(), /sign-in/);
});
