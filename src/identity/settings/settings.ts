import type { Tx } from '../../platform/db/db.ts';
import { lockStore } from '../../platform/db/prepare.ts';
import { badRequest } from '../../platform/errors.ts';
import { msg } from '../../platform/messages.ts';
import { recordChange } from '../activity/activity.ts';
import { keepAddress } from '../board/addresses.ts';
import { type BoardRow, findBoard, findBoardByDomain, lockBoard, requireBoard, setBoard } from '../board/board.ts';
import { requireRight } from '../users/authority.ts';
import type { ActorContext } from '../users/request-context.ts';
import { parseSettings, type SettingChanges, stateOfBoard } from './table.ts';

/** The step after the owner's account; 0 means that none is left. */
export const FIRST_SETUP_STEP = 2;
export const LAST_SETUP_STEP = 5;

/** Changes to a board; omitted properties stay unchanged. */
export type BoardChanges = SettingChanges & { setupStep?: number };

/**
 * Changes settings of a board, so that it can be undone. With the API turned off, its keys are refused with
 * PLAN_REQUIRED; only owners can do that.
 * @throws FORBIDDEN; BAD_REQUEST naming the field, also if a URL or host belongs to another board
 */
export function changeBoard(context: ActorContext, { setupStep, ...changes }: BoardChanges): Promise<BoardRow> {
  requireRight(context.actor, changes.isApiEnabled === undefined ? 'board.edit' : 'api.switch');
  const set: Partial<BoardRow> = {
    ...parseSettings(changes),
    ...(setupStep !== undefined && { setup_step: setupStep > LAST_SETUP_STEP ? 0 : setupStep }),
  };
  return context.db.transaction(async (tx) => {
    await requireFree(tx, context, set);
    if (set.pid !== undefined && set.pid !== context.board.pid) {
      await keepAddress(tx, context.board.id, context.clock.now());
    }
    return changeSettings(tx, context, set);
  });
}

async function changeSettings(tx: Tx, context: ActorContext, set: Partial<BoardRow>): Promise<BoardRow> {
  const { id } = context.board;
  await lockBoard(tx, id);
  const before = await requireBoard(tx, id);
  if (Object.keys(set).length === 0) return before;
  const changed = await setBoard(tx, id, set);
  const change = { before: stateOfBoard(before), after: stateOfBoard(changed) };
  await recordChange(tx, context, { thing: 'BOARD', id, ...change });
  return changed;
}

/**
 * Two boards with the same URL would take each other's visitors, and a board with the server's own host would take
 * everyone's.
 */
async function requireFree(
  tx: Tx,
  { board, baseUrl }: ActorContext,
  { pid, domain }: Partial<BoardRow>,
): Promise<void> {
  if (pid === undefined && !domain) return;
  // Of two boards that choose the same URL at once, the second sees the first.
  await lockStore(tx);
  if (domain === new URL(baseUrl).hostname) {
    throw badRequest(msg('boardHostOfServer', domain), 'domain');
  }
  const ofPid = pid === undefined ? null : await findBoard(tx, pid);
  if (ofPid && ofPid.id !== board.id) throw badRequest(msg('boardPidTaken', ofPid.pid), 'pid');
  const ofDomain = domain ? await findBoardByDomain(tx, domain) : null;
  if (ofDomain && ofDomain.id !== board.id) throw badRequest(msg('boardHostTaken', domain ?? ''), 'domain');
}
