import type { RequestContext } from '../../identity/users/request-context.ts';
import { conflict } from '../../platform/errors.ts';
import { makeId } from '../../platform/lib/ids.ts';
import { msg } from '../../platform/messages.ts';
import { describeTest } from '../chat/describing.ts';
import { writeMessage } from '../chat/forms.ts';
import { isChat, type WebhookKind } from '../chat/kinds.ts';
import { insertAttempts, makeAttempt } from '../delivery/attempts.ts';
import { type Attempt, deliver } from '../delivery/deliver.ts';
import { promotePending } from '../delivery/record.ts';
import type { Sender } from '../http/sender.ts';
import {
  decryptSecrets,
  hiddenBesides,
  requireWebhook,
  requireWebhookForChange,
  setWebhook,
  type WebhookRow,
} from '../webhook/webhooks.ts';
import { TEST_EVENT, writeTestEvent } from './test-event.ts';

/** The result of a test, and the webhook after it: an accepted test makes a pending secret the active one. */
export type Tested = { webhook: WebhookRow; deliveryId: string; attempt: Attempt };

/**
 * Sends a test event once, signed with the pending secret if there is one, and logs it. It does not affect the
 * webhook's health.
 * @throws CONFLICT for a disabled webhook: nothing is sent to an endpoint that has not confirmed
 */
export async function testWebhook(context: RequestContext, sender: Sender, id: string): Promise<Tested> {
  const webhook = await requireWebhook(context.db.read, context.board.id, id);
  if (webhook.state === 'disabled') throw conflict(msg('webhookIsDisabled'));
  const secrets = decryptSecrets(sender.cipher, webhook);
  const { signingSecret, pendingSecret, url } = secrets;
  const now = context.clock.now();
  const eventId = makeId();
  const body = makeTestBody(context, webhook.kind, now);
  const attempt = await deliver(sender.dial, {
    url,
    isChat: isChat(webhook.kind),
    secret: signingSecret,
    pendingSecret,
    otherSecrets: hiddenBesides(webhook, secrets),
    signWith: pendingSecret === null ? 'active' : 'pending',
    eventId,
    event: TEST_EVENT,
    attempt: 1,
    body: Buffer.from(body),
    version: sender.version,
    now,
  });
  const deliveryId = `${eventId}-${id.slice(24)}`;
  return { deliveryId, attempt, webhook: await record(context, webhook, { deliveryId, eventId, body, attempt }) };
}

function makeTestBody({ board }: RequestContext, kind: WebhookKind, now: number): string {
  if (isChat(kind)) return writeMessage(kind, describeTest(board));
  return writeTestEvent(board, now);
}

type Test = { deliveryId: string; eventId: string; body: string; attempt: Attempt };

async function record(context: RequestContext, before: WebhookRow, test: Test): Promise<WebhookRow> {
  const { deliveryId, eventId, body, attempt } = test;
  const { outcome } = attempt;
  const now = context.clock.now();
  const key = { board_id: before.board_id, webhook_id: before.id };
  const subject = { ...key, delivery_id: deliveryId, number: 1, kind: 'test' as const, host: null, date_created: now };
  const attempts = attempt.sends.map(({ headers, exchange }) =>
    makeAttempt(
      { ...subject, outcome: outcome.word, diagnosis: outcome.sentence },
      { method: 'POST', url: before.url, headers },
      exchange,
    ),
  );
  return context.db.transaction(async (tx) => {
    const row = await requireWebhookForChange(tx, before.board_id, before.id);
    await tx
      .insertInto('deliveries')
      .values({
        ...key,
        id: deliveryId,
        event_id: eventId,
        event_type: TEST_EVENT,
        body,
        state: outcome.kind === 'delivered' ? 'delivered' : 'given_up',
        attempts: 1,
        outcome: outcome.word,
        date_created: now,
        date_done: now,
      })
      .execute();
    await insertAttempts(tx, attempts);
    const isProof = attempt.acceptedSecret === 'pending';
    return isProof ? setWebhook(tx, row, promotePending(row, before.pending_secret)) : row;
  });
}
