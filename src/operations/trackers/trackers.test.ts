import assert from 'node:assert/strict';
import { LinearProject } from '../../../test/support/linear-project.ts';
import { makeTestSender } from '../../../test/support/sender.ts';
import { linksOf, statusOf, testTrackers } from '../../../test/support/tracked.ts';
import { removeLink } from '../../feedback/issues/issues.ts';
import { undoOperation } from '../../feedback/undo/undo.ts';
import { operator } from '../../identity/users/authority.ts';
import { findUser } from '../../identity/users/users.ts';
import { MINUTE_MS, SECOND_MS } from '../../platform/lib/clock.ts';
import { trackerNames } from './kinds.ts';
import { linkIssue } from './linking.ts';
import { changeTracker, makeTrackerHook } from './trackers.ts';

testTrackers('a network that sends what the tracker has not signed is refused for a minute', async (tracked) => {
  const { app, project, id, secret } = tracked;
  const issue = project.open('Night theme');
  const send = async (key: string, remoteAddress: string) => {
    const { headers, body } = await project.hookOf('edited', issue, key);
    const url = `/api/v1/trackers/acme/${id}`;
    const response = await app.app.inject({ method: 'POST', url, headers, payload: body, remoteAddress });
    return [response.statusCode, response.headers['retry-after']];
  };
  for (let n = 0; n < 30; n++) assert.deepEqual(await send('wrong', '192.0.2.1'), [401, undefined]);
  assert.deepEqual(await send('wrong', '192.0.2.1'), [429, '60']);
  assert.deepEqual(await send(secret, '192.0.2.1'), [429, '60']);
  assert.deepEqual(await send('wrong', '192.0.2.2'), [401, undefined]);
  assert.deepEqual(await send(secret, '192.0.2.2'), [200, undefined]);
  app.clock.advance(MINUTE_MS);
  // What is signed does not count.
  for (let n = 0; n < 40; n++) assert.deepEqual(await send(secret, '192.0.2.1'), [200, undefined]);
});

testTrackers('an issue is made of an idea, and told of votes and status', async (tracked) => {
  const { app, project, settle, context } = tracked;
  const postId = await app.makePost('Dark *mode* for @octocat, see #1');
  const own = await context();
  await linkIssue(own, postId, { trackerId: tracked.id });
  await settle();
  const [issue] = project.issues;
  assert.equal(issue?.title, 'Dark *mode* for @\u200boctocat, see #\u200b1');
  assert.match(issue?.text ?? '', /^Because\.\n\n\[Dark \\\*mode\\\* .*\]\(http[^)]+\)/);
  assert.equal(project.keys().length, 1);
  await settle();
  const [said = ''] = project.said(1);
  assert.match(said, /\(http:\/\/board\.test\/b\/acme\/posts\/1\/[^)]*\) · Votes: 0 · Status: Open/);
  const [link] = await linksOf(tracked, postId);
  assert.deepEqual([link?.issue, link?.state, link?.failure], ['1', 'OPEN', null]);

  await app.api.upvotePost({ postId });
  await settle(2 * MINUTE_MS);
  assert.match(project.said(1).join(), /Votes: 1 · Status: Open/);
  await app.api.as('mod').changePostStatus({ postId, statusType: 'COMPLETED' });
  await settle(2 * MINUTE_MS);
  assert.match(project.said(1).join(), /Votes: 1 · Status: Completed/);
  assert.equal(project.comments.length, 1);

  // Undoing the link takes the comment away, and undoing that brings it back.
  await undoOperation(await context(), own.operation?.id ?? '');
  await settle(2 * MINUTE_MS);
  assert.deepEqual([project.said(1), await linksOf(tracked, postId)], [[], []]);
  assert.equal(project.issues.length, 1);
});

