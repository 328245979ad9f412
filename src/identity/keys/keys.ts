import { hash } from 'node:crypto';
import type { Generated, Insertable, Selectable } from 'kysely';
import type { Db, Reader } from '../../platform/db/db.ts';
import { updateRow } from '../../platform/db/rows.ts';
import { badRequest, notFound } from '../../platform/errors.ts';
import { type IpList, makeIpList, parseBlock } from '../../platform/http/ip.ts';
import { isId, makeId, makeToken } from '../../platform/lib/ids.ts';
import type { RateRule, RateWindow } from '../../platform/limits/rate-limit.ts';
import { msg } from '../../platform/messages.ts';
import { requireLine } from '../../platform/texts/text.ts';
import type { BoardRow } from '../board/board.ts';
import type { RequestContext } from '../users/request-context.ts';
import { findUsers } from '../users/users.ts';
import { type KeyBudget, NO_BUDGET, readBudget, storeBudget } from './budget.ts';

/** What a key may be used for: READ for queries, WRITE for mutations, WEBHOOKS to manage those of the board. */
export const permissions = ['READ', 'WRITE', 'WEBHOOKS'] as const;
export type Permission = (typeof permissions)[number];

/** What a key may do unless its maker chooses. Who manages webhooks is sent everything that happens. */
const defaultPermissions: readonly Permission[] = ['READ', 'WRITE'];

/** Five a second, sixty a minute, an hour's worth of one a second. */
export const defaultRateRules: readonly RateRule[] = [
  { seconds: 1, limit: 5 },
  { seconds: 60, limit: 60 },
  { seconds: 3_600, limit: 3_600 },
];

const SECRET_BYTES = 32;
/** The prefix of every key, by which people and secret scanners recognize one. */
export const KEY_START = 'esk_';
const KEY_FORM = /^esk_[\w-]{43}$/;
const PREFIX_CHARACTERS = 8;

type KeyTable = {
  board_id: string;
  id: string;
  name: string;
  /** The first characters after `esk_`, to distinguish keys; the rest is not stored. */
  prefix: string;
  /** SHA-256 of the whole key as base64url. The key has 256 random bits, so nothing slower is needed. */
  hash: string;
  /** Comma-separated. */
  permissions: string;
  /** JSON list of addresses and blocks; empty: all. */
  allowed_ips: string;
  /** JSON list of rules; empty: no limit. */
  rate_limits: string;
  /** The acting user when a request names none. */
  default_user_id: string | null;
  /** Whether it acts only as its default user, and once that user is erased not at all. */
  is_bound: Generated<0 | 1>;
  /** The user who created it; null for the command line, an erased user, and keys from earlier versions. */
  made_by: string | null;
  date_created: number;
  date_expires: number | null;
  date_revoked: number | null;
  date_last_used: number | null;
  /** See `storeBudget`; null: no limit. */
  budget: Generated<string | null>;
  /** The client of an agent that signs in by OAuth, which has tokens in place of a key; null for keys. */
  client_id: Generated<string | null>;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    api_keys: KeyTable;
  }
}

export type KeyRow = Selectable<KeyTable>;

/** A key with its rules parsed, ready to admit requests. */
export type ApiKey = {
  id: string;
  boardId: string;
  name: string;
  permissions: ReadonlySet<Permission>;
  allowedIps: IpList;
  rateRules: readonly RateRule[];
  defaultUserId: string | null;
  isBound: boolean;
  expiresAt: number | null;
  revokedAt: number | null;
  budget: KeyBudget;
};

declare module '../../platform/graphql/context.ts' {
  interface Context {
    key: ApiKey;
    /** The current state of the key's limits. */
    rateWindows: () => RateWindow[];
  }
}

export type NewKey = {
  name: string;
  permissions?: readonly Permission[];
  allowedIps?: readonly string[];
  rateRules?: readonly RateRule[];
  expiresAt?: number | null;
  defaultUserId?: string | null;
  isBound?: boolean;
  madeBy?: string | null;
  budget?: KeyBudget;
  /** The client of an agent, see `KeyTable`. */
  clientId?: string | null;
  /** The key itself, if the caller generated it. */
  key?: string;
};

/** Creates a key for a board. The key itself is in the result and nowhere else. */
export async function createKey(context: RequestContext, input: NewKey): Promise<{ key: string; row: KeyRow }> {
  const key = input.key ?? `${KEY_START}${makeToken(SECRET_BYTES)}`;
  const row: Insertable<KeyTable> = {
    board_id: context.board.id,
    id: makeId(),
    name: requireLine(input.name, { field: 'name', min: 1, max: 100 }),
    prefix: key.slice(4, 4 + PREFIX_CHARACTERS),
    hash: hashKey(key),
    permissions: (input.permissions ?? defaultPermissions).join(','),
    allowed_ips: JSON.stringify(requireBlocks(input.allowedIps ?? [])),
    rate_limits: JSON.stringify(requireRules(input.rateRules ?? defaultRateRules)),
    default_user_id: input.defaultUserId ?? null,
    is_bound: input.isBound ? 1 : 0,
    made_by: input.madeBy ?? null,
    date_created: context.clock.now(),
    date_expires: input.expiresAt ?? null,
    budget: storeBudget(input.budget ?? NO_BUDGET),
    client_id: input.clientId ?? null,
  };
  return context.db.transaction(async (tx) => ({
    key,
    row: await tx.insertInto('api_keys').values(row).returningAll().executeTakeFirstOrThrow(),
  }));
}

