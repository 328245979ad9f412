import type { FileFolder } from '../../feedback/files/folder.ts';
import { isRasterImage } from '../../feedback/files/sniffing.ts';
import { dropFile, type Received, receiveFile } from '../../feedback/files/uploading.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import { AppError } from '../../platform/errors.ts';
import { printable } from '../../platform/texts/text.ts';
import type {
  ImportedComment,
  ImportedEntry,
  ImportedFile,
  ImportedPost,
  ImportItem,
  Problem,
  SourceName,
} from './items.ts';
import { findKnown } from './known.ts';

/** How many files of an idea, a comment or an entry are imported; it may not have more. */
export const MAX_FILES = 10;
const PICTURE = /\.(png|jpe?g|gif|webp|avif)$/i;

/** Bytes on disk for what a transaction is about to add. */
export type ReceivedFiles = ReadonlyMap<ImportItem, readonly Received[]>;

/**
 * Reads the files of ideas, comments and entries that the board does not have yet, since nothing waits for a network inside a
 * transaction. What is then not added is removed from disk within an hour or a day.
 * @param onProblem called for each file that cannot be read or that the board refuses
 */
export async function receiveFiles(
  context: RequestContext,
  folder: FileFolder,
  source: SourceName,
  items: readonly ImportItem[],
  onProblem: (problem: Problem) => void,
): Promise<ReceivedFiles> {
  const received = new Map<ImportItem, Received[]>();
  const withFiles = items.filter(isWithFiles).filter(({ files = [] }) => files.length > 0);
  if (withFiles.length === 0) return received;
  const known = await findKnown(context, source, withFiles);
  for (const item of withFiles) {
    if (isKnown(item, known)) continue;
    const files: Received[] = [];
    for (const file of item.files?.slice(0, MAX_FILES) ?? []) {
      const result = await receive(context, folder, file);
      if (typeof result === 'string') onProblem({ line: item.line, message: result });
      else files.push(result);
    }
    received.set(item, files);
  }
  return received;
}

type WithFiles = ImportedPost | ImportedComment | ImportedEntry;

function isWithFiles(item: ImportItem): item is WithFiles {
  return item.kind === 'post' || item.kind === 'comment' || item.kind === 'entry';
}

function isKnown({ kind, id }: WithFiles, known: Awaited<ReturnType<typeof findKnown>>): boolean {
  if (kind === 'post') return known.posts.has(id);
  return (kind === 'comment' ? known.comments : known.entries).has(id);
}

/** @returns the file, or why there is none */
async function receive(context: RequestContext, folder: FileFolder, file: ImportedFile): Promise<Received | string> {
  const name = printable(file.name);
  try {
    const service = { ...context, actor: null };
    const received = await receiveFile(service, folder, { name: file.name, bytes: await file.open() });
    if (!PICTURE.test(file.name) || isRasterImage(received.content_type)) return received;
    await dropFile(context, folder, received.id);
    return `The file ${name} is not a picture`;
  } catch (error) {
    const isOfFile = error instanceof AppError ? error.code !== 'SERVICE_UNAVAILABLE' : error instanceof RangeError;
    if (!isOfFile) throw error;
    return `The file ${name} cannot be imported: ${(error as Error).message}`;
  }
}
