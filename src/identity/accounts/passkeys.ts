import { hash } from 'node:crypto';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server';
import type { Db } from '../../platform/db/db.ts';
import { badRequest } from '../../platform/errors.ts';
import { serverCookie } from '../../platform/http/cookie.ts';
import { type Clock, MINUTE_MS, SECOND_MS } from '../../platform/lib/clock.ts';
import { isId, makeId, makeToken } from '../../platform/lib/ids.ts';
import { msg } from '../../platform/messages.ts';
import { passkeyMail, type SendMail } from './mails.ts';
import type { OwnerCheck } from './owner-check.ts';
import { type RunAuth, signInOwner } from './passwordless.ts';
import type { SignedIn } from './sessions.ts';
import type { PasskeyRow } from './tables.ts';

/** The origin of the pages that ask for a passkey. It works at the host of this origin alone. */
export type PasskeySite = { origin: string };

type Service = {
  readonly deps: { db: Db; clock: Clock; baseUrl: string; sendMail: SendMail };
  inBackground(work: Promise<unknown>): void;
};
type Caller = {
  cookies: string | undefined;
  userAgent: string | undefined;
  setCookie(cookie: string): void;
};

/** The parts of the caller's access that passkeys need. */
type Steps = {
  run: RunAuth;
  current(): Promise<SignedIn | null>;
  ownerCheck: Pick<OwnerCheck, 'pass'>;
  /** Counts an attempt of the caller. */
  count(): Promise<void>;
};

/** What browsers need, as they read it themselves: without extensions, none of which are used. */
type CreationOptions = Omit<PublicKeyCredentialCreationOptionsJSON, 'extensions'>;
type RequestOptions = Omit<PublicKeyCredentialRequestOptionsJSON, 'extensions'>;

/** What a browser was asked to sign; to add a passkey, for which account. */
type Challenge = { challenge: string; accountId: string | null };

/** Maximum number of passkeys of one account. */
const MAX_PASSKEYS = 10;

/** EdDSA, ES256 and RS256, which all devices have one of. The others are experimental in Node. */
const ALGORITHMS = [-8, -7, -257];

/** Characters of the longest id that WebAuthn allows, 1,023 bytes. PostgreSQL could not index one that is much longer. */
const MAX_CREDENTIAL = 1_364;
/** A key of RSA with 8,192 bits, and what is around it. */
const MAX_KEY_BYTES = 1_100;

/** How a browser may reach a device. What else a browser says of that is not stored. */
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

/** How long a browser may take to respond to a challenge. */
const CHALLENGE_MS = 5 * MINUTE_MS;

/** Adding, listing and removing passkeys, and signing in with them, for one caller. */
export class Passkeys {
  readonly #service: Service;
  readonly #caller: Caller;
  readonly #steps: Steps;

  constructor(service: Service, caller: Caller, steps: Steps) {
    this.#service = service;
    this.#caller = caller;
    this.#steps = steps;
  }

