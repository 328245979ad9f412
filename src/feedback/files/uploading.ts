import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { ServiceContext } from '../../identity/users/request-context.ts';
import type { Tx } from '../../platform/db/db.ts';
import { badRequest, forbidden } from '../../platform/errors.ts';
import { HOUR_MS } from '../../platform/lib/clock.ts';
import { makeId, makeToken } from '../../platform/lib/ids.ts';
import { Lane } from '../../platform/lib/lane.ts';
import { msg } from '../../platform/messages.ts';
import type { FileRow, Look } from './files.ts';
import type { FileFolder } from './folder.ts';
import { makeFileName } from './names.ts';
import { cleanPicture } from './pictures.ts';
import { isRasterImage, sniff } from './sniffing.ts';

/** Longer than any request takes. */
const UPLOAD_LIMIT_MS = HOUR_MS;

/** The size of a 50-megapixel camera's picture, 8,192 × 6,400: displaying one takes four bytes of memory per pixel. */
export const MAX_PIXELS = 52_428_800;

/** A picture is cleaned in memory, so one at a time is. */
const pictures = new Lane(1);

/** A file being uploaded: its name as given by the client, and its bytes. */
export type Upload = { name: string; bytes: Readable | Uint8Array };

/**
 * Bytes on disk that belong to nothing yet; they are removed automatically unless a row of a file is created for them.
 */
export type Received = Pick<FileRow, 'id' | 'name' | 'content_type' | 'size' | 'width' | 'height'>;

/**
 * Writes the bytes of an upload. Their removal is scheduled in the store before the first of them is on disk, so no
 * failure leaves anything behind for long.
 * @throws BAD_REQUEST, FORBIDDEN on a sandbox, PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE
 */
export async function receiveFile(
  context: ServiceContext,
  folder: FileFolder,
  { name, bytes }: Upload,
): Promise<Received> {
  if (context.board.sandbox_visitor !== null) throw forbidden(msg('filesNotInSandbox'));
  const id = makeId();
  const values = { file_id: id, date_due: context.clock.now() + UPLOAD_LIMIT_MS };
  await context.db.transaction((tx) => tx.insertInto('file_removals').values(values).execute());
  try {
    const { size, head } = await folder.write(id, bytes);
    if (size === 0) throw badRequest(msg('fileIsEmpty'), 'file');
    const { contentType, endings } = await sniff(head);
    const kept = isRasterImage(contentType) ? await keepPicture(folder, id, contentType) : { size, ...UNKNOWN };
    return { id, name: makeFileName(name, endings), content_type: contentType, ...kept };
  } catch (error) {
    await dropFile(context, folder, id);
    throw error;
  }
}

/**
 * Reduces a picture to what is needed to show it, see `cleanPicture`.
 * @returns its size in bytes, and how large it is shown
 * @throws BAD_REQUEST for one that would take too much memory where it is shown
 */
function keepPicture(
  folder: FileFolder,
  id: string,
  contentType: string,
): Promise<Omit<Received, 'id' | 'name' | 'content_type'>> {
  return pictures.within(async () => {
    const bytes = await readFile(folder.pathOf(id));
    const picture = cleanPicture(contentType, bytes);
    if (!picture) return { size: bytes.length, ...UNKNOWN };
    if (picture.pixels > MAX_PIXELS) throw badRequest(msg('imageTooManyPixels', MAX_PIXELS, picture.pixels), 'file');
    if (!picture.bytes.equals(bytes)) await folder.replace(id, picture.bytes);
    const { width, height, pixels } = picture;
    return { size: picture.bytes.length, ...(pixels > 0 ? { width, height } : UNKNOWN) };
  });
}

const UNKNOWN = { width: null, height: null };

/** Removes bytes for which no row was created. */
export async function dropFile({ db }: Pick<ServiceContext, 'db'>, folder: FileFolder, id: string): Promise<void> {
  await folder.remove(id);
  await db.transaction((tx) => tx.deleteFrom('file_removals').where('file_id', '=', id).execute());
}

/** Keeps the bytes of an upload from the commit on, since a row is created for them. */
export async function keepBytes(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('file_removals').where('file_id', '=', id).execute();
}

/** Creates the row of a file whose bytes are on disk: from then on it stays. */
export async function keepFile(
  tx: Tx,
  { board, actor, clock }: ServiceContext,
  received: Received,
  look: Look | null = null,
): Promise<FileRow> {
  await keepBytes(tx, received.id);
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
