import type { Db } from '../../platform/db/db.ts';
import { badRequest } from '../../platform/errors.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { msg } from '../../platform/messages.ts';
import type { MailedSignIn } from './mailed-sign-in.ts';
import type { RunAuth } from './passwordless.ts';
import { refusedAs } from './refusal.ts';
import { FRESH_MS } from './rules.ts';
import type { AccountRow, SessionRow } from './tables.ts';

/**
 * What a user must provide before they may change how they sign in: the password of the account; if it has none, a mailed
 * code, or nothing while they have just signed in.
 */
export type OwnerProof = 'password' | 'code' | 'none';

type Steps = {
  db: Db;
  clock: Clock;
  byMail: MailedSignIn;
  current(): Promise<{ account: AccountRow; session: SessionRow } | null>;
  run: RunAuth;
  /** Counts an attempt of the caller. */
  count(): Promise<void>;
  /** Does what needs the password of an account, and counts the attempt. */
  tryPassword<T>(email: string, work: () => Promise<T>): Promise<T>;
};

/** Checks again that the caller owns the account: an open browser alone must not be enough to take it over. */
export class OwnerCheck {
  readonly #steps: Steps;

  constructor(steps: Steps) {
    this.#steps = steps;
  }

  /** What the caller must provide now. */
  async needs(): Promise<OwnerProof> {
    const { db, clock } = this.#steps;
    const { account, session } = await this.#signedIn();
    if (await hasPassword(db, account.id)) return 'password';
    return clock.now() - session.date_created < FRESH_MS ? 'none' : 'code';
  }

  /**
   * @param password of the account; ignored if it has none
   * @throws BAD_REQUEST if it is wrong, or if the account has none and the caller has not just signed in;
   * RATE_LIMIT_EXCEEDED
   */
  async pass(password: string): Promise<void> {
    const { run, count, tryPassword } = this.#steps;
    const { account } = await this.#signedIn();
    const needed = await this.needs();
    if (needed !== 'password') await count();
    if (needed === 'none') return;
    if (needed === 'code') throw badRequest(msg('accountConfirmByCode'));
    await tryPassword(account.email, () =>
      run((auth, headers) => auth.api.verifyPassword({ body: { password }, headers, returnHeaders: true })),
    ).catch(refusedAs(msg('accountCurrentPasswordWrong'), 'currentPassword'));
  }

  /** Mails a code to the address of the account. @param next the path that the link of the mail continues at */
  async requestCode(next: string): Promise<void> {
    await this.#steps.byMail.requestLink((await this.#signedIn()).account.email, next);
  }

  /** Whether this browser waits for such a code. */
  async isWaiting(): Promise<boolean> {
    return (await this.#steps.byMail.findWaiting()) === (await this.#signedIn()).account.email;
  }

  /** Signs in again with the code; the new session replaces the caller's. @throws BAD_REQUEST */
  async redeemCode(code: string): Promise<void> {
    const { db, byMail } = this.#steps;
    const { session } = await this.#signedIn();
    if (!(await this.isWaiting())) throw badRequest(msg('accountCodeExpired'), 'code');
    const { state } = await byMail.redeemCode(code);
    if (state !== 'in') return;
    await db.transaction((tx) => tx.deleteFrom('sessions').where('id', '=', session.id).execute());
  }

  async #signedIn() {
    const signedIn = await this.#steps.current();
    if (!signedIn) throw badRequest(msg('accountSignInAgain'), 'email');
    return signedIn;
  }
}

/** Whether an account has a password; those that were created by a mailed code or a provider have none. */
export async function hasPassword({ read }: Pick<Db, 'read'>, accountId: string): Promise<boolean> {
  const query = read.selectFrom('credentials').select('id').where('account_id', '=', accountId);
  return (await query.where('password', 'is not', null).executeTakeFirst()) !== undefined;
}
