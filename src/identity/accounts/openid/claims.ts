import type { OpenIdSettings } from '../../../platform/sign-in-settings.ts';
import { isAddressLike } from '../../../platform/texts/email.ts';
import type { Json } from './asking.ts';

/**
 * What a provider says of a person. `isConfirmed` is null if it does not say whether their address is; without an address,
 * `elsewhere` is the claim that looks like one.
 */
export type Person = {
  email: string | null;
  isConfirmed: boolean | null;
  elsewhere: string | null;
  /** The best name; empty if there is none. */
  name: string;
};

/** Claims that have an address at some provider. */
const ADDRESS_CLAIMS = ['email', 'emails', 'preferred_username', 'upn', 'unique_name'];

/**
 * Reads a person from the claims of an ID token and of the userinfo endpoint: each provider has its own idea of what is
 * where. The ID token comes first, because it is signed.
 */
export function readPerson(
  token: Json,
  userinfo: Json | null,
  { emailClaim }: Pick<OpenIdSettings, 'emailClaim'>,
): Person {
  const sources = userinfo ? [token, userinfo] : [token];
  const email = firstOf(sources, (claims) => readAddress(claims[emailClaim]));
  return {
    email,
    isConfirmed: email === null ? null : readConfirmed(sources, email, emailClaim),
    elsewhere: email === null ? findElsewhere(sources) : null,
    name: readName({ ...userinfo, ...token }),
  };
}

/**
 * Whether an address is confirmed, as both sources together say: what one of them says about another address does not
 * count, and one that denies it is believed.
 */
function readConfirmed(sources: readonly Json[], email: string, emailClaim: string): boolean | null {
  const verdicts = sources.map((claims) => {
    const verdict = readBoolean(claims.email_verified) ?? readBoolean(claims.xms_edov);
    const subject = readAddress(claims.email);
    const isAbout = subject === null ? emailClaim === 'email' : subject.toLowerCase() === email.toLowerCase();
    return verdict === true && !isAbout ? null : verdict;
  });
  if (verdicts.includes(false)) return false;
  return verdicts.includes(true) ? true : null;
}

function findElsewhere(sources: readonly Json[]): string | null {
  return ADDRESS_CLAIMS.find((name) => sources.some((claims) => readAddress(claims[name])?.includes('@'))) ?? null;
}

/** An address, or the first of a list, as Azure AD B2C sends them. */
function readAddress(value: unknown): string | null {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' && first.trim() !== '' ? first.trim() : null;
}

/** Some providers send booleans as strings or numbers. What is neither yes nor no is no. */
function readBoolean(value: unknown): boolean | null {
  if (value === undefined || value === null || value === '') return null;
  return /^(true|1)$/i.test(String(value));
}

/** Addresses are no names: some providers send one as `name`, and names are public here. */
function readName({ name, given_name, family_name, nickname, preferred_username }: Json): string {
  const whole = [given_name, family_name].filter((part) => typeof part === 'string').join(' ');
  const names = [name, whole, nickname, preferred_username].filter((each) => typeof each === 'string');
  return names.find((each) => each.trim() !== '' && !isAddressLike(each)) ?? '';
}

function firstOf<T>(sources: readonly Json[], read: (claims: Json) => T | null): T | null {
  for (const claims of sources) {
    const found = read(claims);
    if (found !== null) return found;
  }
  return null;
}
