import { createHmac } from 'node:crypto';
import { type Actor, requireRight } from '../../identity/users/authority.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import { badRequest } from '../../platform/errors.ts';
import { isId, makeToken } from '../../platform/lib/ids.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { msg } from '../../platform/messages.ts';
import { BY_A_PERSON, type Hand, logNotes, noteChange } from '../delivery/log-lines.ts';
import type { Sender } from '../http/sender.ts';
import { requireDelivery } from '../log/log.ts';
import { makeSigningSecret } from '../signing/secret.ts';
import { decryptSecrets, deleteWebhook, requireWebhook, type WebhookConfig } from '../webhook/webhooks.ts';
import { createWebhook, settlePending, updateWebhook, type WebhookChanges } from './changing.ts';
import { type Backlog, disableWebhook, enableWebhook } from './enabling.ts';
import { replayDelivery, replayMissed, replaySelected } from './replaying.ts';
import { checkSignature } from './signature-check.ts';
import { testWebhook } from './testing.ts';

const TOKEN_BYTES = 32;

/** Why deliveries are not resent. */
export const resendRefusals = {
  delivered: msg('webhookWasDelivered'),
  allDelivered: msg('webhookAllDelivered'),
  noneChosen: msg('webhookChooseDeliveries'),
  nothingMissed: msg('webhookNothingMissed'),
};

/** A form that creates a webhook: sent twice it creates one. `id` comes from `makeId`, with the form. */
export type WebhookForm = { serverSecret: string; id: string };

/** What was pasted to find out why a signature does not match. */
type PastedSignature = { body: string; header: string; secret: string };

/** Who manages webhooks: a user, or what acts for the team as the command line does. */
export type ManagerContext = RequestContext & { actor: Actor };

/**
 * Everything that owners and admins do with the webhooks of a board, in its settings or with a key.
 * @param by who does it, for the log of the server
 * @throws FORBIDDEN for everyone else
 */
export function manageWebhooks(context: ManagerContext, sender: Sender, log: Logger, by: Hand = BY_A_PERSON) {
  requireRight(context.actor, 'webhook.manage');
  const read = (id: string) => requireWebhook(context.db.read, context.board.id, id);
  return {
    /** @param from the form that creates it, or an id from `makeId`; with that of an existing one nothing is added */
    create: async (config: WebhookConfig, from: WebhookForm | string) =>
      createWebhook(context, sender, { ...config, id: typeof from === 'string' ? from : idOf(context, from) }),
    update: (id: string, changes: WebhookChanges) => updateWebhook(context, sender, id, changes),
    async enable(id: string, backlog: Backlog) {
      const before = await read(id);
      const enabled = await enableWebhook(context, sender, id, backlog);
      logNotes(log, noteChange(before, enabled.webhook.state, by));
      return enabled;
    },
    async disable(id: string) {
      const before = await read(id);
      const webhook = await disableWebhook(context, id);
      logNotes(log, noteChange(before, webhook.state, by));
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
    /** @param typedHost what a person typed to confirm it; a program confirms nothing */
    async delete(id: string, typedHost?: string) {
      const { host } = await read(id);
      if (typedHost !== undefined && typedHost.trim().toLowerCase() !== host)
        throw badRequest(msg('webhookHostMistyped'), 'confirm');
      return deleteWebhook(context, id);
    },
    /** A delivery of this webhook. @throws NOT_FOUND, also if it belongs to another one */
    async delivery(id: string, deliveryId: string) {
      const { webhook_id: webhookId } = await requireDelivery(context.db.read, context.board.id, deliveryId);
      return requireDelivery(context.db.read, context.board.id, webhookId === id ? deliveryId : '');
    },
  };
}

/** What is generated for a webhook, each with 256 random bits; a verify token goes into a URL. */
export const webhookSecretMakers = { signingSecret: makeSigningSecret, verifyToken: () => makeToken(TOKEN_BYTES) };

/** The random end comes from the server: ids of deliveries contain it, so clients cannot choose it. */
function idOf({ board, actor }: ManagerContext, { serverSecret, id }: WebhookForm): string {
  if (!isId(id)) throw badRequest(msg('formIncomplete'), 'url');
  const hmac = createHmac('sha256', `earshot webhooks of forms ${serverSecret}`);
  const end = hmac
    .update(JSON.stringify([board.id, actor.id, id]))
    .digest('hex')
    .slice(0, 12);
  return id.slice(0, 24) + end;
}
