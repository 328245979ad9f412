import { type TestContext, test } from 'node:test';
import { type Background, startBackground } from '../../src/background.ts';
import type { DeliveryRow } from '../../src/events/deliveries.ts';
import type { RequestContext } from '../../src/identity/users/request-context.ts';
import type { Engine } from '../../src/platform/db/db.ts';
import { makeLog } from '../../src/platform/lib/log.ts';
import { makeTransport } from '../../src/platform/mail/transport.ts';
import { makeMetrics } from '../../src/platform/metrics/metrics.ts';
import type { Sender } from '../../src/webhooks/http/sender.ts';
import { listDeliveries } from '../../src/webhooks/log/log.ts';
import { createWebhook } from '../../src/webhooks/managing/changing.ts';
import { enableWebhook } from '../../src/webhooks/managing/enabling.ts';
import { requireWebhook, type WebhookConfig, type WebhookRow } from '../../src/webhooks/webhook/webhooks.ts';
import { makeTestApp, type TestApp } from './app.ts';
import { onEnd } from './cleanup.ts';
import { type MailServer, startMailServer } from './mail-server.ts';
import { type Received, startReceiver } from './receiver.ts';
import { makeTestSender } from './sender.ts';
import { engines } from './store.ts';

/** How a receiver answers a POST: a status, or a status with headers; a promise holds the answer back. */
export type Reply = number | { status: number; headers?: Record<string, string> };

/** An event as a receiver reads it. */
// biome-ignore lint/suspicious/noExplicitAny: tests read events of every shape
export type ReceivedEvent = { id: string; attempt: number; event: string; data: any; request: Received };

/** An app with background work, a receiver that confirms whatever it is asked, and a mail server. */
export type WebhookApp = TestApp & {
  sender: Sender;
  mailServer: MailServer;
  /** Answers events from now on. */
  reply(how: (event: ReceivedEvent) => Reply | Promise<Reply>): void;
  /** The events that arrived since the last look, in their order. */
  takeEvents(): ReceivedEvent[];
  /** A webhook of the board at the receiver, enabled. */
  makeWebhook(config?: Partial<WebhookConfig>): Promise<WebhookRow>;
  webhook(id: string): Promise<WebhookRow>;
  deliveries(webhookId: string): Promise<DeliveryRow[]>;
  /** Starts another worker beside the first. */
  startWorker(): Background;
  /** Lets time pass and everything be done that is due then. */
  pass(milliseconds?: number): Promise<void>;
};

/** A test of webhooks: it runs on SQLite and on PostgreSQL. */
export function testWebhooks(name: string, work: (app: WebhookApp, t: TestContext) => Promise<void>): void {
  for (const engine of engines) {
    test(`${name} [${engine}]`, async (t) => work(await makeWebhookApp(t, engine), t));
  }
}

async function makeWebhookApp(t: Parameters<typeof makeTestApp>[0], engine: Engine): Promise<WebhookApp> {
  const app = await makeTestApp(t, engine);
  const { db, clock, board } = app;
  const baseUrl = 'http://board.test';
  const mailServer = await startMailServer(t);
  const sender = makeTestSender();
  const workers: Background[] = [];
  let events: ReceivedEvent[] = [];
  let reply: Parameters<WebhookApp['reply']>[0] = () => 200;
  const { origin } = await startReceiver(t, async (request, response) => {
    if (request.method === 'GET') return response.end(new URL(request.url, origin).searchParams.get('hub.challenge'));
    const event = readEvent(request);
    events.push(event);
    const how = await reply(event);
    const { status, headers = {} } = typeof how === 'number' ? { status: how } : how;
    response.writeHead(status, headers).end();
  });

  function startWorker(): Background {
    const transport = makeTransport({ smtpUrl: mailServer.url, mailFrom: 'board@acme.example', dataDir: '' });
    const metrics = makeMetrics();
    const log = makeLog('silent');
    const worker = startBackground({
      db,
      clock,
      log,
      metrics,
      sender,
      transport,
      config: { baseUrl, dataDir: app.dataDir },
    });
    onEnd(t, async () => {
      await worker.stop();
      transport.close();
    });
    workers.push(worker);
    return worker;
  }

  startWorker();
  return {
    ...app,
    sender,
    mailServer,
    startWorker,
    reply(how) {
      reply = how;
    },
    takeEvents() {
      const taken = events;
      events = [];
      return taken;
    },
    async makeWebhook(config = {}) {
      const context = { db, clock, baseUrl, board };
      const defaults = { url: `${origin}/hook`, verifyToken: null, signingSecret: 's3cret', events: null };
      const { id } = await createWebhook(context, sender, { ...defaults, ...config });
      return (await enableWebhook(context, sender, id, 'deliver')).webhook;
    },
    webhook: (id) => requireWebhook(db.read, board.id, id),
    async deliveries(webhookId) {
      return (await listDeliveries(db.read, board.id, webhookId, { limit: 1_000 })).reverse();
    },
    async pass(milliseconds = 0) {
      clock.advance(milliseconds);
      for (const worker of workers) await worker.settled();
    },
  };
}

/** What features of webhooks are called with. */
export function callOf({ db, clock, board }: WebhookApp): RequestContext {
  return { db, clock, board, baseUrl: 'http://board.test' };
}

/** Adds a comment to a post, as `ada`. */
export async function comment({ api }: WebhookApp, postId: string, text: string): Promise<void> {
  await api.createComment({ postId, text });
}

/** The text of the comment that an event is about. */
export function textOf({ data }: ReceivedEvent): string {
  return data.comment.text;
}

function readEvent(request: Received): ReceivedEvent {
  const { headers } = request;
  const { event, data } = JSON.parse(request.body.toString());
  return { id: String(headers['webhook-id']), attempt: Number(headers['x-earshot-attempt']), event, data, request };
}
