import { printable } from '../../../platform/texts/text.ts';
import { askJson, type Json } from './asking.ts';
import { ProviderFault } from './fault.ts';

/** How a client proves at the token endpoint who it is. */
export type TokenAuth = 'basic' | 'post';

/** What a provider says of itself. */
export type Metadata = {
  issuer: string;
  authorizationUrl: string;
  tokenUrl: string;
  userinfoUrl: string | null;
  keysUrl: string | null;
  /** The algorithms that ID tokens may be signed with. */
  algorithms: readonly string[];
  /** The ways to be tried, the likeliest first. */
  tokenAuth: readonly TokenAuth[];
};

/** What a provider must support (OpenID Connect Discovery 1.0, section 3). */
const DEFAULT_ALGORITHMS = ['RS256'];

/** Reads the discovery document of an issuer. @throws ProviderFault */
export async function discover(issuer: string): Promise<Metadata> {
  const url = `${issuer}/.well-known/openid-configuration`;
  const { status, json } = await askJson(url);
  if (status !== 200 || !json) {
    const body = json ? '' : ' without a JSON object';
    throw new ProviderFault(`OIDC_ISSUER must be an OpenID issuer: ${url} responded with ${status}${body}`, {
      kind: status >= 500 ? 'unreachable' : 'setup',
    });
  }
  const stated = requireString(json, 'issuer', url);
  if (/[{}]/.test(stated)) throw new ProviderFault(manyTenants(issuer, stated));
  return {
    issuer: stated,
    authorizationUrl: requireUrl(json, 'authorization_endpoint', url),
    tokenUrl: requireUrl(json, 'token_endpoint', url),
    userinfoUrl: json.userinfo_endpoint == null ? null : requireUrl(json, 'userinfo_endpoint', url),
    keysUrl: json.jwks_uri == null ? null : requireUrl(json, 'jwks_uri', url),
    algorithms: readStrings(json.id_token_signing_alg_values_supported) ?? DEFAULT_ALGORITHMS,
    tokenAuth: readTokenAuth(json.token_endpoint_auth_methods_supported),
  };
}

/** Tokens name the tenant that issued them, which may be anyone's: Microsoft's `common` and `organizations`. */
function manyTenants(issuer: string, stated: string): string {
  return (
    `OIDC_ISSUER ${issuer} stands for many tenants, since it calls itself ${printable(stated, 200)}: name one tenant, as in ` +
    'https://login.microsoftonline.com/<tenant id>/v2.0'
  );
}

function requireUrl(json: Json, name: string, url: string): string {
  const text = requireString(json, name, url);
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new ProviderFault(`${name} at ${url} is not an http or https address`);
}

function requireString(json: Json, name: string, url: string): string {
  const value = json[name];
  if (typeof value === 'string' && value !== '' && value.length <= 2_000) return value;
  throw new ProviderFault(`OIDC_ISSUER must be an OpenID issuer: ${url} has no ${name}`);
}

function readStrings(value: unknown): string[] | null {
  const strings = Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
  return strings.length > 0 ? strings : null;
}

/**
 * A provider may list a way that it does not allow this client, so both are always tried; without a list, the standard
 * demands `client_secret_basic`.
 */
function readTokenAuth(value: unknown): readonly TokenAuth[] {
  return (readStrings(value) ?? []).includes('client_secret_post') ? ['post', 'basic'] : ['basic', 'post'];
}
