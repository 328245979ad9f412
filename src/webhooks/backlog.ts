import { sql } from 'kysely';
import type { Reader } from '../db/db.ts';
import type { WebhookRow } from './webhooks.ts';

/** What waits for the webhooks of one state: how many deliveries, and the age of the oldest event among them. */
export type Backlog = { state: WebhookRow['state']; waiting: number; oldestSeconds: number };

/** The backlog of the whole store, for metrics; every state is there, also without any. */
export async function readBacklog(reader: Reader, now: number): Promise<Backlog[]> {
  const rows = await reader
    .selectFrom('deliveries as d')
    .innerJoin('webhooks as w', (join) =>
      join.onRef('w.board_id', '=', 'd.board_id').onRef('w.id', '=', 'd.webhook_id'),
    )
    .select((e) => [
      'w.state',
      e.cast<number>(e.fn.countAll(), 'integer').as('waiting'),
      e.fn.min('d.date_created').as('oldest'),
    ])
    .where('d.state', '=', sql.lit('waiting'))
    .groupBy('w.state')
    .execute();
  return (['active', 'failing', 'disabled'] as const).map((state) => {
    const row = rows.find((each) => each.state === state);
    return { state, waiting: row?.waiting ?? 0, oldestSeconds: row ? Math.max(0, now - row.oldest) / 1_000 : 0 };
  });
}
