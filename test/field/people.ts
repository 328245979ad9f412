import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { PNG } from '../support/files.ts';
import { DOMAIN, type Field } from './field.ts';

export const OWNER = { name: 'Olga Owner', email: 'olga@example.com', password: 'correct horse battery' };

/** Sets the board up from the printed link, with an idea to vote for. */
export async function setUp(page: Page): Promise<void> {
  await page.getByLabel('Your name').fill(OWNER.name);
  await page.getByLabel('Email address').fill(OWNER.email);
  await page.getByLabel('Password').fill(OWNER.password);
  await page.locator('button.button').first().click();
  await page.getByLabel('Board name').fill('Ideas of Acme');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Branding' }).waitFor();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Skip' }).click();
  await page.getByLabel('Title').fill('Dark mode');
  await page.getByRole('button', { name: 'Post idea' }).click();
  await page.getByText('Your board is ready').waitFor();
}

/** Saves settings and undoes one of them. */
export async function changeSettings(page: Page, { baseUrl }: Field): Promise<void> {
  await page.goto(`${baseUrl}/b/feedback/settings/general`);
  const name = page.getByLabel('Board name');
  await name.fill('A slip of the pen');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
  assert.equal(await name.inputValue(), 'Ideas of Acme');
  await page.getByLabel('Custom domain').fill(DOMAIN);
  await page.getByRole('button', { name: 'Save' }).last().click();
  await page.getByText('Saved', { exact: true }).waitFor();
  assert.equal(await page.getByLabel('Custom domain').inputValue(), DOMAIN);
}

/** Allows the widget on a site. */
export async function allowWidget(page: Page, { baseUrl }: Field, origin: string): Promise<void> {
  await page.goto(`${baseUrl}/b/feedback/settings/widget`);
  await page.getByLabel('Where the widget may appear').fill(origin);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
}

/** Votes as an anonymous visitor, who signs in with a mailed code and is new. */
export async function voteAsVisitor(page: Page, field: Field, email: string, isScripted: boolean): Promise<void> {
  await page.getByRole('button', { name: /^Vote for Dark mode/ }).click();
  const place = isScripted
    ? page.getByRole('dialog', { name: 'Where can we reach you?' })
    : page.getByRole('form', { name: 'Sign in' });
  await place.getByLabel('Email address').fill(email);
  await place.getByRole('button').first().click();
  await page.getByLabel('Code from the email').fill(await field.readCode(email));
  if (!isScripted) await page.getByRole('button', { name: 'Confirm' }).click();
  // A vote that waits for its voter shows as one.
  await page.getByRole('button', { name: /^Your menu/ }).waitFor();
  await page.getByRole('button', { name: /^Vote for Dark mode/, pressed: true }).waitFor();
}

/** Comments an idea, and posts another one with a picture. */
export async function write(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/b/feedback/posts/1`);
  await page.getByLabel('Your comment').fill('My eyes hurt.');
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  await page.locator('.comment', { hasText: 'My eyes hurt.' }).waitFor();
  await page.goto(`${url}/b/feedback`);
  await page.getByLabel('Your idea in one sentence').fill('Search by color');
  await page.getByLabel('Details (optional)').fill('Like in this picture:');
  const form = page.locator('.new-idea');
  await form.getByLabel('Add pictures').setInputFiles({ name: 'colors.png', mimeType: 'image/png', buffer: PNG });
  if (await form.locator('.markdown-tools').isVisible()) await form.getByRole('img', { name: 'colors.png' }).waitFor();
  await form.getByRole('button', { name: 'Post idea' }).click();
  await page.getByRole('heading', { name: 'Search by color', level: 1 }).waitFor();
  await page.getByRole('img', { name: 'colors.png' }).waitFor();
}

/** Withdraws the vote for an idea and votes again. */
export async function voteAgain(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/b/feedback`);
  const vote = (pressed: boolean) => page.getByRole('button', { name: /^Vote for Dark mode/, pressed });
  for (const pressed of [true, false]) {
    // It shows before the server has it.
    const answered = page.waitForResponse(/\/votes\/1\b/);
    await vote(pressed).click();
    await answered;
  }
  await page.goto(`${url}/b/feedback`);
  await vote(true).waitFor();
}

/** Signs out by the menu. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Your menu/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
}
