import { insertInitialStatuses } from '../../feedback/statuses/statuses.ts';
import { type BoardRow, insertBoard, listBoards, type NewBoard, setBoard } from '../../identity/board/board.ts';
import { FIRST_SETUP_STEP } from '../../identity/settings/settings.ts';
import { joinTeam, type NewMember } from '../../identity/team/members.ts';
import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { locked } from '../../platform/db/prepare.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { countAttemptIn } from '../../platform/limits/throttle.ts';

/** Creates a board with the statuses that every board starts with. */
export function createBoard(db: Db, clock: Clock, input: NewBoard): Promise<BoardRow> {
  return db.transaction((tx) => insertWithStatuses(tx, clock, input));
}

/**
 * Creates the first board of an empty store; null if there is one already. Processes that start at the same time create
 * only one.
 */
export function createFirstBoard(db: Db, clock: Clock, input: NewBoard): Promise<BoardRow | null> {
  return db.transaction(async (tx) => {
    // Every store has these rows, so transactions that lock them run one after the other.
    await locked(tx, tx.selectFrom('migrations').selectAll()).execute();
    const boards = await listBoards(tx);
    if (boards.length > 0) return null;
    const board = await insertWithStatuses(tx, clock, input);
    return setBoard(tx, board.id, { setup_step: FIRST_SETUP_STEP });
  });
}

/**
 * Creates another board for an owner of one, who owns it as well. It begins with its setup.
 * @throws RATE_LIMIT_EXCEEDED
 */
export function createOwnBoard(context: ActorContext, account: NewMember, name: string): Promise<BoardRow> {
  requireRight(context.actor, 'board.create');
  const { db, clock } = context;
  return db.transaction(async (tx) => {
    const board = await insertWithStatuses(tx, clock, { name });
    await countAttemptIn(tx, clock, 'boards of', account.id);
    await joinTeam(tx, { ...context, board }, account, 'OWNER');
    return setBoard(tx, board.id, { setup_step: FIRST_SETUP_STEP });
  });
}

async function insertWithStatuses(tx: Tx, clock: Clock, input: NewBoard): Promise<BoardRow> {
  const board = await insertBoard(tx, input, clock.now());
  await insertInitialStatuses(tx, board.id);
  return board;
}
