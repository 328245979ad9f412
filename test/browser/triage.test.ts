import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertSound, findBarriers, launchBrowser, openSite, type Site } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { visitAsOwner } from './people.ts';

const browser = await launchBrowser();

/** What is already planned, and what people ask for again. */
const PLANNED = [
  ['Dark mode for printed reports', 'A dark mode when reports are printed'],
  ['Export tasks to a spreadsheet', 'Export my tasks to a spreadsheet'],
] as const;

/** What else people ask for, and what the team does with it. */
const FRESH = {
  status: ['Search inside attachments', 'Undo in the whiteboard'],
  tag: ['Gantt bars overlap', 'Slack emoji status'],
  snooze: ['Apple watch', 'Karaoke evening'],
  reply: ['Login fails sometimes', 'Invoice went missing'],
  done: ['Thank you all', 'Hello from Lima'],
} as const;

type Doing = keyof typeof FRESH | 'merge';
const ANSWER = 'Thanks, we look into it.';
const VOTERS = ['mia', 'ben', 'eva'];

/** Twelve fresh ideas, two of which are duplicates; the one that was posted last comes first. */
async function fill(site: Site): Promise<{ title: string; doing: Doing }[]> {
  for (const name of VOTERS) await site.makeUser(name);
  await site.api.createTag({ name: 'Later' });
  const { statuses } = await site.ask('{ statuses: listStatuses { id name } }');
  const planned = statuses.find(({ name }: { name: string }) => name === 'Planned').id;
  for (const [title] of PLANNED) {
    const id = await site.makePost(title);
    for (const as of VOTERS) await site.api.as(as).upvotePost({ postId: id });
    await site.api.changePostStatus({ postId: id, statusType: 'CUSTOM', statusId: planned });
  }
  const merged = PLANNED.map(([, title]) => ({ title, doing: 'merge' as const }));
  const others = (Object.keys(FRESH) as (keyof typeof FRESH)[]).flatMap((doing) =>
    FRESH[doing].map((title) => ({ title, doing })),
  );
  const todo = [];
  for (const { title, doing } of [...merged, ...others]) {
    site.clock.advance(1_000);
    await site.makePost(title, { as: 'mia' });
    todo.unshift({ title, doing });
  }
  return todo;
}

const KEYS: Record<Doing, readonly string[]> = {
  merge: ['m', 'Enter'],
  status: ['s', 'P', 'Enter'],
  tag: ['t', 'Space', 'Enter', 'e'],
  snooze: ['z', 'Enter'],
  reply: ['r'],
  done: ['e'],
};

async function stateOf(site: Site) {
  const { planned, merged, posts } = await site.ask(`{
    planned: posts(where: { statusTypes: [CUSTOM] }) { totalCount }
    merged: posts(where: { statusTypes: [MERGED] }) { totalCount }
    posts(limit: 100) { nodes { tags { name } commentCount } }
  }`);
  const having = (fits: (post: { tags: unknown[]; commentCount: number }) => boolean) =>
    posts.nodes.filter(fits).length;
  return {
    planned: planned.totalCount,
    merged: merged.totalCount,
    tagged: having(({ tags }) => tags.length > 0),
    answered: having(({ commentCount }) => commentCount > 0),
  };
}

test('a dozen fresh ideas, two of them duplicates, are triaged by keys alone', async (t) => {
  const site = await openSite(t, browser);
  const todo = await fill(site);
  assert.equal(todo.length, 12);
  const { page, wrong } = await visitAsOwner(site);
  await page.goto('/b/acme/triage/unanswered');
  const counted = { keys: 0, loads: 0 };
  page.on('request', (request) => {
    if (request.resourceType() === 'document') counted.loads += 1;
  });
  const press = async (key: string) => {
    counted.keys += 1;
    await page.keyboard.press(key);
  };
  await press('j');
  for (const { title, doing } of todo) {
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await decide(page, doing, press);
  }
  await page.getByText('Nothing left to triage').waitFor();
  assert.deepEqual(await stateOf(site), { planned: 4, merged: 2, tagged: 2, answered: 2 });
  // One key opens the first, and each is decided with one to four.
  assert.deepEqual(counted, { keys: 1 + 2 * (2 + 3 + 4 + 2 + 2 + 1), loads: 0 }, 'every step is loaded into the page');
  assert.deepEqual(wrong, []);
});

async function decide(page: Page, doing: Doing, press: (key: string) => Promise<void>): Promise<void> {
  for (const key of KEYS[doing]) {
    await press(key);
    if (doing === 'tag' && key === 'Enter') await page.getByText('Saved').waitFor();
  }
  if (doing !== 'reply') return;
  await page.keyboard.type(ANSWER);
  await press('Control+Enter');
}

/** A board with a few ideas, opened in triage by its owner. */
async function openTriage(t: TestContext, path = '/b/acme/triage/unanswered') {
  const site = await openSite(t, browser);
  await site.makeUser('mia');
  await site.api.createTag({ name: 'Later' });
  for (const title of ['Dark mode', 'Export as CSV', 'A dark theme for the evening mode', 'Search by tags']) {
    await site.makePost(title, { as: 'mia' });
    site.clock.advance(1_000);
  }
  const watched = await visitAsOwner(site);
  await watched.page.goto(path);
  return { ...watched, site };
}

