import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import type { Trouble } from '../support/passing.ts';
import { engines } from '../support/store.ts';
import { until } from '../support/until.ts';
import { type Behind, openBehind } from './behind.ts';
import { visitThroughTls } from './field.ts';
import { ways } from './ways.ts';

/** What a restart, or a bad line, does to a form: the server gets nothing of it, or all of it, and the answer is lost. */
const troubles: Record<string, Trouble> = {
  'a 502 while the server restarts': { kind: 'answers itself', status: 502 },
  'a 503': { kind: 'answers itself', status: 503 },
  'a 504': { kind: 'answers itself', status: 504 },
  'a line that breaks before the form has arrived': { kind: 'cuts the request', at: 3 },
  'a line that breaks before the answer': { kind: 'cuts the response', at: 0 },
  'a reset before the answer': { kind: 'cuts the response', at: 0, isReset: true },
  'a line that breaks within the answer': { kind: 'cuts the response', at: 5 },
};

const NOT_YET = 'Not saved yet. We keep trying.';

/** Presses a button in trouble: the page sends the form again by itself. */
async function insist(page: Page, { proxy }: Behind, trouble: Trouble, press: () => Promise<void>): Promise<void> {
  const had = proxy.trouble(trouble, { only: ({ method }) => method === 'POST' });
  await press();
  await page.getByText(NOT_YET).waitFor();
  assert.ok(had.length > 0);
  proxy.heal();
  await page.getByText(NOT_YET).waitFor({ state: 'detached' });
}

/**
 * Loads a page again as a person does, who waits for what comes of it: loading it once more would break off what the first
 * time has sent.
 */
async function reloadUntil(page: Page, shown: Locator): Promise<boolean> {
  const problem = await page.reload().then(String, String);
  // The browser still turns to its own page: nothing was sent.
  if (problem.includes('Not attached')) return false;
  return shown.waitFor({ timeout: 10_000 }).then(
    () => true,
    () => false,
  );
}

const READ = '{ posts(sort: OLDEST) { nodes { title upvoteCount comments { nodes { text } } } } }';

