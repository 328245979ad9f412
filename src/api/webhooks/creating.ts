import type * as z from 'zod';
import { AppError } from '../../platform/errors.ts';
import { makeId } from '../../platform/lib/ids.ts';
import { guessKind, isChat } from '../../webhooks/chat/kinds.ts';
import { describeVerification } from '../../webhooks/managing/describing.ts';
import { makeWebhookSecret } from '../../webhooks/managing/managing.ts';
import { reserveId } from '../graphql/idempotency.ts';
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
  const { signingSecret = isChat(kind) ? null : makeWebhookSecret() } = input;
  const config = { url, kind, events, statuses, tags, verifyToken, signingSecret };
  const webhook = await call.webhooks.create(config, await chooseId(call, input));
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

function chooseId({ context, idempotencyKey }: Call, input: object): Promise<string> | string {
  if (idempotencyKey === undefined) return makeId();
  return reserveId(context, idempotencyKey, ['POST /api/v1/webhooks', input, context.actor.id]);
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
