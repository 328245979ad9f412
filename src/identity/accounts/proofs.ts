import { createHmac, hash, hkdfSync, randomInt, timingSafeEqual } from 'node:crypto';
import type { Db, Reader, Tx } from '../../platform/db/db.ts';
import { badRequest } from '../../platform/errors.ts';
import { type Clock, MINUTE_MS } from '../../platform/lib/clock.ts';
import { makeId, makeToken } from '../../platform/lib/ids.ts';
import { msg } from '../../platform/messages.ts';
import { LINK_MINUTES } from './rules.ts';

/**
 * What a sign-in mail proves: a visitor who uses its link, or its code in the browser that requested it, has access to
 * the mailbox. `begun` names what the visitor has started, which the mail completes.
 */
export type Proof = { email: string; begun: string | null };

type ProofDeps = { db: Db; clock: Clock; secretKey: string };

/**
 * The codes of the newest mails to one address: mails may arrive late, and in any order. Rows of earlier versions have none
 * that can be checked.
 */
type CodeProof = Proof & { codes?: KeptCode[] };

/** A code as its MAC, since six digits are too few for a hash, and when it expires. */
type KeptCode = { salt: string; mac: string; until: number };

/** How many mails' codes work in one browser. */
const MAX_CODES = 3;

/** Digits of a code; `throttle.ts` limits how many of the million can be tried. */
const DIGITS = 6;

/**
 * Records what the link and the code of a mail will prove, each once. Someone who reads the store can use neither.
 * @param waiting the secret of the browser, if it waits for a code already: that of an earlier mail goes on working
 * @returns the token of the link, the code, and the secret of the browser that the code works in
 */
export async function keepProof(
  { db, clock, secretKey }: ProofDeps,
  proof: Proof,
  waiting: string | null,
): Promise<{ token: string; code: string; browser: string }> {
  const [token, browser, salt] = [makeToken(32), makeToken(32), makeToken(16)];
  const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
  const now = clock.now();
  const until = now + LINK_MINUTES * MINUTE_MS;
  const dates = { date_created: now, date_updated: now, date_expires: until };
  await db.transaction(async (tx) => {
    await tx.deleteFrom('verifications').where('date_expires', '<=', now).execute();
    const earlier = waiting === null ? null : ((await takeIn(tx, browserOf(waiting), now)) as CodeProof | null);
    const codes = earlier?.email === proof.email ? earlier.codes : undefined;
    const kept = [...(codes ?? []), { salt, mac: macOf(secretKey, salt, proof.email, code), until }].slice(-MAX_CODES);
    const rows = [
      { identifier: linkOf(token), value: JSON.stringify(proof) },
      { identifier: browserOf(browser), value: JSON.stringify({ ...proof, codes: kept } satisfies CodeProof) },
    ];
    await tx
      .insertInto('verifications')
      .values(rows.map((row) => ({ id: makeId(), ...row, ...dates })))
      .execute();
  });
  return { token, code, browser };
}

/** What a link would prove. @throws BAD_REQUEST when it was used or has expired */
export async function readLink({ db, clock }: ProofDeps, token: string): Promise<Proof> {
  const proof = await find(db.read, linkOf(token), clock.now());
  if (!proof) throw badRequest(USELESS_LINK, 'token');
  return proof;
}

/** As `readLink`, and consumes the link: only one of several concurrent callers gets the proof. */
export async function takeLink({ db, clock }: ProofDeps, token: string): Promise<Proof> {
  const proof = await take(db, linkOf(token), clock.now());
  if (!proof) throw badRequest(USELESS_LINK, 'token');
  return proof;
}

/** The address for whose code a browser is waiting; null if there is none. */
export function findWaiting({ db, clock }: ProofDeps, browser: string): Promise<Proof | null> {
  return find(db.read, browserOf(browser), clock.now());
}

/** Consumes a code if it is correct. @throws BAD_REQUEST */
export async function takeCode(deps: ProofDeps, browser: string, code: string): Promise<Proof> {
  const { db, clock, secretKey } = deps;
  const waiting = (await findWaiting(deps, browser)) as CodeProof | null;
  const digits = code.replace(/\D/g, '').slice(0, DIGITS + 1);
  const isCorrect = ({ salt, mac, until }: KeptCode) =>
    until > clock.now() && isSame(mac, macOf(secretKey, salt, waiting?.email ?? '', digits));
  if (!waiting?.codes?.some(isCorrect)) throw wrongCode();
  const proof = await take(db, browserOf(browser), clock.now());
  if (!proof) throw wrongCode();
  return proof;
}

/** Forgets that a browser is waiting; the link of the mail still works. */
export async function stopWaiting({ db }: Pick<ProofDeps, 'db'>, browser: string): Promise<void> {
  await db.transaction((tx) => tx.deleteFrom('verifications').where('identifier', '=', browserOf(browser)).execute());
}

const USELESS_LINK = msg('accountLinkUsed');

function wrongCode() {
  return badRequest(msg('accountCodeWrong'), 'code');
}

async function find(reader: Reader, identifier: string, now: number): Promise<Proof | null> {
  const query = reader.selectFrom('verifications').select('value').where('identifier', '=', identifier);
  const row = await query.where('date_expires', '>', now).executeTakeFirst();
  return row ? JSON.parse(row.value) : null;
}

function take(db: Db, identifier: string, now: number): Promise<Proof | null> {
  return db.transaction((tx) => takeIn(tx, identifier, now));
}

async function takeIn(tx: Tx, identifier: string, now: number): Promise<Proof | null> {
  const query = tx.deleteFrom('verifications').where('identifier', '=', identifier).where('date_expires', '>', now);
  const row = await query.returning('value').executeTakeFirst();
  return row ? JSON.parse(row.value) : null;
}

function linkOf(token: string): string {
  return `sign-in-link-${hash('sha256', token, 'base64url')}`;
}

function browserOf(browser: string): string {
  return `sign-in-code-${hash('sha256', browser, 'base64url')}`;
}

/** Keyed, so that reading the store is not enough to compute it. */
function macOf(secretKey: string, salt: string, email: string, code: string): string {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'earshot sign-in codes', 32));
  return createHmac('sha256', key)
    .update(JSON.stringify([salt, email, code]))
    .digest('base64url');
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
