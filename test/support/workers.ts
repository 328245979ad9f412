import type { TestContext } from 'node:test';
import type { Db } from '../../src/platform/db/db.ts';
import { makeLog } from '../../src/platform/lib/log.ts';
import { makeMetrics } from '../../src/platform/metrics/metrics.ts';
import { DeliveryWorker } from '../../src/webhooks/delivery/worker.ts';
import type { Sender } from '../../src/webhooks/http/sender.ts';
import { makeSender } from '../../src/webhooks/http/sender.ts';
import { createWebhook } from '../../src/webhooks/managing/changing.ts';
import { enableWebhook } from '../../src/webhooks/managing/enabling.ts';
import type { WebhookRow } from '../../src/webhooks/webhook/webhooks.ts';
import type { TestApp } from './app.ts';
import { onEnd } from './cleanup.ts';
import { startReceiver } from './receiver.ts';
import { TEST_SECRET_KEY } from './store.ts';

/** An event that has reached the receiver; `answer` answers it, at most once. */
export type Arrival = { path: string; id: string; attempt: number; body: string; answer(status: number): void };

/** A receiver that keeps events waiting for an answer until the test, or `answerAll`, gives one. */
export type HoldingReceiver = {
  origin: string;
  arrivals: Arrival[];
  /** The event that arrives next, or has arrived and was not yet given. */
  next(): Promise<Arrival>;
  /** Answers whatever waits and whatever comes from now on. */
  answerAll(status: number): void;
};

export async function startHoldingReceiver(t: TestContext): Promise<HoldingReceiver> {
  const arrivals: Arrival[] = [];
  let given = 0;
  let always: number | null = null;
  let arrived = Promise.withResolvers<void>();
  const { origin } = await startReceiver(t, ({ method, url, headers, body }, response) => {
    if (method === 'GET') return response.end(new URL(url, origin).searchParams.get('hub.challenge'));
    const answer = (status: number) => void (response.headersSent || response.writeHead(status).end());
    const id = String(headers['webhook-id']);
    arrivals.push({ path: url, id, attempt: Number(headers['x-earshot-attempt']), body: body.toString(), answer });
    if (always !== null) answer(always);
    arrived.resolve();
    arrived = Promise.withResolvers();
  });
  return {
    origin,
    arrivals,
    async next() {
      while (given === arrivals.length) await arrived.promise;
      return arrivals[given++] as Arrival;
    },
    answerAll(status) {
      always = status;
      for (const { answer } of arrivals) answer(status);
    },
  };
}

/** A worker beside an app, as another process would run it. */
export type TestWorker = {
  worker: DeliveryWorker;
  /** From now on each of its transactions runs as `wrap` says: it may do something before or after `run`, or fail. */
  wrapTransactions(wrap: Wrap): void;
  /** What never comes back to a process that has died; it fails at the end of the test, so that nothing waits on. */
  death: Promise<never>;
};
export type Wrap = <T>(run: () => Promise<T>) => Promise<T>;

export function startWorker(t: TestContext, app: TestApp): TestWorker {
  let wrap: Wrap = (run) => run();
  const death = Promise.withResolvers<never>();
  death.promise.catch(() => {});
  const db: Db = { ...app.db, transaction: (work) => wrap(() => app.db.transaction(work)) };
  const { dial, cipher, version } = makeTestSender(app);
  const metrics = makeMetrics();
  const { clock } = app;
  const baseUrl = 'http://board.test';
  const worker = new DeliveryWorker({ db, clock, dial, cipher, version, baseUrl, metrics, log: makeLog('silent') });
  worker.start();
  onEnd(t, async () => {
    const stopped = worker.stop(0);
    death.reject(new Error('The test has ended'));
    await stopped;
  });
  return {
    worker,
    death: death.promise,
    wrapTransactions(next) {
      wrap = next;
    },
  };
}

/** Adds a webhook and enables it. */
export async function addWebhook(
  app: TestApp,
  url: string,
  events: readonly string[] | null = null,
): Promise<WebhookRow> {
  const sender = makeTestSender(app);
  const { id } = await createWebhook(callOf(app), sender, { url, verifyToken: null, signingSecret: null, events });
  const { webhook, verification } = await enableWebhook(callOf(app), sender, id, 'deliver');
  if (verification?.kind !== 'verified') throw new Error(`${url} was not verified: ${verification?.reason.text}`);
  return webhook;
}

/** A call to the board of an app. */
export function callOf({ db, clock, board }: TestApp) {
  return { db, clock, board, baseUrl: 'http://board.test' };
}

/** A sender that may go to this machine. */
export function makeTestSender({ clock }: Pick<TestApp, 'clock'>): Sender {
  return makeSender({ webhookAllowCidrs: ['127.0.0.0/8'] }, TEST_SECRET_KEY, clock);
}

/** What is in the store of deliveries: `post.created delivered 1` for one that took one attempt. */
export async function deliveriesOf({ db }: TestApp): Promise<string[]> {
  const rows = await db.read.selectFrom('deliveries').selectAll().orderBy('event_seq').execute();
  return rows.map(({ event_type, state, attempts, lease_token }) =>
    [event_type, state, attempts, ...(lease_token === null ? [] : ['leased'])].join(' '),
  );
}
