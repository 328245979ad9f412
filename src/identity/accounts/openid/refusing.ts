import { type LocalizedMessage, msg } from '../../../platform/messages.ts';
import type { OpenIdSettings } from '../../../platform/sign-in-settings.ts';
import { isAccountAddress } from '../input.ts';
import type { Person } from './claims.ts';

/** Why a visitor is not signed in, in words for them, and what the operator can do about it, if anything. */
export type SignInRefusal = { words: LocalizedMessage; hint: LocalizedMessage | null };

/** Why a person of a provider cannot sign in; null if they can. */
export function findRefusal(
  { email, isConfirmed, elsewhere }: Person,
  { name, openid: { trustsEmail } }: { name: string; openid: OpenIdSettings },
): SignInRefusal | null {
  if (email === null) return { words: msg('providerTellsNoEmail', name), hint: hintAtClaim(elsewhere, name) };
  if (!isUsable(email)) return { words: msg('providerEmailUnusable'), hint: null };
  if (isConfirmed === false) {
    return {
      words: UNCONFIRMED,
      hint: msg('providerEmailUnconfirmed', name),
    };
  }
  if (isConfirmed === true || trustsEmail) return null;
  return {
    words: msg('providerSilentOnEmail', name),
    hint: msg('providerSetTrust', name),
  };
}

/** Also for the providers that need no settings of this kind. */
export const UNCONFIRMED = msg('providerNoConfirmedEmail');

function hintAtClaim(claim: string | null, name: string): LocalizedMessage {
  if (claim === null) return msg('providerAllowScope', name);
  return msg('providerSetClaim', claim, claim, name);
}

/** An address outside ASCII is none: in lower case, which better-auth compares, it could be that of someone else. */
function isUsable(email: string): boolean {
  return /^[!-~]+$/.test(email) && isAccountAddress(email.toLowerCase());
}
