import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { findIssues } from '../../src/feedback/issues/issues.ts';
import { beginOperation } from '../../src/identity/activity/activity.ts';
import { operator } from '../../src/identity/users/authority.ts';
import type { ActorContext } from '../../src/identity/users/request-context.ts';
import { findUser } from '../../src/identity/users/users.ts';
import { readFailure } from '../../src/operations/trackers/fault.ts';
import { connectTracker } from '../../src/operations/trackers/trackers.ts';
import { TrackerWorker } from '../../src/operations/trackers/worker.ts';
import { makeTestApp, type TestApp } from './app.ts';
import { GithubProject } from './github-project.ts';
import { GitlabProject } from './gitlab-project.ts';
import { JiraProject } from './jira-project.ts';
import { LinearProject } from './linear-project.ts';
import { type Hook, type PlayedProject, PROJECT_TOKEN, startProject } from './played-project.ts';
import { makeTestSender } from './sender.ts';
import { engines } from './store.ts';

/** A board that is connected with a played project. */
export type Tracked = {
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

/** Registers a test for each tracker on each engine. */
export function testTrackers(name: string, work: (tracked: Tracked, t: TestContext) => Promise<void>): void {
  const products = [GithubProject, GitlabProject, LinearProject, JiraProject];
  for (const [engine, Product] of engines.flatMap((each) => products.map((product) => [each, product] as const))) {
    test(`${name} [${Product.name}, ${engine}]`, async (t) => {
      const app = await makeTestApp(t, engine);
      await app.makeUser('mod', 'MODERATOR');
      const { db, clock, board } = app;
      const project = new Product(() => clock.now());
      const { received } = await startProject(t, project);
      const sender = makeTestSender();
      const request = { db, clock, board, baseUrl: 'http://board.test' };
      const options = { kind: project.kind, token: PROJECT_TOKEN };
      const connect = (named: string) => connectTracker({ ...request, actor: operator }, sender, { ...options, named });
      const { id, secret } = await connect(project.address);
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

/** The links of a post, with what is wrong in English. */
export const linksOf = async ({ app }: Tracked, postId: string) => {
  const rows = await findIssues(app.db.read, { board_id: app.board.id, id: postId });
  return rows.map((row) => ({ ...row, failure: failureIn(row) }));
};

/** What is wrong with a tracker or a link, in English. */
export const failureIn = ({ failure }: { failure: string | null }) => readFailure(failure)?.text ?? null;

/** The type of the status of a post. */
export async function statusOf({ app }: Tracked, postId: string): Promise<string> {
  const { post } = await app.ask('query($id: String!) { post(id: $id) { status { type } } }', { id: postId });
  return post.status.type;
}
