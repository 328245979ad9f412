import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import type { GithubProject } from '../../../test/support/github-project.ts';
import { type PlayedProject, PROJECT_TOKEN, startProject } from '../../../test/support/played-project.ts';
import { makeTestSender } from '../../../test/support/sender.ts';
import { failureIn, linksOf, type Tracked, testTrackers } from '../../../test/support/tracked.ts';
import { until } from '../../../test/support/until.ts';
import { operator } from '../../identity/users/authority.ts';
import type { Tx } from '../../platform/db/db.ts';
import { MINUTE_MS, SECOND_MS } from '../../platform/lib/clock.ts';
import { makeId } from '../../platform/lib/ids.ts';
import type { TrackerDeadlines } from './deadlines.ts';
import { linkIssue } from './linking.ts';
import { type Asking, Slots } from './slots.ts';
import { connectTracker } from './trackers.ts';
import { TrackerWorker } from './worker.ts';

const BOARDS = 6;
const TRACKERS_OF_BOARD = 4;
const TOO_SLOW = /takes too long to respond|broke off its response/;

/** A server that sends one byte a second, once it is to. */
async function startSlow(t: TestContext, { app, project }: Pick<Tracked, 'app' | 'project'>) {
  const Product = project.constructor as typeof GithubProject;
  const slow = new Product(() => app.clock.now()) as PlayedProject;
  const open = new Set<ServerResponse>();
  const drip = setInterval(() => {
    for (const response of open) response.write(' ');
  }, SECOND_MS);
  t.after(() => clearInterval(drip));
  const troubles = {
    isOn: false,
    strike(response: ServerResponse) {
      if (!this.isOn) return false;
      response.writeHead(200, { 'content-type': 'application/json' }).write('[');
      open.add(response.on('close', () => open.delete(response)));
      return true;
    },
  };
  await startProject(t, slow, troubles);
  return { slow, open, troubles };
}

/** Connects a board with several projects of one server. */
async function connectAll({ app, project }: Tracked, slow: PlayedProject, many: number) {
  const { db, clock } = app;
  const board = await app.makeBoard();
  const context = { db, clock, board, baseUrl: 'http://board.test', actor: operator };
  const options = { kind: project.kind, token: PROJECT_TOKEN, named: slow.address };
  for (let n = 0; n < many; n++) {
    const { id } = await connectTracker(context, makeTestSender(), options);
    // Another project, so that the next one is not this one once more.
    const rename = (tx: Tx) =>
      tx
        .updateTable('trackers')
        .set({ project_key: `former ${n}` })
        .where('id', '=', id);
    await db.transaction((tx) => rename(tx).execute());
  }
  return board;
}

testTrackers(
  'servers of one byte a second hold a share for each board, and no longer than they may',
  async (tracked, t) => {
    const { app, project, settle, context, worker } = tracked;
    const postId = await app.makePost('Dark mode');
    const issue = project.open('Night theme');
    await linkIssue(await context(), postId, { named: '1' });
    await settle();
    const servers = await Promise.all(Array.from({ length: BOARDS }, () => startSlow(t, tracked)));
    for (const { slow } of servers) await connectAll(tracked, slow, TRACKERS_OF_BOARD);
    for (const { troubles } of servers) troubles.isOn = true;
    const countOpen = () => servers.map(({ open }) => open.size);
    app.clock.advance(5 * MINUTE_MS);
    project.close(issue);
    const settled = worker.settled();
    // All of the others are due earlier, and more than there are slots.
    const isRead = async () => (await linksOf(tracked, postId))[0]?.state === 'COMPLETED';
    await until('the other board is read', isRead, 10 * SECOND_MS);
    await until('all others are asked', () => countOpen().every((count) => count === 2));
    await delay(100);
    assert.deepEqual(countOpen(), Array(BOARDS).fill(2));
    await worker.stop();
    await settled;

    app.clock.advance(5 * MINUTE_MS);
    const hasty = startWorker(t, tracked, { request: 100 });
    await hasty.settled();
    const rows = await app.db.read.selectFrom('trackers').select(['board_id', 'failure']).execute();
    const slowOnes = rows.filter(({ board_id }) => board_id !== app.board.id);
    assert.equal(slowOnes.length, BOARDS * TRACKERS_OF_BOARD);
    for (const row of slowOnes) assert.match(failureIn(row) ?? '', TOO_SLOW);
    assert.deepEqual(rows.filter(({ failure }) => failure === null).length, 1);
  },
);

