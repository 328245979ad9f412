import { badRequest } from '../../platform/errors.ts';
import { makeAddressRules } from '../../webhooks/http/address.ts';
import { headerOf } from '../../webhooks/http/busy.ts';
import { makeDialler } from '../../webhooks/http/dial.ts';
import type { Dial } from '../../webhooks/http/exchange.ts';
import { type Sender, senderHeaders } from '../../webhooks/http/sender.ts';

const MAX_ADDRESSES = 10;
const MAX_ADDRESS = 1_000;
const MAX_NAME = 200;

/** Apps that have a scheme of their own, which is no reversed name of a domain, as RFC 8252 (§7.1) asks for. */
const APPS = new Set(
  'claude cursor vscode vscode-insiders vscodium windsurf kiro zed warp raycast lmstudio goose jetbrains'.split(' '),
);

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** What is used of the metadata of a client. */
export type ClientMetadata = {
  client_name?: string;
  redirect_uris: string[];
  application_type: 'web' | 'native';
  token_endpoint_auth_method: 'none';
  grant_types: string[];
  response_types: string[];
};

/**
 * The metadata of a client with what is used of it. What it asks for besides, it is told that it does not get, as RFC 7591
 * (§3.2.1) has it: secrets, other grants.
 * @throws BAD_REQUEST
 */
export function readMetadata(text: string): ClientMetadata {
  const { redirect_uris: addresses, client_name: name } = parseObject(text);
  if (!Array.isArray(addresses) || addresses.length === 0 || addresses.length > MAX_ADDRESSES)
    throw badRequest(`redirect_uris must be a list of 1 to ${MAX_ADDRESSES} addresses`, 'redirect_uris');
  const urls = addresses.map((address) => (String(address).length > MAX_ADDRESS ? null : URL.parse(String(address))));
  if (!urls.every((url) => url !== null && isRedirect(url)))
    throw badRequest(
      'redirect_uris must be https addresses, http addresses of this device, or those of an app: of a known one, or with a reversed domain name as their scheme',
      'redirect_uris',
    );
  return {
    ...(typeof name === 'string' && { client_name: name.slice(0, MAX_NAME) }),
    redirect_uris: addresses.map(String),
    application_type: urls.every((url) => url?.protocol === 'https:') ? 'web' : 'native',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const sent = JSON.parse(text);
    if (typeof sent === 'object' && sent !== null && !Array.isArray(sent)) return sent;
  } catch {}
  throw badRequest('The body must be a JSON object');
}

/** Some schemes lead on to a website, as `microsoft-edge:` does: only those of apps are taken. */
function isRedirect({ protocol, hostname, hash, username, password }: URL): boolean {
  if (hash !== '' || username !== '' || password !== '') return false;
  if (protocol === 'https:') return true;
  if (protocol === 'http:') return LOOPBACK.includes(hostname);
  const scheme = protocol.slice(0, -1);
  return scheme.includes('.') || APPS.has(scheme);
}

/** Where an answer to a client goes, as the owner is told. */
export function describeTarget(address: string): { host: string; isOnThisDevice: boolean } | null {
  const target = URL.parse(address);
  if (!target) return null;
  const isOnWeb = target.protocol === 'https:' || target.protocol === 'http:';
  const isOnThisDevice = !isOnWeb || LOOPBACK.includes(target.hostname);
  return { host: isOnWeb ? target.host : target.protocol.slice(0, -1), isOnThisDevice };
}

/** What reads the metadata of clients: it goes to the public internet alone, whatever webhooks may reach. Anyone can ask for it. */
export function makeMetadataDial({ resolve }: Pick<Sender, 'resolve'>): Dial {
  return makeDialler({ rules: makeAddressRules([]), resolve });
}

/**
 * Reads the metadata of a client from its address.
 * @returns what is used of it, as a response that says how long it may be kept
 * @throws if it cannot be read, or is none
 */
export async function fetchMetadata(dial: Dial, version: string, url: string): Promise<Response> {
  const { answer } = await dial({
    method: 'GET',
    url,
    headers: { ...senderHeaders(version), Accept: 'application/json' },
  });
  if (!answer || answer.isCut || answer.status !== 200) throw new Error('The metadata of the client cannot be read');
  const text = Buffer.from(answer.body).toString('utf8');
  // Whose metadata it is, oidc-provider compares with the address.
  const body = { ...readMetadata(text), client_id: JSON.parse(text).client_id };
  const kept = headerOf(answer, 'cache-control');
  return Response.json(body, { headers: kept === '' ? {} : { 'cache-control': kept } });
}
