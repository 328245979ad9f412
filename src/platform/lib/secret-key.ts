import { randomBytes, randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './folder.ts';

/** As for the setting: a shorter one was truncated or typed by mistake, and would protect almost nothing. */
const MIN_LENGTH = 16;

/** Where the key is: in the settings, else in a file in the data folder. */
export type KeySource = { secretKey: string | null; dataDir: string };

/**
 * The key that encrypts stored secrets: the one from the settings, else one that is generated once in the data folder.
 * @throws if the file in the data folder contains no key
 */
export function requireSecretKey(source: KeySource): string {
  return source.secretKey ?? readSecretKey(source) ?? makeSecretKey(source);
}

/**
 * The key in the data folder; null without a file.
 * @throws when the file holds no key
 */
export function readSecretKey({ dataDir }: KeySource): string | null {
  const file = join(dataDir, 'secret.key');
  const text = readIfThere(file);
  if (text === null) return null;
  const key = text.trim();
  if (key.length < MIN_LENGTH) {
    throw new Error(
      `${file} must contain a key of at least ${MIN_LENGTH} characters: if it was different before, put the previous file back`,
    );
  }
  return key;
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function makeSecretKey(source: KeySource): string {
  const file = join(source.dataDir, 'secret.key');
  makeFolder(source.dataDir);
  // Written elsewhere and linked, so that two processes that start at once never read half a key.
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  return readFileSync(file, 'utf8').trim();
}
