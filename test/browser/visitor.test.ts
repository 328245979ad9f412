import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContextOptions, FileChooser, Locator, Page } from 'playwright-core';
import { launchBrowser, openSite, type Site } from '../support/browser.ts';
import { publishNew } from '../support/changelog.ts';
import { PNG } from '../support/files.ts';
import { readMail } from './people.ts';

const browser = await launchBrowser();

/** How a visitor uses a page: how they press, type and choose files. */
type Hands = {
  options: BrowserContextOptions;
  press(target: Locator): Promise<void>;
  type(field: Locator, text: string): Promise<void>;
  pick(field: Locator, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void>;
};

/** More presses of Tab than any page of the walk has stops. */
const MAX_STOPS = 80;

/** Goes to a control with nothing but Tab. */
async function reach(target: Locator): Promise<void> {
  await target.waitFor();
  const isThere = () => target.evaluate((element) => element === element.ownerDocument.activeElement);
  for (let stops = 0; !(await isThere()); stops++) {
    assert.ok(stops < MAX_STOPS, `${target} is not reached by the keyboard`);
    await target.page().keyboard.press('Tab');
  }
}

/** On a very busy machine Chromium was once seen to open nothing for a press; people press again, too. */
async function openChooser(field: Locator, presses = 3): Promise<FileChooser> {
  await reach(field);
  const chooser = field.page().waitForEvent('filechooser', { timeout: 15_000 });
  await field.page().keyboard.press('Space');
  return presses === 1 ? chooser : chooser.catch(() => openChooser(field, presses - 1));
}

const ways: Record<string, Hands> = {
  'by keyboard alone': {
    options: {},
    async press(target) {
      await reach(target);
      await target.page().keyboard.press('Enter');
    },
    async type(field, text) {
      await reach(field);
      await field.page().keyboard.type(text);
    },
    async pick(field, file) {
      await (await openChooser(field)).setFiles(file);
    },
  },
  'without scripts': {
    options: { javaScriptEnabled: false },
    press: (target) => target.click(),
    type: (field, text) => field.fill(text),
    pick: (field, file) => field.setInputFiles(file),
  },
  'on a phone': {
    options: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    press: (target) => target.tap(),
    type: (field, text) => field.fill(text),
    pick: (field, file) => field.setInputFiles(file),
  },
};

for (const [how, hands] of Object.entries(ways)) {
  test(`an anonymous visitor finds an idea, votes, posts one with a picture, is answered and reads the changelog, ${how}`, async (t) => {
    const site = await openSite(t, browser);
    for (const title of ['Dark mode', 'Export to CSV']) await site.makePost(title);
    const { page, wrong } = await site.visit('/b/acme', hands.options);
    await find(page, hands);
    await vote(site, page, hands);
    await postIdea(page, hands);

    const posts = await site.api.posts({ sort: 'NEWEST' }, { nodes: { id: true, title: true, files: { name: true } } });
    const [idea] = posts.nodes;
    assert.deepEqual([idea?.title, idea?.files.length], ['Search by color', 1]);
    await site.api.createComment({ postId: idea?.id ?? '', text: 'We will.', type: 'OFFICIAL' });
    await publishNew(site, { title: 'Colors everywhere', text: 'It is here.', postIds: [idea?.id] });

    await page.reload();
    await page.getByText('We will.').first().waitFor();
    await hands.press(page.getByRole('link', { name: 'Changelog' }).filter({ visible: true }).first());
    await page.getByRole('heading', { name: 'Colors everywhere' }).waitFor();
    await page.getByText('It is here.').waitFor();
    assert.deepEqual(wrong, []);
  });
}

async function find(page: Page, { options, press, type }: Hands): Promise<void> {
  if (options.isMobile) await press(page.getByRole('button', { name: 'Search', exact: true }));
  await type(page.getByRole('searchbox', { name: 'Search ideas' }), 'dark');
  await page.keyboard.press('Enter');
  await page.waitForURL('**q=dark**');
  await page.getByRole('link', { name: 'Export to CSV' }).waitFor({ state: 'detached' });
  await press(page.getByRole('link', { name: 'Dark mode', exact: true }));
  await page.getByRole('heading', { name: 'Dark mode', level: 1 }).waitFor();
}

/** Votes as an anonymous visitor, who signs in by the mailed link and gets an account. */
async function vote(site: Site, page: Page, { options, press, type }: Hands): Promise<void> {
  await press(page.getByRole('button', { name: 'Vote for Dark mode, 0 votes' }).first());
  const place =
    options.javaScriptEnabled === false
      ? page.getByRole('form', { name: 'Sign in' })
      : page.getByRole('dialog', { name: 'Where can we reach you?' });
  await type(place.getByLabel('Email address'), 'lina@example.com');
  await press(place.getByRole('button').first());
  await page.getByText('Code sent to lina@example.com').waitFor();
  await page.goto((await readMail(site, 'lina@example.com')).path);
  await type(page.getByLabel('Your name'), 'Lina');
  await press(page.getByRole('button', { name: 'Create account' }));
  await page.getByText('Vote counted').waitFor();
  const posts = await site.api.posts({ sort: 'OLDEST' }, { nodes: { upvoteCount: true } });
  assert.equal(posts.nodes[0]?.upvoteCount, 1);
}

async function postIdea(page: Page, { press, type, pick }: Hands): Promise<void> {
  await page.goto('/b/acme');
  await type(page.getByLabel('Your idea in one sentence'), 'Search by color');
  await type(page.getByLabel('Details (optional)'), 'Like in this picture:');
  const form = page.locator('.new-idea');
  await pick(form.getByLabel('Add pictures'), { name: 'colors.png', mimeType: 'image/png', buffer: PNG });
  if (await form.locator('.markdown-tools').isVisible()) await form.getByRole('img', { name: 'colors.png' }).waitFor();
  await press(form.getByRole('button', { name: 'Post idea' }));
  await page.getByRole('heading', { name: 'Search by color', level: 1 }).waitFor();
  await page.getByRole('img', { name: 'colors.png' }).waitFor();
}