testTrackers('a request without a response makes nothing twice', async (tracked) => {
  const { app, project, settle, context } = tracked;
  const postId = await app.makePost('Dark mode');
  await linkIssue(await context(), postId, { trackerId: tracked.id });
  project.isMute = true;
  await settle();
  assert.deepEqual([project.issues.length, (await linksOf(tracked, postId))[0]?.issue], [1, null]);
  project.isMute = false;
  await settle(10 * MINUTE_MS);
  await settle();
  assert.deepEqual([project.issues.length, project.comments.length], [1, 1]);
  await app.api.upvotePost({ postId });
  project.comments = [];
  project.isMute = true;
  await settle(2 * MINUTE_MS);
  project.isMute = false;
  await settle(10 * MINUTE_MS);
  await settle(2 * MINUTE_MS);
  assert.deepEqual([project.issues.length, project.comments.length], [1, 1]);
  assert.match(project.said(1).join(), /Votes: 1/);
});

testTrackers('the end of an issue asks the team, whatever way it is heard of', async (tracked) => {
  const { app, project, settle, context, hear, secret } = tracked;
  const posts = [await app.makePost('Heard'), await app.makePost('Read')];
  for (const postId of posts) {
    const issue = project.open(`Issue of ${postId}`);
    await linkIssue(await context(), postId, { named: issue.url });
  }
  await settle();
  const [heard, read] = project.issues;
  assert.ok(heard && read);
  app.clock.advance(MINUTE_MS);
  const early = { ...heard };
  project.close(heard);
  project.close(read);
  const asks = async () => (await Promise.all(posts.map((id) => linksOf(tracked, id)))).map(([row]) => row?.asks);
  // Late, twice, and in another order.
  assert.equal(await hear(project.hookOf('closed', heard, secret)), 200);
  assert.equal(await hear(project.hookOf('closed', heard, secret)), 200);
  assert.equal(await hear(project.hookOf('edited', early, secret)), 200);
  assert.deepEqual(await asks(), [1, 0]);
  await settle(5 * MINUTE_MS);
  assert.deepEqual(await asks(), [1, 1]);
  assert.deepEqual(await Promise.all(posts.map((id) => statusOf(tracked, id))), ['UNASSIGNED', 'UNASSIGNED']);
  // Opened again: nothing is asked any more.
  app.clock.advance(SECOND_MS);
  project.change(heard, { state: 'OPEN' });
  assert.equal(await hear(project.hookOf('reopened', heard, secret)), 200);
  assert.deepEqual(await asks(), [0, 1]);
  for (const wrong of [`${secret}0`, secret.slice(1), '0'])
    assert.equal(await hear(project.hookOf('closed', heard, wrong)), 401);
  const malformed = { ...heard, number: 'x' as unknown as number };
  assert.equal(await hear(project.hookOf('closed', malformed, secret)), 400);
  assert.equal(await hear(project.otherHook(secret)), 200);
});

testTrackers('by rule, the end of an issue completes its idea and a release drafts an entry', async (tracked) => {
  const { app, project, settle, context, hear, secret } = tracked;
  const admin = { ...(await context()), actor: operator };
  await changeTracker(admin, tracked.id, { rule: 'COMPLETE', tellsIssues: false });
  const postId = await app.makePost('Dark mode');
  const issue = project.open('Night theme');
  await linkIssue(await context(), postId, { named: '#1' });
  await settle();
  app.clock.advance(MINUTE_MS);
  await hear(project.hookOf('closed', project.close(issue), secret));
  assert.equal(await statusOf(tracked, postId), 'COMPLETED');
  const { operations } = await app.ask('{ operations(limit: 1) { nodes { id actor { name } } } }', {}, { as: 'mod' });
  assert.equal(operations.nodes[0].actor.name, trackerNames[project.kind]);
  app.clock.advance(MINUTE_MS);
  if (project.hasReleases) project.release('v2.3', 'Fixes #1 and #99');
  await settle(10 * MINUTE_MS);
  await settle(10 * MINUTE_MS);
  const { changelog } = await app.ask(
    '{ changelog(state: DRAFT) { nodes { title text posts { nodes { title } } } } }',
    {},
    { as: 'mod' },
  );
  assert.deepEqual(changelog.nodes.length, project.hasReleases ? 1 : 0);
  if (project.hasReleases) assert.match(changelog.nodes[0].text, /Suggested by ada · Votes: 0.*\n\nVersion v2\.3$/s);
  // What a tracker has done is undone as anything else.
  await undoOperation(await context(), operations.nodes[0].id);
  assert.equal(await statusOf(tracked, postId), 'UNASSIGNED');
  assert.deepEqual(project.comments, []);
});

