import type { Selectable } from 'kysely';
import type { Reader } from '../../platform/db/db.ts';
import { updateRow } from '../../platform/db/rows.ts';
import { badRequest, conflict, notFound } from '../../platform/errors.ts';
import { isId, makeId, makeToken } from '../../platform/lib/ids.ts';
import { msg } from '../../platform/messages.ts';
import { requireLine, requireText } from '../../platform/texts/text.ts';
import { lockBoard } from '../board/board.ts';
import { type Actor, requireRight } from '../users/authority.ts';
import type { RequestContext } from '../users/request-context.ts';

/** The prefix of publishable keys: those that browsers and apps may show to everyone. */
export const PUBLISHABLE_START = 'epk_';
const FORM = /^epk_[\w-]{32}$/;
const KEY_BYTES = 24;
const MAX_KEYS = 20;
const MAX_ORIGINS = 20;
/** Characters of all documents of a key. */
export const MAX_DOCUMENTS = 100_000;
const MAX_LIMIT = 100_000;

/** Requests a minute, unless the maker of a key chooses: those of one network, such as an office, and of one visitor. */
export const DEFAULT_PER_NETWORK = 600;
export const DEFAULT_PER_VISITOR = 60;

type PublishableKeyTable = {
  board_id: string;
  id: string;
  /** The key itself: it is no secret. */
  key: string;
  name: string;
  /** Where it may be used, separated by spaces. */
  origins: string;
  /** The documents that it may send, as they were registered: see `readDocuments`. */
  documents: string;
  /** Requests a minute. */
  per_network: number;
  per_visitor: number;
  /** Null for the command line, and an erased user. */
  made_by: string | null;
  date_created: number;
  date_revoked: number | null;
  date_last_used: number | null;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    publishable_keys: PublishableKeyTable;
  }
}

export type PublishableKeyRow = Selectable<PublishableKeyTable>;

/** What a publishable key may do, as it was typed. */
export type PublishableSettings = {
  name: string;
  /** However they are separated. */
  origins: string;
  documents: string;
  perNetwork: number;
  perVisitor: number;
};

type Manager = RequestContext & { actor: Actor };

/** Whether a text can be a publishable key at all. */
export function isPublishable(text: string): boolean {
  return FORM.test(text);
}

/** Refuses documents that a publishable key may not send. @throws BAD_REQUEST */
type RequireDocuments = (source: string) => void;

/**
 * Creates a publishable key.
 * @throws FORBIDDEN; BAD_REQUEST naming the setting; CONFLICT when there are too many
 */
export async function createPublishableKey(
  context: Manager,
  settings: PublishableSettings,
  requireDocuments: RequireDocuments,
): Promise<PublishableKeyRow> {
  requireRight(context.actor, 'key.manage');
  const { board, clock, actor } = context;
  const row = {
    ...readSettings(settings, requireDocuments),
    board_id: board.id,
    id: makeId(),
    key: PUBLISHABLE_START + makeToken(KEY_BYTES),
    made_by: actor.id || null,
    date_created: clock.now(),
  };
  return context.db.transaction(async (tx) => {
    await lockBoard(tx, board.id);
    const keys = await listPublishableKeys(tx, board.id);
    if (keys.filter((key) => key.date_revoked === null).length >= MAX_KEYS)
      throw conflict(msg('publishableTooMany', MAX_KEYS));
    return tx.insertInto('publishable_keys').values(row).returningAll().executeTakeFirstOrThrow();
  });
}

/** Changes what a publishable key may do. @throws as `createPublishableKey`; NOT_FOUND; CONFLICT for a revoked one */
export async function changePublishableKey(
  context: Manager,
  id: string,
  settings: PublishableSettings,
  requireDocuments: RequireDocuments,
): Promise<PublishableKeyRow> {
  requireRight(context.actor, 'key.manage');
  const changes = readSettings(settings, requireDocuments);
  return context.db.transaction(async (tx) => {
    const row = await requirePublishableKey(tx, context.board.id, id);
    if (row.date_revoked !== null) throw conflict(msg('keyIsRevoked'));
    return updateRow(tx, 'publishable_keys', row, changes);
  });
}

