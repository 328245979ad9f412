import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { prepareBoard } from '../crash/board.ts';
import { makeClient } from '../crash/client.ts';
import { ADMIN } from '../crash/load.ts';
import { makeRandom, type Random } from '../crash/random.ts';
import { type askEarshot, askEarshotIn, type Server, startServer } from '../crash/server.ts';
import { GithubProject } from '../support/github-project.ts';
import { GitlabProject } from '../support/gitlab-project.ts';
import { makeFile } from '../support/import-files.ts';
import { JiraProject } from '../support/jira-project.ts';
import { LinearProject } from '../support/linear-project.ts';
import {
  type Hook,
  type PlayedIssue,
  type PlayedProject,
  PROJECT_TOKEN,
  startProject,
} from '../support/played-project.ts';
import { findFreePort } from '../support/postgres.ts';
import { roundsOf } from '../support/rounds.ts';
import { makeStorePlace } from '../support/store.ts';
import { Troubles } from '../support/troubles.ts';
import { until } from '../support/until.ts';

/** Changes on each side. */
const CHANGES = roundsOf('TRACKER_CHANGES', { short: 60, long: 10_000 });
const KILLS = roundsOf('TRACKER_KILLS', { short: 2, long: 10 });
const IDEAS = 20;
/** The longest time in which all is equal: an issue is told once a minute, and failures are waited for. */
const END_MS = 300_000;
const env = { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', LOG_LEVEL: 'error' };

type Client = ReturnType<typeof makeClient>;
type Idea = { id: string; votes: number; isCompleted: boolean };

// Each product on one engine: what differs between engines is below what differs between trackers.
for (const [engine, Product] of [
  ['sqlite', GithubProject],
  ['postgres', GithubProject],
  ['sqlite', GitlabProject],
  ['sqlite', LinearProject],
  ['sqlite', JiraProject],
] as const) {
  const of = `${Product.name}, ${engine}`;
  test(`${CHANGES} changes on each side meet through outages, limits and ${KILLS} kills [${of}]`, async (t) => {
    const seed = Number(process.env.CRASH_SEED) || Math.floor(Math.random() * 2 ** 32);
    console.log(`${of}: CRASH_SEED=${seed}`);
    const random = makeRandom(seed);
    const place = await makeStorePlace(t, engine);
    const port = await findFreePort();
    const start = () => startServer(t, place, { env, port });
    const project = new Product(Date.now);
    // What is looked for may be younger than what the search knows.
    if (project instanceof JiraProject) project.lagMs = 2_000;
    const troubles = new Troubles(project.troubles);
    await startProject(t, project, troubles);
    const board = await prepareBoard(t, place, 1, { env, port });
    const { key } = board;
    let server: Server = board.server;
    const client = makeClient(server.url, key);
    const connect = connector(t, place, project);
    const { url, secret } = await connect();
    const ideas = await linkAll(client, project);

    const counts = { changes: 0, outages: 0, kills: 0, heard: 0 };
    const requests: Promise<unknown>[] = [];
    const tell = (action: string, issue: PlayedIssue) => {
      const hook = project.hookOf(action, { ...issue }, secret);
      // As on a bad line: some are lost, some come twice or late, and so in another order.
      for (const ms of random.pick<number[]>([[], [0], [0], [0, 20], [50], [200]]) ?? []) {
        counts.heard++;
        requests.push(delay(ms).then(async () => hear(url, await hook)));
      }
    };
    for (; counts.changes < CHANGES; counts.changes++) {
      await changeHere(client, random, ideas);
      changeThere(project, random, tell);
      if (counts.changes % 25 === 24) {
        troubles.isAway = true;
        await delay(300 * random.next());
        troubles.isAway = false;
        counts.outages++;
      }
      if (counts.kills < KILLS && counts.changes >= ((counts.kills + 1) * CHANGES) / (KILLS + 1)) {
        await server.kill();
        server = await start();
        counts.kills++;
      }
    }
    await Promise.all(requests);
    // What a person does who does not want to wait for the next look.
    await connect();
    await untilMet(client, project, ideas);
    console.log(
      `${counts.changes} changes on each side, ${counts.heard} requests of the tracker, ${counts.outages} outages, ${counts.kills} kills`,
    );
  });
}

/** Connects the board with the project, as often as it takes. */
function connector(t: TestContext, place: Parameters<typeof askEarshot>[0], { kind, address }: PlayedProject) {
  const file = makeFile(t, 'token', PROJECT_TOKEN);
  return async () => {
    for (;;) {
      try {
        const args = ['tracker', 'connect', address, '--kind', kind, '--token-file', file];
        const { url = '', secret = '' } = await askEarshotIn({ ...env }, place, ...args);
        return { url, secret };
      } catch {
        await delay(100);
      }
    }
  };
}

/** Makes ideas, each with an issue: every second one is made from here. */
async function linkAll(client: Client, project: PlayedProject): Promise<Idea[]> {
  const ideas: Idea[] = [];
  for (let n = 0; n < IDEAS; n++) {
    const made = await ask(client, 'mutation($title: String!) { createPost(title: $title) { id } }', {
      title: `Idea ${n}`,
    });
    const postId = made.createPost?.id ?? '';
    const issue = n % 2 === 0 ? String(project.open(`Issue of ${n}`).number) : null;
    const link = 'mutation($postId: String!, $issue: String) { linkIssue(postId: $postId, issue: $issue) { id } }';
    await ask(client, link, { postId, issue });
    ideas.push({ id: postId, votes: 0, isCompleted: false });
  }
  await until('every issue is made', () => project.issues.length >= IDEAS, END_MS);
  return ideas;
}

/** Asks until there is an answer. A mutation has a key, so that it is carried out once. */
async function ask(client: Client, query: string, variables: Record<string, unknown>) {
  const key = query.startsWith('mutation') ? `key-${keys++}` : undefined;
  for (;;) {
    try {
      const { data, errors } = await client.send(query, variables, ADMIN, key);
      assert.deepEqual(errors, []);
      return data ?? {};
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      await delay(50);
    }
  }
}

let keys = 0;

async function changeHere(client: Client, random: Random, ideas: Idea[]): Promise<void> {
  const idea = random.pick(ideas) ?? assert.fail();
  if (random.next() < 0.7) {
    const id = `voter-${keys}`;
    await ask(client, 'mutation($id: String!) { createUser(ssotype: "SSO", userId: $id, name: $id) { id } }', { id });
    const voter = '{ ssotype: "SSO", userId: $id }';
    const vote = `mutation($postId: String!, $id: String!) { upvotePost(postId: $postId, voter: ${voter}) { id } }`;
    await ask(client, vote, { postId: idea.id, id });
    idea.votes++;
  } else {
    idea.isCompleted = !idea.isCompleted;
    const type = idea.isCompleted ? 'COMPLETED' : 'UNASSIGNED';
    const move = `mutation($postId: String!) { changePostStatus(postId: $postId, statusType: ${type}) { id } }`;
    await ask(client, move, { postId: idea.id });
  }
}

function changeThere(project: PlayedProject, random: Random, tell: (action: string, issue: PlayedIssue) => void): void {
  const issue = random.pick(project.issues) ?? assert.fail();
  const action = random.pick(['closed', 'not planned', 'reopened', 'edited']) ?? 'edited';
  if (action === 'closed') project.close(issue);
  else if (action === 'not planned') project.close(issue, 'NOT_PLANNED');
  else if (action === 'reopened') project.change(issue, { state: 'OPEN' });
  else project.change(issue, { title: `Issue ${issue.number}, edition ${keys}` });
  tell(action, issue);
}

/** One that the server does not take is lost, as trackers do not send it again for long. */
async function hear(url: string, { headers, body }: Hook): Promise<void> {
  await fetch(url, { method: 'POST', headers, body }).then(
    (response) => response.arrayBuffer(),
    () => {},
  );
}

/** Waits until both sides say the same of each idea, and finds that nothing was made twice. */
async function untilMet(client: Client, project: PlayedProject, ideas: readonly Idea[]): Promise<void> {
  const query =
    'query($id: String!) { post(id: $id) { upvoteCount status { name } issues { nodes { url title state } } } }';
  let unlike: string[] = [];
  const isMet = async () => {
    unlike = [];
    for (const { id, votes } of ideas) {
      // biome-ignore lint/suspicious/noExplicitAny: the shape of the query
      const post = (await ask(client, query, { id })).post as any;
      const [link] = post.issues.nodes;
      const issue = project.issues.find((each) => each.url === link?.url);
      if (!issue) unlike.push(`${id} has no issue`);
      else {
        const there = [issue.state, issue.title, `Votes: ${votes} · Status: ${post.status.name}`, 1];
        const said = project.said(issue.number);
        const here = [
          link.state,
          link.title,
          /Votes: [\d,]+ · Status: .*/.exec(said[0] ?? '')?.[0].replace(',', ''),
          said.length,
        ];
        if (JSON.stringify(here) !== JSON.stringify(there)) unlike.push(`${here} is not ${there}`);
      }
    }
    return unlike.length === 0;
  };
  await until('both sides are equal', isMet, END_MS).catch(() => assert.deepEqual(unlike, []));
  const marks = project.keys();
  assert.deepEqual([project.issues.length, marks.length, new Set(marks).size], [IDEAS, IDEAS / 2, IDEAS / 2]);
}
