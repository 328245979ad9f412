import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { findIssues } from '../../src/feedback/issues/issues.ts';
import { setBoard } from '../../src/identity/board/board.ts';
import { operator } from '../../src/identity/users/authority.ts';
import { connectTracker } from '../../src/operations/trackers/trackers.ts';
import { TrackerWorker } from '../../src/operations/trackers/worker.ts';
import { assertSound, launchBrowser, openSite } from '../support/browser.ts';
import { GithubProject } from '../support/github-project.ts';
import { LinearProject } from '../support/linear-project.ts';
import { PROJECT_TOKEN, startProject } from '../support/played-project.ts';
import { makeTestSender } from '../support/sender.ts';
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

test('why a tracker cannot be asked is shown in the language of the board, in the settings and on the idea', async (t) => {
  const site = await openSite(t, browser);
  const project = new GithubProject(Date.now);
  await startProject(t, project);
  const { db, clock, board, origin: baseUrl } = site;
  const [context, sender] = [{ db, clock, board, baseUrl, actor: operator }, makeTestSender()];
  await connectTracker(context, sender, { kind: 'GITHUB', named: project.address, token: PROJECT_TOKEN });
  const worker = new TrackerWorker({ db, clock, log: pino({ level: 'silent' }), baseUrl, sender });
  t.after(() => worker.stop());
  const { page, wrong } = await visitAsOwner(site);
  const postId = await site.makePost('Dark mode');
  await worker.settled();
  await page.goto('/b/acme/posts/1');
  await page.getByRole('button', { name: 'Link an issue' }).click();
  await page.getByRole('button', { name: 'Create issue' }).click();
  await until(
    'a link is there',
    async () => (await findIssues(db.read, { board_id: board.id, id: postId })).length > 0,
  );
  project.answer = (_, send) => send(403, { message: 'Resource not accessible' });
  await worker.settled();
  await db.transaction((tx) => setBoard(tx, board.id, { locale: 'de' }));
  await page.goto('/b/acme/posts/1');
  await page.getByText('hat mit 403 geantwortet: Resource not accessible').waitFor();
  project.answer = (_, send) => send(503, {});
  await db.transaction((tx) => tx.updateTable('trackers').set({ date_due: 0 }).execute());
  await worker.settled();
  await page.goto('/b/acme/settings/trackers');
  await page.getByText('hat mit 503 geantwortet').waitFor();
  assert.deepEqual(wrong, []);
});
