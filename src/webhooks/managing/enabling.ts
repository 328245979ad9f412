import { randomBytes } from 'node:crypto';
import { lockBoard } from '../../identity/board/board.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import type { Tx } from '../../platform/db/db.ts';
import { conflict } from '../../platform/errors.ts';
import { makeId } from '../../platform/lib/ids.ts';
import { msg } from '../../platform/messages.ts';
import { describeConnection } from '../chat/describing.ts';
import { writeMessage } from '../chat/forms.ts';
import { isChat } from '../chat/kinds.ts';
import type { Sender } from '../http/sender.ts';
import { signatureHeaders } from '../signing/signature.ts';
import { greet } from '../verification/greeting.ts';
import { beginVerification, finishVerification } from '../verification/verification-log.ts';
import { type Verification, verify } from '../verification/verify.ts';
import { disabledByOwner, enabledHealth } from '../webhook/health.ts';
import { healthColumns, healthOf } from '../webhook/health-columns.ts';
import {
  decryptSecrets,
  hiddenBesides,
  requireWebhook,
  requireWebhookForChange,
  setWebhook,
  type WebhookRow,
} from '../webhook/webhooks.ts';
import { TEST_EVENT, writeTestEvent } from './test-event.ts';

/** A webhook, and its verification, if one was needed. It is enabled only if that succeeded. */
export type Verified = { webhook: WebhookRow; verification: Verification | null };

/** What to do with the events that became pending while a webhook was disabled. */
export type Backlog = 'deliver' | 'skip';

/**
 * Verifies the endpoint of a webhook and enables it. An enabled one is verified as well, and stays unchanged whatever
 * the result.
 */
export async function enableWebhook(
  context: RequestContext,
  sender: Sender,
  id: string,
  backlog: Backlog,
): Promise<Verified> {
  const before = await requireWebhook(context.db.read, context.board.id, id);
  const verification = await verifyRow(context, sender, before);
  if (verification.kind !== 'verified' || before.state !== 'disabled') return { webhook: before, verification };
  const now = context.clock.now();
  const webhook = await context.db.transaction(async (tx) => {
    await lockBoard(tx, before.board_id);
    const row = await requireUnchanged(tx, before);
    await settleBacklog(tx, row, backlog, now);
    tx.notify('deliveries');
    return setWebhook(tx, row, {
      ...healthColumns(enabledHealth()),
      disabled_reason: null,
      disabled_reason_said: null,
      takes_events: 1,
      date_next_probe: 0,
      date_updated: nextDate(row, context),
    });
  });
  return { webhook, verification };
}

/** Stops a webhook: nothing more is sent and no new events are queued for it. Pending deliveries are kept. */
export async function disableWebhook(context: RequestContext, id: string): Promise<WebhookRow> {
  return context.db.transaction(async (tx) => {
    const row = await requireWebhookForChange(tx, context.board.id, id);
    return setWebhook(tx, row, {
      ...healthColumns(disabledByOwner(healthOf(row))),
      disabled_reason: null,
      disabled_reason_said: null,
      takes_events: 0,
      date_updated: nextDate(row, context),
    });
  });
}

/** Verifies the endpoint as a row describes it, which need not be saved, and logs it. */
export async function verifyRow(context: RequestContext, sender: Sender, row: WebhookRow): Promise<Verification> {
  const id = await beginVerification(context, row);
  const verification = await askReceiver(context, sender, row);
  await context.db.transaction((tx) => finishVerification(tx, row.board_id, id, verification));
  return verification;
}

/** A program is asked for its consent; chats and REST hooks, which cannot answer, have to accept a first message. */
function askReceiver(context: RequestContext, sender: Sender, row: WebhookRow): Promise<Verification> {
  const secrets = decryptSecrets(sender.cipher, row);
  const { url, verifyToken, signingSecret, pendingSecret } = secrets;
  const { dial, version } = sender;
  if (isChat(row.kind)) {
    const body = writeMessage(row.kind, describeConnection(context.board));
    return greet(dial, { url, shownUrl: row.url, body, secrets: hiddenBesides(row, secrets), version });
  }
  if (row.kind === 'REST_HOOK') {
    const body = writeTestEvent(context.board, context.clock.now());
    const headers = firstHeaders(body, signingSecret, context.clock.now());
    const hidden = [...hiddenBesides(row, secrets), ...(signingSecret === null ? [] : [signingSecret])];
    return greet(dial, { url, shownUrl: row.url, body, headers, secrets: hidden, version });
  }
  const otherSecrets = [signingSecret, pendingSecret].filter((secret) => secret !== null);
  return verify(dial, { url, verifyToken, otherSecrets, version, randomBytes });
}

/** The headers of the first event of a REST hook. */
function firstHeaders(body: string, secret: string | null, now: number): Record<string, string> {
  const stamp = { id: makeId(), timestampSeconds: Math.floor(now / 1_000) };
  return { ...signatureHeaders(Buffer.from(body), secret, stamp), 'X-Earshot-Event': TEST_EVENT };
}

/** @throws CONFLICT when the webhook was changed since it was read */
export async function requireUnchanged(tx: Tx, before: WebhookRow): Promise<WebhookRow> {
  const row = await requireWebhookForChange(tx, before.board_id, before.id);
  if (row.date_updated === before.date_updated) return row;
  throw conflict(CHANGED_MEANWHILE);
}

export const CHANGED_MEANWHILE = msg('webhookChanged');

/** The `date_updated` of a change: they distinguish changes, even within a millisecond. */
export function nextDate(row: WebhookRow, { clock }: RequestContext): number {
  return Math.max(clock.now(), row.date_updated + 1);
}

async function settleBacklog(tx: Tx, row: WebhookRow, backlog: Backlog, now: number): Promise<void> {
  const waiting = tx
    .updateTable('deliveries')
    .where('board_id', '=', row.board_id)
    .where('webhook_id', '=', row.id)
    .where('state', '=', 'waiting');
  if (backlog === 'skip') {
    await waiting.set({ state: 'skipped', date_due: null, date_done: now, lease_token: null }).execute();
  } else {
    const isIdle = waiting.where('lease_token', 'is', null).where('date_due', '>', now);
    await isIdle.set({ date_due: now, tries: 0 }).execute();
  }
}
