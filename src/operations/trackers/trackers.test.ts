import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sign } from '@octokit/webhooks-methods';
import { pino } from 'pino';
import { makeTestApp, type TestApp } from '../../../test/support/app.ts';
import { GithubProject } from '../../../test/support/github-project.ts';
import { GitlabProject } from '../../../test/support/gitlab-project.ts';
import { type Hook, type PlayedProject, PROJECT_TOKEN, startProject } from '../../../test/support/played-project.ts';
import { makeTestSender } from '../../../test/support/sender.ts';
import { engines } from '../../../test/support/store.ts';
import { until } from '../../../test/support/until.ts';
import { findIssues, removeLink } from '../../feedback/issues/issues.ts';
import { undoOperation } from '../../feedback/undo/undo.ts';
import { beginOperation } from '../../identity/activity/activity.ts';
import { operator } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { findUser } from '../../identity/users/users.ts';
import { MINUTE_MS, SECOND_MS } from '../../platform/lib/clock.ts';
import { trackerNames } from './kinds.ts';
import { linkIssue } from './linking.ts';
import { changeTracker, connectTracker } from './trackers.ts';
import { TrackerWorker } from './worker.ts';

type Tracked = {
  app: TestApp;
  project: PlayedProject;
  /** Asks of the tracker, as method and path. */
  asked: () => string[];
  id: string;
  secret: string;
  /** Lets time pass, and everything that is due be done. */
  settle(milliseconds?: number): Promise<void>;
  worker: TrackerWorker;
  context(): Promise<ActorContext>;
  /** Connects the board with a project, as its admins do. */
  connect(named: string): Promise<{ id: string; secret: string }>;
  /** Sends a request of the tracker, and does what follows. @returns its status */
  hear(hook: Promise<Hook> | Hook): Promise<number>;
};

function testTrackers(name: string, work: (tracked: Tracked, t: TestContext) => Promise<void>): void {
  const products = [GithubProject, GitlabProject];
  for (const [engine, Product] of engines.flatMap((each) => products.map((product) => [each, product] as const))) {
    test(`${name} [${Product.name}, ${engine}]`, async (t) => {
      const app = await makeTestApp(t, engine);
      await app.makeUser('mod', 'MODERATOR');
      const { db, clock, board } = app;
      const project = new Product(() => clock.now());
      const { origin, received } = await startProject(t, project);
      const sender = makeTestSender();
      const request = { db, clock, board, baseUrl: 'http://board.test' };
      const named = `${origin}/acme/app`;
      const options = { kind: project.kind, named, token: PROJECT_TOKEN };
      const connect = (address: string) =>
        connectTracker({ ...request, actor: operator }, sender, { ...options, named: address });
      const { id, secret } = await connect(named);
      const log = pino({ level: 'silent' });
      const worker = new TrackerWorker({ db, clock, log, baseUrl: request.baseUrl, sender });
      t.after(() => worker.stop());
      await work(
        {
          app,
          project,
          id,
          secret,
          worker,
          connect,
          asked: () => received.map(({ method, url }) => `${method} ${url.replace(/^.*\/acme\/app|\?.*$/g, '')}`),
          async settle(milliseconds = 0) {
            clock.advance(milliseconds);
            await worker.settled();
          },
          async context() {
            const actor = await findUser(db.read, board.id, { ssoType: 'SSO', ssoId: 'mod' });
            return { ...request, operation: beginOperation(), actor: actor ?? assert.fail() };
          },
          async hear(hook) {
            const { headers, body } = await hook;
            const url = `/api/v1/trackers/acme/${id}`;
            const { statusCode } = await app.app.inject({ method: 'POST', url, headers, payload: body });
            await worker.settled();
            return statusCode;
          },
        },
        t,
      );
    });
  }
}

const linksOf = async ({ app }: Tracked, postId: string) =>
  findIssues(app.db.read, { board_id: app.board.id, id: postId });

async function statusOf({ app }: Tracked, postId: string): Promise<string> {
  const { post } = await app.ask('query($id: String!) { post(id: $id) { status { type } } }', { id: postId });
  return post.status.type;
}

