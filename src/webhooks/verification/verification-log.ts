import { lockBoard } from '../../identity/board/board.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import type { Reader, Tx } from '../../platform/db/db.ts';
import { AppError } from '../../platform/errors.ts';
import { msg } from '../../platform/messages.ts';
import {
  type AttemptRow,
  describeDiagnosis,
  describeExchange,
  insertAttempts,
  makeAttempt,
} from '../delivery/attempts.ts';
import type { Exchange } from '../http/exchange.ts';
import { VERIFICATION_COUNTS_MS, type WebhookRow } from '../webhook/webhooks.ts';
import type { Verification } from './verify.ts';

/**
 * Maximum number of verifications per minute: of a board, and of a host by all boards. More would turn them into a
 * scanner.
 */
export const VERIFICATIONS_PER_MINUTE = 10;

/**
 * Logs a verification before it begins, so that those in progress count too, and returns the id of its line.
 * @throws RATE_LIMIT_EXCEEDED
 */
export async function beginVerification({ db, clock }: RequestContext, row: WebhookRow): Promise<string> {
  const now = clock.now();
  const subject = {
    board_id: row.board_id,
    webhook_id: row.id,
    delivery_id: null,
    number: 1,
    kind: 'verification' as const,
    host: row.host,
    outcome: 'in progress',
    diagnosis: msg('verificationInProgress'),
    date_created: now,
  };
  const attempt = makeAttempt(subject, { method: 'GET', url: row.url, headers: {} }, NOTHING_YET);
  await db.transaction(async (tx) => {
    await lockBoard(tx, row.board_id);
    await requireVerificationsLeft(tx, row, now);
    await insertAttempts(tx, [attempt]);
  });
  return attempt.id;
}

const NOTHING_YET: Exchange = {
  timings: { dns: null, connect: null, tls: null, firstByte: null, total: 0 },
  fault: { kind: 'stopped' },
};

async function requireVerificationsLeft(tx: Tx, row: WebhookRow, now: number): Promise<void> {
  const ofBoard = await countSince(tx, 'board_id', row.board_id, now);
  const ofHost = await countSince(tx, 'host', row.host, now);
  if (Math.max(ofBoard, ofHost) < VERIFICATIONS_PER_MINUTE) return;
  const message = msg('verificationTooMany', VERIFICATIONS_PER_MINUTE);
  throw new AppError('RATE_LIMIT_EXCEEDED', message, { retryAfter: VERIFICATION_COUNTS_MS / 1_000 });
}

async function countSince(tx: Tx, column: 'board_id' | 'host', value: string, now: number): Promise<number> {
  const { count } = await tx
    .selectFrom('attempts')
    .select((e) => e.cast<number>(e.fn.countAll(), 'integer').as('count'))
    .where(column, '=', value)
    // Only verifications have a host, which their index is for.
    .where('host', 'is not', null)
    .where('date_created', '>', now - VERIFICATION_COUNTS_MS)
    .executeTakeFirstOrThrow();
  return count;
}

/** Records the result of a verification. */
export async function finishVerification(
  tx: Tx,
  boardId: string,
  id: string,
  { word, reason, request, exchange }: Verification,
): Promise<void> {
  const came = describeExchange(request, exchange);
  const update = tx.updateTable('attempts').set({ outcome: word, ...describeDiagnosis(reason), ...came });
  await update.where('board_id', '=', boardId).where('id', '=', id).execute();
}

/** The latest verification of a webhook; null when there was none, or none that the log still has. */
export async function findLatestVerification(
  reader: Reader,
  boardId: string,
  webhookId: string,
): Promise<AttemptRow | null> {
  const query = reader.selectFrom('attempts').selectAll().where('board_id', '=', boardId);
  const verifications = query.where('webhook_id', '=', webhookId).where('kind', '=', 'verification');
  const latest = verifications.orderBy('date_created', 'desc').orderBy('id', 'desc').limit(1);
  return (await latest.executeTakeFirst()) ?? null;
}
