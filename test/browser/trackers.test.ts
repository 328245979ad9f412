import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSound, launchBrowser, openSite } from '../support/browser.ts';
import { LinearProject } from '../support/linear-project.ts';
import { PROJECT_TOKEN, startProject } from '../support/played-project.ts';
import { until } from '../support/until.ts';
import { visitAsOwner } from './people.ts';

const browser = await launchBrowser();

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts';

  test(`an admin connects a team of Linear and has its webhook created, ${how}`, async (t) => {
    const site = await openSite(t, browser);
    const project = new LinearProject(Date.now);
    await startProject(t, project);
    project.isAdmin = false;
    const owner = await visitAsOwner(site, { javaScriptEnabled });
    const { page, wrong } = owner;
    await page.goto('/b/acme/settings/trackers');
    await page.getByLabel('Tracker', { exact: true }).selectOption('Linear');
    await page.getByLabel('Repository, project or team').fill(project.address);
    await page.getByLabel('Token', { exact: true }).fill(PROJECT_TOKEN);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('heading', { name: 'Linear: acme/APP' }).waitFor();
    await page.getByText('Linear makes the webhook itself').waitFor();
    assert.equal(await page.getByText('Webhook secret').count(), 0);
    const create = page.getByRole('button', { name: 'Create webhook' });
    await create.click();
    await page.getByText('The webhook cannot be created').waitFor();
    if (javaScriptEnabled) await assertSound(owner, 'the page of trackers');
    project.isAdmin = true;
    await create.click();
    await until('the webhook is created', () => project.hooks.length > 0);
    await page.getByText('The webhook cannot be created').waitFor({ state: 'detached' });
    assert.deepEqual(
      project.hooks.map(({ enabled, teamId }) => ({ enabled, teamId })),
      [{ enabled: true, teamId: '1' }],
    );
    assert.deepEqual(wrong, []);
  });
}
