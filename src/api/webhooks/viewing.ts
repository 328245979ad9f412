import type * as z from 'zod';
import { countAttempts, withLastSuccess } from '../../webhooks/log/statistics.ts';
import { describeWebhook } from '../../webhooks/managing/describing.ts';
import { listWebhooks, requireWebhook, type WebhookRow } from '../../webhooks/webhook/webhooks.ts';
import type { Call } from './call.ts';
import type { Webhook } from './schemas.ts';

type WebhookView = z.input<typeof Webhook>;

/** A webhook as responses have it. @throws NOT_FOUND */
export async function view({ context }: Pick<Call, 'context'>, id: string): Promise<WebhookView> {
  const row = await requireWebhook(context.db.read, context.board.id, id);
  const [shown] = await viewRows(context, [row]);
  return shown as WebhookView;
}

/** The webhooks of the board. */
export async function viewAll({ context }: Call): Promise<WebhookView[]> {
  return viewRows(context, await listWebhooks(context.db.read, context.board.id));
}

async function viewRows({ db, board, clock }: Call['context'], rows: readonly WebhookRow[]): Promise<WebhookView[]> {
  const counts = await countAttempts(db.slow, board.id, clock.now());
  const shown = await withLastSuccess(db.read, rows);
  return shown.map((row) => {
    const lastDay = counts.get(row.id) ?? { attempts: 0, delivered: 0 };
    return { ...describeWebhook(row), lastDay, version: row.date_updated };
  });
}
