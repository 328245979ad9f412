import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The key that encrypts stored secrets: the one of the settings, else one that is made in the data folder once. */
export function requireSecretKey({ secretKey, dataDir }: { secretKey: string | null; dataDir: string }): string {
  if (secretKey !== null) return secretKey;
  const file = join(dataDir, 'secret.key');
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true });
    // Written elsewhere and linked, so that of two processes that start at once neither reads half a key.
    const draft = `${file}.${randomUUID()}`;
    writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600 });
    try {
      linkSync(draft, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft);
    }
  }
  return readFileSync(file, 'utf8').trim();
}