/** Revokes a key; it stays listed. A key that is already revoked keeps its date. */
export async function revokeKey(context: RequestContext, id: string): Promise<KeyRow> {
  return context.db.transaction(async (tx) => {
    const key = await requireKey(tx, context.board.id, id);
    return key.date_revoked === null ? updateRow(tx, 'api_keys', key, { date_revoked: context.clock.now() }) : key;
  });
}

/** A key of the board. @throws NOT_FOUND */
export async function requireKey(reader: Reader, boardId: string, id: string): Promise<KeyRow> {
  const query = reader.selectFrom('api_keys').selectAll().where('board_id', '=', boardId).where('id', '=', id);
  const key = isId(id) ? await query.executeTakeFirst() : undefined;
  if (!key) throw notFound('API key');
  return key;
}

/** The keys of a board, the oldest first. */
export function listKeys(reader: Reader, boardId: string): Promise<KeyRow[]> {
  return reader.selectFrom('api_keys').selectAll().where('board_id', '=', boardId).orderBy('id').execute();
}

/** The users who created keys of a board, and those they act as, by their ids; without those who no longer exist. */
export async function findUsersOfKeys(reader: Reader, boardId: string, keys: readonly KeyRow[]) {
  const ids = [...new Set(keys.flatMap((key) => [key.made_by ?? [], key.default_user_id ?? []].flat()))];
  return new Map((await findUsers(reader, boardId, ids, null)).map((user) => [user.id, user]));
}

/** What the store has of a key. */
export function hashKey(key: string): string {
  return hash('sha256', key, 'base64url');
}

/** Whether a text can be a key at all; if not, it is refused without a lookup. */
export function hasKeyForm(text: string): boolean {
  return KEY_FORM.test(text);
}

/** By which an agent is found among the keys, which has no key of its own; no hash has this form. */
export function nameOfAgent(id: string): string {
  return `agent ${id}`;
}

/** All keys with their boards, by hash; those of agents by `nameOfAgent`. */
export async function readKeys(reader: Reader): Promise<Map<string, { key: ApiKey; board: BoardRow }>> {
  const rows = await reader.selectFrom('api_keys').selectAll().execute();
  const boardRows = await reader.selectFrom('boards').selectAll().execute();
  const boards = new Map(boardRows.map((board) => [board.id, board]));
  return new Map(
    rows.flatMap((row) => {
      const board = boards.get(row.board_id);
      return board ? [[row.client_id === null ? row.hash : nameOfAgent(row.id), { key: readKey(row), board }]] : [];
    }),
  );
}

/** Records when keys were last used; an earlier time never replaces a later one. */
export async function saveLastUsed(
  db: Db,
  table: 'api_keys' | 'publishable_keys',
  used: readonly (readonly [key: Pick<ApiKey, 'boardId' | 'id'>, now: number])[],
): Promise<void> {
  await db.transaction(async (tx) => {
    for (const [key, now] of used) {
      const update = tx.updateTable(table).set({ date_last_used: now }).where('board_id', '=', key.boardId);
      const isLater = update.where('id', '=', key.id);
      await isLater.where((e) => e.or([e('date_last_used', 'is', null), e('date_last_used', '<', now)])).execute();
    }
  });
}

function readKey(row: KeyRow): ApiKey {
  return {
    id: row.id,
    boardId: row.board_id,
    name: row.name,
    permissions: new Set(row.permissions.split(',') as Permission[]),
    allowedIps: makeIpList(JSON.parse(row.allowed_ips)),
    rateRules: JSON.parse(row.rate_limits),
    defaultUserId: row.default_user_id,
    isBound: row.is_bound === 1,
    expiresAt: row.date_expires,
    revokedAt: row.date_revoked,
    budget: readBudget(row.budget),
  };
}

/** @throws BAD_REQUEST naming the first invalid address or block */
export function requireBlocks(blocks: readonly string[]): readonly string[] {
  for (const block of blocks) {
    if (parseBlock(block)) continue;
    throw badRequest(msg('keyAddressInvalid', JSON.stringify(block)), 'allowedIps');
  }
  return blocks;
}

/** Windows are distinguished only by their length. */
function requireRules(rules: readonly RateRule[]): readonly RateRule[] {
  const double = rules.find((rule, n) => rules.findIndex(({ seconds }) => seconds === rule.seconds) < n);
  if (!double) return rules;
  throw badRequest(msg('keyLimitTwice', double.seconds), 'rateRules');
}
