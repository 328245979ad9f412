import { type SqlBool, sql } from 'kysely';
import type { DeliveryRow } from '../../events/deliveries.ts';
import { pipelined, type Reader, type Tx } from '../../platform/db/db.ts';
import { isAmong, isKnown, isOneOf, prepare, rowLimit, skipLocked } from '../../platform/db/prepare.ts';
import { SECOND_MS } from '../../platform/lib/clock.ts';
import { webhookKinds } from '../chat/kinds.ts';
import { inFlightLimitOf, type WebhookRow } from '../webhook/webhooks.ts';
import { isBehind, moveAside, SCANNED } from './post-queues.ts';

/** How long a claim lasts: an attempt takes 5 s, during a change of secrets twice that. */
export const LEASE_MS = 15 * SECOND_MS;

/** A delivery that this process may attempt until its lease expires, with the bytes to send, and those of its event. */
export type Claim = { webhook: WebhookRow; delivery: DeliveryRow; body: string; eventBody: string };

/**
 * The claiming worker, the time, and its free slots: in total, and for failing webhooks. Webhooks in `full` are
 * skipped: this process already has the maximum number of attempts in flight to them.
 */
type Claimer = { token: string; now: number; slots: number; failingSlots: number; full: string[] };

/**
 * Whether anything can be claimed now, except for webhooks in `full`. It costs an index probe for each enabled
 * webhook.
 */
export async function isAnythingDue(reader: Reader, now: number, full: string[]): Promise<boolean> {
  return (await anyDue(reader, { now, full })).length > 0;
}

/**
 * The claimed deliveries; and whether deliveries were set aside that hid others, so that there may be more to claim.
 */
export type Claimed = { claims: Claim[]; hasMoved: boolean };

/**
 * Claims deliveries that are due and first in their queues, for each webhook as many as may be in flight. Healthy
 * webhooks come first, so that failing ones cannot use up the slots.
 */
export async function claimDeliveries(tx: Tx, claimer: Claimer): Promise<Claimed> {
  const { token, now, full } = claimer;
  const claims: Claim[] = [];
  const [due, inFlight] = await pipelined([dueWebhooks(tx, { now, full }), countInFlight(tx, { now })]);
  const webhooks = shuffle(due);
  webhooks.sort((a, b) => Number(a.failures_in_row > 0) - Number(b.failures_in_row > 0));
  const shares = webhooks.map((webhook) => {
    const used = inFlight.find((row) => row.webhook_id === webhook.id)?.count ?? 0;
    return { webhook, limit: inFlightLimitOf(webhook) - used };
  });
  let moved = 0;
  // A webhook that uses less than its share leaves the rest to the following ones.
  for (let next = nextShares(shares, claimer, 0); next.length > 0; next = nextShares(shares, claimer, claims.length)) {
    const rows = await claimShares(tx, next, { now, token, until: now + LEASE_MS });
    for (const { event_body, ...delivery } of rows) {
      const eventBody = event_body ?? '';
      const share = next.find(({ webhook }) => webhook.id === delivery.webhook_id);
      if (share) claims.push({ webhook: share.webhook, delivery, body: delivery.body ?? eventBody, eventBody });
    }
    const taken = new Map([...Map.groupBy(rows, (row) => row.webhook_id)].map(([id, own]) => [id, own.length]));
    moved += await moveFrom(
      tx,
      next.filter(({ webhook, limit }) => (taken.get(webhook.id) ?? 0) < limit),
      now,
    );
  }
  return { claims, hasMoved: moved > 0 };
}

/** Webhooks that use less than their share have nothing due except deliveries behind others. */
async function moveFrom(tx: Tx, shares: readonly Share[], now: number): Promise<number> {
  const byBoard = Map.groupBy(shares, ({ webhook }) => webhook.board_id);
  const moves = [...byBoard].map(([boardId, own]) =>
    moveAside(tx, { boardId, webhookIds: own.map(({ webhook }) => webhook.id), now }),
  );
  return (await pipelined(moves)).reduce((sum, count) => sum + count, 0);
}

/** How many deliveries of a webhook may be claimed. */
type Share = { webhook: WebhookRow; limit: number };

/** Removes from the list the webhooks that fit into the slots, if each uses all of its share. */
function nextShares(shares: Share[], { slots, failingSlots }: Claimer, claimed: number): Share[] {
  const taken: Share[] = [];
  let used = claimed;
  for (let share = shares[0]; share; share = shares[0]) {
    const free = (share.webhook.failures_in_row > 0 ? Math.min(slots, failingSlots) : slots) - used;
    if (free <= 0) break;
    shares.shift();
    const limit = Math.min(free, share.limit);
    if (limit <= 0) continue;
    taken.push({ ...share, limit });
    used += limit;
  }
  return taken;
}

