import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import { MINUTE_MS, SECOND_MS } from '../../../platform/lib/clock.ts';
import { printable } from '../../../platform/texts/text.ts';
import { askJson, describeSilence, type Json } from './asking.ts';
import type { Metadata, TokenAuth } from './discovery.ts';
import { describeIssuers, ProviderFault } from './fault.ts';

export type Client = { clientId: string; clientSecret: string };
/** What the token endpoint gives for a code. */
export type Tokens = { idToken: string; accessToken: string };
/** The keys of a provider, as `jose` keeps them. */
export type Keys = ReturnType<typeof createRemoteJWKSet>;
/** What a code is exchanged with. */
export type Exchange = { code: string; codeVerifier?: string | undefined; redirectURI: string };

/** How far the clocks of two servers may be apart. */
const LEEWAY_S = MINUTE_MS / SECOND_MS;
const MAX_TOKEN = 200_000;

/** Exchanges a code for tokens. @throws ProviderFault */
export async function exchangeCode(metadata: Metadata, client: Client, exchange: Exchange): Promise<Tokens> {
  const { tokenUrl, tokenAuth } = metadata;
  let refused = '';
  for (const auth of tokenAuth) {
    const { status, json } = await askJson(tokenUrl, makeRequest(client, exchange, auth));
    if (status === 200 && json) return requireTokens(json, tokenUrl);
    refused ||= `${tokenUrl} responded with ${status}${describeRefusal(json, client)}`;
    if (json?.error !== 'invalid_client' && json?.error !== 'unauthorized_client' && status !== 401) {
      throw new ProviderFault(refused, { kind: status >= 500 ? 'unreachable' : isUsed(json) ? 'once' : 'setup' });
    }
  }
  throw new ProviderFault(`OIDC_CLIENT_ID or OIDC_CLIENT_SECRET is not accepted: ${refused}`);
}

/** Whether a code was used or has expired: the visitor has gone back, or waited too long. */
function isUsed(json: Json | null): boolean {
  return json?.error === 'invalid_grant';
}

function makeRequest({ clientId, clientSecret }: Client, exchange: Exchange, auth: TokenAuth): RequestInit {
  const { code, codeVerifier, redirectURI } = exchange;
  const body = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: redirectURI });
  if (codeVerifier) body.set('code_verifier', codeVerifier);
  const headers: Record<string, string> = {};
  if (auth === 'basic') {
    const pair = [clientId, clientSecret].map(encodeForm).join(':');
    headers.authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
  } else {
    body.set('client_id', clientId);
    body.set('client_secret', clientSecret);
  }
  // A redirect would take the secret elsewhere.
  return { method: 'POST', redirect: 'error', headers, body };
}

/** As RFC 6749, section 2.3.1, demands. */
function encodeForm(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}

function requireTokens({ id_token, access_token }: Json, url: string): Tokens {
  const accessToken = typeof access_token === 'string' ? access_token : '';
  if (typeof id_token === 'string' && id_token.length <= MAX_TOKEN) return { idToken: id_token, accessToken };
  throw new ProviderFault(`${url} sent no ID token: allow the scope openid for the client at the provider`);
}

/** What a provider says of its refusal, without the secret of the client. */
function describeRefusal(json: Json | null, { clientSecret }: Client): string {
  const words = [json?.error, json?.error_description].filter((each) => typeof each === 'string');
  return words.length === 0 ? '' : `: ${printable(words.join(', ').replaceAll(clientSecret, '[secret]'), 300)}`;
}

/** The keys that a provider publishes; they are read again when a token names an unknown one. */
export function makeKeys({ keysUrl }: Metadata): Keys | null {
  return keysUrl === null ? null : createRemoteJWKSet(new URL(keysUrl));
}

/**
 * Verifies an ID token (OpenID Connect Core 1.0, section 3.1.3.7).
 * @returns its claims
 * @throws ProviderFault
 */
export async function verifyIdToken(
  { idToken }: Tokens,
  { metadata, keys, client, nonce }: { metadata: Metadata; keys: Keys | null; client: Client; nonce: string },
): Promise<JWTPayload & { sub: string }> {
  const options = {
    issuer: metadata.issuer,
    audience: client.clientId,
    algorithms: [...metadata.algorithms],
    requiredClaims: ['iss', 'sub', 'aud', 'exp', 'iat'],
    clockTolerance: LEEWAY_S,
  };
  try {
    // Some providers sign with the secret of the client unless they are given a key of their own.
    const isSymmetric = decodeProtectedHeader(idToken).alg?.startsWith('HS') === true;
    const { payload } = isSymmetric
      ? await jwtVerify(idToken, new TextEncoder().encode(client.clientSecret), options)
      : await jwtVerify(idToken, requireKeys(keys, metadata), options);
    if (payload.nonce !== nonce)
      throw new ProviderFault('The ID token is that of another sign-in (nonce)', { kind: 'once' });
    return { ...payload, sub: requireSubject(payload) };
  } catch (error) {
    if (error instanceof ProviderFault) throw error;
    if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)) {
      throw new ProviderFault(describeInvalid(error, idToken, metadata), { cause: error });
    }
    throw new ProviderFault(describeSilence(error, metadata.keysUrl ?? metadata.issuer), {
      kind: 'unreachable',
      cause: error,
    });
  }
}

function requireKeys(keys: Keys | null, { issuer }: Metadata): Keys {
  if (keys) return keys;
  throw new ProviderFault(`The discovery document of ${issuer} has no jwks_uri, so its ID tokens cannot be verified`);
}

function requireSubject({ sub }: JWTPayload): string {
  if (typeof sub === 'string' && sub.trim() !== '' && sub.length <= 255) return sub;
  throw new ProviderFault('The ID token has no sub of 1 to 255 characters');
}

/** Why an ID token is not accepted, and what to change where that is known. */
function describeInvalid(error: errors.JOSEError, idToken: string, { issuer, keysUrl, algorithms }: Metadata): string {
  const { claim } = error as errors.JOSEError & { claim?: string };
  const prefix = 'The ID token is not accepted: ';
  if (claim === 'iss') return prefix + describeIssuers(String(decodeJwt(idToken).iss), issuer);
  if (claim === 'aud') return `${prefix}it is for another client than OIDC_CLIENT_ID`;
  if (error instanceof errors.JWTExpired || claim === 'nbf' || claim === 'exp') {
    return `${prefix}${claim ?? 'exp'} is more than ${LEEWAY_S} s off: check the clocks of this server and of the provider`;
  }
  if (error instanceof errors.JOSEAlgNotAllowed) {
    const { alg } = decodeProtectedHeader(idToken);
    return `${prefix}it is signed with ${printable(String(alg))}, and the provider announces ${printable(algorithms.join(', '))}`;
  }
  if (error instanceof errors.JWKSNoMatchingKey)
    return `${prefix}${keysUrl} does not have the key that it is signed with`;
  return `${prefix}${printable(error.message, 300)} (keys: ${keysUrl})`;
}
