import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setBoard } from '../../src/identity/board/board.ts';
import { launchBrowser, openSite } from '../support/browser.ts';
import { visitAsOwner } from './people.ts';
import { withWebhooks } from './webhooks-support.ts';

const browser = await launchBrowser();

test('errors of forms are in the language of the board, and those of the API in English', async (t) => {
  const site = await openSite(t, browser);
  const { page, wrong } = await visitAsOwner(site);
  await site.db.transaction((tx) => setBoard(tx, site.board.id, { locale: 'de' }));
  const settings = '/b/acme/settings';
  await page.goto(`${settings}/general`);
  await page.getByLabel('URL des Boards: /b/…').fill('Nicht so!');
  await page.locator('section', { hasText: 'Eigene Domain' }).getByRole('button', { name: 'Speichern' }).click();
  await page.getByText('Die URL muss 1 bis 40 Zeichen haben').waitFor();
  await page.goto(`${settings}/account`);
  const password = page.getByRole('region', { name: 'Passwort' });
  await password.getByLabel('Aktuelles Passwort').fill('falsch');
  await password.getByLabel('Neues Passwort').fill('ein ganz anderes Passwort');
  await page.getByRole('button', { name: 'Passwort ändern' }).click();
  await page.getByText('Das aktuelle Passwort ist falsch').waitFor();
  await page.goto(`${settings}/apis/new`);
  await page.getByLabel('Name').fill('Webseite');
  await page.getByLabel('Pro Minute').evaluate((input) => {
    (input as unknown as { type: string; value: string }).type = 'text';
    (input as unknown as { value: string }).value = 'viele';
  });
  await page.locator('dialog[open] button[type=submit]').click();
  await page.getByText('Das Limit muss eine ganze Zahl ab 1 sein').waitFor();
  await assert.rejects(site.api.createPost({ title: '' }), {
    message: 'title must have 1 to 200 characters; it is empty',
  });
  assert.deepEqual(wrong, []);
});

test('the results of verification and delivery are shown in the language of the board', async (t) => {
  const site = await openSite(t, browser);
  const { page, wrong, receiver, makeWebhook, settled } = await withWebhooks(t, site);
  await site.db.transaction((tx) => setBoard(tx, site.board.id, { locale: 'de' }));
  receiver.challenge = (text) => JSON.stringify(text);
  const refused = await makeWebhook();
  await page.goto(refused.path);
  await page.getByText('Antwort 200 mit Anführungszeichen').waitFor();
  await page.getByText('Der Empfänger hat die Challenge in JSON-Anführungszeichen gesendet').waitFor();
  receiver.challenge = (text) => text;
  const { path } = await makeWebhook({ url: `${receiver.origin}/other` });
  await site.makePost('Dark mode');
  await settled();
  receiver.status = 503;
  await site.makePost('Export');
  await settled();
  await page.goto(path);
  await page.getByText('Ein Proxy vor ihm bekam keine Antwort').waitFor();
  await page.getByText('Er schrieb: „It was').waitFor();
  assert.deepEqual(
    await page
      .locator('tbody')
      .getByText(/^(zugestellt|Antwort 503)/)
      .count(),
    2,
  );
  await page.getByRole('link', { name: 'post.created' }).nth(1).click();
  await page.getByText('Versuch 1: zugestellt').waitFor();
  await page.getByText(/^Der Empfänger antwortete nach \d+ ms mit 200\.$/).waitFor();
  assert.deepEqual(wrong, []);
});