testTrackers('many links of a slow tracker keep no link of another board waiting', async (tracked, t) => {
  const { app, project, context, settle, worker } = tracked;
  const { slow, troubles } = await startSlow(t, tracked);
  const board = await connectAll(tracked, slow, 1);
  const key = await app.makeKey({}, board);
  await app.makeUser('ada', 'OWNER', { key });
  const otherPost = await app.makePost('Other', { key });
  const trackers = app.db.read.selectFrom('trackers').select('id').where('board_id', '=', board.id);
  const tracker = await trackers.executeTakeFirst();
  await settle();
  const now = app.clock.now();
  const of = { board_id: board.id, post_id: otherPost, tracker_id: tracker?.id ?? '', asks: 0 } as const;
  const state = { date_changed: 0, is_removed: 0, is_read: 0, attempts: 0, failures: 0 } as const;
  const dates = { date_opened: now, date_due: now - 1, date_created: now };
  const rows = Array.from({ length: 250 }, (_, n) => ({ ...of, ...state, ...dates, id: makeId(), issue: `${n + 1}` }));
  await app.db.transaction((tx) => tx.insertInto('issue_links').values(rows).execute());
  troubles.isOn = true;
  const postId = await app.makePost('Dark mode');
  project.open('Night theme');
  await linkIssue(await context(), postId, { named: '1' });
  const settled = worker.settled();
  await until('it is read', async () => (await linksOf(tracked, postId))[0]?.state === 'OPEN', 5 * SECOND_MS);
  await worker.stop();
  await settled;
});

testTrackers('pages without end, each in time, are not read for longer than they may take', async (tracked, t) => {
  const { app, project } = tracked;
  if (project.kind !== 'GITHUB') return;
  let pages = 0;
  project.answer = (_, send) => {
    const next = `<${project.origin}/api/v3/next?page=${++pages}>; rel="next"`;
    setTimeout(() => send(200, [], { link: next }), 50);
  };
  await startWorker(t, tracked, { read: 200, page: 10 }).settled();
  const [row] = await app.db.read.selectFrom('trackers').selectAll().execute();
  assert.match(row ? (failureIn(row) ?? '') : '', TOO_SLOW);
  assert.ok(pages >= 4 && pages < 20, String(pages));
});

testTrackers('what one link needs is given up in time, and found later if it was made', async (tracked, t) => {
  const { app, project, settle, context } = tracked;
  await settle();
  const postId = await app.makePost('Dark mode');
  await linkIssue(await context(), postId, { trackerId: tracked.id });
  const { answer } = project;
  project.answer = (request, send) => {
    const late: typeof send = (...sent) => setTimeout(() => send(...sent), SECOND_MS);
    return answer.call(project, request, project.isChange(request) ? late : send);
  };
  const hasty = startWorker(t, tracked, { link: 100 });
  await hasty.settled();
  assert.match((await linksOf(tracked, postId))[0]?.failure ?? '', TOO_SLOW);
  await hasty.stop();
  project.answer = answer;
  for (let n = 0; n < 3; n++) await settle(10 * MINUTE_MS);
  assert.deepEqual([project.issues.length, (await linksOf(tracked, postId))[0]?.failure], [1, null]);
});

function startWorker(t: TestContext, { app }: Tracked, deadlines: Partial<TrackerDeadlines>): TrackerWorker {
  const { db, clock } = app;
  const log = pino({ level: 'silent' });
  const deps = { db, clock, log, baseUrl: 'http://board.test', sender: makeTestSender(), deadlines };
  const worker = new TrackerWorker(deps);
  t.after(() => worker.stop());
  return worker;
}

test('boards, servers, and trackers that fail or are slow have a share of the slots', async () => {
  const slots = new Slots(10);
  const ends = new Map<string, () => void>();
  const begin = (id: string, asking: Partial<Asking> = {}) => {
    const whole = { id, board_id: id, api_url: id, failures: 0, ...asking };
    if (!slots.hasRoomFor(whole)) return false;
    void slots.hold(whole, () => new Promise((resolve) => ends.set(id, resolve)));
    return true;
  };
  const count = (of: (n: number) => boolean) => Array.from({ length: 30 }, (_, n) => of(n)).filter(Boolean).length;
  const end = async () => {
    for (const finish of ends.values()) finish();
    await Promise.all(slots.working);
  };
  assert.deepEqual([begin('one'), begin('one')], [true, false]);
  assert.equal(
    count((n) => begin(`board ${n}`, { board_id: 'board' })),
    2,
  );
  assert.deepEqual(slots.taken.boards, ['board']);
  assert.equal(
    count((n) => begin(`server ${n}`, { api_url: 'server' })),
    10,
  );
  assert.deepEqual(slots.taken.servers, ['server']);
  assert.equal(
    count((n) => begin(`any ${n}`)),
    7,
  );
  await end();
  assert.equal(
    count((n) => begin(`failing ${n}`, { failures: 1 })),
    10,
  );
  assert.equal(
    count((n) => begin(`good ${n}`)),
    10,
  );
  await delay(20);
  await end();
  // Those that were good have been slow since, and others are not held up by them.
  assert.equal(
    count((n) => n < 10 && begin(`good ${n}`)),
    10,
  );
  assert.equal(
    count((n) => n < 10 && begin(`failing ${n}`)),
    0,
  );
  assert.ok(slots.taken.trackers.includes('failing 9'));
  assert.equal(
    count((n) => begin(`new ${n}`)),
    10,
  );
  await end();
});
