import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createPost } from '../src/feedback/lifecycle/creating.ts';
import { changePostStatus } from '../src/feedback/lifecycle/moving.ts';
import { Notifier } from '../src/feedback/notifying/notifier.ts';
import { listStatuses } from '../src/feedback/statuses/statuses.ts';
import { WAYS } from '../src/feedback/subscriptions/subscriptions.ts';
import { requireBoard } from '../src/identity/board/board.ts';
import { createUser, setRole } from '../src/identity/users/users.ts';
import type { Engine } from '../src/platform/db/db.ts';
import { openBackgroundDb, openDb } from '../src/platform/db/open.ts';
import { makeCipher } from '../src/platform/lib/cipher.ts';
import { MINUTE_MS } from '../src/platform/lib/clock.ts';
import { makeId } from '../src/platform/lib/ids.ts';
import { makeLog } from '../src/platform/lib/log.ts';
import { type Insertion, insertInBulk } from './bulk.ts';
import type { Options } from './options.ts';
import { format, type PartResult } from './report.ts';
import { median, quantile } from './statistics.ts';
import { SECRET_KEY, type Store, type Stores } from './stores.ts';

const FOLLOWERS = 10_000;
const SIZE = { posts: 1_000, commentsPerPost: 1 };
/** A post is written so often while followers are notified. */
const WRITE_EVERY_MS = 5;
const QUEUED_LIMIT_MS = 1_000;
const WAIT_LIMIT_MS = 50;

/** How long a step takes, and how long the writes take that are made in the meantime. */
type Step = { ms: number; p50: number; most: number };
type Sample = { alone: Step; expanding: Step; gathering: Step };

/** How soon the mails to many followers of one change are queued, and how much longer others wait for their writes. */
export async function measureNotifications(options: Options, stores: Stores): Promise<PartResult> {
  const results: { engine: Engine; samples: Sample[] }[] = [];
  for (const engine of options.engines) {
    const store = await stores.make(engine, 'notifications', SIZE);
    const samples: Sample[] = [];
    for (let round = 0; round < options.rounds; round++) {
      console.error(`notifications: ${engine}, round ${round + 1}`);
      samples.push(await measureOnce(store, options.seconds));
    }
    results.push({ engine, samples });
  }
  return describe(results);
}

/** All in one process, as `serve` has it: SQLite has one thread for everything. */
async function measureOnce(store: Store, seconds: number): Promise<Sample> {
  const db = openDb(store);
  const clock = { offsetMs: 0, now: () => Date.now() + clock.offsetMs };
  const board = await requireBoard(db.read, store.boardId);
  const context = { db, clock, board, baseUrl: 'http://localhost' };
  await createUser(context, { ssoType: 'SSO', ssoId: 'bench' }, { name: 'Bench' });
  const actor = await setRole(context, { ssoType: 'SSO', ssoId: 'bench' }, 'ADMIN');
  if (!actor) throw new Error('The person of the benchmark is gone');
  const acting = { ...context, actor };
  const cipher = makeCipher(SECRET_KEY);
  const background = openBackgroundDb(db, store);
  const notifier = new Notifier({ db: background, clock, cipher, baseUrl: context.baseUrl, log: makeLog('silent') });
  try {
    const post = await createPost(acting, { title: 'Calendar feed per person' });
    await insertInBulk(
      { databaseUrl: store.databaseUrl, file: join(store.dataDir, 'earshot.db') },
      followersOf(store.boardId, post.id, post.date_created),
    );
    await db.analyzeGrown();
    const write = () => createPost(acting, { title: 'Another idea', comment: 'We copy rows by hand every Monday.' });
    const alone = await whileWriting(write, () => delay(seconds * 1_000));
    const planned = (await listStatuses(db.read, board.id)).find(({ name }) => name === 'Planned');
    await changePostStatus(acting, post.id, { statusType: 'CUSTOM', statusId: planned?.id ?? '' });
    const expanding = await whileWriting(write, () => notifier.settled());
    clock.offsetMs = 3 * MINUTE_MS;
    const gathering = await whileWriting(write, () => notifier.settled());
    const count = db.read.selectFrom('mails').select((e) => e.fn.countAll<number>().as('count'));
    const { count: mails } = await count.where('post_id', '=', post.id).executeTakeFirstOrThrow();
    if (Number(mails) !== FOLLOWERS) throw new Error(`${mails} mails are queued for ${FOLLOWERS} followers`);
    return { alone, expanding, gathering };
  } finally {
    await notifier.stop();
    if (background !== db) await background.close();
    await db.close();
  }
}

