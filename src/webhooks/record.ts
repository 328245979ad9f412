import type { Tx } from '../db/db.ts';
import { isOneOf, locked, prepare } from '../db/prepare.ts';
import type { DeliveryRow } from '../events/deliveries.ts';
import { insertAttempts, makeAttempt } from './attempts.ts';
import type { Claim } from './claim.ts';
import type { Attempt } from './deliver.ts';
import { afterAttempt } from './health.ts';
import { queueHealthMail } from './health-mail.ts';
import { lockLines, releaseLines } from './lines.ts';
import { nextAttempt, probeDelay } from './schedule.ts';
import { healthColumns, healthOf, setWebhook, type WebhookRow } from './webhooks.ts';

/** An attempt that has ended, and when. */
export type Result = { claim: Claim; attempt: Attempt; now: number };

/**
 * Writes down what came of attempts, each only while its lease is the one it was made under: whoever took the delivery
 * over since then decides about it. It changes the health of the webhooks and lets the next delivery about each post go.
 * @returns the results that counted
 */
export async function recordResults(tx: Tx, results: readonly Result[], baseUrl: string): Promise<Result[]> {
  const recorded: Result[] = [];
  const byBoard = Map.groupBy(results, ({ claim }) => claim.delivery.board_id);
  for (const [boardId, ofBoard] of [...byBoard].sort(([a], [b]) => (a < b ? -1 : 1))) {
    recorded.push(...(await recordForBoard(tx, boardId, ofBoard, baseUrl)));
  }
  return recorded;
}

/** Statements that need no answer of each other are sent without waiting; they are carried out in this order. */
async function recordForBoard(
  tx: Tx,
  boardId: string,
  results: readonly Result[],
  baseUrl: string,
): Promise<readonly Result[]> {
  const [, webhooks, counting] = await Promise.all([
    lockLines(tx, boardId),
    lockWebhooks(tx, boardId, results),
    findLeased(tx, boardId, results),
  ]);
  const done = await recordFailures(tx, counting);
  await Promise.all([
    finishDelivered(tx, boardId, counting),
    releaseNext(tx, boardId, done),
    insertAttempts(tx, counting.flatMap(describeSends)),
  ]);
  for (const result of counting) changeHealth(webhooks, result);
  for (const { before, after, now } of webhooks.values()) {
    const changes = changesOf(before, after);
    if (Object.keys(changes).length === 0) continue;
    await queueHealthMail(tx, await setWebhook(tx, before, changes), now, baseUrl);
  }
  return counting;
}

/** A webhook as it was and as the results leave it. */
type Changing = { before: WebhookRow; after: WebhookRow; now: number };

async function lockWebhooks(tx: Tx, boardId: string, results: readonly Result[]): Promise<Map<string, Changing>> {
  const ids = [...new Set(results.map(({ claim }) => claim.webhook.id))];
  const rows = await lockRows(tx, { boardId, ids });
  return new Map(rows.map((row) => [row.id, { before: row, after: row, now: 0 }]));
}

const lockRows = prepare<{ boardId: string; ids: string[] }, WebhookRow>((tx, param) => {
  const rows = tx.selectFrom('webhooks').selectAll().where('board_id', '=', param('boardId'));
  return locked(tx, rows.where(isOneOf(tx, 'id', param('ids'))).orderBy('id'));
});

async function findLeased(tx: Tx, boardId: string, results: readonly Result[]): Promise<Result[]> {
  const rows = await lockLeased(tx, { boardId, ids: results.map(({ claim }) => claim.delivery.id) });
  const tokens = new Map(rows.map(({ id, lease_token }) => [id, lease_token]));
  return results.filter(({ claim: { delivery } }) => tokens.get(delivery.id) === delivery.lease_token);
}

const lockLeased = prepare<{ boardId: string; ids: string[] }, Pick<DeliveryRow, 'id' | 'lease_token'>>((tx, param) => {
  const rows = tx.selectFrom('deliveries').select(['id', 'lease_token']).where('board_id', '=', param('boardId'));
  return locked(tx, rows.where(isOneOf(tx, 'id', param('ids'))).where('lease_token', 'is not', null));
});

/** The usual end of a delivery, in one statement for all that ended alike. */
async function finishDelivered(tx: Tx, boardId: string, results: readonly Result[]): Promise<void> {
  const delivered = results.filter(({ attempt }) => attempt.outcome.kind === 'delivered');
  const alike = Map.groupBy(delivered, ({ attempt }) => attempt.outcome.word);
  const finished = [...alike].map(([outcome, group]) => {
    const ids = group.map(({ claim }) => claim.delivery.id);
    return finish(tx, { boardId, ids, outcome, now: latest(group) });
  });
  await Promise.all(finished);
}

