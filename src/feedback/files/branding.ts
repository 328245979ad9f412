import { sql } from 'kysely';
import { type BoardRow, setBoard } from '../../identity/board/board.ts';
import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { badRequest } from '../../platform/errors.ts';
import { msg } from '../../platform/messages.ts';
import { filePath, type Look } from './files.ts';
import type { FileFolder } from './folder.ts';
import { measureImage } from './image.ts';
import { removeFiles } from './removing.ts';
import { keepFile, receiveFile } from './uploading.ts';

/** The largest picture of a board, in bytes and in pixels of a side. */
export const MAX_BRAND_IMAGE_BYTES = 524_288;
const MAX_PIXELS = 4_096;

/** A picture as submitted by a form. */
export type Picture = { name: string; bytes: Uint8Array };

const columns = { LOGO: 'logo_url', FAVICON: 'favicon_url' } as const;

/**
 * Gives a board another logo or icon, or none; the one before is removed.
 * @throws FORBIDDEN; BAD_REQUEST for what is no whole picture, too large, or of another kind than PNG, JPEG, GIF and WebP
 */
export async function changeBrandImage(
  context: ActorContext,
  folder: FileFolder,
  look: Look,
  picture: Picture | null,
): Promise<BoardRow> {
  requireRight(context.actor, 'board.edit');
  if (picture) requirePicture(picture.bytes);
  const received = picture && (await receiveFile(context, folder, picture));
  return context.db.transaction(async (tx) => {
    await removeFiles(tx, context.board.id, sql`files.look = ${look}`);
    const file = received && (await keepFile(tx, context, received, look));
    return setBoard(tx, context.board.id, { [columns[look]]: file && filePath(file, file.public_token) });
  });
}

/** @throws BAD_REQUEST for anything but a complete PNG, JPEG, GIF or WebP image within the limits */
export function requirePicture(bytes: Uint8Array): void {
  if (bytes.length > MAX_BRAND_IMAGE_BYTES) throw badRequest(msg('imageTooLarge'), 'picture');
  const size = measureImage(Buffer.from(bytes));
  if (!size) throw badRequest(msg('imageTypeWrong'), 'picture');
  const { width, height } = size;
  if (Math.min(width, height) >= 1 && Math.max(width, height) <= MAX_PIXELS) return;
  throw badRequest(msg('imageSidesWrong', width, height), 'picture');
}
