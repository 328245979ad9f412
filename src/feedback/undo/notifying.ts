import type { ActorContext } from '../../identity/users/request-context.ts';
import { isId } from '../../platform/lib/ids.ts';
import { changesOf, viewChange } from './operations.ts';

/**
 * What undoing an operation means for those who were notified of it: nothing, because such changes notify no one; that
 * they get no mail at all; or a second one, because they have the first.
 */
export type UndoEffect = 'NONE' | 'NO_MAIL' | 'SECOND_MAIL';

/** What undoing an operation means for those who were notified of it, see `undoOperation`. */
export async function effectOfUndo({ db, board }: ActorContext, operationId: string): Promise<UndoEffect> {
  if (!isId(operationId)) return 'NONE';
  const changes = (await changesOf(db.read, board.id, [operationId]).execute()).map(viewChange);
  const isTold = changes.some(({ before }) => 'statusId' in before || before.mergedIntoId);
  if (!isTold) return 'NONE';
  const mailed = await db.read
    .selectFrom('notices')
    .innerJoin('notifications', (join) =>
      join.onRef('notifications.board_id', '=', 'notices.board_id').onRef('notifications.notice_id', '=', 'notices.id'),
    )
    .select('notices.id')
    .where('notices.board_id', '=', board.id)
    .where('notices.operation_id', '=', operationId)
    .where('notifications.mail_id', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return mailed ? 'SECOND_MAIL' : 'NO_MAIL';
}
