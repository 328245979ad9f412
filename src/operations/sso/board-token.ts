import { decryptSsoSecrets, findSsoSettings, type SsoSettingsRow } from '../../identity/sso/settings.ts';
import { checkToken, type TokenCheck, type TokenRules, UNKNOWN_KEY } from '../../identity/sso/token.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import type { Cipher } from '../../platform/lib/cipher.ts';
import { msg } from '../../platform/messages.ts';
import type { PublishedKeys } from './published-keys.ts';

/** What is needed to check tokens of boards. */
export type TokenKeys = { cipher: Cipher; published: PublishedKeys };

const NO_SSO = msg('ssoIsOff');

/** The refusal of every token without a board; outsiders of a private board get the same, whatever is wrong with theirs. */
export const REFUSED = msg('ssoLinkInvalid');

/** Checks a token by the settings of a board. */
export async function checkBoardToken(context: RequestContext, keys: TokenKeys, token: string): Promise<TokenCheck> {
  const settings = await findSsoSettings(context.db.read, context.board.id);
  if (!settings) return { refusal: NO_SSO };
  if (settings.algorithm === 'HS256') {
    return check(context, settings, { secrets: decryptSsoSecrets(keys.cipher, settings) }, token);
  }
  const url = settings.jwks_url;
  if (!url) return { refusal: msg('ssoNoJwksUrl') };
  const checkWith = async (isStale: boolean) => {
    const { jwks, refusal } = await keys.published.read(url, isStale);
    return jwks ? check(context, settings, { jwks }, token) : { refusal };
  };
  const result = await checkWith(false);
  return result.refusal === UNKNOWN_KEY ? checkWith(true) : result;
}

function check(
  { clock }: RequestContext,
  { is_expiry_optional, is_role_allowed, attribute_claims }: SsoSettingsRow,
  keys: TokenRules['keys'],
  token: string,
): Promise<TokenCheck> {
  const attributeClaims = attribute_claims.split(' ').filter(Boolean);
  const rules = { isExpiryOptional: is_expiry_optional === 1, isRoleAllowed: is_role_allowed === 1, attributeClaims };
  return checkToken(token, { keys, ...rules }, clock.now());
}