/** Does something while writes begin at a fixed pace, whatever they take. */
async function whileWriting(write: () => Promise<unknown>, work: () => Promise<unknown>): Promise<Step> {
  const times: number[] = [];
  const writes: Promise<void>[] = [];
  const timed = async (begun: number) => {
    await write();
    times.push(performance.now() - begun);
  };
  const start = performance.now();
  // From the time at which it should have begun: a loop that is held up is a wait as well.
  let next = start;
  const timer = setInterval(() => {
    for (; next <= performance.now(); next += WRITE_EVERY_MS) writes.push(timed(next));
  }, WRITE_EVERY_MS);
  await work();
  const ms = performance.now() - start;
  clearInterval(timer);
  await Promise.all(writes);
  return { ms, p50: median(times), most: quantile(times, 1) };
}

function followersOf(boardId: string, postId: string, date: number): Insertion[] {
  const users = Array.from({ length: FOLLOWERS }, () => makeId());
  const text = ['board_id', 'id', 'sso_type', 'sso_id', 'name', 'email', 'role'];
  return [
    {
      table: 'users',
      types: {
        ...Object.fromEntries(text.map((name) => [name, 'text' as const])),
        date_created: 'bigint',
        date_updated: 'bigint',
      },
      rows: users.map((id, n) => [
        boardId,
        id,
        'SSO',
        id,
        `Person ${n}`,
        `person-${n}@example.com`,
        'MEMBER',
        date,
        date,
      ]),
    },
    {
      table: 'subscriptions',
      types: { board_id: 'text', post_id: 'text', user_id: 'text', date_created: 'bigint', ways: 'integer' },
      rows: users.map((id) => [boardId, postId, id, date, WAYS.VOTED | WAYS.CHOSE]),
    },
    {
      table: 'votes',
      types: { board_id: 'text', post_id: 'text', user_id: 'text', id: 'text', type: 'text', date_created: 'bigint' },
      rows: users.map((id) => [boardId, postId, id, makeId(), 'UP', date]),
    },
  ] as Insertion[];
}

function describe(results: readonly { engine: Engine; samples: readonly Sample[] }[]): PartResult {
  const steps = ['alone', 'expanding', 'gathering'] as const;
  const figure = (samples: readonly Sample[], step: keyof Sample, name: keyof Step) =>
    median(samples.map((sample) => sample[step][name]));
  const rows = results.flatMap(({ engine, samples }) =>
    steps.map((step) => [
      `${engine}, ${step}`,
      ...(['ms', 'p50', 'most'] as const).map((name) => format(figure(samples, step, name))),
    ]),
  );
  const targets = results.flatMap(({ engine, samples }) => {
    const queued = figure(samples, 'expanding', 'ms');
    const longer =
      Math.max(...(['expanding', 'gathering'] as const).map((step) => figure(samples, step, 'most'))) -
      figure(samples, 'alone', 'most');
    return [
      {
        what: `notifications of ${format(FOLLOWERS)} followers, ${engine}`,
        target: '≤ 1 s',
        measured: format(queued / 1_000, ' s'),
        isMet: queued <= QUEUED_LIMIT_MS,
      },
      {
        what: `others' writes wait longer, at most, ${engine}`,
        target: '≤ 50 ms',
        measured: format(longer, ' ms'),
        isMet: longer <= WAIT_LIMIT_MS,
      },
    ];
  });
  const title = `${format(FOLLOWERS)} followers of one status change, and a post written every ${WRITE_EVERY_MS} ms`;
  return { tables: [{ title, columns: ['', 'ms', 'write p50 ms', 'write most ms'], rows }], targets, samples: results };
}