/** Revokes a publishable key, and forgets who has allowed it to vote. One that is revoked already keeps its date. */
export function revokePublishableKey(context: Manager, id: string): Promise<PublishableKeyRow> {
  requireRight(context.actor, 'key.manage');
  const { board, clock } = context;
  return context.db.transaction(async (tx) => {
    const row = await requirePublishableKey(tx, board.id, id);
    if (row.date_revoked !== null) return row;
    const tokens = tx.deleteFrom('visitor_tokens').where('board_id', '=', board.id);
    await tokens.where('key_id', '=', id).execute();
    return updateRow(tx, 'publishable_keys', row, { date_revoked: clock.now() });
  });
}

/** The publishable keys of a board, the oldest first. */
export function listPublishableKeys(reader: Reader, boardId: string): Promise<PublishableKeyRow[]> {
  return reader.selectFrom('publishable_keys').selectAll().where('board_id', '=', boardId).orderBy('id').execute();
}

/** A publishable key of the board. @throws NOT_FOUND */
export async function requirePublishableKey(reader: Reader, boardId: string, id: string): Promise<PublishableKeyRow> {
  const query = reader.selectFrom('publishable_keys').selectAll().where('board_id', '=', boardId);
  const row = isId(id) ? await query.where('id', '=', id).executeTakeFirst() : undefined;
  if (!row) throw notFound('Publishable key');
  return row;
}

/** A publishable key that works, on this board; null if there is none. */
export async function findPublishableKey(
  reader: Reader,
  boardId: string,
  key: string,
): Promise<PublishableKeyRow | null> {
  if (!isPublishable(key)) return null;
  const query = reader.selectFrom('publishable_keys').selectAll().where('board_id', '=', boardId);
  return (await query.where('key', '=', key).where('date_revoked', 'is', null).executeTakeFirst()) ?? null;
}

/** The origins of a key. */
export function originsOf({ origins }: Pick<PublishableKeyRow, 'origins'>): string[] {
  return origins.split(' ');
}

/**
 * The origin of an address as browsers write it; apps have schemes of their own, such as `myapp://done`, where it is what
 * comes before the path. Null for what has none.
 */
export function originOf(address: string): string | null {
  const url = URL.parse(address);
  if (url === null || url.username !== '' || url.password !== '') return null;
  if (/^https?:$/.test(url.protocol)) return url.origin;
  const [origin = null] = /^[a-z][a-z0-9+.-]{0,50}:\/\/[a-z0-9.-]{0,200}(?=[/?#]|$)/.exec(url.href) ?? [];
  return origin === null || NO_APPS.test(origin) ? null : origin;
}

/** Schemes by which browsers and systems do things. */
const NO_APPS = /^(javascript|data|blob|file|about|view-source|ftp|wss?|chrome|intent):/;

/** Whether an origin is that of an app, whose requests name none. */
export function isApp(origin: string): boolean {
  return !/^https?:/.test(origin);
}

function readSettings(settings: PublishableSettings, requireDocuments: RequireDocuments) {
  const { name, origins, perNetwork, perVisitor } = settings;
  // As it is stored: line ends that GraphQL does not know end a comment once they are line feeds.
  const documents = requireText(settings.documents, { field: 'documents', min: 0, max: MAX_DOCUMENTS });
  requireDocuments(documents);
  return {
    name: requireLine(name, { field: 'name', min: 1, max: 100 }),
    origins: requireOrigins(origins).join(' '),
    documents,
    per_network: requireLimit(perNetwork, 'perNetwork'),
    per_visitor: requireLimit(perVisitor, 'perVisitor'),
  };
}

function requireOrigins(text: string): string[] {
  const parts = text
    .slice(0, 10_000)
    .split(/[\s,;]+/)
    .filter(Boolean);
  if (parts.length === 0) throw badRequest(msg('publishableNeedsOrigin'), 'origins');
  if (parts.length > MAX_ORIGINS) throw badRequest(msg('boardTooManyWebsites', MAX_ORIGINS), 'origins');
  return [...new Set(parts.map(requireOrigin))];
}

/** A host name, as browsers write it, or an address: no pattern, which no origin would equal. */
const WEBSITE = /^https?:\/\/([a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(:\d{1,5})?$/;

function requireOrigin(text: string): string {
  const origin = originOf(text);
  const url = URL.parse(text);
  const isBare = origin !== null && (isApp(origin) ? text.toLowerCase() === origin : url?.href === `${origin}/`);
  if (isBare && origin.length <= 260 && (isApp(origin) || WEBSITE.test(origin))) return origin;
  throw badRequest(msg('boardWebsiteInvalid', text.slice(0, 100)), 'origins');
}

function requireLimit(limit: number, field: string): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw badRequest(msg('keyLimitInvalid'), field);
}
