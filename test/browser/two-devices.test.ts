import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { makeTransport } from '../../src/platform/mail/transport.ts';
import { findBarriers, launchBrowser, openSite, type Site } from '../support/browser.ts';
import { onEnd } from '../support/cleanup.ts';
import { startMailServer } from '../support/mail-server.ts';
import { startMailWorker } from '../support/post-office.ts';
import { testCipher } from '../support/sender.ts';
import { until } from '../support/until.ts';
import { pathOf } from './people.ts';

const browser = await launchBrowser();

/** A site whose mails go through an SMTP server, with an idea; the newest mail is read from what the server got. */
async function openMailingSite(t: TestContext) {
  const server = await startMailServer(t);
  const transport = makeTransport({ smtpUrl: server.url, mailFrom: 'board@acme.example', dataDir: '' });
  const site = await openSite(t, browser);
  await site.makePost('Dark mode');
  const worker = startMailWorker(t, { db: site.db, clock: site.clock, transport, cipher: testCipher });
  onEnd(t, () => worker.stop());
  async function readMail() {
    await until('a mail came', () => server.mails.length > 0);
    const text = server.mails.at(-1)?.text ?? '';
    const link = /http:\/\/board\.test\S+/.exec(text)?.[0] ?? '';
    return { code: /code: (\d{6})/.exec(text)?.[1] ?? '', path: pathOf(link) };
  }
  return { site, readMail };
}

const votesOf = async (site: Site) =>
  (await site.api.posts({}, { nodes: { upvoteCount: true } })).nodes[0]?.upvoteCount;

test('a vote counts on the page where it was given, by the code of a mail that is read elsewhere', async (t) => {
  const { site, readMail } = await openMailingSite(t);
  const { page, wrong } = await site.visit('/b/acme?sort=top');
  await page.getByRole('button', { name: 'Vote for Dark mode, 0 votes' }).click();
  const asked = page.getByRole('dialog');
  await asked.getByText('Where can we reach you?').waitFor();
  await page.getByRole('button', { name: 'Vote for Dark mode, 1 vote', pressed: true }).waitFor();
  await page.getByText('Counts as soon as you enter the code').waitFor();
  assert.equal(await votesOf(site), 0);
  assert.deepEqual(await findBarriers(page), []);
  await asked.getByLabel('Email address').fill('lina@example.com');
  await asked.getByRole('button', { name: 'Continue' }).click();
  await asked.getByText('Code sent to lina@example.com').waitFor();
  const { code } = await readMail();
  await asked.getByLabel('Code from the email').fill(code === '000000' ? '000001' : '000000');
  await asked.getByText('The code is wrong or has expired').waitFor();
  await page.reload();
  await page.getByText('Counts as soon as you enter the code').waitFor();
  await page.getByRole('button', { name: 'Vote for Dark mode, 1 vote' }).click();
  await asked.getByLabel('Code from the email').fill(code);
  await asked.waitFor({ state: 'detached' });
  await page.getByText('Counts as soon as you enter the code').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Vote for Dark mode, 1 vote', pressed: true }).waitFor();
  await page.getByRole('button', { name: 'Your menu, Lina' }).waitFor();
  assert.ok(page.url().endsWith('/b/acme?sort=top'));
  assert.equal(await votesOf(site), 1);
  assert.deepEqual(wrong, []);
});

test('a vote counts when the mailed link is opened on the phone, and the laptop continues', async (t) => {
  const { site, readMail } = await openMailingSite(t);
  const laptop = await site.visit('/b/acme');
  await laptop.page.getByRole('button', { name: 'Vote for Dark mode, 0 votes' }).click();
  await laptop.page.getByLabel('Email address').fill('lina@example.com');
  await laptop.page.getByRole('button', { name: 'Continue' }).click();
  await laptop.page.getByText('Code sent to').waitFor();
  const { code, path } = await readMail();
  const phone = await site.visit(path, { viewport: { width: 390, height: 844 } });
  await phone.page.getByText('A vote: Dark mode').waitFor();
  await phone.page.getByLabel('Your name').fill('Lina');
  await phone.page.getByRole('button', { name: 'Create account' }).click();
  await phone.page.getByText('Vote counted').waitFor();
  assert.equal(await votesOf(site), 1);
  await laptop.page.reload();
  const open = laptop.page.getByRole('button', { name: 'Vote for Dark mode, 1 vote', pressed: false });
  await open.waitFor();
  await laptop.page.goto('/sign-in?next=%2Fb%2Facme');
  await laptop.page.getByLabel('Code from the email').fill(code);
  await laptop.page.getByRole('button', { name: 'Vote for Dark mode, 1 vote', pressed: true }).waitFor();
  assert.equal(await votesOf(site), 1);
  assert.deepEqual([...laptop.wrong, ...phone.wrong], []);
});

test('a pending vote can be taken back', async (t) => {
  const { site } = await openMailingSite(t);
  const { page, wrong } = await site.visit('/b/acme');
  await page.getByRole('button', { name: 'Vote for Dark mode, 0 votes' }).click();
  await page.getByRole('button', { name: 'Undo vote' }).click();
  await page.getByRole('button', { name: 'Vote for Dark mode, 0 votes', pressed: false }).waitFor();
  // The button does not wait for the server, the question does.
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('button', { name: 'Vote for Dark mode, 0 votes', pressed: false }).waitFor();
  assert.deepEqual(wrong, []);
});
