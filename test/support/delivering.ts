import type { TestContext } from 'node:test';
import type { RequestContext } from '../../src/identity/users/request-context.ts';
import { type Logger, makeLog } from '../../src/platform/lib/log.ts';
import { makeMetrics } from '../../src/platform/metrics/metrics.ts';
import { DeliveryWorker } from '../../src/webhooks/delivery/worker.ts';
import type { Sender } from '../../src/webhooks/http/sender.ts';
import { makeSender } from '../../src/webhooks/http/sender.ts';
import { createWebhook } from '../../src/webhooks/managing/changing.ts';
import { enableWebhook } from '../../src/webhooks/managing/enabling.ts';
import type { WebhookConfig, WebhookRow } from '../../src/webhooks/webhook/webhooks.ts';
import type { TestApp } from './app.ts';
import { onEnd } from './cleanup.ts';
import { TEST_SECRET_KEY } from './store.ts';

/** The real sender over real sockets: a worker beside an app, and what the owner's commands need. */
export type Delivering = {
  context: RequestContext;
  sender: Sender;
  /** Adds a webhook and enables it, which must succeed. */
  addWebhook(config: Partial<WebhookConfig> & { url: string }): Promise<WebhookRow>;
  /** Resolves once everything that is due was attempted. */
  settled(): Promise<void>;
};

/** A sender that may reach this machine and no other private range. */
export function makeLocalSender({ clock }: Pick<TestApp, 'clock'>): Sender {
  return makeSender({ webhookAllowCidrs: ['127.0.0.0/8'] }, TEST_SECRET_KEY, clock);
}

/** Starts a worker on the app's store, with the sender given or one for this machine; it stops with the test. */
export function startDelivering(
  t: TestContext,
  { db, clock, board }: TestApp,
  sender: Sender = makeLocalSender({ clock }),
  log: Logger = makeLog('silent'),
): Delivering {
  const context = { db, clock, board, baseUrl: 'http://board.test' };
  const metrics = makeMetrics();
  const { dial, cipher, version } = sender;
  const worker = new DeliveryWorker({ db, clock, dial, cipher, log, metrics, baseUrl: context.baseUrl, version });
  worker.start();
  onEnd(t, async () => {
    await worker.stop();
  });
  return {
    context,
    sender,
    settled: () => worker.settled(),
    async addWebhook(config) {
      const whole = { verifyToken: null, signingSecret: null, events: null, ...config };
      const { id } = await createWebhook(context, sender, whole);
      const { webhook, verification } = await enableWebhook(context, sender, id, 'deliver');
      if (webhook.state !== 'active') throw new Error(verification?.reason.text);
      return webhook;
    },
  };
}
