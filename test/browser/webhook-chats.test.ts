import assert from 'node:assert/strict';
import { test } from 'node:test';
import { launchBrowser, openSite } from '../support/browser.ts';
import { LIST, postsOf, withWebhooks } from './webhooks-support.ts';

const browser = await launchBrowser();

test('a chat is set up in the form, greeted, narrowed and previewed, and its URL is not shown again', async (t) => {
  const site = await openSite(t, browser);
  const { page, wrong, receiver, settled } = await withWebhooks(t, site);
  const secret = 'T0SECRET0/B0SECRET0/abcdefghijklmnop';
  await page.goto(`${LIST}/new`);
  await page.getByLabel('Endpoint URL').fill(`${receiver.origin}/services/${secret}`);
  await page.getByRole('radio', { name: /for Slack, Mattermost/ }).check();
  await page.getByRole('group', { name: 'Signing secret' }).waitFor({ state: 'hidden' });
  await page.getByText('Only ideas with these statuses').click();
  await page.getByRole('checkbox', { name: 'Planned' }).check();
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await page.getByText('A first message is sent to the chat').waitFor();
  receiver.status = 404;
  await page.getByRole('button', { name: 'Verify and enable' }).click();
  await page.getByText('The message was not accepted').waitFor();
  await page.getByText('The chat answered 404: the URL is not valid').waitFor();
  receiver.status = 200;
  await page.getByRole('button', { name: 'Verify and enable' }).click();
  await page.getByText('Endpoint verified').waitFor();
  await page.getByRole('button', { name: 'Send test message' }).click();
  await page.getByRole('heading', { name: 'Attempt 1: delivered' }).waitFor();
  await site.makePost('Not planned');
  await settled();
  assert.deepEqual(
    postsOf(receiver).map(({ url }) => url),
    Array.from({ length: 3 }, () => `/services/${secret}`),
  );
  await page.locator('.tabs').getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('heading', { name: 'Preview' }).waitFor();
  assert.equal(await page.getByRole('checkbox', { name: 'Planned' }).isChecked(), true);
  await page.getByRole('checkbox', { name: 'Planned' }).uncheck();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  assert.doesNotMatch(await page.content(), /SECRET0|abcdefgh/);
  assert.equal(postsOf(receiver).length, 3, 'without another first message');
  assert.deepEqual(wrong, []);
});
