import { findBoardByDomain } from '../../identity/board/board.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import { badRequest, conflict } from '../../platform/errors.ts';
import type { Cipher } from '../../platform/lib/cipher.ts';
import { msg } from '../../platform/messages.ts';
import { guessKind, type WebhookKind } from '../chat/kinds.ts';
import { type Endpoint, NOT_ALLOWED, parseEndpoint } from '../http/endpoint.ts';
import type { Sender } from '../http/sender.ts';
import { filterColumns, joinEvents } from '../webhook/filters.ts';
import {
  type CheckedAddress,
  canSign,
  encryptSecret,
  insertWebhook,
  requireSecret,
  requireWebhook,
  requireWebhookForChange,
  setWebhook,
  urlColumns,
  type WebhookConfig,
  type WebhookRow,
} from '../webhook/webhooks.ts';
import { CHANGED_MEANWHILE, nextDate, requireUnchanged, type Verified, verifyRow } from './enabling.ts';

/**
 * Adds a webhook, disabled. With the id of an existing one nothing is added, and that one is returned.
 * @throws BAD_REQUEST if the URL may not be used
 */
export async function createWebhook(
  context: RequestContext,
  sender: Sender,
  config: WebhookConfig & { id?: string },
): Promise<WebhookRow> {
  const { url, ...rest } = config;
  const kind = config.kind ?? guessKind(url);
  return insertWebhook(context, sender.cipher, await checkAddress(context, sender, url, kind), { ...rest, kind });
}

/** Changes to a webhook; omitted properties stay unchanged, null removes a secret. */
export type WebhookChanges = Partial<Omit<WebhookConfig, 'kind'>> & {
  /** Whether a new signing secret takes effect immediately, without waiting for the receiver to accept it. */
  replacesSecretNow?: boolean;
  /** `date_updated` of the version that was changed: if it is not the latest, nothing changes. */
  version?: number;
};

/**
 * Changes a webhook. If it is enabled, a new URL or token is verified first, and nothing changes if that fails; a new
 * signing secret is pending until the receiver has accepted it, unless the old one can no longer be decrypted.
 */
export async function updateWebhook(
  context: RequestContext,
  sender: Sender,
  id: string,
  changes: WebhookChanges,
): Promise<Verified> {
  const before = await requireWebhook(context.db.read, context.board.id, id);
  const { url, verifyToken, events, version = before.date_updated } = changes;
  if (version !== before.date_updated) throw conflict(CHANGED_MEANWHILE);
  const columns: Partial<WebhookRow> = {
    ...(url !== undefined && (await addressColumns(context, sender, before, url))),
    ...(verifyToken !== undefined && tokenColumn(sender.cipher, before, verifyToken)),
    ...(events !== undefined && { events: joinEvents(events, before.kind) }),
    ...(await filterColumns(context.db.read, context.board.id, changes)),
    ...secretColumns(sender.cipher, before, changes),
  };
  const isReverified = before.state !== 'disabled' && (url !== undefined || verifyToken !== undefined);
  const verification = isReverified ? await verifyRow(context, sender, { ...before, ...columns }) : null;
  if (verification && verification.kind !== 'verified') return { webhook: before, verification };
  const webhook = await context.db.transaction(async (tx) => {
    const row = await requireUnchanged(tx, before);
    return setWebhook(tx, row, { ...columns, date_updated: nextDate(row, context) });
  });
  return { webhook, verification };
}

/**
 * Ends the time in which two signing secrets are in use: `adopt` revokes the old one immediately, `discard` the new
 * one. Without a pending secret nothing changes.
 */
export async function settlePending(
  context: RequestContext,
  id: string,
  how: 'adopt' | 'discard',
): Promise<WebhookRow> {
  return context.db.transaction(async (tx) => {
    const row = await requireWebhookForChange(tx, context.board.id, id);
    if (row.pending_secret === null) return row;
    const secret = how === 'adopt' ? row.pending_secret : row.signing_secret;
    return setWebhook(tx, row, { signing_secret: secret, pending_secret: null, date_updated: nextDate(row, context) });
  });
}

const REFUSED = msg('webhookAddressRefused');

/**
 * Checks a URL as every request will: its text, then the addresses of its host. A name that cannot be resolved now may
 * be set up later; the verification will show.
 */
async function checkAddress(
  context: RequestContext,
  { rules, resolve }: Sender,
  url: string,
  kind: WebhookKind,
): Promise<CheckedAddress> {
  const { endpoint, refusal } = parseEndpoint(url, rules);
  if (!endpoint) throw badRequest(refusal.text === NOT_ALLOWED ? REFUSED : refusal, 'url');
  if (kind === 'REST_HOOK' && !endpoint.isHttps) throw badRequest(msg('webhookNeedsHttps'), 'url');
  if (await isOurs(context, endpoint)) {
    throw badRequest(msg('webhookUrlOfBoard'), 'url');
  }
  const { fault } = await resolve(endpoint);
  if (fault?.kind === NOT_ALLOWED) throw badRequest(REFUSED, 'url');
  return { url: endpoint.url, host: endpoint.host };
}

/** Whether a URL belongs to this server: under its own name, or a board's custom domain. */
async function isOurs({ db, baseUrl }: RequestContext, { url, host, port }: Endpoint): Promise<boolean> {
  const [own, asked] = [new URL(baseUrl), new URL(url)];
  if (own.origin === asked.origin) return true;
  const isUsualPort = port === 80 || port === 443;
  if (!isUsualPort) return false;
  return (own.port === '' && own.hostname === host) || (await findBoardByDomain(db.read, host)) !== null;
}

async function addressColumns(
  context: RequestContext,
  sender: Sender,
  before: WebhookRow,
  given: string,
): Promise<Partial<WebhookRow>> {
  const { url, host } = await checkAddress(context, sender, given, before.kind);
  return { ...urlColumns(sender.cipher, before, url), host };
}

function tokenColumn(cipher: Cipher, { id, kind }: WebhookRow, token: string | null): Partial<WebhookRow> {
  requireSecret(token, 'verifyToken', kind);
  return { verify_token: encryptSecret(cipher, id, 'verify_token', token) };
}

function secretColumns(cipher: Cipher, before: WebhookRow, changes: WebhookChanges): Partial<WebhookRow> {
  const { signingSecret, replacesSecretNow } = changes;
  if (signingSecret === undefined) return {};
  requireSecret(signingSecret, 'signingSecret', before.kind);
  const closed = encryptSecret(cipher, before.id, 'signing_secret', signingSecret);
  const needsProof = closed !== null && before.state !== 'disabled' && canSign(cipher, before);
  if (needsProof && !replacesSecretNow) return { pending_secret: closed };
  return { signing_secret: closed, pending_secret: null };
}
