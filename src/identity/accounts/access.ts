import type { Db } from '../../platform/db/db.ts';
import { badRequest } from '../../platform/errors.ts';
import { networkOf } from '../../platform/http/ip.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { countAttempt, countAttemptFrom, forgetAttemptsFrom } from '../../platform/limits/throttle.ts';
import { msg } from '../../platform/messages.ts';
import { findableAddress, mailboxOf } from '../../platform/texts/email.ts';
import { requireLine } from '../../platform/texts/text.ts';
import type { Auth } from './auth.ts';
import { confirmEmailChange, requestConfirmation, requestEmailChange } from './email-change.ts';
import { findAccountByEmail, markProven, requireEmail, requirePassword } from './input.ts';
import { endLinks } from './links.ts';
import { MailedSignIn } from './mailed-sign-in.ts';
import type { SendMail } from './mails.ts';
import { renameAccount } from './naming.ts';
import type { OpenIdProvider } from './openid/provider.ts';
import { OwnerCheck } from './owner-check.ts';
import { Passkeys } from './passkeys.ts';
import { signInOwner } from './passwordless.ts';
import { ProviderSignIn } from './provider-sign-in.ts';
import type { SignInProviders } from './providers.ts';
import { asAppError, refusedAs } from './refusal.ts';
import { ADDRESS_HEADER, PASSWORD, type SignInMail } from './rules.ts';
import { SecondFactor } from './second-factor.ts';
import { endSessions, findSignedIn, listSessions, type SignedIn } from './sessions.ts';
import type { AccountRow, SessionRow } from './tables.ts';

/** Who is at the other end of a request, and how to leave them a cookie. */
export type Caller = {
  cookies: string | undefined;
  userAgent: string | undefined;
  address: string;
  /** Whether a session is prolonged by this, as by default. */
  isProlonging?: boolean;
  setCookie(cookie: string): void;
};

type Store = { db: Db; clock: Clock };

type Deps = {
  baseUrl: string;
  secretKey: string;
  log: Logger;
  sendMail: SendMail;
  signInProviders: SignInProviders;
};

/** What access needs of the accounts of the server. */
type Service = {
  readonly deps: Store & Deps;
  auth(): Promise<Auth>;
  openId(): Promise<OpenIdProvider | null>;
  inBackground(work: Promise<unknown>): void;
  mailSignIn(mail: SignInMail): Promise<void>;
};

/** Something of better-auth, done with the headers of the caller. */
type Work<T> = (auth: Auth, headers: Headers) => Promise<{ headers: Headers; response: T }>;

