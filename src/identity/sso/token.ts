import { createLocalJWKSet, decodeProtectedHeader, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import { MINUTE_MS, SECOND_MS } from '../../platform/lib/clock.ts';
import { type LocalizedMessage, msg, quote } from '../../platform/messages.ts';
import { requireMailAddress } from '../../platform/texts/email.ts';
import { findableText, fitLine, makeExcerpt } from '../../platform/texts/text.ts';
import type { CompanyProfile } from '../companies/company.ts';
import type { Profile } from '../users/profile.ts';
import type { Role } from '../users/users.ts';
import { readCompanies } from './companies.ts';

/** A token is part of a URL, which has at most 8,192 characters. */
export const MAX_TOKEN = 8_000;
/** How far the signing server's clock may be from ours. */
const LEEWAY_S = MINUTE_MS / SECOND_MS;
const MAX_ID = 255;
const YEAR_S = 365 * 86_400;
const MAX_NAME = 100;
const MAX_ATTRIBUTE = 200;

/** The rules by which a board's tokens are checked. */
export type TokenRules = {
  /** Secrets of HS256, the newest first; or the public keys, for any of `KEY_ALGORITHMS`. */
  keys: { secrets: readonly string[] } | { jwks: JSONWebKeySet };
  isExpiryOptional: boolean;
  isRoleAllowed: boolean;
  attributeClaims: readonly string[];
};

/** Algorithms with a key pair that tokens may be signed with. */
const KEY_ALGORITHMS = ['RS256', 'ES256', 'EdDSA'];

/** The user that a token identifies. */
export type TokenPerson = {
  id: string;
  /** Only what the token names. */
  profile: Profile;
  attributes: Record<string, string | number | boolean>;
  /** All the companies of the user; null if the token names none. */
  companies: CompanyProfile[] | null;
  locale: string | null;
  /** Never OWNER. */
  role: Exclude<Role, 'OWNER'> | null;
  /** Identifies a token that works once. */
  jti: string | null;
  /** In seconds since 1970. */
  expires: number | null;
  /** Claims that were ignored, and why: for the checker in the settings. */
  notes: LocalizedMessage[];
};

/** The person of a valid token, or why it is refused. */
export type TokenCheck = { person: TokenPerson; refusal?: never } | { person?: never; refusal: LocalizedMessage };

/** Checks a token. The board decides which algorithm is accepted, never the token. */
export async function checkToken(token: string, rules: TokenRules, now: number): Promise<TokenCheck> {
  if (token.length > MAX_TOKEN) return { refusal: msg('tokenTooLong', MAX_TOKEN) };
  const algorithms = 'secrets' in rules.keys ? ['HS256'] : KEY_ALGORITHMS;
  const refusal = refuseHeader(token, algorithms);
  if (refusal) return { refusal };
  const verified = await verifyToken(token, rules.keys, algorithms, now);
  return 'refusal' in verified ? verified : checkClaims(verified.payload, rules, now);
}

function refuseHeader(token: string, algorithms: readonly string[]): LocalizedMessage | null {
  try {
    const { alg } = decodeProtectedHeader(token);
    if (alg !== undefined && algorithms.includes(alg)) return null;
    return msg('tokenAlgorithmWrong', makeExcerpt(String(alg), 20), algorithms.join(', '));
  } catch {
    return msg('tokenNotJwt');
  }
}

type Verified = { payload: JWTPayload } | { refusal: LocalizedMessage };

/** The refusal that newer published keys may resolve; others do not depend on the keys. */
export const UNKNOWN_KEY = msg('tokenKeyUnknown');

const WRONG_SIGNATURE = msg('tokenSignatureWrong');

async function verifyToken(
  token: string,
  keys: TokenRules['keys'],
  algorithms: string[],
  now: number,
): Promise<Verified> {
  const options = { algorithms, clockTolerance: LEEWAY_S, currentDate: new Date(now) };
  if ('jwks' in keys) return verifyWith(() => jwtVerify(token, createLocalJWKSet(keys.jwks), options), now);
  let verified: Verified = { refusal: msg('tokenNoSecret') };
  for (const secret of keys.secrets) {
    verified = await verifyWith(() => jwtVerify(token, new TextEncoder().encode(secret), options), now);
    if ('payload' in verified || verified.refusal !== WRONG_SIGNATURE) return verified;
  }
  return verified;
}

async function verifyWith(verify: () => Promise<{ payload: JWTPayload }>, now: number): Promise<Verified> {
  try {
    return await verify();
  } catch (error) {
    return { refusal: wordsOf(error, now) };
  }
}

function wordsOf(error: unknown, now: number): LocalizedMessage {
  if (error instanceof errors.JWTExpired) {
    const ago = Math.round(now / SECOND_MS) - Number(error.payload.exp);
    return msg('tokenExpired', ago);
  }
  if (error instanceof errors.JWTClaimValidationFailed) {
    const wait = Number(error.payload.nbf) - Math.round(now / SECOND_MS);
    if (error.claim === 'nbf' && Number.isFinite(wait)) return msg('tokenNotYetValid', wait);
    return msg('tokenClaimNotTime', error.claim);
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) return WRONG_SIGNATURE;
  if (error instanceof errors.JWKSNoMatchingKey) return UNKNOWN_KEY;
  if (error instanceof errors.JWKSMultipleMatchingKeys) {
    return msg('tokenKeyAmbiguous');
  }
  if (error instanceof errors.JOSEError) return quote(makeExcerpt(error.message, 200));
  return msg('tokenUnreadable');
}

function checkClaims(claims: JWTPayload, rules: TokenRules, now: number): TokenCheck {
  const { exp, iat } = claims;
  if (exp === undefined && !rules.isExpiryOptional) {
    return {
      refusal: msg('tokenNoExpiry'),
    };
  }
  if (iat !== undefined && !(typeof iat === 'number' && iat <= now / SECOND_MS + LEEWAY_S)) {
    return { refusal: msg('tokenIssuedInFuture') };
  }
  const id = readId(claims);
  if (id === null) {
    return {
      refusal: msg('tokenNoUserId', MAX_ID),
    };
  }
  const notes: LocalizedMessage[] = [];
  if (exp !== undefined && exp > now / SECOND_MS + YEAR_S) {
    notes.push(msg('tokenValidTooLong'));
  }
  const { locale } = claims;
  return {
    person: {
      id,
      profile: readProfile(claims, notes),
      attributes: readAttributes(claims, rules.attributeClaims),
      companies: readCompanies(claims, notes),
      locale: typeof locale === 'string' ? locale.slice(0, 35) : null,
      role: readRole(claims, rules.isRoleAllowed, notes),
      jti: readName(claims.jti),
      expires: exp ?? null,
      notes,
    },
  };
}

/** `1` and `"1"` are the same user; numbers too large to be distinguished are invalid. */
function readId(claims: JWTPayload): string | null {
  const value = [claims.id, claims.sub, claims.userId].find(
    (each) => each !== undefined && each !== null && each !== '',
  );
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : null;
  if (typeof value !== 'string') return null;
  return value.length <= MAX_ID ? findableText(value, MAX_ID) || null : null;
}

/** What makes a token the only one of its name, whatever type it has. */
function readName(jti: unknown): string | null {
  return jti == null || jti === '' ? null : JSON.stringify(jti);
}

function readProfile(claims: JWTPayload, notes: LocalizedMessage[]): Profile {
  const name = readText(claims.name, MAX_NAME);
  const email = readAddress(claims.email, notes);
  const picture = claims.imageUrl ?? claims.avatarURL ?? claims.avatarUrl ?? claims.profilePicture;
  const imageUrl = readPicture(picture, notes);
  return { ...(name && { name }), ...(email && { email }), ...(imageUrl && { imageUrl }) };
}

function readText(value: unknown, max: number): string | null {
  return typeof value === 'string' ? fitLine(value, max) : null;
}

function readAddress(value: unknown, notes: LocalizedMessage[]): string | null {
  if (value === undefined || value === null || value === '') return null;
  try {
    return requireMailAddress(typeof value === 'string' ? value : '');
  } catch {
    notes.push(msg('tokenEmailIgnored'));
    return null;
  }
}

function readPicture(value: unknown, notes: LocalizedMessage[]): string | null {
  if (value === undefined || value === null || value === '') return null;
  const url = typeof value === 'string' && value.length <= 2_048 ? URL.parse(value) : null;
  if (url && /^https?:$/.test(url.protocol)) return url.href.length <= 2_048 ? url.href : null;
  notes.push(msg('tokenPictureIgnored'));
  return null;
}

function readRole(claims: JWTPayload, isAllowed: boolean, notes: LocalizedMessage[]): TokenPerson['role'] {
  const value = claims.noltUserRole ?? claims.role;
  if (value === undefined || value === null || value === '') return null;
  const role = (['MEMBER', 'MODERATOR', 'ADMIN'] as const).find(
    (known) => known === String(value).slice(0, 20).toUpperCase(),
  );
  if (!role) notes.push(msg('tokenRoleIgnored'));
  else if (!isAllowed) notes.push(msg('tokenRoleNotAllowed'));
  return (isAllowed && role) || null;
}

function readAttributes(claims: JWTPayload, names: readonly string[]): TokenPerson['attributes'] {
  const kept = names.flatMap((name): [string, string | number | boolean][] => {
    const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
    if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return [[name, value]];
    return typeof value === 'string' ? [[name, readText(value, MAX_ATTRIBUTE) ?? '']] : [];
  });
  return Object.fromEntries(kept);
}
