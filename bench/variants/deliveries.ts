import { startBackground } from '../../src/background.ts';
import { createPost } from '../../src/feedback/lifecycle/creating.ts';
import { requireBoard } from '../../src/identity/board/board.ts';
import type { ActorContext } from '../../src/identity/users/request-context.ts';
import { findUser } from '../../src/identity/users/users.ts';
import { openDb } from '../../src/platform/db/open.ts';
import { systemClock } from '../../src/platform/lib/clock.ts';
import { makeLog } from '../../src/platform/lib/log.ts';
import { makeMetrics } from '../../src/platform/metrics/metrics.ts';
import { makeAddressRules } from '../../src/webhooks/http/address.ts';
import { makeDialler } from '../../src/webhooks/http/dial.ts';
import { makeResolver } from '../../src/webhooks/http/resolve.ts';
import { makeSender } from '../../src/webhooks/http/sender.ts';
import { answerQuestions, type Committed, instant, keepPace, type Pace } from './answer.ts';
import { requireVariable } from './serve.ts';

/**
 * The background work of Earshot as `serve` composes it, and posts made by the feature itself. ROLE=web leaves out the
 * background work; DNS_SERVER is asked for names instead of the system's.
 */
const { DATABASE_URL: databaseUrl = null, ROLE: role, DNS_SERVER: dnsServer } = process.env;
const DESCRIPTION = 'We copy rows by hand every Monday. A button that gives us a file would save an hour a week.';
const dataDir = requireVariable('DATA_DIR');
const secretKey = requireVariable('SECRET_KEY');
const clock = systemClock;
const metrics = makeMetrics();
const db = openDb({ databaseUrl, dataDir }, metrics.observeStatement);
const context = await makeCall();
const background = role === 'web' ? null : startWorker();

await answerQuestions('ready', { createPosts }, async () => {
  await background?.stop();
  await db.close();
});

async function makeCall(): Promise<ActorContext> {
  const board = await requireBoard(db.read, requireVariable('BOARD_ID'));
  const actor = await findUser(db.read, board.id, { ssoType: 'SSO', ssoId: 'bench' });
  if (!actor) throw new Error('The store has no person of the benchmark');
  return { db, clock, baseUrl: 'http://localhost', board, actor };
}

function startWorker() {
  const rules = makeAddressRules(['127.0.0.0/8']);
  const resolve = makeResolver({ rules, clock, ...(dnsServer && { servers: [dnsServer] }) });
  const sender = makeSender({ webhookAllowCidrs: [] }, secretKey, clock);
  return startBackground({
    db,
    clock,
    log: makeLog('error'),
    metrics,
    sender: { ...sender, rules, resolve, dial: makeDialler({ rules, resolve }) },
    transport: { send: async () => {}, forget: async () => {}, close: () => {} },
    config: { baseUrl: context.baseUrl, dataDir: 'unused' },
  });
}

/** Makes posts at a steady pace, and tells when each was committed. */
async function createPosts(pace: Pace): Promise<Committed[]> {
  const [last] = await db.read.selectFrom('boards').select('event_seq').where('id', '=', context.board.id).execute();
  const committed = await keepPace(pace, async (n) => {
    const post = await createPost(context, { title: `Export to spreadsheet number ${n}`, comment: DESCRIPTION });
    return [post.id, instant()] as const;
  });
  const events = await db.read
    .selectFrom('events')
    .select(['id', 'post_id'])
    .where('board_id', '=', context.board.id)
    .where('seq', '>', last?.event_seq ?? 0)
    .execute();
  const eventOf = new Map(events.map(({ id, post_id }) => [post_id, id]));
  return committed.map(([postId, at]) => [eventOf.get(postId) ?? '', at]);
}
