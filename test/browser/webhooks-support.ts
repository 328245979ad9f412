import type { TestContext } from 'node:test';
import type { BrowserContextOptions } from 'playwright-core';
import type { RequestContext } from '../../src/identity/users/request-context.ts';
import { createWebhook } from '../../src/webhooks/managing/changing.ts';
import { enableWebhook } from '../../src/webhooks/managing/enabling.ts';
import type { WebhookConfig, WebhookRow } from '../../src/webhooks/webhook/webhooks.ts';
import type { Site, Watched } from '../support/browser.ts';
import { startDelivering } from '../support/delivering.ts';
import { type Received, startReceiver } from '../support/receiver.ts';
import { makeTestSender } from '../support/sender.ts';
import { visitAsOwner } from './people.ts';

/** An owner in the settings, a worker, and a receiver that the test tells how to answer. */
export type WebhookSite = Site &
  Watched & {
    receiver: { origin: string; received: Received[]; status: number; challenge: (text: string) => string };
    context: RequestContext;
    /** A webhook at the receiver that is enabled; its pages begin with `path`. */
    makeWebhook(config?: Partial<WebhookConfig>): Promise<WebhookRow & { path: string }>;
    settled(): Promise<void>;
  };

export const LIST = '/b/acme/settings/webhooks';

/** Gives a site what its webhooks need: an owner who is signed in, a worker, a receiver. */
export async function withWebhooks(
  t: TestContext,
  site: Site,
  options: BrowserContextOptions = {},
): Promise<WebhookSite> {
  const how = { status: 200, challenge: (text: string) => text };
  const { origin, received } = await startReceiver(t, ({ method, url }, response) => {
    const challenge = new URL(url, origin).searchParams.get('hub.challenge') ?? '';
    if (method === 'GET') response.end(how.challenge(challenge));
    else response.writeHead(how.status, { 'content-type': 'text/plain' }).end('It was <b>noted</b> \u202e.');
  });
  const sender = makeTestSender();
  const { context, settled } = startDelivering(t, site, sender);
  return {
    ...site,
    ...(await visitAsOwner(site, options)),
    receiver: Object.assign(how, { origin, received }),
    context,
    settled,
    async makeWebhook(config = {}) {
      const defaults = { url: `${origin}/hook`, verifyToken: null, signingSecret: 's3cret', events: null };
      const { id } = await createWebhook(context, sender, { ...defaults, ...config });
      const { webhook } = await enableWebhook(context, sender, id, 'deliver');
      return { ...webhook, path: `${LIST}/${id}` };
    },
  };
}

/** The events that a receiver got. */
export function postsOf({ received }: { received: readonly Received[] }): Received[] {
  return received.filter(({ method }) => method === 'POST');
}