testTrackers('an issue is made of an idea, and told of votes and status', async (tracked) => {
  const { app, project, settle, context } = tracked;
  const postId = await app.makePost('Dark *mode* for @octocat, see #1');
  const own = await context();
  await linkIssue(own, postId, { trackerId: tracked.id });
  await settle();
  const [issue] = project.issues;
  assert.equal(issue?.title, 'Dark *mode* for @\u200boctocat, see #\u200b1');
  assert.match(issue?.text ?? '', /^Because\.\n\n\[Dark \\\*mode\\\* .*\]\(http[^)]+\)\n\n<!-- earshot:/);
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
  assert.equal(await hear(project.hookOf('closed', heard, secret)), 202);
  assert.equal(await hear(project.hookOf('closed', heard, secret)), 202);
  assert.equal(await hear(project.hookOf('edited', early, secret)), 202);
  assert.deepEqual(await asks(), [1, 0]);
  await settle(5 * MINUTE_MS);
  assert.deepEqual(await asks(), [1, 1]);
  assert.deepEqual(await Promise.all(posts.map((id) => statusOf(tracked, id))), ['UNASSIGNED', 'UNASSIGNED']);
  // Opened again: nothing is asked any more.
  app.clock.advance(SECOND_MS);
  project.change(heard, { state: 'OPEN' });
  assert.equal(await hear(project.hookOf('reopened', heard, secret)), 202);
  assert.deepEqual(await asks(), [0, 1]);
  for (const wrong of [`${secret}0`, secret.slice(1), '0'])
    assert.equal(await hear(project.hookOf('closed', heard, wrong)), 401);
  const malformed = { ...heard, number: 'x' as unknown as number };
  assert.equal(await hear(project.hookOf('closed', malformed, secret)), 400);
  assert.equal(await hear(project.otherHook(secret)), 202);
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
  project.release('v2.3', 'Fixes #1 and #99');
  await settle(10 * MINUTE_MS);
  await settle(10 * MINUTE_MS);
  const { changelog } = await app.ask(
    '{ changelog(state: DRAFT) { nodes { title text posts { nodes { title } } } } }',
    {},
    { as: 'mod' },
  );
  assert.deepEqual(changelog.nodes.length, 1);
  assert.match(changelog.nodes[0].text, /Suggested by ada · Votes: 0.*\n\nVersion v2\.3$/s);
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
    const { headers, body } = await project.hookOf('closed', project.close({ ...issue }), secret);
    const text = body.replace(/"id":1\b/, '"id":2').replaceAll('acme/app', 'acme/other');
    const signed = project.kind === 'GITHUB' ? { 'x-hub-signature-256': await sign(secret, text) } : {};
    assert.equal(await hear({ headers: { ...headers, ...signed }, body: text }), 202);
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
  const { origin } = await startProject(t, slow);
  const { connect } = tracked;
  await connect(`${origin}/acme/app`);
  const postId = await app.makePost('Dark mode');
  const issue = project.open('Night theme');
  await linkIssue(await context(), postId, { named: issue.url });
  await settle();
  const waiting = Promise.withResolvers<void>();
  t.after(() => waiting.resolve());
  const { answer } = slow;
  slow.answer = (request, send) => void waiting.promise.then(() => answer.call(slow, request, send));
  const strange = project.open('Strange');
  Object.assign(strange, { number: 'x', url: 'javascript:alert(1)' });
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
  assert.match(row?.failure ?? '', /acme\/app has moved: connect it again by its new name/);
  // The played project answers by its first name alone: what counts is what it is called for good.
  project.answer = answer;
  await app.db.transaction((tx) => tx.updateTable('trackers').set({ project: 'acme/old' }).execute());
  const again = await connect(`${project.origin}/acme/app`);
  assert.deepEqual([again.id, again.secret], [tracked.id, tracked.secret]);
  await settle(10 * MINUTE_MS);
  const rows = await app.db.read.selectFrom('trackers').select(['project', 'failure']).execute();
  assert.deepEqual(rows, [{ project: 'acme/app', failure: null }]);
  assert.equal((await linksOf(tracked, postId)).length, 1);
});
