import { hash } from 'node:crypto';
import { type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../db/db.ts';
import { AppError } from '../errors.ts';
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../lib/clock.ts';
import { msg } from '../messages.ts';

declare module '../db/db.ts' {
  interface Tables {
    /** Attempts counted for an account or a network until their window ends. */
    throttles: { subject: string; used: number; date_ends: number };
  }
}

/**
 * Maximum number of attempts in a period, for each subject of a kind. If attempts are counted per network, clients
 * elsewhere cannot use them up; `anywhere` then bounds what many networks together may do.
 */
type Limit = { attempts: number; windowMs: number; anywhere?: { attempts: number; windowMs: number } };

/** How long a mailed link can be used, see `LINK_MINUTES` of accounts. */
const LINK_MS = 30 * MINUTE_MS;

const limits = {
  /** Wrong passwords of one account. */
  'password of': { attempts: 10, windowMs: 15 * MINUTE_MS, anywhere: { attempts: 500, windowMs: HOUR_MS } },
  /** Everything that can be guessed or mailed, from one network. */
  from: { attempts: 40, windowMs: 15 * MINUTE_MS },
  /** Mails that one network can request to one recipient. */
  'mail to': { attempts: 5, windowMs: HOUR_MS },
  /**
   * Mails to one recipient, from all networks together; further ones are not sent. Each kind is counted for itself: a flood
   * of one must not keep the other from who needs it. The window is as long as a link works, so that while none is sent,
   * the last one can be used.
   */
  'sign-in mails to': { attempts: 5, windowMs: LINK_MS },
  'reset mails to': { attempts: 5, windowMs: LINK_MS },
  'address mails to': { attempts: 5, windowMs: LINK_MS },
  'passkey mails to': { attempts: 20, windowMs: DAY_MS },
  /** Mails by which one address subscribes to a changelog, on all boards; the window is as long as their links work. */
  'changelog mails to': { attempts: 5, windowMs: DAY_MS },
  /** Invitations and test emails to one recipient, which the teams of all boards together can cause. */
  'team mail to': { attempts: 20, windowMs: DAY_MS },
  /** Invitations of one board, to whomever: canceled ones count, too. */
  'invitations of': { attempts: 500, windowMs: DAY_MS },
  /** Attempts with the code of one mail, in its browser. */
  'codes in': { attempts: 5, windowMs: HOUR_MS },
  /** Attempts with codes for one address. */
  'code of': { attempts: 15, windowMs: HOUR_MS, anywhere: { attempts: 100, windowMs: DAY_MS } },
  /** Mails that come in over one network, and from one address; others can use up only the limit without a proof. */
  'mails over': { attempts: 300, windowMs: HOUR_MS },
  'mails from': { attempts: 20, windowMs: HOUR_MS },
  'uncertain mails from': { attempts: 20, windowMs: HOUR_MS },
  /** Mails that one board takes of users who are proven, and of all others. */
  'mails to': { attempts: 300, windowMs: HOUR_MS },
  'uncertain mails to': { attempts: 60, windowMs: HOUR_MS },
  /** Requests of one person in a chat, and those of all for one board. */
  'chat requests of': { attempts: 120, windowMs: HOUR_MS },
  'chat requests to': { attempts: 2_000, windowMs: HOUR_MS },
  /** Replies in a chat that become comments of one board, from one person and from all; those that come again count. */
  'chat replies of': { attempts: 240, windowMs: HOUR_MS },
  'chat replies to': { attempts: 2_000, windowMs: HOUR_MS },
  /** Drafts that one network may create before signing in. */
  'drafts from': { attempts: 60, windowMs: HOUR_MS },
  /** Changes by one user on the pages of one board. */
  'posts of': { attempts: 20, windowMs: HOUR_MS },
  'comments of': { attempts: 60, windowMs: HOUR_MS },
  'votes of': { attempts: 300, windowMs: 15 * MINUTE_MS },
  /** Each new title adds a comment by Earshot. */
  'titles of': { attempts: 10, windowMs: 15 * MINUTE_MS },
  /** All other changes on the pages of posts: edits, follows, moderation. The team has a higher limit. */
  'changes of': { attempts: 60, windowMs: 15 * MINUTE_MS },
  'team changes of': { attempts: 600, windowMs: 15 * MINUTE_MS },
  /** All of these together, from one network. */
  'changes from': { attempts: 1_200, windowMs: 15 * MINUTE_MS },
  /** Files that members upload on the pages of one board, all of which may be as large as a form. */
  'uploads of': { attempts: 100, windowMs: DAY_MS },
  'uploads from': { attempts: 1_000, windowMs: DAY_MS },
  /** Changes of a user's own name, picture, language and time zone. */
  'profiles of': { attempts: 30, windowMs: HOUR_MS },
  /** Boards that an account creates on the pages. */
  'boards of': { attempts: 10, windowMs: DAY_MS },
  /** Downloads of a user's own data, each of which reads all of it. */
  'copies of': { attempts: 5, windowMs: HOUR_MS },
  /** Previews of comments. */
  'previews of': { attempts: 120, windowMs: 15 * MINUTE_MS },
  'previews from': { attempts: 600, windowMs: 15 * MINUTE_MS },
} as const satisfies Record<string, Limit>;

type ThrottleKind = keyof typeof limits;
/** The kinds that are counted by network, and most also as a whole. */
type NetworkThrottleKind = 'password of' | 'mail to' | 'code of';

/**
 * Counts an attempt, in the store: for all processes together, and across restarts. Compared with hashing a password it
 * costs nothing.
 * @throws RATE_LIMIT_EXCEEDED if there were too many
 */
export function countAttempt(db: Db, clock: Clock, kind: ThrottleKind, who: string): Promise<void> {
  return countWithin(db, clock, hashOf(kind, who), limits[kind]);
}

/**
 * Counts an attempt on a subject from a network: first against the limit of the network, and only if it passes there
 * against the total limit, so that one network cannot exhaust the total.
 * @throws RATE_LIMIT_EXCEEDED
 */
export async function countAttemptFrom(
  db: Db,
  clock: Clock,
  kind: NetworkThrottleKind,
  who: string,
  network: string,
): Promise<void> {
  await countWithin(db, clock, subjectFrom(kind, who, network), limits[kind]);
  const { anywhere }: Limit = limits[kind];
  if (anywhere) await countWithin(db, clock, hashOf(kind, who), anywhere);
}

/** Forgets the attempts from a network on a subject, because the last one was right. */
export async function forgetAttemptsFrom(
  db: Db,
  kind: NetworkThrottleKind,
  who: string,
  network: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx
      .deleteFrom('throttles')
      .where('subject', '=', subjectFrom(kind, who, network))
      .execute();
    const whole = tx.updateTable('throttles').where('subject', '=', hashOf(kind, who)).where('used', '>', 0);
    await whole.set((e) => ({ used: e('used', '-', 1) })).execute();
  });
}

