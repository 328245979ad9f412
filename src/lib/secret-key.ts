import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** As for the setting: what is shorter was cut off or typed by mistake, and would encrypt next to nothing. */
const MIN_LENGTH = 16;

/**
 * The key that encrypts stored secrets: the one of the settings, else one that is made in the data folder once.
 * @throws when the file in the data folder holds no key
 */
export function requireSecretKey({ secretKey, dataDir }: { secretKey: string | null; dataDir: string }): string {
  if (secretKey !== null) return secretKey;
  const file = join(dataDir, 'secret.key');
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true });
    // Written elsewhere and linked, so that of two processes that start at once neither reads half a key.
    const draft = `${file}.${randomUUID()}`;
    writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true });
    try {
      linkSync(draft, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft);
    }
  }
  const key = readFileSync(file, 'utf8').trim();
  if (key.length < MIN_LENGTH) throw new Error(`${file} must hold a key of at least ${MIN_LENGTH} characters`);
  return key;
}
