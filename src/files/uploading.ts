import type { Readable } from 'node:stream';
import type { ServiceCall } from '../call.ts';
import type { Tx } from '../db/db.ts';
import { badRequest, forbidden } from '../errors.ts';
import { HOUR_MS } from '../lib/clock.ts';
import { makeId, makeToken } from '../lib/ids.ts';
import type { FileRow, Look } from './files.ts';
import type { FileFolder } from './folder.ts';
import { makeFileName } from './names.ts';
import { sniff } from './sniffing.ts';

/** Longer than any request takes. */
const UPLOAD_LIMIT_MS = HOUR_MS;

/** A file on its way: its name as somebody gave it, and its bytes. */
export type Upload = { name: string; bytes: Readable | Uint8Array };

/** Bytes that are on disk and belong to nothing yet; they go by themselves unless a row of a file is made for them. */
export type Received = Pick<FileRow, 'id' | 'name' | 'content_type' | 'size'>;

/**
 * Writes the bytes of an upload. That they are to be removed is in the store before the first of them is on disk, so
 * whatever breaks leaves nothing behind for long.
 * @throws BAD_REQUEST, FORBIDDEN on a sandbox, PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE
 */
export async function receiveFile(call: ServiceCall, folder: FileFolder, { name, bytes }: Upload): Promise<Received> {
  if (call.board.sandbox_visitor !== null) throw forbidden('A sandbox takes no files');
  const id = makeId();
  const values = { file_id: id, date_due: call.clock.now() + UPLOAD_LIMIT_MS };
  await call.db.transaction((tx) => tx.insertInto('file_removals').values(values).execute());
  try {
    const { size, head } = await folder.write(id, bytes);
    if (size === 0) throw badRequest('The file is empty', 'file');
    const { contentType, endings } = await sniff(head);
    return { id, name: makeFileName(name, endings), content_type: contentType, size };
  } catch (error) {
    await dropFile(call, folder, id);
    throw error;
  }
}

/** Removes bytes that no row was made for. */
export async function dropFile({ db }: Pick<ServiceCall, 'db'>, folder: FileFolder, id: string): Promise<void> {
  await folder.remove(id);
  await db.transaction((tx) => tx.deleteFrom('file_removals').where('file_id', '=', id).execute());
}

/** Makes the row of a file whose bytes are there: from then on it stays. */
export async function keepFile(
  tx: Tx,
  { board, actor, clock }: ServiceCall,
  received: Received,
  look: Look | null = null,
): Promise<FileRow> {
  await tx.deleteFrom('file_removals').where('file_id', '=', received.id).execute();
  const row = {
    ...received,
    board_id: board.id,
    uploader_id: look === null ? (actor?.id ?? null) : null,
    public_token: makeToken(24),
    held_token: makeToken(24),
    look,
    date_created: clock.now(),
  };
  return tx.insertInto('files').values(row).returningAll().executeTakeFirstOrThrow();
}
