import type * as z from 'zod';
import { AppError, conflict } from '../../platform/errors.ts';
import { makeId } from '../../platform/lib/ids.ts';
import { guessKind, isChat } from '../../webhooks/chat/kinds.ts';
import { describeVerification } from '../../webhooks/managing/describing.ts';
import { makeSigningSecret } from '../../webhooks/signing/secret.ts';
import { listWebhooks, type WebhookConfig, type WebhookRow } from '../../webhooks/webhook/webhooks.ts';
import { noteCreated, reserveId } from '../graphql/idempotency.ts';
import type { Call } from './call.ts';
import type { CreatedWebhook, NewWebhook, Verification } from './schemas.ts';
import { view } from './viewing.ts';

/**
 * Adds a webhook, and verifies and enables it unless asked not to. It is there whatever the receiver answers. Repeated
 * with its idempotency key, it goes on where the first request was interrupted, and returns what that one made.
 */
export async function create(call: Call, input: z.output<typeof NewWebhook>): Promise<z.input<typeof CreatedWebhook>> {
  const { url, events = null, statuses = null, tags = null, verifyToken = null, enable = true } = input;
  const { kind = guessKind(url) } = input;
  const { signingSecret = isChat(kind) ? null : makeSigningSecret() } = input;
  const config = { url, kind, events, statuses, tags, verifyToken, signingSecret };
  const webhook = await createOnce(call, input, config);
  const { id } = webhook;
  // A repeat does not enable what was disabled since.
  const isNew = webhook.state === 'disabled' && webhook.disabled_by === null;
  const verification = enable && isNew ? await tryEnabling(call, id) : null;
  const secrets = await call.webhooks.reveal(id);
  return {
    ...(await view(call, id)),
    signingSecret: secrets.signingSecret,
    verifyToken: secrets.verifyToken,
    verification,
  };
}

/** The webhook of a request. @throws CONFLICT if it was deleted since the first request with the same idempotency key */
async function createOnce(call: Call, input: object, config: WebhookConfig): Promise<WebhookRow> {
  const { context, webhooks, idempotencyKey } = call;
  if (idempotencyKey === undefined) return webhooks.create(config, makeId());
  const request = ['POST /api/v1/webhooks', input, context.actor.id];
  const { id, isCreated } = await reserveId(context, idempotencyKey, request);
  if (isCreated) return requireStill(context, id);
  const webhook = await webhooks.create(config, id);
  await noteCreated(context, idempotencyKey, id);
  return webhook;
}

async function requireStill({ db, board }: Call['context'], id: string): Promise<WebhookRow> {
  const webhooks = await listWebhooks(db.read, board.id);
  const webhook = webhooks.find((each) => each.id === id);
  if (!webhook) throw conflict('The webhook that this Idempotency-Key created was deleted: use another key');
  return webhook;
}

/** A refusal is a result: without it, the secrets of a webhook that is there already would not be shown. */
async function tryEnabling(call: Call, id: string): Promise<z.input<typeof Verification> | null> {
  try {
    const { verification } = await call.webhooks.enable(id, 'deliver');
    return verification && describeVerification(verification);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const none = { request: null, answer: null, timings: null };
    return { ok: false, outcome: 'not verified', reason: error.message, ...none };
  }
}
