import { generateKeyPairSync, hkdfSync } from 'node:crypto';
import { type Configuration, errors, interactionPolicy, type JWK, Provider } from 'oidc-provider';
import { cookiePath } from '../../platform/http/cookie.ts';
import { networkOf } from '../../platform/http/ip.ts';
import { prefixOf } from '../../platform/http/prefix.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';
import type { Sender } from '../../webhooks/http/sender.ts';
import { makeRecords } from './adapter.ts';
import { AGENT_PATHS, BEGUN_COOKIE, MAX_BEGUN, readBegun, SCOPES } from './paths.ts';
import type { RecordDeps } from './records.ts';

export type ProviderDeps = RecordDeps & {
  baseUrl: string;
  secretKey: string;
  sender: Pick<Sender, 'resolve' | 'version'>;
  log: Logger;
  /** Whether an agent, named by the id of its key, may still have tokens. */
  isConnected(agentId: string): Promise<boolean>;
  /** Counts the fetch of a client's own metadata. @throws RATE_LIMIT_EXCEEDED */
  countFetch(network: string): void;
  /** Reads that metadata; what was read of a connected client, if it cannot be read now. @throws if there is none */
  fetchMetadata(url: string): Promise<Response>;
  /** Whether a client is connected, whose metadata is then known. */
  isKnown(clientId: string): Promise<boolean>;
};

const seconds = (ms: number) => ms / SECOND_MS;

/** How long the owner may take to decide, and how long what they allow lasts. An access token cannot outlive its key. */
const LIVES = {
  Interaction: seconds(HOUR_MS),
  AuthorizationCode: seconds(MINUTE_MS),
  AccessToken: seconds(HOUR_MS),
  // Prolonged with each use.
  RefreshToken: seconds(90 * DAY_MS),
  Grant: seconds(365 * DAY_MS),
  Session: seconds(MINUTE_MS),
} as const;

/**
 * The authorization server for agents: OAuth 2.1 with PKCE for everyone, clients that register themselves (RFC 7591) or are
 * named by the address of their metadata, tokens for the address of the agents' endpoint alone (RFC 8707), as
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization asks for. All clients are public ones: what
 * they could keep secret, they were told over the same connection.
 */
export function makeProvider(deps: ProviderDeps): Provider {
  const { baseUrl, secretKey, isConnected } = deps;
  const resource = baseUrl + AGENT_PATHS.resource;
  const isSecure = baseUrl.startsWith('https:');
  const cookie = { httpOnly: true, sameSite: 'lax', secure: isSecure } as const;
  const provider = new Provider(baseUrl, {
    adapter: (model: string) => makeRecords(deps, model),
    clientAuthMethods: ['none'],
    clientBasedCORS: () => true,
    clientDefaults: {
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      id_token_signed_response_alg: 'ES256',
    },
    cookies: {
      keys: [Buffer.from(hkdfSync('sha256', secretKey, '', 'earshot agents', 32)).toString('base64url')],
      names: { interaction: 'earshot.agent.page', resume: 'earshot.agent.resume', session: 'earshot.agent.none' },
      long: cookie,
      short: cookie,
    },
    expiresWithSession: () => false,
    features: featuresOf(deps, resource),
    fetch: (url) => deps.fetchMetadata(String(url)),
    findAccount: async (_, id) =>
      (await isConnected(id)) ? { accountId: id, claims: () => ({ sub: id }) } : undefined,
    interactions: interactionsOf(deps, cookie),
    issueRefreshToken: () => true,
    // Nothing is signed with it: it saves a warning, and a key that everyone knows.
    jwks: {
      keys: [{ ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }) } as JWK],
    },
    pkce: { required: () => true },
    renderError(context, { error, error_description: description = '' }) {
      context.redirect(
        `${baseUrl}${AGENT_PATHS.connect}?${new URLSearchParams({ error, error_description: description })}`,
      );
    },
    responseTypes: ['code'],
    rotateRefreshToken: () => true,
    routes: AGENT_PATHS.routes,
    scopes: [],
    ttl: LIVES,
  });
  provider.on('server_error', (_, err) => deps.log.error({ err }, 'The sign-in of an agent failed'));
  // It is told in which form requests came in; errors are in the log.
  return Object.assign(provider, { proxy: true, silent: true });
}

function featuresOf(deps: ProviderDeps, resource: string): Configuration['features'] {
  return {
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    userinfo: { enabled: false },
    revocation: { enabled: true },
    registration: { enabled: true, issueRegistrationAccessToken: false },
    clientIdMetadataDocument: {
      enabled: true,
      ack: 'draft-02',
      async allowFetch({ ip }, clientId) {
        if (await deps.isKnown(clientId)) return true;
        try {
          deps.countFetch(networkOf(ip));
        } catch {
          throw new errors.TemporarilyUnavailable('too many clients are read: try again in a minute');
        }
        return true;
      },
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => resource,
      useGrantedResource: () => true,
      getResourceServerInfo(_, asked) {
        if (asked !== resource) throw new errors.InvalidTarget();
        return { scope: SCOPES.join(' '), audience: resource, accessTokenFormat: 'opaque' };
      },
    },
  };
}

/** Leads to the page on which the owner decides, and remembers in which browser. */
function interactionsOf({ baseUrl }: ProviderDeps, cookie: object): Configuration['interactions'] {
  return {
    policy: [alwaysAsk()],
    url({ cookies }, { uid }) {
      const begun = [uid, ...readBegun(cookies.get(BEGUN_COOKIE, { signed: false }))].slice(0, MAX_BEGUN);
      const lasting = { ...cookie, path: cookiePath(baseUrl), maxAge: LIVES.Interaction * SECOND_MS, signed: false };
      cookies.set(BEGUN_COOKIE, begun.join('.'), lasting);
      return `${prefixOf(baseUrl)}${AGENT_PATHS.connect}/${uid}`;
    },
  };
}

/** The owner decides each time: a browser that has allowed one agent has not allowed another. */
function alwaysAsk() {
  const { Prompt, Check } = interactionPolicy;
  const check = new Check('undecided', 'The owner of the board has to decide', ({ oidc }) =>
    oidc.result?.login ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
  );
  return new Prompt({ name: 'login', requestable: false }, check);
}