/** Forgets all attempts on a subject, from wherever they came. */
export async function forgetAllAttempts(db: Db, kind: NetworkThrottleKind, who: string): Promise<void> {
  const whole = hashOf(kind, who);
  const isOfSubject = sql<SqlBool>`substr(subject, 1, ${whole.length}) = ${whole}`;
  await db.transaction((tx) => tx.deleteFrom('throttles').where(isOfSubject).execute());
}

/**
 * Claims something that may happen only once: of all callers within the period, in any process, one gets true.
 * @param what names it; it is stored only as a hash
 */
export async function claimOnce(db: Db, clock: Clock, what: string, windowMs: number): Promise<boolean> {
  const { used } = await count(db, clock.now(), hashOf('once', what), windowMs);
  return used === 1;
}

/**
 * Claims something for a holder: the first one has it for the period, and gets true each time; all others get false.
 * @param holder as `what`, stored only as a hash
 */
export function claimFor(db: Db, clock: Clock, what: string, holder: string, windowMs: number): Promise<boolean> {
  const own = hashOf('once', `${what} ${holder}`);
  return db.transaction(async (tx) => {
    const { used } = await countIn(tx, clock.now(), hashOf('once', what), windowMs);
    if (used === 1) await countIn(tx, clock.now(), own, windowMs);
    const claimed = await tx.selectFrom('throttles').select('used').where('subject', '=', own).executeTakeFirst();
    return claimed !== undefined;
  });
}

/** As `countAttempt`, in the transaction of what is counted: what is refused or fails does not count. */
export async function countAttemptIn(tx: Tx, clock: Clock, kind: ThrottleKind, who: string): Promise<void> {
  const now = clock.now();
  requireWithin(limits[kind], await countIn(tx, now, hashOf(kind, who), limits[kind].windowMs), now);
}

