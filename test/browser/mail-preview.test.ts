import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setRole } from '../../src/identity/users/users.ts';
import { assertSound, launchBrowser, openSite } from '../support/browser.ts';
import { addUsers } from '../support/notifying.ts';
import { visitAsOwner } from './people.ts';

const browser = await launchBrowser();

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts';
  test(`the mail of a status is shown as its readers get it, and no link in it leads away, ${how}`, async (t) => {
    const site = await openSite(t, browser);
    await addUsers(site, 'vera');
    await site.makePost('Dark mode', { as: 'vera' });
    await setRole(site, { ssoType: 'SSO', ssoId: 'ada' }, 'OWNER');
    const owner = await visitAsOwner(site, { javaScriptEnabled });
    const { page } = owner;
    await page.goto('/b/acme/posts/1');
    await page.getByRole('button', { name: 'Status: Open' }).click();
    const form = page.locator('#pick-status form');
    await form.getByLabel('Status', { exact: true }).selectOption('Planned');
    await form.getByLabel('Message').fill('We start in January.');
    await form.getByLabel('Language of the preview').selectOption('Deutsch');
    await form.getByRole('button', { name: 'Preview' }).click();
    const mail = page.frameLocator('iframe[title="Preview of the email"]');
    await mail.getByRole('link', { name: 'Zur Idee' }).waitFor();
    assert.match(await mail.locator('.quote').innerText(), /Olga Owner vom Team\s+We start in January\./);
    assert.equal(await mail.locator('td.accent-fill').last().getAttribute('bgcolor'), '#2d48c0');
    if (javaScriptEnabled) await assertSound(owner, 'preview');
    await mail.getByRole('link', { name: 'Zur Idee' }).click();
    await mail.locator('.quote').waitFor();
    assert.match(page.url(), /\/b\/acme\/posts\/1/);
    assert.equal(page.context().pages().length, 1);
    assert.equal(await form.getByLabel('Message').inputValue(), 'We start in January.');
    await form.getByRole('button', { name: 'Change status' }).click();
    await page.getByText('You have a minute to stop the emails').waitFor();
    const posts = await site.api.posts({}, { nodes: { status: { name: true } } });
    assert.equal(posts.nodes[0]?.status.name, 'Planned');
  });
}

test('the audience of an official answer is asked for only when a comment is one', async (t) => {
  const site = await openSite(t, browser);
  await addUsers(site, 'vera');
  await site.makePost('Dark mode', { as: 'vera' });
  const { page } = await visitAsOwner(site);
  await page.goto('/b/acme/posts/1');
  const form = page.locator('section.write');
  assert.equal(await form.getByText('1 user will be notified').isVisible(), false);
  await form.getByLabel('Your comment').fill('It comes in May.');
  await form.getByLabel('Official answer').check();
  await form.getByText('1 user will be notified').waitFor();
  await form.getByRole('tab', { name: 'Preview' }).click();
  const mail = page.frameLocator('iframe[title="Preview of the email"]');
  await mail.locator('.quote').getByText('It comes in May.').waitFor();
});
