import { createHmac } from 'node:crypto';
import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { badRequest } from '../../platform/errors.ts';
import { isId, makeToken } from '../../platform/lib/ids.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { msg } from '../../platform/messages.ts';
import { BY_A_PERSON, logNotes, noteChange } from '../delivery/notes.ts';
import { replayDelivery, replayMissed, replaySelected, requireDelivery } from '../log/log.ts';
import {
  type Backlog,
  createWebhook,
  disableWebhook,
  enableWebhook,
  type Sender,
  settlePending,
  updateWebhook,
  type WebhookChanges,
} from '../verification/enabling.ts';
import { decryptSecrets, deleteWebhook, requireWebhook, type WebhookConfig } from '../webhook/webhooks.ts';
import { checkSignature } from './signature-check.ts';
import { testWebhook } from './testing.ts';

const SECRET_BYTES = 32;

/** Why deliveries are not resent. */
export const resendRefusals = {
  delivered: msg`This was already delivered: tick the box to resend it`,
  allDelivered: msg`These were already delivered: tick the box below to resend them anyway`,
  noneChosen: msg`Choose deliveries first`,
};

/** A form that creates a webhook: sent twice it creates one. `id` comes from `makeId`, with the form. */
export type WebhookForm = { serverSecret: string; id: string };

/** What was pasted to find out why a signature does not match. */
export type PastedSignature = { body: string; header: string; secret: string };

/**
 * Everything that owners and admins do with the webhooks of a board in its settings.
 * @throws FORBIDDEN for everyone else
 */
export function manageWebhooks(context: ActorContext, sender: Sender, log: Logger) {
  requireRight(context.actor, 'webhook.manage');
  const read = (id: string) => requireWebhook(context.db.read, context.board.id, id);
  return {
    create: async (config: WebhookConfig, form: WebhookForm) =>
      createWebhook(context, sender, { ...config, id: idOf(context, form) }),
    update: (id: string, changes: WebhookChanges) => updateWebhook(context, sender, id, changes),
    async enable(id: string, backlog: Backlog) {
      const before = await read(id);
      const enabled = await enableWebhook(context, sender, id, backlog);
      logNotes(log, noteChange(before, enabled.webhook.state, BY_A_PERSON));
      return enabled;
    },
    async disable(id: string) {
      const before = await read(id);
      const webhook = await disableWebhook(context, id);
      logNotes(log, noteChange(before, webhook.state, BY_A_PERSON));
      return webhook;
    },
    test: (id: string) => testWebhook(context, sender, id),
    settlePending: (id: string, how: 'adopt' | 'discard') => settlePending(context, id, how),
    replay: (id: string) => replayDelivery(context, id),
    replaySelected: (id: string, deliveryIds: readonly string[], includesDelivered: boolean) =>
      replaySelected(context, id, deliveryIds, includesDelivered),
    replayMissed: (id: string, since: number) => replayMissed(context, id, since),
    /** The decrypted secrets, to show them. */
    reveal: async (id: string) => decryptSecrets(sender.cipher, await read(id)),
    /** What is wrong with a signature; if no secret is given, with the saved one. Stores nothing. */
    async checkSignature(id: string, pasted: PastedSignature) {
      const { signingSecret, pendingSecret } = decryptSecrets(sender.cipher, await read(id));
      return checkSignature({ ...pasted, saved: [signingSecret, pendingSecret].filter((each) => each !== null) });
    },
    /** @param typedHost what was typed to confirm it */
    async delete(id: string, typedHost: string) {
      const { host } = await read(id);
      if (typedHost.trim().toLowerCase() !== host)
        throw badRequest(msg`This is not the host of the webhook`, 'confirm');
      return deleteWebhook(context, id);
    },
    /** A delivery of this webhook. @throws NOT_FOUND, also if it belongs to another one */
    async delivery(id: string, deliveryId: string) {
      const { webhook_id: webhookId } = await requireDelivery(context.db.read, context.board.id, deliveryId);
      return requireDelivery(context.db.read, context.board.id, webhookId === id ? deliveryId : '');
    },
  };
}

/** A secret for a webhook: 256 random bits. */
export function makeWebhookSecret(): string {
  return makeToken(SECRET_BYTES);
}

/** The random end comes from the server: ids of deliveries contain it, so clients cannot choose it. */
function idOf({ board, actor }: ActorContext, { serverSecret, id }: WebhookForm): string {
  if (!isId(id)) throw badRequest(msg`The form is incomplete: open it again`, 'url');
  const hmac = createHmac('sha256', `earshot webhooks of forms ${serverSecret}`);
  const end = hmac
    .update(JSON.stringify([board.id, actor.id, id]))
    .digest('hex')
    .slice(0, 12);
  return id.slice(0, 24) + end;
}
