import { createReadStream } from 'node:fs';
import { open, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../platform/errors.ts';
import { makeFolder } from '../../platform/lib/folder.ts';
import { msg } from '../../platform/messages.ts';
import { MAX_FILE_BYTES } from './files.ts';

/** The bytes from which the type of a file is detected. */
const HEAD_BYTES = 4_100;

/** Bytes that are on disk: how many, and the first of them. */
export type Written = { size: number; head: Buffer };

/** The folder with the bytes of files, each under the file's id. What they are is in the store. */
export type FileFolder = {
  /** Writes a new file. Once this resolves it is on disk permanently. @throws PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE */
  write(id: string, bytes: Readable | Uint8Array, maxBytes?: number): Promise<Written>;
  /** Replaces the bytes of a file that is not referenced yet. Once this resolves they are on disk. */
  replace(id: string, bytes: Buffer): Promise<void>;
  /** The bytes of a file, or those from `start` to `end`, which are counted from 0 and both included. */
  read(id: string, range?: { start: number; end: number }): Promise<Readable>;
  /** Does nothing if the file does not exist. */
  remove(id: string): Promise<void>;
  /** Where the bytes are. */
  pathOf(id: string): string;
};

/** The folder of files in the data folder; created with the first file. */
export function makeFileFolder(dataDir: string): FileFolder {
  const root = join(dataDir, 'files');
  const pathOf = (id: string) => pathIn(root, id);
  return {
    pathOf,
    async write(id, bytes, maxBytes = MAX_FILE_BYTES) {
      const path = pathOf(id);
      try {
        makeFolder(dirname(path));
        const written = await writeNew(path, bytes, maxBytes);
        for (const folder of [dirname(path), root]) await syncFolder(folder);
        return written;
      } catch (error) {
        throw isFull(error) ? new AppError('SERVICE_UNAVAILABLE', msg('filesNoSpace')) : error;
      }
    },
    replace: (id, bytes) => writeFile(pathOf(id), bytes, { flush: true }),
    async read(id, range) {
      const handle = await open(pathOf(id));
      return createReadStream('', { fd: handle, ...range });
    },
    remove: (id) => rm(pathOf(id), { force: true }),
  };
}

/** The place of a file in such a folder. The last digits of an id are random: they spread files over 256 folders. */
export function pathIn(root: string, id: string): string {
  return join(root, id.slice(-2), id);
}

async function writeNew(path: string, bytes: Readable | Uint8Array, maxBytes: number): Promise<Written> {
  let head = Buffer.alloc(0);
  let size = 0;
  async function* measured(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)]);
      yield chunk;
    }
  }
  const source = bytes instanceof Uint8Array ? [Buffer.from(bytes)] : bytes;
  // The file exists before the first byte is requested. A stream that opens it itself might create it after the upload
  // was aborted and its bytes were removed.
  const file = await open(path, 'wx', 0o600);
  await pipeline(source, measured, file.createWriteStream({ flush: true }));
  return { size, head };
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', msg('fileTooLarge', maxBytes / 1_048_576));
}

/** A file survives a loss of power only if the folder that contains it is synced, too. Windows has no such step. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path);
  await handle.sync().finally(() => handle.close());
}

function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE'].includes((error as NodeJS.ErrnoException).code ?? '');
}
