import type { Db } from '../db/db.ts';
import { say } from '../lib/say.ts';
import type { Auth } from './auth.ts';
import { told } from './refusal.ts';

export type SecondFactorDeps = {
  db: Db;
  /** Runs something of better-auth for the caller. */
  run<T>(work: (auth: Auth, headers: Headers) => Promise<{ headers: Headers; response: T }>): Promise<T>;
  /** Counts an attempt of the caller. */
  count(): Promise<void>;
};

/** What an authenticator app needs, and codes for the day it is lost; shown once. */
export type Enrolment = { uri: string; secret: string; backupCodes: string[] };

/** Codes from an authenticator app (TOTP), for one caller. */
export class SecondFactor {
  readonly #deps: SecondFactorDeps;

  constructor(deps: SecondFactorDeps) {
    this.#deps = deps;
  }

  /** Completes a sign-in that waits for a code, from the app or a backup code. */
  async signIn(code: string): Promise<void> {
    await this.#deps.count();
    const plain = code.replace(/\s/g, '');
    await this.#deps
      .run((auth, headers) =>
        /^\d{6}$/.test(plain)
          ? auth.api.verifyTOTP({ body: { code: plain }, headers, returnHeaders: true })
          : auth.api.verifyBackupCode({ body: { code: plain }, headers, returnHeaders: true }),
      )
      .catch(told(say`The code is wrong or too old`, 'code'));
  }

  /** Begins to set the factor up; it counts once `confirm` has seen a first code. */
  async begin(password: string): Promise<Enrolment> {
    await this.#deps.count();
    const enabled = await this.#deps
      .run((auth, headers) =>
        auth.api.enableTwoFactor({ body: { password, method: 'totp' }, headers, returnHeaders: true }),
      )
      .catch(told(say`The password is wrong`, 'password'));
    if (enabled.method !== 'totp') throw new Error(`A second factor by ${enabled.method} was not asked for`);
    const { totpURI, backupCodes } = enabled;
    return { uri: totpURI, secret: new URL(totpURI).searchParams.get('secret') ?? '', backupCodes };
  }

  async confirm(code: string): Promise<void> {
    await this.#deps.count();
    const body = { code: code.replace(/\s/g, '') };
    await this.#deps
      .run((auth, headers) => auth.api.verifyTOTP({ body, headers, returnHeaders: true }))
      .catch(told(say`The code is wrong or too old`, 'code'));
  }

  async end(password: string): Promise<void> {
    await this.#deps.count();
    await this.#deps
      .run((auth, headers) => auth.api.disableTwoFactor({ body: { password }, headers, returnHeaders: true }))
      .catch(told(say`The password is wrong`, 'password'));
  }
}