const finish = prepare<{ boardId: string; ids: string[]; outcome: string; now: number }, never>(
  (tx, param) =>
    tx
      .updateTable('deliveries')
      .set((e) => ({
        state: 'delivered',
        outcome: param('outcome'),
        attempts: e('attempts', '+', 1),
        tries: e('tries', '+', 1),
        date_due: null,
        date_done: param('now'),
        lease_token: null,
      }))
      .where('board_id', '=', param('boardId'))
      .where(isOneOf(tx, 'id', param('ids'))) as never,
);

async function releaseNext(tx: Tx, boardId: string, done: readonly Result[]): Promise<void> {
  const lines = done.map(({ claim }) => claim.delivery);
  await releaseLines(tx, boardId, lines, latest(done));
}

function latest(results: readonly Result[]): number {
  return Math.max(...results.map(({ now }) => now));
}

/** @returns the results whose deliveries will not be tried again */
async function recordFailures(tx: Tx, results: readonly Result[]): Promise<Result[]> {
  const done: Result[] = [];
  for (const result of results) {
    if (result.attempt.outcome.kind === 'delivered' || !(await recordFailure(tx, result))) done.push(result);
  }
  return done;
}

/** @returns whether the delivery will be tried again */
async function recordFailure(tx: Tx, { claim, attempt, now }: Result): Promise<boolean> {
  const { delivery } = claim;
  const isReleased = attempt.outcome.kind === 'released';
  const tries = delivery.tries + (isReleased ? 0 : 1);
  const due = isReleased ? now : nextAttempt(tries, attempt.retryAfterMs, now, Math.random);
  await tx
    .updateTable('deliveries')
    .set({
      tries,
      lease_token: null,
      date_due: due,
      ...(!isReleased && { attempts: delivery.attempts + 1, outcome: attempt.outcome.word }),
      ...(due === null && { state: 'given_up' as const, date_done: now }),
    })
    .where('board_id', '=', delivery.board_id)
    .where('id', '=', delivery.id)
    .execute();
  return due !== null;
}

function changeHealth(webhooks: ReadonlyMap<string, Changing>, result: Result): void {
  const webhook = webhooks.get(result.claim.webhook.id);
  if (!webhook) return;
  webhook.after = nextWebhook(webhook.after, result);
  webhook.now = result.now;
}

function nextWebhook(row: WebhookRow, { claim, attempt, now }: Result): WebhookRow {
  const { outcome } = attempt;
  if (outcome.kind === 'released') return row;
  const health = afterAttempt(healthOf(row), outcome, now);
  const isDisabled = health.state === 'disabled' && row.state !== 'disabled';
  const isFailure = outcome.kind !== 'delivered';
  const { sentence } = outcome;
  const said = isFailure ? JSON.stringify(sentence.parts) : null;
  return {
    ...row,
    ...healthColumns(health),
    ...(isDisabled && { disabled_reason: sentence.text, disabled_reason_said: said }),
    ...(isFailure && { date_last_failure: now, last_failure: sentence.text, last_failure_said: said }),
    // A minute's precision is enough, and spares a write for each delivery.
    ...(!isFailure && now - (row.date_last_success ?? 0) >= 60_000 && { date_last_success: now }),
    date_next_probe: health.state === 'failing' ? now + probeDelay(health.failuresInRow) : 0,
    ...(attempt.acceptedSecret === 'pending' && promotePending(row, claim.webhook.pending_secret)),
  };
}

/** A pending secret that the receiver accepted takes the place of the active one, unless another is pending meanwhile. */
export function promotePending(row: WebhookRow, accepted: string | null): Partial<WebhookRow> {
  return row.pending_secret === accepted ? { signing_secret: accepted, pending_secret: null } : {};
}

function changesOf(before: WebhookRow, after: WebhookRow): Partial<WebhookRow> {
  const names = Object.keys(after) as (keyof WebhookRow)[];
  return Object.fromEntries(names.filter((name) => after[name] !== before[name]).map((name) => [name, after[name]]));
}

function describeSends({ claim, attempt, now }: Result) {
  const { delivery, webhook } = claim;
  const { word, sentence } = attempt.outcome;
  return attempt.sends.map((send) =>
    makeAttempt(
      {
        board_id: delivery.board_id,
        webhook_id: delivery.webhook_id,
        delivery_id: delivery.id,
        number: delivery.attempts + 1,
        kind: 'event',
        host: null,
        outcome: word,
        diagnosis: sentence,
        date_created: now,
      },
      { method: 'POST', url: webhook.url, headers: send.headers },
      send.exchange,
    ),
  );
}
