/** Where agents sign in, below `BASE_URL`. */
export const AGENT_PATHS = {
  /** What tokens are for: the endpoint of the Model Context Protocol. */
  resource: '/api/v1/mcp',
  /** The page on which the owner of a board decides. */
  connect: '/connect',
  routes: {
    authorization: '/oauth/authorize',
    token: '/oauth/token',
    registration: '/oauth/register',
    revocation: '/oauth/revoke',
    jwks: '/oauth/jwks',
  },
  /** Where clients look for how to sign in (RFC 8414, OpenID Connect Discovery). */
  metadata: ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'],
  /** Where they look for who signs them in to the endpoint (RFC 9728). */
  resourceMetadata: '/.well-known/oauth-protected-resource/api/v1/mcp',
} as const;

/** What an agent can ask for: to read, and to change something. */
export const SCOPES = ['read', 'write'] as const;

/** The cookie with the requests that a browser has begun, the newest first: only that browser may decide on them. */
export const BEGUN_COOKIE = 'earshot.agents';
export const MAX_BEGUN = 4;

/** The requests that the cookie of a browser names. */
export function readBegun(cookie: string | null | undefined): string[] {
  return (cookie ?? '').split('.', MAX_BEGUN).filter(Boolean);
}
