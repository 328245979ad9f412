import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../platform/db/db.ts';
import { badRequest } from '../../platform/errors.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { findableAddress } from '../../platform/lib/email.ts';
import { isId } from '../../platform/lib/ids.ts';
import { networkOf } from '../../platform/lib/ip.ts';
import { requireLine } from '../../platform/lib/text.ts';
import { countAttempt, countAttemptFrom, forgetAttemptsFrom } from '../../platform/limits/throttle.ts';
import { msg } from '../../platform/messages.ts';
import type { Auth } from './auth.ts';
import { confirmEmailChange, requestConfirmation, requestEmailChange } from './email-change.ts';
import { findAccountByEmail, markProven, requireEmail, requirePassword } from './input.ts';
import { MailedSignIn } from './mailed-sign-in.ts';
import type { SendMail } from './mails.ts';
import { ProviderSignIn } from './provider-sign-in.ts';
import type { SignInProviders } from './providers.ts';
import { asAppError, refusedAs } from './refusal.ts';
import { ADDRESS_HEADER, PASSWORD, type SignInMail, TEAM_SESSION_MS } from './rules.ts';
import { SecondFactor } from './second-factor.ts';
import type { AccountRow, SessionRow } from './tables.ts';

/** Who is at the other end of a request, and how to leave them a cookie. */
export type Caller = {
  cookies: string | undefined;
  userAgent: string | undefined;
  address: string;
  setCookie(cookie: string): void;
};

type Store = { db: Db; clock: Clock };

/** What access needs of the accounts of the server. */
type Service = {
  readonly deps: Store & { baseUrl: string; secretKey: string; sendMail: SendMail; signInProviders: SignInProviders };
  auth(): Promise<Auth>;
  inBackground(work: Promise<unknown>): void;
  mailSignIn(mail: SignInMail): Promise<void>;
};

export type SignedIn = { account: AccountRow; session: SessionRow };

/** What one caller does with their account. Cookies are set as a side effect. */
export class AccountAccess {
  readonly #accounts: Service;
  readonly #caller: Caller;
  readonly #headers: Headers;
  #current: Promise<SignedIn | null> | null = null;
  readonly secondFactor: SecondFactor;
  readonly withProvider: ProviderSignIn;
  readonly byMail: MailedSignIn;

  constructor(accounts: Service, caller: Caller) {
    this.#accounts = accounts;
    this.#caller = caller;
    this.#headers = new Headers({ [ADDRESS_HEADER]: caller.address });
    if (caller.cookies) this.#headers.set('cookie', caller.cookies);
    if (caller.userAgent) this.#headers.set('user-agent', caller.userAgent.slice(0, 300));
    const count = () => this.#countFrom();
    this.secondFactor = new SecondFactor({
      ...accounts.deps,
      run: (work, keep) => this.#run(work, keep),
      setCookie: (cookie) => caller.setCookie(cookie),
      count,
    });
    this.byMail = new MailedSignIn(accounts, caller, {
      run: (work) => this.#run(work),
      create: (input) => this.create(input, 'proven'),
      count,
      countMail: (address) => this.#countMail(address),
    });
    this.withProvider = new ProviderSignIn(accounts, { headers: this.#headers, setCookie: caller.setCookie, count });
  }

  /** The signed-in account; null for an anonymous visitor. */
  current(): Promise<SignedIn | null> {
    this.#current ??= this.#findCurrent();
    return this.#current;
  }

  /**
   * Signs in with a password.
   * @returns whether a code of the second factor is still needed
   * @throws BAD_REQUEST, the same for a wrong address and a wrong password; RATE_LIMIT_EXCEEDED
   */
  async signIn(email: string, password: string): Promise<'in' | 'code'> {
    const { db, clock } = this.#accounts.deps;
    const address = parseAddress(email);
    await this.#countFrom();
    const network = networkOf(this.#caller.address);
    await countAttemptFrom(db, clock, 'password of', address, network);
    const body = { email: address, password: password.slice(0, PASSWORD.max + 1) };
    const answer = await this.#run((auth, headers) =>
      auth.api.signInEmail({ body, headers, returnHeaders: true }),
    ).catch(refusedAs(msg`Email address or password is wrong`, 'password'));
    await forgetAttemptsFrom(db, 'password of', address, network);
    return 'twoFactorRedirect' in answer ? 'code' : 'in';
  }

  /** Mails a link to choose a new password, if there is such an account. */
  async requestReset(email: string): Promise<void> {
    const address = parseAddress(email);
    await this.#countMail(address);
    this.#accounts.inBackground(
      this.#run((auth, headers) =>
        auth.api.requestPasswordReset({ body: { email: address }, headers, returnHeaders: true }),
      ),
    );
  }

