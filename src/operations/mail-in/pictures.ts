import type { Attachment } from 'postal-mime';
import { MAX_FILE_BYTES } from '../../feedback/files/files.ts';
import type { FileFolder } from '../../feedback/files/folder.ts';
import { isRasterImage } from '../../feedback/files/sniffing.ts';
import { dropFile, keepFile, receiveFile } from '../../feedback/files/uploading.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { AppError } from '../../platform/errors.ts';

/** How many of the pictures of a mail are kept, which is what an idea or comment may have. */
const MAX_PICTURES = 10;

/**
 * Keeps the pictures of a mail as files of its author: those attached, and those in the text that is left. What is no
 * picture by its bytes is left out, and so are the pictures of signatures and quotes.
 * @param inText content ids of the pictures in the text
 */
export async function keepPictures(
  { folder }: { folder: FileFolder },
  context: ActorContext,
  attachments: readonly Attachment[],
  inText: ReadonlySet<string>,
): Promise<string[]> {
  const ids: string[] = [];
  for (const attachment of attachments) {
    if (ids.length === MAX_PICTURES) break;
    const id = isWanted(attachment, inText) ? await keepPicture(folder, context, attachment) : null;
    if (id !== null) ids.push(id);
  }
  return ids;
}

function isWanted(
  { mimeType, contentId, disposition, related, content }: Attachment,
  inText: ReadonlySet<string>,
): boolean {
  if (!/^image\/(png|jpe?g|gif|webp)$/i.test(mimeType) || typeof content === 'string') return false;
  if (content.byteLength > MAX_FILE_BYTES) return false;
  const id = contentId?.replace(/^<|>$/g, '') ?? '';
  return inText.has(id) || (disposition !== 'inline' && !related) || id === '';
}

async function keepPicture(
  folder: FileFolder,
  context: ActorContext,
  { filename, content }: Attachment,
): Promise<string | null> {
  const bytes = Buffer.from(content as ArrayBuffer);
  try {
    const received = await receiveFile(context, folder, { name: filename ?? 'picture', bytes });
    if (isRasterImage(received.content_type)) {
      return (await context.db.transaction((tx) => keepFile(tx, context, received))).id;
    }
    await dropFile(context, folder, received.id);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'BAD_REQUEST') throw error;
  }
  return null;
}
