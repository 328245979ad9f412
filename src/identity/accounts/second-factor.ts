import type { Db } from '../../platform/db/db.ts';
import { badRequest } from '../../platform/errors.ts';
import { type Clock, MINUTE_MS } from '../../platform/lib/clock.ts';
import { claimOnce } from '../../platform/limits/throttle.ts';
import { msg } from '../../platform/messages.ts';
import type { Auth } from './auth.ts';
import { refusedAs } from './refusal.ts';

export type SecondFactorDeps = {
  db: Db;
  clock: Clock;
  /** Runs something of better-auth for the caller, who gets its cookies unless `keep` takes them. */
  run<T>(
    work: (auth: Auth, headers: Headers) => Promise<{ headers: Headers; response: T }>,
    keep?: (cookie: string) => void,
  ): Promise<T>;
  setCookie(cookie: string): void;
  /** Counts an attempt of the caller. */
  count(): Promise<void>;
  /** Does what needs the password of who is signed in, and counts the try. */
  tryPassword<T>(work: () => Promise<T>): Promise<T>;
};

/** Longer than a code is accepted, by as much as the clocks of two processes may differ. */
const CODE_MS = 5 * MINUTE_MS;

/** What an authenticator app needs, and backup codes in case it is lost; shown once. */
export type Enrolment = { uri: string; secret: string; backupCodes: string[] };

/** Codes from an authenticator app (TOTP), for one caller. */
export class SecondFactor {
  readonly #deps: SecondFactorDeps;

  constructor(deps: SecondFactorDeps) {
    this.#deps = deps;
  }

  /**
   * Completes a sign-in that waits for a code, from the app or a backup code. A code from the app is valid for 90
   * seconds and accepted once (RFC 6238, 5.2), which better-auth leaves to us: the session from a second use is ended
   * before anyone has it.
   */
  async signIn(code: string): Promise<void> {
    const { db, run, count, setCookie } = this.#deps;
    await count();
    const plain = code.replace(/\s/g, '');
    const isOfApp = /^\d{6}$/.test(plain);
    const cookies: string[] = [];
    const { user, token } = await run(
      (auth, headers) =>
        isOfApp
          ? auth.api.verifyTOTP({ body: { code: plain }, headers, returnHeaders: true })
          : auth.api.verifyBackupCode({ body: { code: plain }, headers, returnHeaders: true }),
      (cookie) => cookies.push(cookie),
    ).catch(refusedAs(msg('accountCodeWrong'), 'code'));
    if (isOfApp && !(await this.#claim(user.id, plain))) {
      await db.transaction((tx) =>
        tx
          .deleteFrom('sessions')
          .where('token', '=', token ?? '')
          .execute(),
      );
      throw badRequest(msg('accountCodeUsed'), 'code');
    }
    for (const cookie of cookies) setCookie(cookie);
  }

  /** Starts the setup of the factor; it takes effect once `confirm` has seen a first code. */
  async begin(password: string): Promise<Enrolment> {
    const { run, tryPassword } = this.#deps;
    const enabled = await tryPassword(() =>
      run((auth, headers) =>
        auth.api.enableTwoFactor({ body: { password, method: 'totp' }, headers, returnHeaders: true }),
      ),
    ).catch(refusedAs(msg('accountPasswordWrong'), 'password'));
    if (enabled.method !== 'totp') throw new Error(`A second factor by ${enabled.method} was not asked for`);
    const { totpURI, backupCodes } = enabled;
    return { uri: totpURI, secret: new URL(totpURI).searchParams.get('secret') ?? '', backupCodes };
  }

  async confirm(code: string): Promise<void> {
    await this.#deps.count();
    const body = { code: code.replace(/\s/g, '') };
    const { user } = await this.#deps
      .run((auth, headers) => auth.api.verifyTOTP({ body, headers, returnHeaders: true }))
      .catch(refusedAs(msg('accountCodeWrong'), 'code'));
    await this.#claim(user.id, body.code);
  }

  async end(password: string): Promise<void> {
    const { run, tryPassword } = this.#deps;
    await tryPassword(() =>
      run((auth, headers) => auth.api.disableTwoFactor({ body: { password }, headers, returnHeaders: true })),
    ).catch(refusedAs(msg('accountPasswordWrong'), 'password'));
  }

  /** @returns false when the code was accepted before */
  #claim(accountId: string, code: string): Promise<boolean> {
    const { db, clock } = this.#deps;
    return claimOnce(db, clock, `code ${accountId} ${code}`, CODE_MS);
  }
}
