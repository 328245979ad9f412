import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decryptSecrets, requireWebhook } from '../../src/webhooks/webhook/webhooks.ts';
import { launchBrowser, openSite } from '../support/browser.ts';
import { makeTestSender } from '../support/sender.ts';
import { withWebhooks } from './webhooks-support.ts';

const browser = await launchBrowser();

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts';

  test(`when two users change the secrets of a webhook, the second is warned and loses nothing, ${how}`, async (t) => {
    const site = await openSite(t, browser);
    const { page, wrong, makeWebhook } = await withWebhooks(t, site, { javaScriptEnabled });
    const { id, path } = await makeWebhook();
    const other = await page.context().newPage();
    for (const each of [page, other]) {
      await each.goto(`${path}/secrets`);
      await each.getByRole('group', { name: 'Signing secret' }).getByLabel('Use my own').check();
    }
    await other.getByLabel('Your signing secret').fill('the secret of the other');
    await other.getByRole('button', { name: 'Save' }).click();
    await other.getByText('A new signing secret is pending').waitFor();
    await page.getByLabel('Your signing secret').fill('the secret of mine');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Someone else changed this webhook while you were editing').waitFor();
    const pending = async () => {
      const row = await requireWebhook(site.db.read, site.board.id, id);
      return decryptSecrets(makeTestSender().cipher, row).pendingSecret;
    };
    assert.equal(await pending(), 'the secret of the other');
    assert.equal(await page.getByLabel('Your signing secret').inputValue(), 'the secret of mine');
    await page.getByRole('button', { name: 'Save my version' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    assert.equal(await pending(), 'the secret of mine');
    await other.getByRole('button', { name: 'Discard the new one' }).click();
    await other.getByText('Someone else changed this webhook while you were editing').waitFor();
    assert.equal(await pending(), 'the secret of mine');
    assert.deepEqual(wrong, []);
  });
}
