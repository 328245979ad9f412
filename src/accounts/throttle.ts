import { hash } from 'node:crypto';
import type { Db } from '../db/db.ts';
import { AppError } from '../errors.ts';
import { type Clock, MINUTE_MS, SECOND_MS } from '../lib/clock.ts';
import { say } from '../lib/say.ts';

declare module '../db/db.ts' {
  interface Tables {
    /** Attempts that are counted, of somebody or from somewhere, until their window ends. */
    throttles: { subject: string; used: number; date_ends: number };
  }
}

/** So many attempts in so much time, for each subject of a kind. */
const limits = {
  /** Tries of the password of one account, from anywhere. */
  'password of': { attempts: 10, windowMs: 15 * MINUTE_MS },
  /** Whatever somebody may guess at or have mailed, from one address. */
  from: { attempts: 40, windowMs: 15 * MINUTE_MS },
  /** Mails that strangers can cause to one person. */
  'mail to': { attempts: 5, windowMs: 60 * MINUTE_MS },
  /** What one network may leave here before signing in. */
  'drafts from': { attempts: 60, windowMs: 60 * MINUTE_MS },
  /** What one person may do on the pages of one board. */
  'posts of': { attempts: 20, windowMs: 60 * MINUTE_MS },
  'comments of': { attempts: 60, windowMs: 60 * MINUTE_MS },
  'votes of': { attempts: 300, windowMs: 15 * MINUTE_MS },
} as const;

export type ThrottleKind = keyof typeof limits;

/**
 * Counts an attempt, in the store: for all processes together, and through restarts. Next to the hash of a password it
 * costs nothing.
 * @throws RATE_LIMIT_EXCEEDED when there were too many
 */
export async function countAttempt(db: Db, clock: Clock, kind: ThrottleKind, who: string): Promise<void> {
  const now = clock.now();
  const { attempts, windowMs } = limits[kind];
  const subject = subjectOf(kind, who);
  const row = await db.transaction(async (tx) => {
    await tx.deleteFrom('throttles').where('date_ends', '<=', now).execute();
    return tx
      .insertInto('throttles')
      .values({ subject, used: 1, date_ends: now + windowMs })
      .onConflict((c) => c.column('subject').doUpdateSet((e) => ({ used: e('throttles.used', '+', 1) })))
      .returning(['used', 'date_ends'])
      .executeTakeFirstOrThrow();
  });
  if (row.used <= attempts) return;
  const retryAfter = Math.max(1, Math.ceil((row.date_ends - now) / SECOND_MS));
  const minutes = Math.ceil(retryAfter / 60);
  throw new AppError('RATE_LIMIT_EXCEEDED', say`Too many attempts: try again in ${minutes} min`, { retryAfter });
}

/** Forgets the attempts of somebody who has got in. */
export async function forgetAttempts(db: Db, kind: ThrottleKind, who: string): Promise<void> {
  const subject = subjectOf(kind, who);
  await db.transaction((tx) => tx.deleteFrom('throttles').where('subject', '=', subject).execute());
}

/** Hashed, so that its length is bounded and no address of a stranger is kept. */
function subjectOf(kind: ThrottleKind, who: string): string {
  return hash('sha256', `${kind} ${who}`, 'base64url');
}

/** Who has an IPv6 address has very many, which share their first 64 bits: those count together. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter(Boolean);
  const zeros = tail === undefined ? 0 : 8 - groups.length - tail.split(':').filter(Boolean).length;
  return [...groups, ...Array<string>(zeros).fill('0'), tail].slice(0, 4).join(':');
}
