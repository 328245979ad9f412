import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSound, findBarriers, launchBrowser, openSite, type Site } from '../support/browser.ts';
import { visitAsOwner } from './people.ts';

const browser = await launchBrowser();

const register = ({ api }: Site, id: string, name: string) => api.createUser({ ssoType: 'SSO', ssoId: id, name });
const comment = ({ api }: Site, postId: string, as: string) => api.as(as).createComment({ postId, text: 'Me too' });

test('users to mention are suggested after an @, and chosen by keyboard or pointer', async (t) => {
  const site = await openSite(t, browser);
  const id = await site.makePost('Dark mode');
  for (const [user, name] of [
    ['mona', 'Mona Miller'],
    ['max', 'Max'],
    ['other', 'Max'],
  ] as const) {
    await register(site, user, name);
    await comment(site, id, user);
  }
  await register(site, 'zoe', 'Zoe Elsewhere');
  const owner = await visitAsOwner(site);
  const { page, wrong } = owner;
  await page.goto('/b/acme/posts/1');
  const field = page.getByLabel('Your comment');
  await field.click();
  await field.pressSequentially('Hello @m');
  const list = page.getByRole('listbox', { name: 'People to mention' });
  await list.waitFor();
  assert.deepEqual(await list.getByRole('option').allInnerTexts(), ['MM\nMona Miller', 'M\nMax', 'M\nMax']);
  assert.deepEqual(await findBarriers(page), []);
  const active = () =>
    field.evaluate((area) => document.getElementById(area.getAttribute('aria-activedescendant') ?? '')?.innerText);
  assert.match((await active()) ?? '', /Mona Miller/);
  await page.keyboard.press('ArrowUp');
  assert.match((await active()) ?? '', /Max/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.equal(await field.inputValue(), 'Hello @Mona Miller ');
  assert.equal(await list.count(), 0);
  await field.pressSequentially('and @ma');
  await list.getByRole('option').first().click();
  assert.match(await field.inputValue(), /^Hello @Mona Miller and \[@Max\]\(user:[\da-f-]{36}\) $/);
  await field.pressSequentially('@zo');
  assert.equal(await list.count(), 0);
  await field.pressSequentially(' @m');
  await list.waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await list.count(), 0);
  await page.keyboard.press('Control+Enter');
  await page.getByText('Comment posted').waitFor();
  assert.deepEqual(await page.locator('.comment .mention').allInnerTexts(), ['@Mona Miller', '@Max']);
  await assertSound(owner, 'mentions');
  assert.deepEqual(wrong, []);
});

test('users to mention are suggested at the @, on the line where it is', async (t) => {
  const site = await openSite(t, browser);
  const id = await site.makePost('Dark mode');
  await register(site, 'mona', 'Mona Miller');
  await comment(site, id, 'mona');
  const { page } = await visitAsOwner(site);
  await page.goto('/b/acme/posts/1');
  const field = page.getByLabel('Your comment');
  const list = page.getByRole('listbox', { name: 'People to mention' });
  /** Where the list is in the field, after a text that ends with an @. */
  const place = async (text: string) => {
    await field.fill('');
    await field.pressSequentially(text);
    await list.waitFor();
    const [box, around] = [await list.boundingBox(), await field.boundingBox()];
    assert.ok(box && around);
    return { x: Math.round(box.x - around.x), y: Math.round(box.y - around.y) };
  };
  const first = await place('@m');
  const later = await place('Hello all of you, @m');
  const below = await place('Hello\nall\n@m');
  assert.ok(later.x > first.x + 60 && later.y === first.y, JSON.stringify({ first, later }));
  assert.ok(below.x === first.x && below.y > first.y + 30, JSON.stringify({ first, below }));
  // Never beyond the field.
  await page.setViewportSize({ width: 390, height: 844 });
  await place('A line that is nearly full @m');
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  assert.ok(width <= 390);
});

test('a text has tabs to write it and to see it, wherever one is written', async (t) => {
  const site = await openSite(t, browser);
  await site.makePost('Export');
  const owner = await visitAsOwner(site);
  const { page, wrong } = owner;
  await page.goto('/b/acme');
  await page.locator('#new-idea').fill('Dark mode');
  const field = page.getByLabel('Details (optional)');
  await field.fill('For **tired** eyes');
  await page.getByRole('tab', { name: 'Preview' }).click();
  const panel = page.getByRole('tabpanel', { name: 'Preview' });
  await panel.locator('strong', { hasText: 'tired' }).waitFor();
  assert.equal(await field.isVisible(), false);
  assert.equal(await page.getByRole('tab', { name: 'Preview' }).getAttribute('aria-selected'), 'true');
  await assertSound(owner, 'preview of an idea');
  await page.getByRole('tab', { name: 'Write' }).click();
  assert.equal(await field.inputValue(), 'For **tired** eyes');
  assert.equal(await panel.count(), 0);
  await page.getByRole('tab', { name: 'Preview' }).click();
  await panel.waitFor();
  await page.getByRole('button', { name: 'Post idea' }).last().click();
  await page.getByRole('heading', { name: 'Dark mode', level: 1 }).waitFor();
  await page.locator('.post-body strong', { hasText: 'tired' }).waitFor();

  await page.goto('/b/acme/posts/2?edit=post');
  await page.getByLabel('Details (optional)').fill('For _new_ eyes');
  await page.getByRole('tab', { name: 'Preview' }).first().click();
  await panel.locator('em', { hasText: 'new' }).waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('.post-body em', { hasText: 'new' }).waitFor();
  assert.deepEqual(wrong, []);
});
