import { requireBoard } from '../../identity/board/board.ts';
import { findUserById } from '../../identity/users/users.ts';
import type { Db } from '../../platform/db/db.ts';
import { type Clock, MINUTE_MS, SECOND_MS } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { Loop } from '../../platform/lib/loop.ts';
import type { MailTransport } from '../../platform/mail/transport.ts';
import { removeContent } from './content.ts';
import type { ErasureRow } from './erasures.ts';
import { clearEvents, removeTraces } from './tracing.ts';

type ErasingDeps = { db: Db; clock: Clock; log: Logger; baseUrl: string; transport: MailTransport };

/**
 * How long an erased user may still act: other processes cache users for three seconds, and requests in progress must
 * end. What they wrote in that time is removed in a second round.
 */
export const SETTLE_MS = 10 * SECOND_MS;
/** The polling interval without notifications of erasures. */
const POLL_MS = MINUTE_MS;

/**
 * Removes the traces of erased users soon after. Work interrupted by a crash continues at the next start. It can be
 * stopped in the middle of an erasure.
 */
export function startErasing(deps: ErasingDeps): Loop {
  return new Loop({
    name: 'erase users',
    look: async (signal) =>
      (await carryOutErasures({ ...deps, db: untilStopped(deps.db, signal) })) ? POLL_MS : SETTLE_MS,
    pollMs: POLL_MS,
    retryMs: SETTLE_MS,
    listen: (wake) => deps.db.listen('erasures', wake),
    log: deps.log,
    failure: 'Traces of erased users remain for now',
  }).start();
}

/** The store, in which no new transaction begins once the signal is aborted. */
function untilStopped(db: Db, signal: AbortSignal): Db {
  return {
    ...db,
    transaction(work) {
      signal.throwIfAborted();
      return db.transaction(work);
    },
  };
}

/**
 * Does the work for each erasure. A failing one does not block the others.
 * @returns whether nothing is left to do
 */
export async function carryOutErasures(deps: Omit<ErasingDeps, 'log'>): Promise<boolean> {
  const { db, clock } = deps;
  const erasures = await db.read.selectFrom('erasures').selectAll().orderBy('date_created').orderBy('id').execute();
  const failures: unknown[] = [];
  let isDone = true;
  for (const erasure of erasures) {
    const isLast = clock.now() >= erasure.date_created + SETTLE_MS;
    try {
      await carryOut(deps, erasure);
      if (isLast) await finish(db, erasure);
      else isDone = false;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return isDone;
}

/** Events come first: they are redacted when their posts and comments are deleted. */
async function carryOut({ db, clock, baseUrl, transport }: Omit<ErasingDeps, 'log'>, erasure: ErasureRow) {
  await clearEvents(db, erasure);
  if (erasure.takes_content) {
    const board = await requireBoard(db.read, erasure.board_id);
    const actor = erasure.erased_by === null ? null : await findUserById(db.read, board.id, erasure.erased_by);
    await removeContent({ db, clock, baseUrl, board, actor }, erasure.id);
  }
  await removeTraces(db, erasure, transport);
}

async function finish(db: Db, { board_id, id }: ErasureRow): Promise<void> {
  await db.transaction((tx) =>
    tx.deleteFrom('erasures').where('board_id', '=', board_id).where('id', '=', id).execute(),
  );
}
