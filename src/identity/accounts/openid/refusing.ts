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
  if (email === null)
    return { words: msg`${name} does not tell the email address of your account`, hint: hintAtClaim(elsewhere, name) };
  if (!isUsable(email)) return { words: msg`The email address of your account there cannot be used here`, hint: null };
  if (isConfirmed === false) {
    return {
      words: UNCONFIRMED,
      hint: msg`${name} says that the address is not confirmed (email_verified). docs/configuration.md has what to change at which provider.`,
    };
  }
  if (isConfirmed === true || trustsEmail) return null;
  return {
    words: msg`${name} does not say whether your email address is confirmed`,
    hint: msg`Set OIDC_TRUST_EMAIL=on if ${name} confirms every address.`,
  };
}

/** Also for the providers that need no settings of this kind. */
export const UNCONFIRMED = msg`Your account there has no confirmed email address: confirm it, then try again`;

function hintAtClaim(claim: string | null, name: string): LocalizedMessage {
  if (claim === null) return msg`Allow the scope email for the client at ${name}.`;
  return msg`The claim ${claim} has an address. Set OIDC_EMAIL_CLAIM=${claim}, and OIDC_TRUST_EMAIL=on if ${name} confirms every address.`;
}

/** An address outside ASCII is none: in lower case, which better-auth compares, it could be that of someone else. */
function isUsable(email: string): boolean {
  return /^[!-~]+$/.test(email) && isAccountAddress(email.toLowerCase());
}
