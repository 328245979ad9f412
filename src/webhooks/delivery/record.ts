import type { DeliveryRow } from '../../events/deliveries.ts';
import { pipelined, type Tx } from '../../platform/db/db.ts';
import { isOneOf, locked, prepare } from '../../platform/db/prepare.ts';
import { isChat } from '../chat/kinds.ts';
import { afterAttempt, isHalfThere } from '../webhook/health.ts';
import { healthColumns, healthOf } from '../webhook/health-columns.ts';
import { SUCCESS_LAG_MS, setWebhook, type WebhookRow } from '../webhook/webhooks.ts';
import { insertAttempts, makeAttempt } from './attempts.ts';
import type { Claim } from './claim.ts';
import type { Attempt } from './deliver.ts';
import { type HealthMailDeps, queueHealthMail } from './health-mail.ts';
import { type Note, noteChange } from './log-lines.ts';
import { releaseQueues } from './post-queues.ts';
import { nextAttempt, probeDelay, RETRY_AFTER_LIMIT_MS, TRIES_HALF_THERE } from './schedule.ts';

/** An attempt that has ended, and when. */
export type Result = { claim: Claim; attempt: Attempt; now: number };

/**
 * What `recordResults` returns: the results that counted, which are in the delivery log once `written` resolves, and
 * what to log about their webhooks.
 */
type Recorded = { results: Result[]; notes: Note[]; written: Promise<unknown> };

/**
 * Records the results of attempts, each only while its lease is the one it was made under: otherwise the worker that
 * has taken the delivery over decides. It changes the health of the webhooks and releases the next delivery about each
 * post. Statements that do not need each other's results are sent without waiting, and run in the order in which they
 * were sent, as do those that the caller sends before all is written.
 */
export async function recordResults(tx: Tx, results: readonly Result[], deps: HealthMailDeps): Promise<Recorded> {
  const byBoard = Map.groupBy(results, ({ claim }) => claim.delivery.board_id);
  // In a fixed order, like everything that locks several of them, so there are no deadlocks.
  const boards = [...byBoard].sort(([a], [b]) => (a < b ? -1 : 1));
  const locked = await pipelined(boards.map(([boardId, ofBoard]) => lockWebhooksOf(tx, boardId, ofBoard)));
  const written = pipelined(locked.map((board) => writeBoard(tx, board)));
  const changed = locked.flatMap(changedWebhooks);
  const notes: Note[] = [];
  if (changed.length > 0) {
    await written;
    for (const { before, changes, reason, now } of changed) {
      const after = await setWebhook(tx, before, changes);
      const isFlapping = before.troubled_since !== null && after.troubled_since !== null && after.state !== 'disabled';
      if (!isFlapping) notes.push(...noteChange(before, after.state, reason));
      notes.push(...(await queueHealthMail(tx, after, now, deps)));
    }
  }
  return { results: locked.flatMap(({ counting }) => counting), notes, written };
}

/** Results about one board, whose webhooks are locked, and with them their queues. */
type LockedBoard = { boardId: string; webhooks: WebhookRow[]; counting: Result[] };

async function lockWebhooksOf(tx: Tx, boardId: string, results: readonly Result[]): Promise<LockedBoard> {
  const webhookIds = [...new Set(results.map(({ claim }) => claim.webhook.id))];
  const [webhooks, counting] = await pipelined([
    lockWebhooks(tx, { boardId, ids: webhookIds }),
    findLeased(tx, boardId, results),
  ]);
  return { boardId, webhooks, counting };
}

async function writeBoard(tx: Tx, { boardId, counting }: LockedBoard): Promise<void> {
  const failed = counting.filter(({ attempt }) => attempt.outcome.kind !== 'delivered').map(describeFailure);
  await pipelined([
    ...failed.map((failure) => finishFailed(tx, failure)),
    finishDelivered(tx, boardId, counting),
    releaseNext(tx, boardId, counting),
    insertAttempts(tx, counting.flatMap(describeSends)),
  ]);
}

const lockWebhooks = prepare<{ boardId: string; ids: string[] }, WebhookRow>((tx, param) => {
  const rows = tx.selectFrom('webhooks').selectAll().where('board_id', '=', param('boardId'));
  return locked(tx, rows.where(isOneOf(tx, 'id', param('ids'))).orderBy('id'));
});

async function findLeased(tx: Tx, boardId: string, results: readonly Result[]): Promise<Result[]> {
  const rows = await leasesOf(tx, { boardId, ids: results.map(({ claim }) => claim.delivery.id) });
  const tokens = new Map(rows.map(({ id, lease_token }) => [id, lease_token]));
  return results.filter(({ claim: { delivery } }) => tokens.get(delivery.id) === delivery.lease_token);
}