/** When the next delivery becomes due, unless something happens before; null if none is pending. */
export async function findNextDue(reader: Reader): Promise<number | null> {
  const [row] = await nextDue(reader, {});
  return row?.due ?? null;
}

const enabled = sql<SqlBool>`w.state in ('active', 'failing') and ${isKnown('w.kind', webhookKinds)}`;

type Look = { now: number; full: string[] };

const anyDue = prepare<Look, { id: string }>((reader, param) =>
  whereDue(reader, param('now'), param('full')).select('w.id').limit(1),
);

/** Locked until the transaction ends, so that no other process claims for them beyond their limit; those are left out. */
const dueWebhooks = prepare<Look, WebhookRow>((reader, param) => {
  const due = whereDue(reader, param('now'), param('full')).selectAll('w');
  return skipLocked(reader, due.orderBy('w.board_id').orderBy('w.id'), 'w');
});

/**
 * Attempts that are in flight to each webhook in all processes. It is a separate statement, run after the locks: one
 * that locks and counts would count the state before it got the locks.
 */
const countInFlight = prepare<{ now: number }, { webhook_id: string; count: number }>((reader, param) =>
  reader
    .selectFrom('deliveries')
    .select((e) => ['webhook_id', e.cast<number>(e.fn.countAll(), 'integer').as('count')])
    .where('lease_token', 'is not', null)
    .where('date_due', '>', param('now'))
    .groupBy('webhook_id'),
);

function whereDue(reader: Reader, now: number, full: string[]) {
  return reader
    .selectFrom('webhooks as w')
    .where(enabled)
    .where('w.date_next_probe', '<=', now)
    .where((e) => e.not(isOneOf(reader, 'w.id', full)))
    .where((e) =>
      e.exists(
        e
          .selectFrom('deliveries as d')
          .select('d.id')
          .whereRef('d.board_id', '=', 'w.board_id')
          .whereRef('d.webhook_id', '=', 'w.id')
          .where('d.state', '=', sql.lit('waiting'))
          .where('d.date_due', '<=', now),
      ),
    );
}

type Lease = { now: number; token: string; until: number };
type ClaimedRow = DeliveryRow & { event_body: string | null };

/** A claim moves the due date of a delivery to the end of the lease: without a result, others take it over then. */
async function claimShares(tx: Tx, shares: readonly Share[], lease: Lease): Promise<ClaimedRow[]> {
  const claims = shares.map(({ webhook, limit }) =>
    claimRows(tx, { ...lease, boardId: webhook.board_id, webhookId: webhook.id, limit }),
  );
  return (await pipelined(claims)).flat();
}

/** Only the webhook's row is locked for this: everything that changes its deliveries later locks that row, too. */
const claimRows = prepare<Lease & { boardId: string; webhookId: string; limit: number }, ClaimedRow>((tx, param) => {
  const due = tx
    .selectFrom('deliveries')
    .selectAll()
    .where('board_id', '=', param('boardId'))
    .where('webhook_id', '=', param('webhookId'))
    .where('state', '=', sql.lit('waiting'))
    .where('date_due', '<=', param('now'))
    .orderBy('date_due')
    .orderBy('event_seq')
    .limit(rowLimit(SCANNED));
  // They are read in order, and only until there are enough.
  const first = tx
    .selectFrom(due.as('d'))
    .select('d.id')
    .where((e) => e.not(isBehind))
    .limit(rowLimit(param('limit')));
  return tx
    .updateTable('deliveries')
    .set({ lease_token: param('token'), date_due: param('until') })
    .where('board_id', '=', param('boardId'))
    .where(isAmong(tx, 'id', first))
    .returningAll()
    .returning(eventBody.as('event_body')) as never;
});

const eventBody = sql<string | null>`(
  select body from events where events.board_id = deliveries.board_id and events.seq = deliveries.event_seq
)`;

/**
 * The first date of each webhook comes from the start of its part of the index. An ordered join would read all pending
 * ones: with 10,000 deliveries that took SQLite minutes.
 */
const nextDue = prepare<Record<never, never>, { due: number }>((reader) => {
  const first = reader
    .selectFrom('webhooks as w')
    .select((e) => [
      'w.date_next_probe',
      e
        .selectFrom('deliveries as d')
        .select('d.date_due')
        .whereRef('d.board_id', '=', 'w.board_id')
        .whereRef('d.webhook_id', '=', 'w.id')
        .where('d.state', '=', sql.lit('waiting'))
        .where('d.date_due', 'is not', null)
        .orderBy('d.date_due')
        .limit(rowLimit(1))
        .as('date_due'),
    ])
    .where(enabled);
  const due = sql<number>`case when date_due > date_next_probe then date_due else date_next_probe end`;
  return reader
    .selectFrom(first.as('first'))
    .select(due.as('due'))
    .where('date_due', 'is not', null)
    .orderBy('due')
    .limit(rowLimit(1));
});

/** The order is random when slots are scarce, so that no webhook always comes last. */
function shuffle<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