/** As `countAttemptIn`, without an error. @returns whether there is room for it */
export async function hasRoomIn(tx: Tx, clock: Clock, kind: ThrottleKind, who: string): Promise<boolean> {
  const { attempts, windowMs } = limits[kind];
  return (await countIn(tx, clock.now(), hashOf(kind, who), windowMs)).used <= attempts;
}

/** An amount that is taken from what may be spent in a period. */
export type Spending = {
  subject: string;
  amount: number;
  most: number;
  /** What is said if less than that is left. */
  refusal: string;
};

/**
 * Takes several amounts, all or none, each from what is left of its own limit; the period begins with the first.
 * @throws RATE_LIMIT_EXCEEDED
 */
export async function spend(db: Db, clock: Clock, spendings: readonly Spending[], windowMs: number): Promise<void> {
  const now = clock.now();
  await db.transaction(async (tx) => {
    await forgetEnded(tx, now);
    for (const spending of spendings) await spendIn(tx, spending, { now, windowMs });
  });
}

async function spendIn(
  tx: Tx,
  { subject, amount, most, refusal }: Spending,
  { now, windowMs }: { now: number; windowMs: number },
): Promise<void> {
  const hashed = hashOf('spent', subject);
  if (amount <= most) {
    const query = tx
      .insertInto('throttles')
      .values({ subject: hashed, used: amount, date_ends: now + windowMs })
      .onConflict((c) =>
        c
          .column('subject')
          .doUpdateSet((e) => ({ used: e('throttles.used', '+', amount) }))
          .where('throttles.used', '<=', most - amount),
      );
    if (await query.returning('used').executeTakeFirst()) return;
  }
  const spent = await tx.selectFrom('throttles').selectAll().where('subject', '=', hashed).executeTakeFirst();
  const left = Math.max(0, most - (spent?.used ?? 0));
  const retryAfter = Math.max(1, Math.ceil(((spent?.date_ends ?? now) - now) / SECOND_MS));
  const more = spent ? `, more from ${new Date(spent.date_ends).toISOString()}` : '';
  throw new AppError('RATE_LIMIT_EXCEEDED', `${refusal}: ${left} left${more}`, { retryAfter });
}

/** What has been spent of a subject in its current period. */
export async function spentOf(db: Db, clock: Clock, subject: string): Promise<number> {
  const query = db.read.selectFrom('throttles').select('used').where('subject', '=', hashOf('spent', subject));
  return (await query.where('date_ends', '>', clock.now()).executeTakeFirst())?.used ?? 0;
}

async function countWithin(db: Db, clock: Clock, subject: string, limit: Limit): Promise<void> {
  const now = clock.now();
  requireWithin(limit, await count(db, now, subject, limit.windowMs), now);
}

function requireWithin({ attempts }: Limit, row: { used: number; date_ends: number }, now: number): void {
  if (row.used <= attempts) return;
  const retryAfter = Math.max(1, Math.ceil((row.date_ends - now) / SECOND_MS));
  const minutes = Math.ceil(retryAfter / 60);
  throw new AppError('RATE_LIMIT_EXCEEDED', msg('limitTooManyAttempts', minutes), { retryAfter });
}

function count(db: Db, now: number, subject: string, windowMs: number) {
  return db.transaction((tx) => countIn(tx, now, subject, windowMs));
}

async function countIn(tx: Tx, now: number, subject: string, windowMs: number) {
  await forgetEnded(tx, now);
  return tx
    .insertInto('throttles')
    .values({ subject, used: 1, date_ends: now + windowMs })
    .onConflict((c) => c.column('subject').doUpdateSet((e) => ({ used: e('throttles.used', '+', 1) })))
    .returning(['used', 'date_ends'])
    .executeTakeFirstOrThrow();
}

async function forgetEnded(tx: Tx, now: number): Promise<void> {
  await tx.deleteFrom('throttles').where('date_ends', '<=', now).execute();
}

/** Begins with the hash of only the subject, so that all of its rows can be found. */
function subjectFrom(kind: NetworkThrottleKind, who: string, network: string): string {
  return `${hashOf(kind, who)} ${hashOf('network', network)}`;
}

/** Hashed, so that its length is bounded and no email address is kept. */
function hashOf(kind: string, who: string): string {
  return hash('sha256', `${kind} ${who}`, 'base64url');
}