/** What one caller does with their account. Cookies are set as a side effect. */
export class AccountAccess {
  readonly #accounts: Service;
  readonly #caller: Caller;
  readonly #headers: Headers;
  #current: Promise<SignedIn | null> | null = null;
  readonly secondFactor: SecondFactor;
  readonly withProvider: ProviderSignIn;
  readonly byMail: MailedSignIn;
  readonly ownerCheck: OwnerCheck;
  readonly passkeys: Passkeys;

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
      tryPassword: async (work) => this.#tryPassword((await this.#signedIn()).account.email, work),
    });
    this.byMail = new MailedSignIn(accounts, caller, {
      run: (work) => this.#run(work),
      create: (input) => this.create(input, 'proven'),
      count,
      countMail: (address) => this.#countMail(address),
    });
    this.ownerCheck = new OwnerCheck({
      ...accounts.deps,
      byMail: this.byMail,
      current: () => this.current(),
      run: (work) => this.#run(work),
      count,
      tryPassword: (email, work) => this.#tryPassword(email, work),
    });
    this.passkeys = new Passkeys(accounts, caller, {
      run: (work) => this.#run(work),
      current: () => this.current(),
      ownerCheck: this.ownerCheck,
      count,
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
    const address = parseAddress(email);
    const body = { email: address, password: password.slice(0, PASSWORD.max + 1) };
    const answer = await this.#tryPassword(address, () =>
      this.#run((auth, headers) => auth.api.signInEmail({ body, headers, returnHeaders: true })),
    ).catch(refusedAs(msg('accountSignInWrong'), 'password'));
    return 'twoFactorRedirect' in answer ? 'code' : 'in';
  }

  /**
   * Mails a link to choose a new password, if there is such an account.
   * @param next the path to continue at afterwards
   */
  async requestReset(email: string, next: string | null = null): Promise<void> {
    const address = parseAddress(email);
    await this.#countMail(address);
    const body = { email: address, ...(next !== null && { redirectTo: next }) };
    this.#accounts.inBackground(
      this.#run((auth, headers) => auth.api.requestPasswordReset({ body, headers, returnHeaders: true })),
    );
  }

  /** Sets a new password by a link, and ends every session of the account. */
  async resetPassword(token: string, password: string): Promise<void> {
    await this.#countFrom();
    const body = { token, newPassword: requirePassword(password) };
    await this.#run((auth, headers) => auth.api.resetPassword({ body, headers, returnHeaders: true })).catch(
      refusedAs(msg('accountLinkUsed'), 'token'),
    );
  }

  async signOut(): Promise<void> {
    await this.#run((auth, headers) => auth.api.signOut({ headers, returnHeaders: true }));
    this.#current = null;
  }

  /**
   * Creates an account and signs in to it.
   * @param input an account without a password (null) signs in by mail, so its address must be proven
   * @param address whether the caller has proved ownership of the address, by a link that was mailed there. An address
   * that was only typed counts as confirmed only once a link mailed there has been used, see `requestConfirmation`.
   * @throws BAD_REQUEST when there is one with this address, or the input is wrong
   */
  async create(
    input: { email: string; name: string; password: string | null },
    address: 'proven' | 'typed',
  ): Promise<AccountRow> {
    const { db } = this.#accounts.deps;
    const email = requireEmail(input.email);
    const name = requireLine(input.name, { field: 'name', min: 1, max: 100 });
    const password = input.password === null ? null : requirePassword(input.password);
    if (await findAccountByEmail(db, email)) {
      throw badRequest(msg('accountExists'), 'email');
    }
    if (password === null) await signInOwner((work) => this.#run(work), email, name);
    else {
      const body = { email, name, password };
      await this.#run((auth, headers) => auth.api.signUpEmail({ body, headers, returnHeaders: true }));
    }
    const account = await findAccountByEmail(db, email);
    if (!account) throw new Error('The account was not made');
    if (address === 'proven') await markProven(db, email);
    return account;
  }

  /** Mails the link by which the owner of an account confirms its address, unless it is already confirmed. */
  async requestConfirmation(account: AccountRow, next: string | null = null): Promise<void> {
    await this.#countMail(account.email);
    if (!account.is_email_verified) await requestConfirmation(this.#accounts.deps, account, next);
  }

  /** Changes the name, on all boards of the account. */
  async changeName(name: string): Promise<void> {
    const { account } = await this.#signedIn();
    const { db, clock } = this.#accounts.deps;
    await renameAccount(db, account.id, requireLine(name, { field: 'name', min: 1, max: 100 }), clock.now());
    this.#current = null;
  }

  /** Changes the password, or sets the first one, see `OwnerProof`; ends every other session and links in transit. */
  async changePassword(currentPassword: string, password: string): Promise<void> {
    const newPassword = requirePassword(password);
    const { account } = await this.#signedIn();
    if ((await this.ownerCheck.needs()) === 'password') {
      const body = { currentPassword, newPassword, revokeOtherSessions: true };
      await this.#tryPassword(account.email, () =>
        this.#run((auth, headers) => auth.api.changePassword({ body, headers, returnHeaders: true })),
      ).catch(refusedAs(msg('accountCurrentPasswordWrong'), 'currentPassword'));
    } else {
      await this.ownerCheck.pass('');
      await this.#run((auth, headers) => auth.api.setPassword({ body: { newPassword }, headers, returnHeaders: true }));
    }
    await this.#accounts.deps.db.transaction((tx) => endLinks(tx, account.id));
  }

  /** Mails a link to a new address, see `requestEmailChange`. @param password see `OwnerCheck.pass` */
  async requestEmailChange(email: string, password: string, next: string | null = null): Promise<void> {
    const { account } = await this.#signedIn();
    const to = requireEmail(email);
    if (to === account.email) throw badRequest(msg('accountSameAddress'), 'email');
    await this.ownerCheck.pass(password);
    await this.#countMailTo(to);
    this.#accounts.inBackground(requestEmailChange(this.#accounts.deps, account, to, next));
  }

  /**
   * Does what needs the password of an account. Every attempt counts, wherever it is made: an open browser must not be a
   * place to guess the password.
   */
  async #tryPassword<T>(email: string, work: () => Promise<T>): Promise<T> {
    const { db, clock } = this.#accounts.deps;
    const network = networkOf(this.#caller.address);
    await this.#countFrom();
    await countAttemptFrom(db, clock, 'password of', email, network);
    const result = await work();
    await forgetAttemptsFrom(db, 'password of', email, network);
    return result;
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
    return listSessions(this.#accounts.deps, (await this.#signedIn()).account.id);
  }

  /** Ends a session of the account, or all others; an id of another account's does nothing. */
  async endSessions(which: { id: string } | 'others'): Promise<void> {
    const { account, session } = await this.#signedIn();
    await endSessions(this.#accounts.deps.db, account.id, which === 'others' ? { allBut: session.id } : which);
  }

  async #findCurrent(): Promise<SignedIn | null> {
    if (!/(?:^|[\s;])(?:__Secure-)?earshot\.session_token=/.test(this.#caller.cookies ?? '')) return null;
    const { isProlonging = true } = this.#caller;
    return findSignedIn(
      this.#accounts.deps,
      (query) => this.#call((auth, headers) => auth.api.getSession({ headers, query, returnHeaders: true })),
      isProlonging,
    );
  }

  async #signedIn(): Promise<SignedIn> {
    const signedIn = await this.current();
    if (!signedIn) throw badRequest(msg('accountSignInAgain'), 'email');
    return signedIn;
  }

  /** Runs something of better-auth, which would prolong a session that has ended here. */
  async #run<T>(work: Work<T>, setCookie?: (cookie: string) => void): Promise<T> {
    await this.current();
    return this.#call(work, setCookie);
  }

  async #call<T>(work: Work<T>, setCookie = (cookie: string) => this.#caller.setCookie(cookie)): Promise<T> {
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
    await this.#countFrom();
    await this.#countMailTo(address);
  }

  async #countMailTo(address: string): Promise<void> {
    const { db, clock } = this.#accounts.deps;
    await countAttemptFrom(db, clock, 'mail to', mailboxOf(address), networkOf(this.#caller.address));
  }
}

/** The typed email address; an invalid one is not looked up, and the response does not show that. */
function parseAddress(raw: string): string {
  return findableAddress(raw) ?? '';
}