/** Each engine with the other protocol: they have nothing to do with each other. */
for (const engine of engines) {
  const speaksHttp2 = engine === 'sqlite';
  const protocol = speaksHttp2 ? 'HTTP/2' : 'HTTP/1.1';

  test(`comments and ideas that fail on the way stay, and are posted once as soon as they can be, by ${protocol} [${engine}]`, async (t) => {
    const board = await openBehind(t, engine, { speaksHttp2 });
    board.proxy.passing = ways['nginx as in deploy/nginx.conf'];
    await board.makePost('Dark mode');
    const { page } = await board.visitAsMember('/b/acme/posts/1/dark-mode');
    const field = page.getByLabel('Your comment');
    for (const [name, trouble] of Object.entries(troubles)) {
      await field.fill(name);
      await insist(page, board, trouble, () => page.getByRole('button', { name: 'Comment', exact: true }).click());
      await page.locator('.comment', { hasText: name }).first().waitFor();
      await until('the field is empty', async () => (await field.inputValue()) === '');
    }
    const lost = troubles['a line that breaks before the answer'] as Trouble;
    await page.goto(`${board.baseUrl}/b/acme`);
    // A preview that is not answered is not sent again: without its button, it would be the idea.
    await page.getByLabel('Your idea in one sentence').fill('Half an idea');
    board.proxy.trouble({ kind: 'answers itself', status: 502 }, { only: ({ method }) => method === 'POST' });
    await page.getByRole('tab', { name: 'Preview' }).click();
    await page.getByText('Not saved. Try again.').waitFor();
    board.proxy.heal();
    await page.waitForTimeout(3_000);
    await page.getByRole('tab', { name: 'Write' }).click();
    await page.getByLabel('Your idea in one sentence').fill('Search by color');
    await insist(page, board, lost, () => page.getByRole('button', { name: 'Post idea' }).click());
    await page.getByRole('heading', { name: 'Search by color', level: 1 }).waitFor();

    const { posts } = await board.ask(READ);
    const [dark, ...others] = posts.nodes.map((post: { title: string; comments: { nodes: { text: string }[] } }) => ({
      title: post.title,
      texts: post.comments.nodes.map(({ text }) => text),
    }));
    assert.deepEqual(dark.texts.sort(), ['Because.', ...Object.keys(troubles)].sort());
    assert.deepEqual(others, [{ title: 'Search by color', texts: [] }]);
  });

  test(`a vote that fails on the way is shown as waiting, and counts once as soon as it can, by ${protocol} [${engine}]`, async (t) => {
    const board = await openBehind(t, engine, { speaksHttp2 });
    await board.makePost('Dark mode');
    const visitor = await visitThroughTls(t, `${board.baseUrl}/b/acme`);
    // What sends votes comes after the page: once to see that the server has it, and once to run it.
    const files = () =>
      visitor.page.evaluate<string[]>("performance.getEntriesByType('resource').map(({ name }) => name)");
    await until('votes can be sent', async () => {
      return (await files()).filter((file) => /\/vote-[\w-]+\.js$/.test(file)).length > 1;
    });
    await visitor.page.context().setOffline(true);
    await visitor.page.getByRole('button', { name: 'Vote for Dark mode, 0 votes' }).click();
    await visitor.page.getByText(NOT_YET).waitFor();
    await visitor.page.getByRole('button', { name: 'Vote for Dark mode, 1 vote', pressed: true }).waitFor();
    await visitor.page.context().setOffline(false);
    await visitor.page.getByText('Where can we reach you?').waitFor();

    const { page } = await board.visitAsMember('/b/acme');
    const vote = (votes: '0 votes' | '1 vote') =>
      page.getByRole('button', { name: `Vote for Dark mode, ${votes}`, pressed: votes === '1 vote' });
    const countVotes = async (): Promise<number> => (await board.ask(READ)).posts.nodes[0].upvoteCount;
    for (const [name, trouble] of Object.entries(troubles)) {
      const had = board.proxy.trouble(trouble, { only: ({ method }) => method === 'POST' });
      await vote('0 votes').click();
      await page.getByText(NOT_YET).waitFor();
      await vote('1 vote').waitFor();
      board.proxy.heal();
      await page.getByText(NOT_YET).waitFor({ state: 'detached' });
      await page.locator('.vote-count[data-changed]').waitFor({ state: 'detached' });
      await vote('1 vote').waitFor();
      assert.deepEqual([await countVotes(), had.length > 0], [1, true], name);

      board.proxy.trouble({ kind: 'answers itself', status: 502 });
      await vote('1 vote').click();
      await page.getByText(NOT_YET).waitFor();
      await vote('0 votes').waitFor();
      board.proxy.heal();
      await page.getByText(NOT_YET).waitFor({ state: 'detached' });
      await page.locator('.vote-count[data-changed]').waitFor({ state: 'detached' });
      assert.equal(await countVotes(), 0, name);
    }
  });

  test(`a form without scripts whose answer was lost is done once when the page is loaded again, by ${protocol} [${engine}]`, async (t) => {
    const board = await openBehind(t, engine, { speaksHttp2 });
    await board.makePost('Dark mode');
    const { page } = await board.visitAsMember('/b/acme/posts/1/dark-mode', { javaScriptEnabled: false });
    for (const [name, trouble] of Object.entries(troubles)) {
      const had = board.proxy.trouble(trouble, { only: ({ method }) => method === 'POST' });
      await page.getByLabel('Your comment').fill(name);
      await page.getByRole('button', { name: 'Comment', exact: true }).click();
      await until('it was sent', () => had.length > 0);
      board.proxy.heal();
      const comment = page.locator('.comment', { hasText: name });
      await until('it is sent again', () => reloadUntil(page, comment));
    }
    const { posts } = await board.ask(READ);
    const texts = posts.nodes[0].comments.nodes.map(({ text }: { text: string }) => text);
    assert.deepEqual(texts.sort(), ['Because.', ...Object.keys(troubles)].sort());
  });
}
