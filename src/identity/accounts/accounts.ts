import type { Db } from '../../platform/db/db.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { AccountAccess, type Caller } from './access.ts';
import type { Auth } from './auth.ts';
import { findAccountByEmail } from './input.ts';
import { linkTo, resetMail, type SendMail, signInMail } from './mails.ts';
import type { OpenIdProvider } from './openid/provider.ts';
import { openProvider, type SignInProviders } from './providers.ts';
import type { SignInMail } from './rules.ts';

export type AccountsDeps = {
  db: Db;
  clock: Clock;
  log: Logger;
  baseUrl: string;
  secretKey: string;
  sendMail: SendMail;
  signInProviders: SignInProviders;
};

/** Accounts of people: what they sign in with. `users` decides what they may do on a board. */
export class Accounts {
  readonly deps: AccountsDeps;
  #auth: Promise<Auth> | null = null;
  #openId: Promise<OpenIdProvider | null> | null = null;
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(deps: AccountsDeps) {
    this.deps = deps;
  }

  /** What one caller can do. */
  of(caller: Caller): AccountAccess {
    return new AccountAccess(this, caller);
  }

  /** better-auth takes a fifth of a second and 40 MB to load, so it is loaded with the first sign-in. */
  auth(): Promise<Auth> {
    this.#auth ??= import('./auth.ts').then(async ({ makeAuth }) =>
      makeAuth({
        ...this.deps,
        openId: await this.openId(),
        sendReset: (...reset) => this.#sendReset(...reset),
      }),
    );
    return this.#auth;
  }

  /** The OpenID provider that people may sign in with, if there is one. */
  openId(): Promise<OpenIdProvider | null> {
    this.#openId ??= openProvider(this.deps.signInProviders);
    return this.#openId;
  }

  /** Runs work that the response does not wait for, because its duration would reveal something. */
  inBackground(work: Promise<unknown>): void {
    const { log } = this.deps;
    const watched = work
      .catch((err) => log.warn({ err }, 'Work for an account failed'))
      .finally(() => this.#underWay.delete(watched));
    this.#underWay.add(watched);
  }

  /** Resolves when no background work is left. */
  async idle(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** Sends the mail that signs in the owner of an address, or creates an account for them. */
  async mailSignIn(mail: SignInMail): Promise<void> {
    const { db, baseUrl, sendMail } = this.deps;
    const account = await findAccountByEmail(db, mail.email);
    await sendMail(signInMail(mail, account, baseUrl), account?.id ?? null, 'sign-in');
  }

  async #sendReset(to: { email: string; name: string }, token: string, next: string | null): Promise<void> {
    const { db, baseUrl, sendMail } = this.deps;
    const account = await findAccountByEmail(db, to.email);
    await sendMail(resetMail(to, linkTo(`${baseUrl}/reset-password/${token}`, next)), account?.id ?? null, 'reset');
  }
}
