import type * as z from 'zod';
import { withLastSuccess } from '../../webhooks/log/statistics.ts';
import { describeWebhook } from '../../webhooks/managing/describing.ts';
import { listWebhooks, requireWebhook, type WebhookRow } from '../../webhooks/webhook/webhooks.ts';
import type { Call } from './call.ts';
import type { Webhook } from './schemas.ts';

type WebhookView = z.input<typeof Webhook>;

/** A webhook as responses have it. @throws NOT_FOUND */
export async function view({ context: { db, board } }: Pick<Call, 'context'>, id: string): Promise<WebhookView> {
  const row = await requireWebhook(db.read, board.id, id);
  const [shown = row] = await withLastSuccess(db.read, [row]);
  return viewRow(shown);
}

/** The webhooks of the board. */
export async function viewAll({ context: { db, board } }: Call): Promise<WebhookView[]> {
  return (await withLastSuccess(db.read, await listWebhooks(db.read, board.id))).map(viewRow);
}

function viewRow(row: WebhookRow): WebhookView {
  return { ...describeWebhook(row), version: row.date_updated };
}
