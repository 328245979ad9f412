import type { Generated, Selectable } from 'kysely';
import { lockBoard } from '../../identity/board/board.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import type { Reader, Tx } from '../../platform/db/db.ts';
import { locked } from '../../platform/db/prepare.ts';
import { badRequest, conflict, notFound } from '../../platform/errors.ts';
import { type Cipher, DecryptionError } from '../../platform/lib/cipher.ts';
import { MINUTE_MS } from '../../platform/lib/clock.ts';
import { isId, makeId } from '../../platform/lib/ids.ts';
import { msg } from '../../platform/messages.ts';
import { countCharacters } from '../../platform/texts/text.ts';
import { hasSecretUrl, isChat, maskUrl, secretsInUrl, type WebhookKind } from '../chat/kinds.ts';
import { OTHER_KEY } from '../diagnosis/faults.ts';
import { type FilterConfig, filterColumns, joinEvents } from './filters.ts';
import { inFlightLimit, newHealth } from './health.ts';
import { type HealthTable, healthColumns, healthOf } from './health-columns.ts';

/** With more receivers than this, one that forwards events is the better solution. */
export const WEBHOOKS_PER_BOARD = 20;
/** A success this soon after the one in the row is not written to it: `withLastSuccess` finds it in the log. */
export const SUCCESS_LAG_MS = MINUTE_MS;
/** How long a verification counts against the limit, even if its webhook has been deleted since. */
export const VERIFICATION_COUNTS_MS = MINUTE_MS;
export const MAX_SECRET_CHARACTERS = 200;

type WebhookTable = HealthTable & {
  board_id: string;
  id: string;
  kind: Generated<WebhookKind>;
  /** As it may be shown: of a chat or REST hook, whose URL is a secret, only a part. */
  url: string;
  /** The whole URL of a chat or REST hook, encrypted. */
  secret_url: string | null;
  /** The host of the URL, by which verifications are limited. */
  host: string;
  /** `*`, or the types between commas, with one at each end. */
  events: string;
  /** Only events of posts that have one of these statuses, and one of these tags, in the same form; null: all. */
  status_ids: string | null;
  tag_ids: string | null;
  /** Encrypted, as are the two secrets. */
  verify_token: string | null;
  signing_secret: string | null;
  /** A new secret that no receiver has accepted yet. */
  pending_secret: string | null;
  disabled_reason: string | null;
  /** JSON of the parts of that sentence, for other languages; likewise for the last failure. */
  disabled_reason_said: string | null;
  /** Whether events are kept for it: while it is enabled, and after Earshot disabled it. */
  takes_events: 0 | 1;
  /** A failing webhook is not attempted earlier. */
  date_next_probe: number;
  date_created: number;
  /** When the configuration changed, or a user enabled or disabled it; health changes do not count. */
  date_updated: number;
  /** Behind by less than `SUCCESS_LAG_MS`. */
  date_last_success: number | null;
  last_failure: string | null;
  last_failure_said: string | null;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    webhooks: WebhookTable;
  }
}

export type WebhookRow = Selectable<WebhookTable>;

/** What an owner decides about a webhook. */
export type WebhookConfig = FilterConfig & {
  url: string;
  /** By default, what the URL looks like. It stays as it is. */
  kind?: WebhookKind | null;
  verifyToken: string | null;
  signingSecret: string | null;
  /** Null: all that its kind can be sent. */
  events: readonly string[] | null;
};

/** The decrypted secrets of a webhook: for sending, and for owners and admins who reveal them. */
type Secrets = {
  verifyToken: string | null;
  signingSecret: string | null;
  pendingSecret: string | null;
  /** The whole URL. */
  url: string;
};

/** A URL that was checked, in its normal form, and its host. */
export type CheckedAddress = { url: string; host: string };