  /** The passkeys of the account, the newest first. */
  async list(): Promise<PasskeyRow[]> {
    return listPasskeys(this.#service.deps.db, (await this.#signedIn()).account.id);
  }

  /**
   * Lets this browser create a passkey.
   * @param password see `OwnerCheck.pass`
   * @returns the options for `navigator.credentials.create`
   * @throws BAD_REQUEST, also if the address of the account is unconfirmed: its owner could not know of the passkey
   */
  async beginAdding(site: PasskeySite, password: string): Promise<CreationOptions> {
    const { account } = await this.#signedIn();
    await this.#steps.ownerCheck.pass(password);
    if (!account.is_email_verified) throw badRequest(msg('accountPasskeyUnconfirmed'));
    const known = await this.list();
    if (known.length >= MAX_PASSKEYS) throw tooMany();
    const domain = domainOf(site);
    const { generateRegistrationOptions } = await import('@simplewebauthn/server');
    const options = await generateRegistrationOptions({
      rpName: domain,
      rpID: domain,
      userName: account.email,
      userDisplayName: account.name,
      userID: new TextEncoder().encode(account.id),
      excludeCredentials: known.filter((key) => key.domain === domain).map(({ credential: id }) => ({ id })),
      supportedAlgorithmIDs: ALGORITHMS,
      authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
    });
    await this.#keepChallenge({ challenge: options.challenge, accountId: account.id });
    return options;
  }

  /** Adds the passkey that the browser has created, and mails its owner. @throws BAD_REQUEST */
  async add(site: PasskeySite, response: string): Promise<void> {
    const { db, clock, sendMail } = this.#service.deps;
    const { account } = await this.#signedIn();
    await this.#steps.count();
    const { challenge, accountId } = await this.#takeChallenge();
    if (accountId !== account.id) throw refused();
    const made = parse<RegistrationResponseJSON>(response);
    await requireUnattested(made);
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
    const { registrationInfo } = await verifyRegistrationResponse({
      response: made,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: domainOf(site),
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    }).catch(() => Promise.reject(refused()));
    if (!registrationInfo) throw refused();
    const { id, publicKey, counter, transports } = registrationInfo.credential;
    if (id.length > MAX_CREDENTIAL || publicKey.length > MAX_KEY_BYTES) throw refused();
    const row: PasskeyRow = {
      id: makeId(),
      account_id: account.id,
      credential: id,
      domain: domainOf(site),
      public_key: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports: JSON.stringify(TRANSPORTS.filter((way) => Array.isArray(transports) && transports.includes(way))),
      user_agent: this.#caller.userAgent?.slice(0, 300) ?? null,
      date_created: clock.now(),
      date_used: null,
    };
    await db.transaction(async (tx) => {
      // The lock lets concurrent forms of one account count the passkeys of each other.
      const changed = tx.updateTable('accounts').set({ date_updated: clock.now() }).where('id', '=', account.id);
      if (!(await changed.returning('id').executeTakeFirst())) throw refused();
      const known = tx.selectFrom('passkeys').select('id').where('account_id', '=', account.id);
      if ((await known.execute()).length >= MAX_PASSKEYS) throw tooMany();
      const inserted = tx
        .insertInto('passkeys')
        .values(row)
        .onConflict((c) => c.column('credential').doNothing());
      if (!(await inserted.returning('id').executeTakeFirst())) throw refused();
    });
    this.#service.inBackground(sendMail(passkeyMail(account, row.domain), account.id, 'passkey'));
  }

  /** Removes a passkey of the account; an id of another account's does nothing. @param password see `OwnerCheck.pass` */
  async remove(id: string, password: string): Promise<void> {
    const { account } = await this.#signedIn();
    await this.#steps.ownerCheck.pass(password);
    if (!isId(id)) return;
    const { db } = this.#service.deps;
    await db.transaction((tx) =>
      tx.deleteFrom('passkeys').where('id', '=', id).where('account_id', '=', account.id).execute(),
    );
  }

  /** Lets this browser sign in with a passkey. @returns the options for `navigator.credentials.get` */
  async beginSignIn(site: PasskeySite): Promise<RequestOptions> {
    await this.#steps.count();
    const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
    const options = await generateAuthenticationOptions({ rpID: domainOf(site), userVerification: 'preferred' });
    await this.#keepChallenge({ challenge: options.challenge, accountId: null });
    return options;
  }

  /**
   * Signs in with what the browser has signed. A passkey that its device has unlocked by a PIN, fingerprint or face is two
   * factors, so an account with a second factor requires that, and no code.
   * @throws BAD_REQUEST, RATE_LIMIT_EXCEEDED
   */
  async signIn(site: PasskeySite, response: string): Promise<void> {
    const { db, clock } = this.#service.deps;
    await this.#steps.count();
    const { challenge, accountId } = await this.#takeChallenge();
    const signed = parse<AuthenticationResponseJSON>(response);
    const domain = domainOf(site);
    const found = await findPasskey(db, domain, signed.id);
    if (accountId !== null || !found) throw refused();
    const { key, account } = found;
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: signed,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: domain,
      credential: credentialOf(key),
      requireUserVerification: false,
    }).catch(() => Promise.reject(refused()));
    const owner = Buffer.from(signed.response.userHandle || '', 'base64url').toString();
    if (!verified || owner !== account.id) throw refused();
    if (account.is_second_factor_on && !authenticationInfo.userVerified) throw badRequest(msg('accountPasskeyLocked'));
    const used = await db.transaction((tx) =>
      tx
        .updateTable('passkeys')
        .set({ counter: authenticationInfo.newCounter, date_used: clock.now() })
        .where('id', '=', key.id)
        .where('counter', '=', key.counter)
        .returning('id')
        .executeTakeFirst(),
    );
    if (!used) throw refused();
    await signInOwner(this.#steps.run, account.email, account.name);
  }

