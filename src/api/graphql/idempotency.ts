import { hash } from 'node:crypto';
import type { RequestParams } from 'graphql-http';
import { lockBoard } from '../../identity/board/board.ts';
import { type CollisionError, type Db, type Tx, withinTransaction } from '../../platform/db/db.ts';
import { skipLocked } from '../../platform/db/prepare.ts';
import { transactionOrBack } from '../../platform/db/taking-back.ts';
import { badRequest, conflict } from '../../platform/errors.ts';
import type { Context } from '../../platform/graphql/context.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { makeId } from '../../platform/lib/ids.ts';
import type { Answer } from './answer.ts';

declare module '../../platform/db/db.ts' {
  interface Tables {
    idempotency_keys: {
      board_id: string;
      api_key_id: string;
      idempotency_key: string;
      /** SHA-256 of operation, variables and acting user. */
      body_hash: string;
      /** JSON text of the stored answer, or of the id that was reserved; null only within the transaction that is making it. */
      answer: string | null;
      date_created: number;
    };
  }
}

const KEPT_MS = DAY_MS;

/** The part of a request's context that an idempotency key belongs to. */
type Keyed = Pick<Context, 'board' | 'key' | 'clock'>;

/**
 * Runs a mutation request once for each idempotency key. The key, the stored answer and everything the request changes
 * commit in one transaction: after a crash there is either all of it or nothing.
 * @param hasSeveral whether the request has several mutations
 * @param run runs the request on the store it is given
 * @throws CONFLICT when the key was used with another request, or by another acting user
 */
export async function runOnce(
  context: Context,
  idempotencyKey: string,
  request: RequestParams,
  hasSeveral: boolean,
  run: (db: Db) => Promise<Answer>,
): Promise<Answer> {
  requireKeyForm(idempotencyKey);
  const { query, operationName, variables } = request;
  const asked = [query, operationName || null, variables ?? {}, context.actor?.id ?? null];
  const bodyHash = hash('sha256', JSON.stringify(asked), 'base64url');
  return transactionOrBack<Answer>(context.db, async (tx, takeBack) => {
    const stored = await claim(tx, context, idempotencyKey, bodyHash);
    if (stored) return stored as Answer;
    // What announces an event locks the board last, after rows of people and posts. Two requests with several
    // mutations could each wait for a lock that the other holds; with the board locked first, they run one after the
    // other. A single mutation locks in the same order as all others, and locking the board first would block them.
    if (hasSeveral) await lockBoard(tx, context.board.id);
    const collisions: CollisionError[] = [];
    const answer = await run(withinTransaction(context.db, tx, (error) => collisions.push(error)));
    if (collisions[0]) throw collisions[0];
    // After an internal error nothing may remain: a repeat must run the request again.
    if (answer.codes.some((code) => code === 'INTERNAL_SERVER_ERROR' || code === 'SERVICE_UNAVAILABLE')) {
      return takeBack(answer);
    }
    await store(tx, context, idempotencyKey, answer);
    return answer;
  });
}

/** The id of what a request creates, and whether it has been created. */
type Reserved = { id: string; isCreated: boolean };

/**
 * The id of what a request creates, if that needs more than one transaction: the same for each idempotency key, so that
 * a repeat finds what the first one has created, or goes on where it was interrupted.
 * @param request everything that the request says, and who acts
 * @throws CONFLICT when the key was used with another request
 */
export async function reserveId(
  context: Keyed & { db: Db },
  idempotencyKey: string,
  request: unknown,
): Promise<Reserved> {
  requireKeyForm(idempotencyKey);
  const bodyHash = hash('sha256', JSON.stringify(request), 'base64url');
  return context.db.transaction(async (tx) => {
    const stored = (await claim(tx, context, idempotencyKey, bodyHash)) as Reserved | null;
    const reserved = stored ?? { id: makeId(), isCreated: false };
    if (!stored) await store(tx, context, idempotencyKey, reserved);
    return reserved;
  });
}

/** Records that it has been created: if it is deleted, a repeat must not create it again. */
export async function noteCreated(context: Keyed & { db: Db }, idempotencyKey: string, id: string): Promise<void> {
  await context.db.transaction((tx) => store(tx, context, idempotencyKey, { id, isCreated: true }));
}

function requireKeyForm(idempotencyKey: string): void {
  if (/^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(idempotencyKey)) return;
  throw badRequest('Idempotency-Key must have 1 to 255 printable ASCII characters', 'Idempotency-Key');
}

/** Claims the key for this request, or returns what is stored for it. A second request waits for the first. */
async function claim(tx: Tx, context: Keyed, idempotencyKey: string, bodyHash: string): Promise<unknown> {
  const now = context.clock.now();
  await forgetOld(tx, context.board.id, now - KEPT_MS);
  const claimed = await tx
    .insertInto('idempotency_keys')
    .values({
      board_id: context.board.id,
      api_key_id: context.key.id,
      idempotency_key: idempotencyKey,
      body_hash: bodyHash,
      date_created: now,
    })
    .onConflict((c) => c.doNothing())
    .returning('idempotency_key')
    .executeTakeFirst();
  if (claimed) return null;
  const stored = await tx
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('board_id', '=', context.board.id)
    .where('api_key_id', '=', context.key.id)
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirst();
  if (!stored || stored.body_hash !== bodyHash) {
    throw conflict('This Idempotency-Key was used with another request within the last 24 hours');
  }
  return JSON.parse(stored.answer ?? 'null');
}

/** Rows that another request is deleting at this moment are left to it, without waiting. */
async function forgetOld(tx: Tx, boardId: string, until: number): Promise<void> {
  const old = tx
    .selectFrom('idempotency_keys')
    .select(['api_key_id', 'idempotency_key'])
    .where('board_id', '=', boardId)
    .where('date_created', '<=', until);
  await tx
    .deleteFrom('idempotency_keys')
    .where('board_id', '=', boardId)
    .where((e) => {
      const key = e.refTuple('api_key_id', 'idempotency_key');
      return e(key, 'in', skipLocked(tx, old).$asTuple('api_key_id', 'idempotency_key'));
    })
    .execute();
}

async function store(tx: Tx, { board, key }: Keyed, idempotencyKey: string, answer: object): Promise<void> {
  await tx
    .updateTable('idempotency_keys')
    .set({ answer: JSON.stringify(answer) })
    .where('board_id', '=', board.id)
    .where('api_key_id', '=', key.id)
    .where('idempotency_key', '=', idempotencyKey)
    .execute();
}
