import { type SqlBool, sql } from 'kysely';
import type { ActorContext } from '../../identity/users/request-context.ts';
import type { Tx } from '../../platform/db/db.ts';
import { isFewOfBoard, isOneOf, locked } from '../../platform/db/prepare.ts';
import { badRequest, conflict, notFound } from '../../platform/errors.ts';
import { isId } from '../../platform/lib/ids.ts';
import { msg } from '../../platform/messages.ts';
import type { FileRow } from './files.ts';
import { removeFiles } from './removing.ts';

/** How many files a post, a comment or a changelog entry may have. */
const MAX_FILES = 10;

/** Ids of files from outside, each once. @throws BAD_REQUEST when they are more than one thing may have */
export function parseFileIds(raw: readonly (string | null | undefined)[] | null | undefined): readonly string[] {
  const ids = [...new Set((raw ?? []).filter((id) => id != null))];
  requireFewFiles(ids.length);
  return ids;
}

/** @throws BAD_REQUEST when there are more files than one thing may have */
export function requireFewFiles(count: number): void {
  if (count > MAX_FILES) throw badRequest(msg('filesTooMany', MAX_FILES, count), 'files');
}

/**
 * Gives a post, comment or changelog entry files that the actor has uploaded. A file belongs to one thing forever, so that
 * its lifetime never depends on two.
 * @throws NOT_FOUND for a file that the actor did not upload; CONFLICT for one that is already used
 */
export async function attachFiles(
  tx: Tx,
  { board, actor }: ActorContext,
  ids: readonly string[],
  owner: Pick<FileRow, 'post_id'> | Pick<FileRow, 'comment_id'> | Pick<FileRow, 'entry_id'>,
): Promise<void> {
  if (ids.length === 0) return;
  if (!ids.every(isId)) throw notFound('File');
  const query = tx
    .selectFrom('files')
    .selectAll()
    .where('board_id', '=', board.id)
    .where(isOneOf(tx, 'id', ids));
  const files = await locked(tx, query.where('uploader_id', '=', actor.id).orderBy('id')).execute();
  if (files.length < ids.length) throw notFound('File');
  if (files.some(({ post_id, comment_id, entry_id }) => (post_id ?? comment_id ?? entry_id) !== null)) {
    throw conflict(msg('fileIsTaken'));
  }
  const update = tx.updateTable('files').set(owner).where('board_id', '=', board.id);
  await update.where(isOneOf(tx, 'id', ids)).execute();
}

/** The files of a changelog entry. */
export async function findFileIds(tx: Tx, boardId: string, entryId: string): Promise<string[]> {
  const ofEntry = isFewOfBoard(tx, boardId, sql<SqlBool>`entry_id = ${entryId}`);
  const files = tx.selectFrom('files').select('id').where(ofEntry).orderBy('id');
  return (await files.execute()).map(({ id }) => id);
}

/**
 * Gives a changelog entry these files and no others; those that it had otherwise are removed.
 * @throws as `attachFiles`
 */
export async function replaceFiles(
  tx: Tx,
  context: ActorContext,
  ids: readonly string[],
  entryId: string,
): Promise<void> {
  const { id: boardId } = context.board;
  const before = await findFileIds(tx, boardId, entryId);
  await attachFiles(
    tx,
    context,
    ids.filter((id) => !before.includes(id)),
    { entry_id: entryId },
  );
  const removed = before.filter((id) => !ids.includes(id));
  if (removed.length === 0) return;
  await removeFiles(tx, boardId, sql`files.entry_id = ${entryId} and ${isOneOf(tx, 'files.id', removed)}`);
}
