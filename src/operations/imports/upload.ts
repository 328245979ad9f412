import type { Readable } from 'node:stream';
import type { FileFolder } from '../../feedback/files/folder.ts';
import { dropFile } from '../../feedback/files/uploading.ts';
import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import type { Tx } from '../../platform/db/db.ts';
import { badRequest, forbidden } from '../../platform/errors.ts';
import { type Clock, DAY_MS } from '../../platform/lib/clock.ts';
import { makeId } from '../../platform/lib/ids.ts';
import { msg } from '../../platform/messages.ts';

/** The largest file that the pages import. */
export const MAX_IMPORT_BYTES = 50 * 1_048_576;
/** What the form has besides the bytes of the file. */
export const IMPORT_FORM_BYTES = 65_536;

/**
 * Writes an uploaded export to disk, where it waits for a day at most.
 * @returns its id
 * @throws FORBIDDEN, BAD_REQUEST for an empty file, PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE
 */
export async function receiveExport(context: ActorContext, folder: FileFolder, bytes: Readable): Promise<string> {
  const { db, clock, board, actor } = context;
  requireRight(actor, 'board.edit');
  if (board.sandbox_visitor !== null) throw forbidden(msg('filesNotInSandbox'));
  const id = makeId();
  const values = { file_id: id, date_due: clock.now() + DAY_MS };
  await db.transaction((tx) => tx.insertInto('file_removals').values(values).execute());
  try {
    const { size } = await folder.write(id, bytes, MAX_IMPORT_BYTES);
    if (size === 0) throw badRequest(msg('fileIsEmpty'), 'file');
    return id;
  } catch (error) {
    await dropFile(context, folder, id);
    throw error;
  }
}

/** Keeps an uploaded export for another day. @returns whether it is still there */
export async function keepExport(tx: Tx, clock: Clock, id: string): Promise<boolean> {
  const kept = tx
    .updateTable('file_removals')
    .set({ date_due: clock.now() + DAY_MS })
    .where('file_id', '=', id);
  return (await kept.returning('file_id').execute()).length > 0;
}

/** Has an uploaded export removed soon after the commit. */
export async function expireExport(tx: Tx, id: string | null): Promise<void> {
  if (id === null) return;
  await tx.updateTable('file_removals').set({ date_due: 0 }).where('file_id', '=', id).execute();
}