/** Adds a webhook, disabled: nothing is sent before its endpoint has confirmed. */
export async function insertWebhook(
  context: RequestContext,
  cipher: Cipher,
  { url, host }: CheckedAddress,
  config: Omit<WebhookConfig, 'url'> & { id?: string },
): Promise<WebhookRow> {
  const { id = makeId(), kind } = { ...config, kind: config.kind ?? 'PLAIN' };
  const events = joinEvents(config.events, kind);
  const secrets = { verifyToken: config.verifyToken, signingSecret: config.signingSecret };
  requireSecret(secrets.verifyToken, 'verifyToken', kind);
  requireSecret(secrets.signingSecret, 'signingSecret', kind);
  const filters = await filterColumns(context.db.read, context.board.id, config);
  const now = context.clock.now();
  return context.db.transaction(async (tx) => {
    const boardId = context.board.id;
    await lockBoard(tx, boardId);
    const others = await listWebhooks(tx, boardId);
    const again = others.find((row) => row.id === id);
    if (again) return again;
    if (others.length >= WEBHOOKS_PER_BOARD) {
      throw conflict(msg('webhookTooMany', WEBHOOKS_PER_BOARD));
    }
    const row: WebhookRow = {
      board_id: boardId,
      id,
      kind,
      ...urlColumns(cipher, { id, kind }, url),
      host,
      events,
      status_ids: null,
      tag_ids: null,
      ...filters,
      verify_token: encryptSecret(cipher, id, 'verify_token', secrets.verifyToken),
      signing_secret: encryptSecret(cipher, id, 'signing_secret', secrets.signingSecret),
      pending_secret: null,
      disabled_reason: null,
      disabled_reason_said: null,
      takes_events: 0,
      ...healthColumns(newHealth()),
      date_next_probe: 0,
      date_created: now,
      date_updated: now,
      date_last_success: null,
      date_last_failure: null,
      last_failure: null,
      last_failure_said: null,
    };
    await tx.insertInto('webhooks').values(row).execute();
    return row;
  });
}

/** The webhooks of a board, the oldest first. */
export function listWebhooks(reader: Reader, boardId: string): Promise<WebhookRow[]> {
  return reader.selectFrom('webhooks').selectAll().where('board_id', '=', boardId).orderBy('id').execute();
}

/** @throws NOT_FOUND when the board has no such webhook */
export async function requireWebhook(reader: Reader, boardId: string, id: string): Promise<WebhookRow> {
  const query = reader.selectFrom('webhooks').selectAll().where('board_id', '=', boardId).where('id', '=', id);
  const row = isId(id) ? await query.executeTakeFirst() : undefined;
  if (!row) throw notFound('Webhook');
  return row;
}

/** As `requireWebhook`, for changing it: it is locked until the transaction ends. */
export async function requireWebhookForChange(tx: Tx, boardId: string, id: string): Promise<WebhookRow> {
  const query = tx.selectFrom('webhooks').selectAll().where('board_id', '=', boardId).where('id', '=', id);
  const row = isId(id) ? await locked(tx, query).executeTakeFirst() : undefined;
  if (!row) throw notFound('Webhook');
  return row;
}

/** Writes columns of a webhook and returns the new row. */
export async function setWebhook(tx: Tx, row: WebhookRow, changes: Partial<WebhookRow>): Promise<WebhookRow> {
  await tx.updateTable('webhooks').set(changes).where('board_id', '=', row.board_id).where('id', '=', row.id).execute();
  return { ...row, ...changes };
}

/** Removes a webhook with its deliveries and its log. */
export async function deleteWebhook(context: RequestContext, id: string): Promise<WebhookRow> {
  return context.db.transaction(async (tx) => {
    await lockBoard(tx, context.board.id);
    const row = await requireWebhookForChange(tx, context.board.id, id);
    await tx.deleteFrom('deliveries').where('board_id', '=', row.board_id).where('webhook_id', '=', id).execute();
    const log = tx.deleteFrom('attempts').where('board_id', '=', row.board_id).where('webhook_id', '=', id);
    // The latest verifications still count against their limit; the sweep of the log removes them.
    const counting = context.clock.now() - VERIFICATION_COUNTS_MS;
    await log.where((e) => e.or([e('host', 'is', null), e('date_created', '<=', counting)])).execute();
    await tx.deleteFrom('webhooks').where('board_id', '=', row.board_id).where('id', '=', id).execute();
    return row;
  });
}

