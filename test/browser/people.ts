import type { BrowserContextOptions, Page } from 'playwright-core';
import { setBoard } from '../../src/identity/board/board.ts';
import { FIRST_SETUP_STEP } from '../../src/identity/settings/settings.ts';
import { makeSetupLink } from '../../src/identity/team/inviting.ts';
import type { Site, Watched } from '../support/browser.ts';
import { textOfMail } from '../support/sender.ts';
import { PATIENCE_MS } from '../support/until.ts';
import { joinBoard } from '../support/web.ts';

export const PASSWORD = 'correct horse battery';

/** The link of the first owner, as a path, on a board that waits for its set-up. */
export async function openSetup({ db, clock, board }: Site): Promise<string> {
  await db.transaction((tx) => setBoard(tx, board.id, { setup_step: FIRST_SETUP_STEP }));
  return pathOf(await makeSetupLink({ db, clock, baseUrl: 'http://board.test', board }));
}

/** Fills in the first step of the set-up or an invitation. */
export async function makeAccount(page: Page, name: string, email: string | null): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  if (email) await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.locator('button.button').first().click();
}

/** Signs in with a password, on the page for it. */
export async function signIn(page: Page, email: string, password: string): Promise<void> {
  const form = page.getByRole('form', { name: 'Sign in' });
  const field = form.getByLabel('Password');
  if (!(await field.isVisible())) await form.getByRole('link', { name: 'Use a password' }).click();
  await form.getByLabel('Email address').fill(email);
  await field.fill(password);
  await form.getByRole('button', { name: 'Sign in' }).click();
}

/** Has a link mailed, from the page to sign in; gives the path in it. */
export async function askForLink(site: Site, page: Page, email: string): Promise<string> {
  const form = page.getByRole('form', { name: 'Sign in' });
  await form.getByLabel('Email address').fill(email);
  await form.locator('[type=submit]').click();
  await page.getByText(`Code sent to ${email}`).waitFor();
  return (await readMail(site, email)).path;
}

/** A visitor who owns the board and is in its settings; the set-up is behind them. */
export function visitAsOwner(site: Site, options: BrowserContextOptions = {}): Promise<Watched> {
  return visitAs(site, 'Olga Owner', { role: 'OWNER', path: '/b/acme/settings', ...options });
}

type VisitOptions = BrowserContextOptions & { role: 'OWNER' | 'ADMIN' | 'MODERATOR'; path: string };

/** A visitor who belongs to the team; their address begins with the first part of their name. */
export async function visitAs(site: Site, name: string, { role, path, ...options }: VisitOptions): Promise<Watched> {
  const email = `${name.split(' ')[0]?.toLowerCase()}@example.com`;
  const { cookies } = await joinBoard(site, { name, email }, role);
  const more = { domain: new URL(site.origin).hostname, path: '/', expires: -1, httpOnly: true, secure: false };
  const kept = [...cookies].map(([name, value]) => ({ name, value, ...more, sameSite: 'Lax' as const }));
  return site.visit(path, { ...options, storageState: { cookies: kept, origins: [] } });
}

/** The path in a link that was mailed or printed, with what follows it. */
export function pathOf(link: string): string {
  const { pathname, search } = new URL(link);
  return pathname + search;
}

/** The newest mail to an address. */
export async function readMail({ db }: Site, recipient: string): Promise<{ subject: string; path: string }> {
  for (const end = performance.now() + PATIENCE_MS; ; ) {
    const query = db.read.selectFrom('mails').selectAll().where('recipient', '=', recipient).orderBy('id', 'desc');
    const mail = await query.limit(1).executeTakeFirst();
    const link = /http:\/\/board\.test\S+/.exec(mail ? textOfMail(mail) : '')?.[0];
    if (mail && link) return { subject: mail.subject, path: pathOf(link) };
    if (performance.now() > end) throw new Error(`No mail to ${recipient}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Goes through the set-up of the first board from its link on, without sample data. */
export async function setUpBoard(page: Page): Promise<void> {
  await makeAccount(page, 'Olga Owner', 'olga@example.com');
  await page.getByLabel('Board name').fill('Ideas of Acme');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Branding' }).waitFor();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Skip' }).click();
  await page.getByRole('button', { name: 'Start empty' }).click();
  await page.getByText('Your board is ready').waitFor();
}