  /** Sets a new password by a link, and ends every session of the account. */
  async resetPassword(token: string, password: string): Promise<void> {
    await this.#countFrom();
    const body = { token, newPassword: requirePassword(password) };
    await this.#run((auth, headers) => auth.api.resetPassword({ body, headers, returnHeaders: true })).catch(
      refusedAs(msg`This link was already used or has expired: request a new one`, 'token'),
    );
  }

  async signOut(): Promise<void> {
    await this.#run((auth, headers) => auth.api.signOut({ headers, returnHeaders: true }));
    this.#current = null;
  }

  /**
   * Creates an account and signs in to it.
   * @param address whether the caller has proved ownership of the address, by a link that was mailed there. An address
   * that was only typed counts as confirmed only once a link mailed there has been used, see `requestConfirmation`.
   * @throws BAD_REQUEST when there is one with this address, or the input is wrong
   */
  async create(
    input: { email: string; name: string; password: string },
    address: 'proven' | 'typed',
  ): Promise<AccountRow> {
    const { db } = this.#accounts.deps;
    const email = requireEmail(input.email);
    const name = requireLine(input.name, { field: 'name', min: 1, max: 100 });
    const password = requirePassword(input.password);
    if (await findAccountByEmail(db, email)) {
      throw badRequest(msg`An account with this email address already exists: sign in with it`, 'email');
    }
    await this.#run((auth, headers) =>
      auth.api.signUpEmail({ body: { email, name, password }, headers, returnHeaders: true }),
    );
    const account = await findAccountByEmail(db, email);
    if (!account) throw new Error('The account was not made');
    if (address === 'proven') await markProven(db, email);
    return account;
  }

  /** Mails the link by which the owner of an account confirms its address, unless it is already confirmed. */
  async requestConfirmation(account: AccountRow): Promise<void> {
    await this.#countMail(account.email);
    if (!account.is_email_verified) await requestConfirmation(this.#accounts.deps, account);
  }

  async changeName(name: string): Promise<void> {
    const body = { name: requireLine(name, { field: 'name', min: 1, max: 100 }) };
    await this.#run((auth, headers) => auth.api.updateUser({ body, headers, returnHeaders: true }));
  }

  /** Changes the password and ends every other session. */
  async changePassword(currentPassword: string, password: string): Promise<void> {
    await this.#countFrom();
    const body = { currentPassword, newPassword: requirePassword(password), revokeOtherSessions: true };
    await this.#run((auth, headers) => auth.api.changePassword({ body, headers, returnHeaders: true })).catch(
      refusedAs(msg`The current password is wrong`, 'currentPassword'),
    );
  }

  /**
   * Mails a link to a new address, see `requestEmailChange`. The password is asked for again: an open browser alone must
   * not be enough to take an account over.
   */
  async requestEmailChange(email: string, password: string): Promise<void> {
    const current = await this.current();
    if (!current) throw badRequest(msg`Sign in again`, 'email');
    const to = requireEmail(email);
    await this.#countMail(to);
    await this.#run((auth, headers) =>
      auth.api.verifyPassword({ body: { password }, headers, returnHeaders: true }),
    ).catch(refusedAs(msg`The current password is wrong`, 'currentPassword'));
    await requestEmailChange(this.#accounts.deps, current.account, to);
  }

  /** Gives an account its new address by a link. @returns the users on boards whose address changed */
  async confirmEmailChange(token: string) {
    await this.#countFrom();
    const { people } = await confirmEmailChange(this.#accounts.deps, token);
    this.#current = null;
    return people;
  }

  /** The sessions of the account, the latest first. */
  async listSessions(): Promise<SessionRow[]> {
    const { db, clock } = this.#accounts.deps;
    const current = await this.current();
    if (!current) return [];
    const query = db.read.selectFrom('sessions').selectAll().where('account_id', '=', current.account.id);
    return query.where('date_expires', '>', clock.now()).orderBy('date_updated', 'desc').execute();
  }

  /** Ends a session of the account, or all others; an id of another user's does nothing. */
  async endSessions(which: { id: string } | 'others'): Promise<void> {
    const current = await this.current();
    if (!current || (which !== 'others' && !isId(which.id))) return;
    await this.#accounts.deps.db.transaction((tx) => {
      const query = tx.deleteFrom('sessions').where('account_id', '=', current.account.id);
      return (
        which === 'others' ? query.where('id', '<>', current.session.id) : query.where('id', '=', which.id)
      ).execute();
    });
  }

  async #findCurrent(): Promise<SignedIn | null> {
    const cookie = /(?:^|;\s*)(?:__Secure-)?earshot\.session_token=([^.;%]*)/.exec(this.#caller.cookies ?? '');
    if (!cookie) return null;
    await this.#endIfUnused(cookie[1] ?? '');
    const found = await this.#run((auth, headers) => auth.api.getSession({ headers, returnHeaders: true }));
    if (!found) return null;
    const { db } = this.#accounts.deps;
    const account = await db.read.selectFrom('accounts').selectAll().where('id', '=', found.user.id).executeTakeFirst();
    const session = await db.read
      .selectFrom('sessions')
      .selectAll()
      .where('id', '=', found.session.id)
      .executeTakeFirst();
    return account && session ? { account, session } : null;
  }

  /** Ends a session of a team member that has not been used for a week. */
  async #endIfUnused(token: string): Promise<void> {
    const { db, clock } = this.#accounts.deps;
    const since = clock.now() - TEAM_SESSION_MS;
    const ofTeam = sql<SqlBool>`exists (
      select 1 from users where users.account_id = sessions.account_id and users.role <> 'MEMBER')`;
    const unused = db.read.selectFrom('sessions').select('id').where('token', '=', token);
    const found = await unused.where('date_updated', '<=', since).where(ofTeam).executeTakeFirst();
    if (found) await db.transaction((tx) => tx.deleteFrom('sessions').where('id', '=', found.id).execute());
  }

  async #run<T>(
    work: (auth: Auth, headers: Headers) => Promise<{ headers: Headers; response: T }>,
    setCookie: (cookie: string) => void = (cookie) => this.#caller.setCookie(cookie),
  ): Promise<T> {
    const auth = await this.#accounts.auth();
    try {
      const { headers, response } = await work(auth, this.#headers);
      for (const cookie of headers.getSetCookie()) setCookie(cookie);
      return response;
    } catch (error) {
      throw asAppError(error);
    }
  }

  #countFrom(): Promise<void> {
    const { db, clock } = this.#accounts.deps;
    return countAttempt(db, clock, 'from', networkOf(this.#caller.address));
  }

  async #countMail(address: string): Promise<void> {
    const { db, clock } = this.#accounts.deps;
    await this.#countFrom();
    await countAttemptFrom(db, clock, 'mail to', address, networkOf(this.#caller.address));
  }
}

/** The typed email address; an invalid one is not looked up, and the response does not show that. */
function parseAddress(raw: string): string {
  return findableAddress(raw) ?? '';
}
