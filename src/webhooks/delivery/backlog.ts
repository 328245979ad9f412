import { sql } from 'kysely';
import type { Reader } from '../../platform/db/db.ts';
import { prepare } from '../../platform/db/prepare.ts';
import type { WebhookRow } from '../webhook/webhooks.ts';

const states = ['active', 'failing', 'disabled'] as const;

/** How many webhooks are in a state, and who disabled them. */
type WebhookCount = Pick<WebhookRow, 'state'> & { disabledBy: WebhookRow['disabled_by']; count: number };

/**
 * The backlog of the webhooks in one state: the number of pending deliveries, and the age of the oldest event among
 * them.
 */
type Backlog = { state: WebhookRow['state']; waiting: number; oldestSeconds: number };

/** The webhooks of all boards except sandboxes, for metrics; includes states without any. */
export async function countWebhooks(reader: Reader): Promise<WebhookCount[]> {
  const rows = await reader
    .selectFrom('webhooks')
    .innerJoin('boards', 'boards.id', 'webhooks.board_id')
    .where('boards.sandbox_visitor', 'is', null)
    .select((e) => ['state', 'disabled_by as disabledBy', e.cast<number>(e.fn.countAll(), 'integer').as('count')])
    .groupBy(['state', 'disabled_by'])
    .execute();
  const none = [...states.map((state) => ({ state, disabledBy: null })), DISABLED_BY_US];
  const missing = none.filter(
    (each) => !rows.some((row) => row.state === each.state && row.disabledBy === each.disabledBy),
  );
  return [...rows, ...missing.map((each) => ({ ...each, count: 0 }))];
}

const DISABLED_BY_US = { state: 'disabled', disabledBy: 'service' } as const;

/**
 * The backlog of the same boards, for metrics; includes states without any. It counts in an index of only pending
 * deliveries, and takes the age from the event: half a million deliveries take a tenth of a second.
 */
export async function readBacklog(reader: Reader, now: number): Promise<Backlog[]> {
  const rows = await reader
    .with('waiting', (cte) =>
      cte
        .selectFrom('deliveries')
        .select((e) => [
          'board_id',
          'webhook_id',
          e.cast<number>(e.fn.countAll(), 'integer').as('count'),
          e.fn.min('event_seq').as('seq'),
        ])
        .where('state', '=', sql.lit('waiting'))
        .groupBy(['board_id', 'webhook_id']),
    )
    .selectFrom('waiting as d')
    .innerJoin('webhooks as w', (join) =>
      join.onRef('w.board_id', '=', 'd.board_id').onRef('w.id', '=', 'd.webhook_id'),
    )
    .innerJoin('boards as b', 'b.id', 'd.board_id')
    .where('b.sandbox_visitor', 'is', null)
    .leftJoin('events as e', (join) => join.onRef('e.board_id', '=', 'd.board_id').onRef('e.seq', '=', 'd.seq'))
    .select(['w.state', 'd.count', 'e.triggered_at as since'])
    .execute();
  return states.map((state) => {
    const own = rows.filter((row) => row.state === state);
    const waiting = own.reduce((sum, { count }) => sum + count, 0);
    const oldest = Math.min(...own.map(({ since }) => since ?? now), now);
    return { state, waiting, oldestSeconds: (now - oldest) / 1_000 };
  });
}

/** The number of pending deliveries of one webhook. */
export async function countBacklog(reader: Reader, boardId: string, webhookId: string): Promise<number> {
  return (await countPending(reader, { boardId, webhookId }))[0]?.count ?? 0;
}

const countPending = prepare<{ boardId: string; webhookId: string }, { count: number }>((reader, param) =>
  reader
    .selectFrom('deliveries')
    .select((e) => e.cast<number>(e.fn.countAll(), 'integer').as('count'))
    .where('board_id', '=', param('boardId'))
    .where('webhook_id', '=', param('webhookId'))
    .where('state', '=', 'waiting'),
);