/** The columns with secrets, each encrypted for a place of its own. */
export const secretColumns = ['verify_token', 'signing_secret', 'pending_secret', 'secret_url'] as const;
type SecretColumn = (typeof secretColumns)[number];

/**
 * The decrypted secrets of a webhook. They go into requests to its receiver and nowhere else, unless an owner reveals
 * them.
 * @throws CONFLICT if they were encrypted with a different key
 */
export function decryptSecrets(cipher: Cipher, row: WebhookRow): Secrets {
  const open = (column: SecretColumn) => {
    const encrypted = row[column];
    return encrypted === null ? null : cipher.decrypt(encrypted, placeOf(row.id, column));
  };
  try {
    return {
      verifyToken: open('verify_token'),
      signingSecret: open('signing_secret'),
      pendingSecret: open('pending_secret'),
      url: open('secret_url') ?? row.url,
    };
  } catch (error) {
    throw error instanceof DecryptionError ? conflict(OTHER_KEY) : error;
  }
}

/** What a receiver might repeat of these secrets, besides the signing secrets, to be redacted in its responses. */
export function hiddenBesides({ kind }: Pick<WebhookRow, 'kind'>, { verifyToken, url }: Secrets): string[] {
  return [...(verifyToken === null ? [] : [verifyToken]), ...(hasSecretUrl(kind) ? secretsInUrl(url) : [])];
}

/** The columns that store the URL of a webhook. */
export function urlColumns(cipher: Cipher, { id, kind }: Pick<WebhookRow, 'id' | 'kind'>, url: string) {
  return hasSecretUrl(kind)
    ? { url: maskUrl(url), secret_url: encryptSecret(cipher, id, 'secret_url', url) }
    : { url, secret_url: null };
}

/** How many attempts to a webhook may be in flight: to a chat one, since chats limit their rates and show an order. */
export function inFlightLimitOf(row: WebhookRow): number {
  return Math.min(inFlightLimit(healthOf(row)), isChat(row.kind) ? 1 : Infinity);
}

/** Whether events can be signed: not without a signing secret, nor once the key that encrypted it is lost. */
export function canSign(cipher: Cipher, { id, signing_secret: encrypted }: WebhookRow): boolean {
  if (encrypted === null) return false;
  try {
    cipher.decrypt(encrypted, placeOf(id, 'signing_secret'));
    return true;
  } catch (error) {
    if (error instanceof DecryptionError) return false;
    throw error;
  }
}

/** A secret as stored in the column. */
export function encryptSecret(
  cipher: Cipher,
  webhookId: string,
  column: SecretColumn,
  secret: string | null,
): string | null {
  return secret === null ? null : cipher.encrypt(secret, placeOf(webhookId, column));
}

/** A pending secret moves to the column of the active one unchanged, so both are encrypted for the same place. */
export function placeOf(webhookId: string, column: SecretColumn): string {
  return `webhooks.${column === 'pending_secret' ? 'signing_secret' : column}.${webhookId}`;
}

/** @throws BAD_REQUEST when a secret from outside cannot go into a header or query as it is, or would be of no use */
export function requireSecret(secret: string | null, field: string, kind: WebhookKind): void {
  if (secret === null) return;
  if (isChat(kind)) throw badRequest(msg('webhookChatTakesNo', field), field);
  const length = countCharacters(secret, MAX_SECRET_CHARACTERS);
  if (length < 1 || length > MAX_SECRET_CHARACTERS) {
    throw badRequest(msg('webhookSecretLength', field, MAX_SECRET_CHARACTERS, length), field);
  }
  if (!secret.isWellFormed() || /\p{Cc}/u.test(secret)) {
    throw badRequest(msg('webhookSecretControl', field), field);
  }
}
