import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTransport } from '../../src/platform/mail/transport.ts';
import { launchBrowser, openSite } from '../support/browser.ts';
import { onEnd } from '../support/cleanup.ts';
import { startMailServer } from '../support/mail-server.ts';
import { findFreePort } from '../support/postgres.ts';
import { makeAccount, openSetup, visitAsOwner } from './people.ts';

const browser = await launchBrowser();
const MAIL = '/b/acme/settings/mail';

test('an owner sees the sent mails and tests whether mail works', async (t) => {
  const mailServer = await startMailServer(t);
  const transport = makeTransport({ smtpUrl: mailServer.url, mailFrom: 'board@acme.example', dataDir: '' });
  onEnd(t, () => transport.close());
  const mail = {
    transport,
    server: 'mail.acme.example',
    from: 'board@acme.example',
    folder: '/data/mail',
    domainIn: null,
  };
  const site = await openSite(t, browser, { mail });
  const { page, wrong } = await site.visit(await openSetup(site), { javaScriptEnabled: false });
  await makeAccount(page, 'Olga Owner', 'olga@example.com');
  await page.waitForURL(/acme\/setup/);
  await page.goto(MAIL);
  await page.getByText('Email is sent through mail.acme.example, from board@acme.example.').waitFor();
  // The owner's address was typed in the set-up.
  await page.getByRole('row').filter({ hasText: 'Confirm your address' }).waitFor();
  await page.getByRole('button', { name: 'Send a test email to olga@example.com' }).click();
  await page.getByText('Test email sent').waitFor();
  await page.getByRole('row').filter({ hasText: 'Test email from Acme' }).getByText('Sent', { exact: true }).waitFor();
  assert.equal(mailServer.mails.length, 1);
  assert.deepEqual(wrong, []);
});

test('a test mail that fails shows the reason, and is not retried', async (t) => {
  const smtpUrl = `smtp://user:pa55word@127.0.0.1:${await findFreePort()}`;
  const transport = makeTransport({ smtpUrl, mailFrom: 'board@acme.example', dataDir: '' });
  onEnd(t, () => transport.close());
  const mail = { transport, server: '127.0.0.1', from: 'board@acme.example', folder: '/data/mail', domainIn: null };
  const site = await openSite(t, browser, { mail });
  const { page, wrong } = await visitAsOwner(site);
  await page.goto(MAIL);
  await page.getByRole('cell', { name: 'v=spf1 ip4:<public IP address of the mail server> ~all' }).waitFor();
  await page.getByRole('button', { name: 'Send a test email' }).click();
  await page.getByRole('alert').getByText('ECONNREFUSED').waitFor();
  await page.reload();
  await page.getByRole('row').filter({ hasText: 'Test email from Acme' }).getByText('Failed').waitFor();
  assert.doesNotMatch(await page.content(), /pa55word/);
  assert.deepEqual(wrong, []);
});

test('without a mail server the page shows where the mails are', async (t) => {
  const site = await openSite(t, browser);
  const { page } = await visitAsOwner(site);
  await page.goto(MAIL);
  await page.getByText('/data/mail').waitFor();
});

test('an owner turns the API off and on, or undoes it, and at once no key or every key is admitted', async (t) => {
  const site = await openSite(t, browser);
  const { page, wrong } = await visitAsOwner(site, { javaScriptEnabled: false });
  await page.goto('/b/acme/settings/apis');
  await page.getByRole('button', { name: 'Turn the API off' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await assert.rejects(site.api.board({ name: true }), { code: 'PLAN_REQUIRED' });
  await page.getByRole('button', { name: 'Turn the API on' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  assert.equal((await site.api.board({ name: true })).name, 'Acme');
  await page.getByRole('button', { name: 'Turn the API off' }).click();
  await page.getByRole('button', { name: 'Turn the API on' }).click();
  await page.getByRole('button', { name: 'Turn the API off' }).waitFor();
  assert.equal((await site.api.board({ name: true })).name, 'Acme');
  assert.deepEqual(wrong, []);
});
