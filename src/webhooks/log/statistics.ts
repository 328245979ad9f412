import type { Reader } from '../../platform/db/db.ts';
import { prepare, rowLimit } from '../../platform/db/prepare.ts';
import { HOUR_MS } from '../../platform/lib/clock.ts';
import { TIME_LIMIT_MS } from '../diagnosis/faults.ts';
import type { Timings } from '../http/exchange.ts';
import { SUCCESS_LAG_MS, type WebhookRow } from '../webhook/webhooks.ts';

/** The period that the figures of a webhook cover. */
const STATISTICS_MS = 24 * HOUR_MS;

/** Number of latest attempts for the median: more would give the same result and cost more to read. */
const MEDIAN_OF = 1_000;

/** Attempts of the last 24 hours to send events, and how many of them were accepted. Tests do not count. */
export type AttemptCounts = { attempts: number; delivered: number };

/** An hour of those, counted back from now: 0 is the latest. */
type HourCounts = AttemptCounts & { hoursAgo: number };

/** The attempts of the last 24 hours by webhook; those without any are missing. There can be a million: see `Db.slow`. */
export async function countAttempts(reader: Reader, boardId: string, now: number): Promise<Map<string, AttemptCounts>> {
  const rows = await attemptsOf(reader, boardId, now)
    .select((e) => [
      'webhook_id',
      e.cast<number>(e.fn.countAll(), 'integer').as('attempts'),
      e.cast<number>(e.fn.sum(e.case().when('outcome', 'like', DELIVERED).then(1).else(0).end()), 'integer').as('ok'),
    ])
    .groupBy('webhook_id')
    .execute();
  return new Map(rows.map(({ webhook_id, attempts, ok }) => [webhook_id, { attempts, delivered: ok }]));
}

/** The attempts of the last 24 hours of one webhook, by hour; hours without any are missing. */
export async function countAttemptsByHour(
  reader: Reader,
  boardId: string,
  webhookId: string,
  now: number,
): Promise<HourCounts[]> {
  // Integer division in both engines.
  const rows = await attemptsOf(reader, boardId, now)
    .select((e) => [
      e.cast<number>(e(e.parens(e.val(now), '-', e.ref('date_created')), '/', HOUR_MS), 'integer').as('hoursAgo'),
      e.cast<number>(e.fn.countAll(), 'integer').as('attempts'),
      e.cast<number>(e.fn.sum(e.case().when('outcome', 'like', DELIVERED).then(1).else(0).end()), 'integer').as('ok'),
    ])
    .where('webhook_id', '=', webhookId)
    .groupBy('hoursAgo')
    .execute();
  return rows.map(({ hoursAgo, attempts, ok }) => ({ hoursAgo, attempts, delivered: ok }));
}

/** The median of how long a receiver took to accept an event in the last 24 hours, in milliseconds; null without any. */
export async function findMedianTime(
  reader: Reader,
  boardId: string,
  webhookId: string,
  now: number,
): Promise<number | null> {
  const rows = await attemptsOf(reader, boardId, now)
    .select('timings')
    .where('webhook_id', '=', webhookId)
    .where('outcome', 'like', DELIVERED)
    .orderBy('date_created', 'desc')
    .limit(MEDIAN_OF)
    .execute();
  const times = rows.map(({ timings }) => (JSON.parse(timings) as Timings).total).sort((a, b) => a - b);
  return times[Math.floor((times.length - 1) / 2)] ?? null;
}

/**
 * Webhooks with the exact instant of their last success. The row may be up to a minute behind, which saves a write for
 * each delivery; later ones are in the log of attempts.
 */
export function withLastSuccess(reader: Reader, webhooks: readonly WebhookRow[]): Promise<WebhookRow[]> {
  return Promise.all(
    webhooks.map(async (row) => {
      const { board_id: boardId, id: webhookId, date_last_success: known } = row;
      if (known === null) return row;
      const [latest] = await lastSuccess(reader, { boardId, webhookId, known, until: known + SUCCESS_LAG_MS });
      return latest ? { ...row, date_last_success: latest.date_created } : row;
    }),
  );
}

type AfterKnown = { boardId: string; webhookId: string; known: number; until: number };

const lastSuccess = prepare<AfterKnown, { date_created: number }>((reader, param) =>
  reader
    .selectFrom('attempts')
    .select('date_created')
    .where('board_id', '=', param('boardId'))
    .where('webhook_id', '=', param('webhookId'))
    .where('kind', '=', 'event')
    .where('date_created', '>', param('known'))
    .where('date_created', '<=', param('until'))
    .where('outcome', 'like', DELIVERED)
    .orderBy('date_created', 'desc')
    .limit(rowLimit(1)),
);

/** At this median, individual responses will soon be late: half of an attempt's time limit. */
const SLOW_MEDIAN_MS = TIME_LIMIT_MS / 2;

/** Whether a receiver has become so slow that its owner should know, before attempts begin to fail. */
export function isSlowMedian(medianMs: number | null): boolean {
  return medianMs !== null && medianMs >= SLOW_MEDIAN_MS;
}

/** An attempt that was accepted has `delivered` as its outcome, or `delivered, answered 201`. */
const DELIVERED = 'delivered%';

function attemptsOf(reader: Reader, boardId: string, now: number) {
  return reader
    .selectFrom('attempts')
    .where('board_id', '=', boardId)
    .where('kind', '=', 'event')
    .where('outcome', '!=', 'released')
    .where('date_created', '>', now - STATISTICS_MS);
}
