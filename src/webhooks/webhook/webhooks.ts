import type { Selectable } from 'kysely';
import { type EventType, eventTypes, requireEventTypes } from '../../feedback/event-log/event-types.ts';
import { lockBoard } from '../../identity/board/board.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import type { Reader, Tx } from '../../platform/db/db.ts';
import type { Encrypted } from '../../platform/db/key-check.ts';
import { locked } from '../../platform/db/prepare.ts';
import { badRequest, conflict, notFound } from '../../platform/errors.ts';
import { type Cipher, DecryptionError } from '../../platform/lib/cipher.ts';
import { MINUTE_MS } from '../../platform/lib/clock.ts';
import { isId, makeId } from '../../platform/lib/ids.ts';
import { countCharacters } from '../../platform/lib/text.ts';
import { msg } from '../../platform/messages.ts';
import { OTHER_KEY } from '../diagnosis/faults.ts';
import { type Health, newHealth } from './health.ts';

/** With more receivers than this, one that forwards events is the better solution. */
export const WEBHOOKS_PER_BOARD = 20;
/** A success this soon after the one in the row is not written to it: `withLastSuccess` finds it in the log. */
export const SUCCESS_LAG_MS = MINUTE_MS;
/** How long a verification counts against the limit, even if its webhook has been deleted since. */
export const VERIFICATION_COUNTS_MS = MINUTE_MS;
const MAX_SECRET_CHARACTERS = 200;
const ALL_EVENTS = '*';

type WebhookTable = {
  board_id: string;
  id: string;
  url: string;
  /** The host of the URL, by which verifications are limited. */
  host: string;
  /** `*`, or the types between commas, with one at each end. */
  events: string;
  /** Encrypted, as are the two secrets. */
  verify_token: string | null;
  signing_secret: string | null;
  /** A new secret that no receiver has accepted yet. */
  pending_secret: string | null;
  state: Health['state'];
  disabled_by: Health['disabledBy'];
  disabled_reason: string | null;
  /** JSON of the parts of that sentence, for other languages; likewise for the last failure. */
  disabled_reason_said: string | null;
  /** Whether events are kept for it: while it is enabled, and after Earshot disabled it. */
  takes_events: 0 | 1;
  failures_in_row: number;
  failing_since: number | null;
  ramp_limit: number;
  told: Health['lastNotified'];
  /** A failing webhook is not attempted earlier. */
  date_next_probe: number;
  date_created: number;
  /** When the configuration changed, or a user enabled or disabled it; health changes do not count. */
  date_updated: number;
  /** Behind by less than `SUCCESS_LAG_MS`. */
  date_last_success: number | null;
  date_last_failure: number | null;
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
export type WebhookConfig = {
  url: string;
  verifyToken: string | null;
  signingSecret: string | null;
  /** Null: all. */
  events: readonly string[] | null;
};

/** The decrypted secrets of a webhook: for sending, and for owners and admins who reveal them. */
export type Secrets = { verifyToken: string | null; signingSecret: string | null; pendingSecret: string | null };

/** The kind of a URL's destination, as determined by the caller's check. */
export type CheckedAddress = { url: string; host: string };

/** Adds a webhook, disabled: nothing is sent before its endpoint has confirmed. */
export async function insertWebhook(
  context: RequestContext,
  cipher: Cipher,
  { url, host }: CheckedAddress,
  config: Omit<WebhookConfig, 'url'> & { id?: string },
): Promise<WebhookRow> {
  const events = joinEvents(config.events);
  const secrets = { verifyToken: config.verifyToken, signingSecret: config.signingSecret };
  requireSecret(secrets.verifyToken, 'verifyToken');
  requireSecret(secrets.signingSecret, 'signingSecret');
  const { id = makeId() } = config;
  const now = context.clock.now();
  return context.db.transaction(async (tx) => {
    const boardId = context.board.id;
    await lockBoard(tx, boardId);
    const others = await listWebhooks(tx, boardId);
    const again = others.find((row) => row.id === id);
    if (again) return again;
    if (others.length >= WEBHOOKS_PER_BOARD) {
      throw conflict(msg`A board has at most ${WEBHOOKS_PER_BOARD} webhooks: delete one first`);
    }
    const row: WebhookRow = {
      board_id: boardId,
      id,
      url,
      host,
      events,
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

/** The columns that store the health of a webhook. */
export function healthColumns(health: Health) {
  return {
    state: health.state,
    disabled_by: health.disabledBy,
    failures_in_row: health.failuresInRow,
    failing_since: health.failingSince,
    ramp_limit: health.rampLimit,
    told: health.lastNotified,
  };
}

/** The health stored in a row. */
export function healthOf(row: WebhookRow): Health {
  return {
    state: row.state,
    disabledBy: row.disabled_by,
    failuresInRow: row.failures_in_row,
    failingSince: row.failing_since,
    rampLimit: row.ramp_limit,
    lastNotified: row.told,
  };
}

const secretColumns = ['verify_token', 'signing_secret', 'pending_secret'] as const;
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
    };
  } catch (error) {
    throw error instanceof DecryptionError ? conflict(OTHER_KEY) : error;
  }
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

/** Some of the encrypted secrets in the store, the newest webhooks' first: the right key decrypts them. */
export async function listEncryptedSecrets(reader: Reader): Promise<Encrypted[]> {
  const rows = await reader
    .selectFrom('webhooks')
    .select(['id', ...secretColumns])
    .where((e) => e.or(secretColumns.map((column) => e(column, 'is not', null))))
    .orderBy('id', 'desc')
    .limit(20)
    .execute();
  return rows.flatMap((row) =>
    secretColumns.flatMap((column) => {
      const encrypted = row[column];
      return encrypted === null ? [] : [{ encrypted, place: placeOf(row.id, column) }];
    }),
  );
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
function placeOf(webhookId: string, column: SecretColumn): string {
  return `webhooks.${column === 'pending_secret' ? 'signing_secret' : column}.${webhookId}`;
}

/** @throws BAD_REQUEST when a secret from outside cannot go into a header or query as it is */
export function requireSecret(secret: string | null, field: string): void {
  if (secret === null) return;
  const length = countCharacters(secret, MAX_SECRET_CHARACTERS);
  if (length < 1 || length > MAX_SECRET_CHARACTERS) {
    throw badRequest(msg`${field} must have 1 to ${MAX_SECRET_CHARACTERS} characters; it has ${length}`, field);
  }
  if (!secret.isWellFormed() || /\p{Cc}/u.test(secret)) {
    throw badRequest(msg`${field} must not contain control characters`, field);
  }
}

/** The event types that a webhook wants; null: all. */
export function eventsOf(row: Pick<WebhookRow, 'events'>): EventType[] | null {
  return row.events === ALL_EVENTS ? null : (row.events.split(',').filter(Boolean) as EventType[]);
}

/** Event types as stored in the column. @throws BAD_REQUEST naming a type that does not exist */
export function joinEvents(events: readonly string[] | null): string {
  if (events === null) return ALL_EVENTS;
  if (events.length === 0) throw badRequest(msg`events is empty; choose from ${eventTypes.join(', ')}`, 'events');
  return `,${requireEventTypes(events, 'events').join(',')},`;
}
