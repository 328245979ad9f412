import { hash } from 'node:crypto';
import type { Db } from '../../../platform/db/db.ts';

/** Who signs in: `sub` at its issuer, with an address that counts as confirmed. */
type Subject = { issuer: string; sub: string; email: string };

/** What a subject begins with: the hash of its issuer, whose length is bounded. */
const OF_AN_ISSUER = /^[\w-]{43} /;

/**
 * What a person is found by. A `sub` is unique only at its issuer, and many count from 1: after `OIDC_ISSUER` was changed
 * to another one, it would let in someone else.
 */
export function subjectAt(issuer: string, sub: string): string {
  return `${hash('sha256', issuer, 'base64url')} ${sub}`;
}

/**
 * Lets the account with an address keep its sign-in when the issuer has changed, as an account without one would get it:
 * that of another issuer, or of the same `sub` from before issuers counted, becomes that of this one.
 */
export async function takeOverSubject(db: Db, { issuer, sub, email }: Subject): Promise<void> {
  const subject = subjectAt(issuer, sub);
  await db.transaction(async (tx) => {
    const credentials = tx.selectFrom('credentials').where('provider', '=', 'oidc');
    const own = await credentials
      .innerJoin('accounts', 'accounts.id', 'credentials.account_id')
      .select(['credentials.id', 'credentials.subject'])
      .where('accounts.email', '=', email)
      .where('accounts.is_email_verified', '=', 1)
      .executeTakeFirst();
    if (!own || (own.subject !== sub && !isOfOtherIssuer(own.subject, issuer))) return;
    if (await credentials.select('id').where('subject', '=', subject).executeTakeFirst()) return;
    await tx.updateTable('credentials').set({ subject }).where('id', '=', own.id).execute();
  });
}

function isOfOtherIssuer(subject: string, issuer: string): boolean {
  return OF_AN_ISSUER.test(subject) && !subject.startsWith(subjectAt(issuer, ''));
}