  /** Records what this browser is asked to sign, for one response. Someone who reads the store cannot respond to it. */
  async #keepChallenge(challenge: Challenge): Promise<void> {
    const { db, clock, baseUrl } = this.#service.deps;
    const browser = makeToken(32);
    const now = clock.now();
    const dates = { date_created: now, date_updated: now, date_expires: now + CHALLENGE_MS };
    const row = { id: makeId(), identifier: identifierOf(browser), value: JSON.stringify(challenge), ...dates };
    await db.transaction(async (tx) => {
      await tx.deleteFrom('verifications').where('date_expires', '<=', now).execute();
      await tx.insertInto('verifications').values(row).execute();
    });
    this.#caller.setCookie(serverCookie(baseUrl, COOKIE, browser, CHALLENGE_MS / SECOND_MS));
  }

  /** Uses up the challenge of this browser, whatever the response to it. @throws BAD_REQUEST if there is none */
  async #takeChallenge(): Promise<Challenge> {
    const { db, clock, baseUrl } = this.#service.deps;
    const browser = /(?:^|;\s*)earshot\.passkey=([\w-]{43})(?:;|$)/.exec(this.#caller.cookies ?? '')?.[1];
    if (browser === undefined) throw refused();
    this.#caller.setCookie(serverCookie(baseUrl, COOKIE, '', 0));
    const row = await db.transaction((tx) => {
      const ofBrowser = tx.deleteFrom('verifications').where('identifier', '=', identifierOf(browser));
      return ofBrowser.where('date_expires', '>', clock.now()).returning('value').executeTakeFirst();
    });
    if (!row) throw refused();
    return JSON.parse(row.value);
  }

  async #signedIn(): Promise<SignedIn> {
    const signedIn = await this.#steps.current();
    if (!signedIn) throw badRequest(msg('accountSignInAgain'));
    return signedIn;
  }
}

/** The passkeys of an account, the newest first. */
export function listPasskeys({ read }: Pick<Db, 'read'>, accountId: string): Promise<PasskeyRow[]> {
  const query = read.selectFrom('passkeys').selectAll().where('account_id', '=', accountId);
  return query.orderBy('id', 'desc').execute();
}

/** A passkey with its account, whose address is confirmed. */
async function findPasskey({ read }: Pick<Db, 'read'>, domain: string, credential: unknown) {
  if (typeof credential !== 'string' || !/^[\w-]+$/.test(credential)) return null;
  const ofDomain = read.selectFrom('passkeys').selectAll().where('domain', '=', domain);
  const key = await ofDomain.where('credential', '=', credential).executeTakeFirst();
  if (!key) return null;
  const ofKey = read.selectFrom('accounts').selectAll().where('id', '=', key.account_id);
  const account = await ofKey.where('is_email_verified', '=', 1).executeTakeFirst();
  return account ? { key, account } : null;
}

/** The cookie of a browser that was asked for a passkey. */
const COOKIE = 'earshot.passkey';

function identifierOf(browser: string): string {
  return `passkey-${hash('sha256', browser, 'base64url')}`;
}

/** What browsers call the id of the relying party. */
function domainOf({ origin }: PasskeySite): string {
  return new URL(origin).hostname;
}

function credentialOf({ credential, public_key, counter, transports }: PasskeyRow): WebAuthnCredential {
  const publicKey = new Uint8Array(Buffer.from(public_key, 'base64url'));
  return { id: credential, publicKey, counter, transports: JSON.parse(transports) };
}

/** What a browser has sent, which is checked only when it is verified. @throws BAD_REQUEST if it is no object */
function parse<T extends object>(response: string): T {
  try {
    const parsed = JSON.parse(response);
    if (typeof parsed === 'object' && parsed !== null) return parsed;
  } catch {}
  throw refused();
}

/**
 * Browsers were asked for no attestation. Of those that have one regardless, the formats that are checked against roots could
 * have the server ask for lists of revoked certificates, at addresses that they name.
 * @throws BAD_REQUEST
 */
async function requireUnattested({ response }: RegistrationResponseJSON): Promise<void> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers');
  let format: string;
  try {
    format = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject)).get('fmt');
  } catch {
    throw refused();
  }
  if (!['none', 'packed', 'fido-u2f'].includes(format)) throw refused();
}

/** One message for all reasons, most of which the owner of the passkey can do nothing about. */
function refused() {
  return badRequest(msg('accountPasskeyRefused'));
}

function tooMany() {
  return badRequest(msg('accountPasskeyLimit', MAX_PASSKEYS));
}
