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

export type ErasingDeps = { db: Db; clock: Clock; log: Logger; baseUrl: string; transport: MailTransport };

/**
 * How long a person who is erased may go on acting: other processes know people for three seconds, and what is under
 * way must end. What they wrote then goes in a second round.
 */
export const SETTLE_MS = 10 * SECOND_MS;
/** How long until the next look when nothing tells of an erasure. */
const POLL_MS = MINUTE_MS;

/**
 * Removes the traces of people who were erased, soon after. What a crash leaves is done at the next start. It can be
 * stopped in the middle of an erasure.
 */
export function startErasing(deps: ErasingDeps): Loop {
  return new Loop({
    look: async (signal) =>
      (await carryOutErasures({ ...deps, db: untilStopped(deps.db, signal) })) ? POLL_MS : SETTLE_MS,
    pollMs: POLL_MS,
    retryMs: SETTLE_MS,
    listen: (wake) => deps.db.listen('erasures', wake),
    log: deps.log,
    failure: 'Traces of erased users remain for now',
  }).start();
}

/** The store, in which no transaction begins any more once the signal is given. */
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
 * Does what is to be done for each erasure. One that fails keeps none of the others waiting.
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

/** Events come first: they are emptied where their posts and comments go. */
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
