import { copyFile, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FileFolder } from '../../feedback/files/folder.ts';
import { storedFiles } from '../../feedback/files/stored.ts';
import type { Reader } from '../../platform/db/db.ts';
import { makeFolder } from '../../platform/lib/folder.ts';

/** What became of the files of a store: how many were copied or already there, and the ids of those without bytes. */
export type CopiedFiles = { copied: number; missing: string[] };

/** Copies the bytes of all files of a store to another folder; those that are there already stay. */
export async function copyFiles(
  reader: Reader,
  from: FileFolder,
  to: Pick<FileFolder, 'pathOf'>,
): Promise<CopiedFiles> {
  const result: CopiedFiles = { copied: 0, missing: [] };
  for await (const { id, size } of storedFiles(reader)) {
    const isCopied = (await sizeOf(to.pathOf(id))) === size || (await copyBytes(from.pathOf(id), to.pathOf(id)));
    if (isCopied) result.copied++;
    else result.missing.push(id);
  }
  return result;
}

/** The size of a file; null if it does not exist. */
export async function sizeOf(path: string): Promise<number | null> {
  return ifThere(async () => (await stat(path)).size);
}

/** Copies a file, which appears complete; false if it does not exist. */
async function copyBytes(from: string, to: string): Promise<boolean> {
  makeFolder(dirname(to));
  const part = `${to}.part`;
  const copied = await ifThere(() => copyFile(from, part).then(() => true));
  if (!copied) return false;
  await rename(part, to);
  return true;
}

async function ifThere<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
