import assert from 'node:assert/strict';
import type { GithubProject } from '../../../test/support/github-project.ts';
import { startProject } from '../../../test/support/played-project.ts';
import { failureIn, linksOf, statusOf, testTrackers } from '../../../test/support/tracked.ts';
import { until } from '../../../test/support/until.ts';
import { removeLink } from '../../feedback/issues/issues.ts';
import { operator } from '../../identity/users/authority.ts';
import { MINUTE_MS } from '../../platform/lib/clock.ts';
import { linkIssue } from './linking.ts';
import { changeTracker } from './trackers.ts';

testTrackers(
  'nothing is made of an idea that was deleted before, and other projects change nothing',
  async (tracked) => {
    const { app, project, settle, context, hear, secret } = tracked;
    const [deleted, kept] = [await app.makePost('Deleted'), await app.makePost('Kept')];
    project.isMute = true;
    const { answer } = project;
    project.answer = (_, send) => send(503, {});
    await linkIssue(await context(), deleted, { trackerId: tracked.id });
    await settle();
    await app.api.deletePost({ postId: deleted });
    project.answer = answer;
    project.isMute = false;
    for (let n = 0; n < 5; n++) await settle(10 * MINUTE_MS);
    assert.deepEqual(project.issues, []);
    const issue = project.open('Night theme');
    await linkIssue(await context(), kept, { named: '1' });
    await settle();
    // A webhook of an organization tells of all its projects.
    project.id = 2;
    assert.equal(await hear(project.hookOf('closed', project.close({ ...issue }), secret)), 200);
    assert.equal((await linksOf(tracked, kept))[0]?.state, 'OPEN');
  },
);

testTrackers('a comment of someone else who copied the mark is left alone', async (tracked) => {
  const { app, project, settle, context } = tracked;
  const postId = await app.makePost('Dark mode');
  const issue = project.open('Night theme');
  const own = await context();
  await linkIssue(own, postId, { named: '1' });
  await settle();
  await settle();
  const [said = ''] = project.said(1);
  const copied = project.comment(issue, `Mine\n\n${said}`, 99);
  const [link] = await linksOf(tracked, postId);
  await removeLink(own, link?.id ?? '');
  await settle(2 * MINUTE_MS);
  project.isMute = true;
  await linkIssue(own, postId, { named: '1' });
  await settle(2 * MINUTE_MS);
  project.isMute = false;
  for (let n = 0; n < 3; n++) await settle(10 * MINUTE_MS);
  assert.deepEqual([project.said(1).length, copied.text], [2, `Mine\n\n${said}`]);
});

testTrackers('a release completes by rule only what is done, and drafts one entry for an idea', async (tracked) => {
  const { app, project, settle, context } = tracked;
  if (!project.hasReleases) return;
  await changeTracker({ ...(await context()), actor: operator }, tracked.id, { rule: 'COMPLETE', tellsIssues: false });
  const [open, done] = [await app.makePost('Open'), await app.makePost('Done')];
  const issues = [project.open('One'), project.open('Two'), project.open('Three')];
  for (const [n, postId] of [open, done, done].entries())
    await linkIssue(await context(), postId, { named: `#${n + 1}` });
  await settle();
  app.clock.advance(MINUTE_MS);
  for (const issue of issues.slice(1)) project.close(issue);
  await settle(5 * MINUTE_MS);
  project.release('v2', 'Known: #1 still breaks. Fixes #2 and #3.');
  await settle(5 * MINUTE_MS);
  assert.deepEqual(await Promise.all([open, done].map((id) => statusOf(tracked, id))), ['UNASSIGNED', 'COMPLETED']);
  assert.deepEqual((await linksOf(tracked, open))[0]?.asks, 1);
  const drafts = async () =>
    (await app.ask('{ changelog(state: DRAFT) { nodes { title } } }', {}, { as: 'mod' })).changelog.nodes;
  assert.deepEqual(await drafts(), [{ title: 'Done' }]);
  // What was done while it was not linked is no news when it is linked again.
  const [link] = await linksOf(tracked, open);
  await removeLink(await context(), link?.id ?? '');
  project.close(issues[0] ?? assert.fail());
  await linkIssue(await context(), open, { named: '#1' });
  await settle(5 * MINUTE_MS);
  assert.equal(await statusOf(tracked, open), 'UNASSIGNED');
  assert.deepEqual((await linksOf(tracked, open))[0]?.asks, 1);
  assert.deepEqual(await drafts(), [{ title: 'Done' }]);
});

testTrackers('a slow tracker keeps no other waiting, and one strange row no other row', async (tracked, t) => {
  const { app, project, settle, context } = tracked;
  const Product = project.constructor as typeof GithubProject;
  const slow = new Product(() => app.clock.now());
  await startProject(t, slow);
  await tracked.connect(slow.address);
  const postId = await app.makePost('Dark mode');
  const issue = project.open('Night theme');
  await linkIssue(await context(), postId, { named: issue.url });
  await settle();
  const waiting = Promise.withResolvers<void>();
  t.after(() => waiting.resolve());
  const { answer } = slow;
  slow.answer = (request, send) => void waiting.promise.then(() => answer.call(slow, request, send));
  const strange = project.open('Strange');
  Object.assign(strange, { url: 'javascript:alert(1)' });
  app.clock.advance(5 * MINUTE_MS);
  project.close(issue);
  const settled = tracked.worker.settled();
  await until('the other one is read', async () => (await linksOf(tracked, postId))[0]?.state === 'COMPLETED');
  waiting.resolve();
  await settled;
});

testTrackers('a project that was renamed is connected by its new name, with its links', async (tracked) => {
  const { app, project, settle, context, connect } = tracked;
  const postId = await app.makePost('Dark mode');
  project.open('Night theme');
  await linkIssue(await context(), postId, { named: '1' });
  await settle();
  const { answer } = project;
  project.answer = (_, send) => send(301, { message: 'Moved Permanently' });
  await settle(5 * MINUTE_MS);
  const [row] = await app.db.read.selectFrom('trackers').selectAll().execute();
  assert.match(
    row ? (failureIn(row) ?? '') : '',
    new RegExp(`${project.name} has moved: connect it again by its new name`, 'i'),
  );
  // The played project answers by its first name alone: what counts is what it is called whatever its name is.
  project.answer = answer;
  await app.db.transaction((tx) => tx.updateTable('trackers').set({ project: 'acme/old' }).execute());
  const again = await connect(project.address);
  assert.deepEqual([again.id, again.secret], [tracked.id, tracked.secret]);
  await settle(10 * MINUTE_MS);
  const rows = await app.db.read.selectFrom('trackers').select(['project', 'failure']).execute();
  assert.deepEqual(rows, [{ project: project.name, failure: null }]);
  assert.equal((await linksOf(tracked, postId)).length, 1);
});

testTrackers('a time to come hides nothing that follows', async (tracked) => {
  const { app, project, settle, context } = tracked;
  const postId = await app.makePost('Dark mode');
  const issue = project.open('Night theme');
  await linkIssue(await context(), postId, { named: '1' });
  await settle();
  Object.assign(issue, { title: 'From afar', changed: Date.parse('9999-01-01T00:00:00Z') });
  await settle(5 * MINUTE_MS);
  assert.equal((await linksOf(tracked, postId))[0]?.title, 'From afar');
  app.clock.advance(MINUTE_MS);
  project.close(issue);
  await settle(5 * MINUTE_MS);
  assert.equal((await linksOf(tracked, postId))[0]?.state, 'COMPLETED');
});
