import { insertInitialStatuses, renameInitialStatuses } from '../../feedback/statuses/statuses.ts';
import { type BoardRow, insertBoard, listBoards, type NewBoard, setBoard } from '../../identity/board/board.ts';
import { type BoardChanges, changeBoard, FIRST_SETUP_STEP } from '../../identity/settings/settings.ts';
import { joinTeam, type NewMember } from '../../identity/team/members.ts';
import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { languages } from '../../platform/catalogues.ts';
import { type Db, type Tx, withinTransaction } from '../../platform/db/db.ts';
import { lockStore } from '../../platform/db/prepare.ts';
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
    await lockStore(tx);
    const boards = await listBoards(tx);
    if (boards.length > 0) return null;
    const board = await insertWithStatuses(tx, clock, input);
    return setBoard(tx, board.id, { setup_step: FIRST_SETUP_STEP });
  });
}

/**
 * Creates another board for an owner of one, who owns it as well. It begins with its setup, in the same language.
 * @throws RATE_LIMIT_EXCEEDED
 */
export function createOwnBoard(context: ActorContext, account: NewMember, name: string): Promise<BoardRow> {
  requireRight(context.actor, 'board.create');
  const { db, clock } = context;
  return db.transaction(async (tx) => {
    const board = await insertWithStatuses(tx, clock, { name, locale: context.board.locale });
    await countAttemptIn(tx, clock, 'boards of', account.id);
    await joinTeam(tx, { ...context, board }, account, 'OWNER');
    return setBoard(tx, board.id, { setup_step: FIRST_SETUP_STEP });
  });
}

/** As `changeBoard`, in the setup: there the language of the board is chosen, and with it the names of its initial statuses. */
export function setUpBoard(context: ActorContext, changes: BoardChanges): Promise<BoardRow> {
  const { db, board } = context;
  const language = languages.find((known) => known === changes.locale);
  requireRight(context.actor, 'board.edit');
  return db.transaction(async (tx) => {
    if (language && board.setup_step !== 0) await renameInitialStatuses(tx, board, language);
    return changeBoard({ ...context, db: withinTransaction(db, tx) }, changes);
  });
}

async function insertWithStatuses(tx: Tx, clock: Clock, input: NewBoard): Promise<BoardRow> {
  const board = await insertBoard(tx, input, clock.now());
  await insertInitialStatuses(tx, board);
  return board;
}
