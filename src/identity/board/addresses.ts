import type { Reader, Tx } from '../../platform/db/db.ts';
import { notFound } from '../../platform/errors.ts';
import { isStorable } from '../../platform/texts/text.ts';
import { type BoardRow, findBoard, requireBoard } from './board.ts';

/** How many former addresses of a board lead to it: the last ones. */
const MAX_FORMER = 20;

declare module '../../platform/db/db.ts' {
  interface Tables {
    /** Names that boards had in addresses. Another board may have one by now, which then counts. */
    board_addresses: { pid: string; board_id: string; date_created: number };
  }
}

/** Keeps the present address of a board, which is about to get another one, so that links with it go on leading there. */
export async function keepAddress(tx: Tx, boardId: string, now: number): Promise<void> {
  const { pid } = await requireBoard(tx, boardId);
  const row = { pid, board_id: boardId, date_created: now };
  const { board_id, date_created } = row;
  const insert = tx.insertInto('board_addresses').values(row);
  await insert.onConflict((c) => c.column('pid').doUpdateSet({ board_id, date_created })).execute();
  const ofBoard = tx.selectFrom('board_addresses').select('pid').where('board_id', '=', boardId);
  const old = await ofBoard
    .orderBy('date_created', 'desc')
    .orderBy('pid')
    .offset(MAX_FORMER)
    .limit(MAX_FORMER)
    .execute();
  for (const { pid } of old) await tx.deleteFrom('board_addresses').where('pid', '=', pid).execute();
}

/** The board that had this name in addresses last, for names that no board has. */
export async function findFormerBoard(reader: Reader, pid: string): Promise<BoardRow | null> {
  if (!isStorable(pid)) return null;
  const former = reader.selectFrom('board_addresses').select('board_id').where('pid', '=', pid);
  const board = await reader.selectFrom('boards').selectAll().where('id', 'in', former).executeTakeFirst();
  return board ?? null;
}

/** @throws NOT_FOUND when a client names a board, by its id or a pid of now or before, that is not the one of its key */
export async function requireOwnBoard(
  reader: Reader,
  board: BoardRow,
  named: string | null | undefined,
): Promise<void> {
  if (named == null || named === board.id || named === board.pid) return;
  const meant = (await findBoard(reader, named)) ?? (await findFormerBoard(reader, named));
  if (meant?.id !== board.id) throw notFound('Board');
}