test('M asks before it merges, and says into what and whom it notifies', async (t) => {
  const { page, wrong, site } = await openTriage(t, '/b/acme/triage/unanswered/3');
  await page.getByText(/Words in common: (Dark and mode|mode and Dark)/).waitFor();
  const question = page.getByText('Merge into “Dark mode”?');
  await page.keyboard.press('m');
  await question.waitFor();
  await page.getByText('0 users get an email').waitFor();
  await assertSound({ page, wrong }, 'the question');
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'hidden' });
  const merged = async () =>
    (await site.api.posts({ where: { statusTypes: ['MERGED'] } }, { totalCount: true })).totalCount;
  assert.equal(await merged(), 0);
  await page.keyboard.press('m');
  await page.keyboard.press('Enter');
  await page.getByText('Ideas merged').waitFor();
  assert.equal(await merged(), 1);
  assert.deepEqual(wrong, []);
});

test('on a phone, an idea is done with a button that is always in sight', async (t) => {
  const { page, wrong } = await openTriage(t);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/b/acme/triage/unanswered/4');
  const done = page.locator('.team-bar').getByRole('button', { name: 'Done' });
  const box = await done.boundingBox();
  assert.ok(box && box.y + box.height < 844 && box.height >= 44, JSON.stringify(box));
  await done.click();
  await page.getByRole('heading', { level: 1, name: 'A dark theme for the evening mode' }).waitFor();
  await assertSound({ page, wrong }, 'the next idea on a phone');
});

test('several ideas are changed at once, chosen by keys or with Shift', async (t) => {
  const { page, wrong, site } = await openTriage(t);
  await page.keyboard.press('j');
  await page.getByRole('heading', { level: 1, name: 'Search by tags' }).waitFor();
  await page.keyboard.press('x');
  await page.getByLabel('Select Export as CSV').click({ modifiers: ['Shift'] });
  await page.getByText('3 selected').waitFor();
  await assertSound({ page, wrong }, 'a selection');
  const words = page.locator('.bulk').getByText('Merge', { exact: true });
  await words.waitFor();
  await page.setViewportSize({ width: 800, height: 720 });
  await words.waitFor({ state: 'hidden' });
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.locator('.bulk').getByRole('button', { name: 'Status' }).click();
  await page.locator('.bulk').getByRole('button', { name: 'Planned' }).click();
  await page.getByText('3 ideas changed').waitFor();
  assert.equal(await page.getByText('3 selected').count(), 0);
  const posts = await site.api.posts({ where: { statusTypes: ['CUSTOM'] } }, { totalCount: true });
  assert.equal(posts.totalCount, 3);
  assert.deepEqual(wrong, []);
});

test('chosen ideas are merged after a look at what that makes', async (t) => {
  const { page, wrong, site } = await openTriage(t);
  await page.getByLabel('Select Dark mode').check();
  await page.getByLabel('Select A dark theme for the evening mode').check();
  await page.getByRole('button', { name: 'Merge into the one with the most votes' }).click();
  await page.getByRole('heading', { name: 'Merge into “Dark mode”?' }).waitFor();
  await assertSound({ page, wrong }, 'the question');
  await page.keyboard.press('Enter');
  await page.getByText('2 ideas changed').waitFor();
  assert.equal((await site.api.posts({ where: { statusTypes: ['MERGED'] } }, { totalCount: true })).totalCount, 1);
  assert.equal(await page.getByRole('heading', { name: 'Merge into “Dark mode”?' }).count(), 0);
  assert.deepEqual(wrong, []);
});

test('the palette finds what the page can do, pages and ideas', async (t) => {
  const { page, wrong, site } = await openTriage(t, '/b/acme/triage/unanswered/1');
  await page.waitForLoadState('networkidle');
  const open = async (words: string) => {
    const box = page.getByRole('combobox', { name: 'Commands' });
    // A page that is not listening yet, because the machine is busy, misses a key.
    await until('the palette is open', async () => {
      // Pressed again while it opens slowly, the key would close it.
      if (!(await box.isVisible())) await page.keyboard.press('Control+k');
      return box.waitFor({ timeout: 5_000 }).then(
        () => true,
        () => false,
      );
    });
    await box.pressSequentially(words);
  };
  await open('status planned');
  await page.getByRole('option', { name: 'Status: Planned' }).waitFor();
  assert.deepEqual(await findBarriers(page), []);
  await page.keyboard.press('Enter');
  await page.getByText('Saved').waitFor();
  await open('csv');
  await page.getByRole('option', { name: 'Export as CSV' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Export as CSV' }).waitFor();
  await open('general');
  await page.getByRole('option', { name: 'General' }).first().waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/settings/general');
  assert.equal((await site.api.posts({ where: { statusTypes: ['CUSTOM'] } }, { totalCount: true })).totalCount, 1);
  assert.deepEqual(wrong, []);
});

test('what is typed as a note stays one, whatever is pressed', async (t) => {
  const { page, wrong, site } = await openTriage(t, '/b/acme/triage/unanswered/1');
  await page.keyboard.press('c');
  await page.keyboard.type('Only for us');
  await assertSound({ page, wrong }, 'the note');
  await page.getByText('Public reply').click();
  assert.equal(await page.getByLabel('Your comment').inputValue(), '');
  await page.getByText('Internal note').click();
  await page.getByLabel('Your note').focus();
  await page.keyboard.press('Control+Enter');
  await page.locator('.comment[data-kind=internal]', { hasText: 'Only for us' }).waitFor();
  const visitor = await site.visit('/b/acme/posts/1');
  assert.equal(await visitor.page.getByText('Only for us').count(), 0);
  assert.deepEqual(wrong, []);
});