testTrackers('a tracker that fails is left alone for a while, and then caught up with', async (tracked) => {
  const { app, project, settle, context } = tracked;
  const postId = await app.makePost('Dark mode');
  project.open('Night theme');
  await linkIssue(await context(), postId, { named: '1' });
  await settle();
  const before = tracked.asked().length;
  const { answer } = project;
  project.answer = (_, send) => send(403, { message: 'API rate limit exceeded' }, { 'retry-after': '600' });
  await app.api.upvotePost({ postId });
  await settle(2 * MINUTE_MS);
  for (let n = 0; n < 5; n++) await settle(MINUTE_MS);
  assert.equal(tracked.asked().length, before + 1);
  project.answer = answer;
  const [issue] = project.issues;
  project.close(issue ?? assert.fail());
  await settle(10 * MINUTE_MS);
  await settle(2 * MINUTE_MS);
  const [link] = await linksOf(tracked, postId);
  assert.deepEqual([link?.state, link?.failure], ['COMPLETED', null]);
  assert.match(project.said(1).join(), /Votes: 1/);
});

testTrackers('what is linked follows merges and deletions', async (tracked) => {
  const { app, project, settle, context } = tracked;
  const [postId, targetId] = [await app.makePost('Dark mode'), await app.makePost('Night theme')];
  project.open('Dark');
  await linkIssue(await context(), postId, { named: '1' });
  await settle();
  await settle();
  await app.api.as('mod').mergePosts({ sourceIds: [postId], targetId });
  await settle(2 * MINUTE_MS);
  assert.match(project.said(1).join(), /Night theme/);
  assert.equal((await linksOf(tracked, targetId)).length, 1);
  await app.api.as('mod').deletePost({ postId: targetId });
  await settle(2 * MINUTE_MS);
  assert.deepEqual(project.said(1), []);
});

testTrackers('a webhook is made by the trackers that make it, once an admin asks for it', async (tracked) => {
  const { app, project, context, hear, settle, secret, id } = tracked;
  const own = { ...(await context()), actor: operator };
  const make = () => makeTrackerHook(own, makeTestSender(), id);
  await assert.rejects(makeTrackerHook(await context(), makeTestSender(), id), /Only admins can/);
  if (!(project instanceof LinearProject)) return assert.rejects(make(), /by hand only/);
  project.isAdmin = false;
  await assert.rejects(make(), /The webhook cannot be created: .* refuses the request: Access denied/);
  project.isAdmin = true;
  await make();
  const [hook] = project.hooks;
  assert.equal(hook?.url, `http://board.test/api/v1/trackers/acme/${id}`);
  assert.equal(hook.secret, secret);
  const postId = await app.makePost('Dark mode');
  const issue = project.open('Night theme');
  await linkIssue(await context(), postId, { named: 'APP-1' });
  await settle();
  app.clock.advance(SECOND_MS);
  assert.equal(await hear(project.hookOf('closed', project.close(issue), hook.secret)), 200);
  assert.equal((await linksOf(tracked, postId))[0]?.state, 'COMPLETED');
});

testTrackers('only the team links issues, and only those of connected projects', async (tracked) => {
  const { app, project, context } = tracked;
  const postId = await app.makePost('Dark mode');
  await app.makeUser('bob');
  const actor = (await findUser(app.db.read, app.board.id, { ssoType: 'SSO', ssoId: 'bob' })) ?? assert.fail();
  await assert.rejects(linkIssue({ ...(await context()), actor }, postId, { named: '1' }), /Only moderators can link/);
  const own = await context();
  for (const named of ['x', '0', 'https://github.com/acme/other/issues/1', `${project.origin}/acme/app/issues`, ''])
    await assert.rejects(linkIssue(own, postId, { named }), /not an issue of a connected project/);
  await assert.rejects(removeLink(own, 'x'), /Issue not found/);
});
