import type { Db } from '../../platform/db/db.ts';
import { badRequest } from '../../platform/errors.ts';
import { serverCookie } from '../../platform/http/cookie.ts';
import { networkOf } from '../../platform/http/ip.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { countAttempt, countAttemptFrom } from '../../platform/limits/throttle.ts';
import { msg } from '../../platform/messages.ts';
import { findAccountByEmail, nameFor, requireEmail } from './input.ts';
import { endLinks } from './links.ts';
import { type RunAuth, signInOwner } from './passwordless.ts';
import { findWaiting, keepProof, type Proof, readLink, stopWaiting, takeCode, takeLink } from './proofs.ts';
import { refusedAs } from './refusal.ts';
import { LINK_MINUTES, type SignInMail, type SignInReason } from './rules.ts';

type Deps = { db: Db; clock: Clock; baseUrl: string; secretKey: string };
type Service = {
  readonly deps: Deps;
  inBackground(work: Promise<unknown>): void;
  mailSignIn(mail: SignInMail): Promise<void>;
};
type Caller = { cookies: string | undefined; address: string; setCookie(cookie: string): void };

/** The parts of the caller's access that signing in needs. */
type Steps = {
  run: RunAuth;
  /** Creates an account and signs in to it; null is no password. */
  create(input: { email: string; name: string; password: string | null }): Promise<unknown>;
  /** Counts an attempt of the caller. */
  count(): Promise<void>;
  /** Counts a mail to an address. */
  countMail(address: string): Promise<void>;
};

/**
 * The result of a mailed link or code: the visitor is signed in, to an account that was just created (`new`) or already
 * existed; or a password is needed, too. With it, what was started.
 */
export type Redeemed = { state: 'new' | 'in' | 'password'; begun: string | null };

/** Signing in by the link or the code of a mail, for one caller. */
export class MailedSignIn {
  readonly #service: Service;
  readonly #deps: Deps;
  readonly #caller: Caller;
  readonly #steps: Steps;

  constructor(service: Service, caller: Caller, steps: Steps) {
    this.#service = service;
    this.#deps = service.deps;
    this.#caller = caller;
    this.#steps = steps;
  }

  /**
   * Mails a link and a code to sign in, or to create an account if there is none, which the caller cannot detect. The
   * code works only in this browser, which waits for it from now on.
   * @param next the path to go on to
   * @param begun what the visitor has started, see `Proof`
   * @param reason what it is for, as the mail says it
   * @throws BAD_REQUEST for an invalid address, RATE_LIMIT_EXCEEDED
   */
  async requestLink(
    email: string,
    next: string | null,
    begun: string | null = null,
    reason: SignInReason | null = null,
  ): Promise<void> {
    const address = requireEmail(email);
    await this.#steps.countMail(address);
    const { browser, ...mail } = await keepProof(this.#deps, { email: address, begun }, this.#readWaiting());
    this.#setWaiting(browser);
    this.#service.inBackground(this.#service.mailSignIn({ ...mail, email: address, next, reason }));
  }

  /** What a mailed link is for. @throws BAD_REQUEST when it was used or has expired */
  async readLink(token: string): Promise<Proof & { hasAccount: boolean }> {
    const proof = await readLink(this.#deps, token);
    return { ...proof, hasAccount: (await findAccountByEmail(this.#deps.db, proof.email)) !== null };
  }

  /** Signs in with a mailed link. @throws BAD_REQUEST */
  async redeemLink(token: string): Promise<Redeemed> {
    await this.#steps.count();
    return this.#signInBy(await takeLink(this.#deps, token));
  }

  /** The address for whose code this browser is waiting; null if there is none. */
  async findWaiting(): Promise<string | null> {
    const browser = this.#readWaiting();
    return browser === null ? null : ((await findWaiting(this.#deps, browser))?.email ?? null);
  }

  /**
   * Signs in with the code of a mail, in the browser that requested it. If there is no account with the address, it
   * creates one with a name derived from it.
   * @throws BAD_REQUEST, RATE_LIMIT_EXCEEDED
   */
  async redeemCode(code: string): Promise<Redeemed> {
    const { db, clock } = this.#deps;
    await this.#steps.count();
    const browser = this.#readWaiting();
    const email = await this.findWaiting();
    if (browser === null || email === null) throw badRequest(msg('accountCodeExpired'), 'code');
    await countAttempt(db, clock, 'codes in', browser).catch(refusedAs(TOO_MANY_CODES, 'code', 'RATE_LIMIT_EXCEEDED'));
    await countAttemptFrom(db, clock, 'code of', email, networkOf(this.#caller.address));
    const proof = await takeCode(this.#deps, browser, code);
    this.#setWaiting(null);
    return this.#signInBy(proof);
  }

  /** Lets this browser request another mail. */
  async stopWaiting(): Promise<void> {
    const browser = this.#readWaiting();
    if (browser === null) return;
    await stopWaiting(this.#deps, browser);
    this.#setWaiting(null);
  }

  /**
   * Signs in the owner of an address. An account with a second factor signs in with password and code only:
   * their mailbox alone is not enough.
   */
  async #signInBy({ email, begun }: Proof): Promise<Redeemed> {
    const { db } = this.#deps;
    const account = await findAccountByEmail(db, email);
    if (!account) {
      await this.#steps.create({ email, name: nameFor(email, ''), password: null });
      return { state: 'new', begun };
    }
    if (account.is_second_factor_on) return { state: 'password', begun };
    // better-auth ends the sessions of an account whose address was not confirmed, and removes its password.
    if (!account.is_email_verified) await db.transaction((tx) => endLinks(tx, account.id));
    await signInOwner(this.#steps.run, email, account.name);
    return { state: 'in', begun };
  }

  #readWaiting(): string | null {
    return /(?:^|;\s*)earshot\.waiting=([\w-]{43})(?:;|$)/.exec(this.#caller.cookies ?? '')?.[1] ?? null;
  }

  #setWaiting(browser: string | null): void {
    const seconds = browser === null ? 0 : LINK_MINUTES * 60;
    this.#caller.setCookie(serverCookie(this.#deps.baseUrl, 'earshot.waiting', browser ?? '', seconds));
  }

  /**
   * Creates the account that a link was mailed for, and signs in; without a password, its owner signs in by mail.
   * @returns what was started, see `Proof`
   */
  async signUp(token: string, input: { name: string; password: string }): Promise<string | null> {
    await this.#steps.count();
    const { email, begun } = await readLink(this.#deps, token);
    await this.#steps.create({ email, name: input.name, password: input.password || null });
    await takeLink(this.#deps, token);
    return begun;
  }
}

const TOO_MANY_CODES = msg('accountTooManyCodes');
