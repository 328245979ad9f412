import { createHmac, hash, hkdfSync, randomInt, timingSafeEqual } from 'node:crypto';
import type { Db, Reader } from '../../platform/db/db.ts';
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
type CodeProof = Proof & { code: string };

/** Digits of a code; `throttle.ts` limits how many of the million can be tried. */
const DIGITS = 6;

/**
 * Records what the link and the code of a mail will prove, each once. Someone who reads the store can use neither.
 * @returns the token of the link, the code, and the secret of the browser that the code works in
 */
export async function keepProof(
  { db, clock, secretKey }: ProofDeps,
  proof: Proof,
): Promise<{ token: string; code: string; browser: string }> {
  const [token, browser] = [makeToken(32), makeToken(32)];
  const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
  const now = clock.now();
  const dates = { date_created: now, date_updated: now, date_expires: now + LINK_MINUTES * MINUTE_MS };
  const ofCode: CodeProof = { ...proof, code: macOf(secretKey, browser, proof.email, code) };
  await db.transaction(async (tx) => {
    await tx.deleteFrom('verifications').where('date_expires', '<=', now).execute();
    const rows = [
      { identifier: linkOf(token), value: JSON.stringify(proof) },
      { identifier: browserOf(browser), value: JSON.stringify(ofCode) },
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
  if (!waiting || !isSame(waiting.code, macOf(secretKey, browser, waiting.email, digits))) throw wrongCode();
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

async function take(db: Db, identifier: string, now: number): Promise<Proof | null> {
  const row = await db.transaction((tx) =>
    tx
      .deleteFrom('verifications')
      .where('identifier', '=', identifier)
      .where('date_expires', '>', now)
      .returning('value')
      .executeTakeFirst(),
  );
  return row ? JSON.parse(row.value) : null;
}

function linkOf(token: string): string {
  return `sign-in-link-${hash('sha256', token, 'base64url')}`;
}

function browserOf(browser: string): string {
  return `sign-in-code-${hash('sha256', browser, 'base64url')}`;
}

/** Keyed: six digits are too few for a hash that anyone can compute. */
function macOf(secretKey: string, browser: string, email: string, code: string): string {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'earshot sign-in codes', 32));
  return createHmac('sha256', key)
    .update(JSON.stringify([browser, email, code]))
    .digest('base64url');
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