const leasesOf = prepare<{ boardId: string; ids: string[] }, Pick<DeliveryRow, 'id' | 'lease_token'>>((tx, param) => {
  const rows = tx.selectFrom('deliveries').select(['id', 'lease_token']).where('board_id', '=', param('boardId'));
  return rows.where(isOneOf(tx, 'id', param('ids'))).where('lease_token', 'is not', null);
});

/** The usual end of a delivery, in one statement for all with the same result. */
async function finishDelivered(tx: Tx, boardId: string, results: readonly Result[]): Promise<void> {
  const delivered = results.filter(({ attempt }) => attempt.outcome.kind === 'delivered');
  const alike = Map.groupBy(delivered, ({ attempt }) => attempt.outcome.word);
  const finished = [...alike].map(([outcome, group]) => {
    const ids = group.map(({ claim }) => claim.delivery.id);
    return finish(tx, { boardId, ids, outcome, now: latest(group) });
  });
  await pipelined(finished);
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

/** Also behind a failed one: something may have been replayed ahead of it in the meantime. */
async function releaseNext(tx: Tx, boardId: string, ended: readonly Result[]): Promise<void> {
  const lines = ended.map(({ claim }) => claim.delivery);
  await releaseQueues(tx, boardId, lines, latest(ended));
}

function latest(results: readonly Result[]): number {
  return Math.max(...results.map(({ now }) => now));
}

type Failure = Pick<DeliveryRow, 'tries' | 'attempts' | 'outcome' | 'date_due' | 'date_done'> & {
  boardId: string;
  id: string;
  state: 'waiting' | 'given_up';
};

/** The end of an attempt that failed or was released: when the delivery is retried, or that it is given up. */
function describeFailure({ claim: { delivery, webhook }, attempt, now }: Result): Failure {
  const isReleased = attempt.outcome.kind === 'released';
  const made = isReleased ? 0 : 1;
  const most = isHalfThere(healthOf(webhook), now) ? TRIES_HALF_THERE : Infinity;
  const tries = Math.min(delivery.tries + made, most);
  const due = isReleased ? now : nextAttempt(tries, attempt.retryAfterMs, now, Math.random);
  return {
    boardId: delivery.board_id,
    id: delivery.id,
    state: due === null ? 'given_up' : 'waiting',
    tries,
    attempts: delivery.attempts + made,
    outcome: isReleased ? delivery.outcome : attempt.outcome.word,
    date_due: due,
    date_done: due === null ? now : null,
  };
}

const finishFailed = prepare<Failure, never>(
  (tx, param) =>
    tx
      .updateTable('deliveries')
      .set({
        state: param('state'),
        tries: param('tries'),
        attempts: param('attempts'),
        outcome: param('outcome'),
        date_due: param('date_due'),
        date_done: param('date_done'),
        lease_token: null,
      })
      .where('board_id', '=', param('boardId'))
      .where('id', '=', param('id')) as never,
);

/** A webhook that the results change, as it was, and when and how the last of them ended. */
type Changed = { before: WebhookRow; changes: Partial<WebhookRow>; reason: string; now: number };

function changedWebhooks({ webhooks, counting }: LockedBoard): Changed[] {
  return webhooks.flatMap((before) => {
    const own = counting.filter(({ claim }) => claim.webhook.id === before.id);
    const changes = changesOf(before, own.reduce(nextWebhook, before));
    const last = own.filter(({ attempt }) => attempt.outcome.kind !== 'released').at(-1);
    if (!last || Object.keys(changes).length === 0) return [];
    return [{ before, changes, reason: last.attempt.outcome.word, now: last.now }];
  });
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
    ...(!isFailure && now - (row.date_last_success ?? 0) >= SUCCESS_LAG_MS && { date_last_success: now }),
    date_next_probe: Math.max(
      health.state === 'failing' ? now + probeDelay(health, now) : 0,
      resumeAt(row, attempt, now),
    ),
    ...(attempt.acceptedSecret === 'pending' && promotePending(row, claim.webhook.pending_secret)),
  };
}

/** A chat limits the rate of all messages together: until it takes more, none is tried. */
function resumeAt({ kind }: WebhookRow, { retryAfterMs, sends }: Attempt, now: number): number {
  const isLimited = isChat(kind) && sends.at(-1)?.exchange.answer?.status === 429;
  return isLimited ? now + Math.min(retryAfterMs ?? 0, RETRY_AFTER_LIMIT_MS) : 0;
}

/** A pending secret that the receiver accepted replaces the active one, unless a different one is pending by now. */
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
