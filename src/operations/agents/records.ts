import { hash } from 'node:crypto';
import type { Db } from '../../platform/db/db.ts';
import type { Clock } from '../../platform/lib/clock.ts';

type RecordTable = {
  /** What it is, as oidc-provider calls it: `Client`, `AccessToken`, … */
  model: string;
  /** SHA-256 of its id. The ids of tokens are the tokens: they cannot be read in the store. */
  id_hash: string;
  /** SHA-256 of the id of the grant, with which it ends. */
  grant_hash: string | null;
  /** JSON, without the id. */
  payload: string;
  date_consumed: number | null;
  date_expires: number;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    /** What the sign-in of agents remembers: clients, grants, tokens. */
    oauth_records: RecordTable;
  }
}

/** What stays as long as an agent is connected: clients, and the metadata of those that have it at an address. */
const LASTING = ['Client', 'Metadata'];

export type RecordDeps = { db: Db; clock: Clock };

/** A record that has not expired. Clients stay as long as agents need them, see `forgetRecords`. */
export async function readRecord(
  { db, clock }: RecordDeps,
  model: string,
  id: string,
): Promise<RecordTable | undefined> {
  const query = db.read.selectFrom('oauth_records').selectAll().where('model', '=', model);
  const row = await query.where('id_hash', '=', hashOf(id)).executeTakeFirst();
  return row && (LASTING.includes(model) || row.date_expires > clock.now()) ? row : undefined;
}

/** Keeps the metadata of a client that is connected, and lets what has registered stay for as long as it is: see `forgetRecords`. */
export async function keepMetadata({ db, clock }: RecordDeps, clientId: string, metadata: object): Promise<void> {
  const payload = JSON.stringify(metadata);
  const own = { id_hash: hashOf(clientId), date_expires: clock.now() };
  const row = { model: 'Metadata', ...own, grant_hash: null, payload, date_consumed: null };
  await db.transaction(async (tx) => {
    const kept = tx.insertInto('oauth_records').values(row);
    await kept.onConflict((c) => c.columns(['model', 'id_hash']).doUpdateSet({ payload })).execute();
    const registered = tx.updateTable('oauth_records').set({ date_expires: own.date_expires });
    await registered.where('model', '=', 'Client').where('id_hash', '=', own.id_hash).execute();
  });
}

/** What `keepMetadata` has kept; null for a client that is not connected. */
export async function findMetadata(deps: RecordDeps, clientId: string): Promise<object | null> {
  const row = await readRecord(deps, 'Metadata', clientId);
  return row ? JSON.parse(row.payload) : null;
}

/**
 * The agent that an access token stands for, as the id of its key; null for any other text.
 * @param resource what the token must have been issued for (RFC 8707)
 */
export async function findAgentOf(deps: RecordDeps, token: string, resource: string): Promise<string | null> {
  if (!/^[\w-]{43}$/.test(token)) return null;
  const row = await readRecord(deps, 'AccessToken', token);
  if (!row) return null;
  const { aud, accountId } = JSON.parse(row.payload) as { aud?: string; accountId?: string };
  return aud === resource ? (accountId ?? null) : null;
}

/** Removes what has expired, and clients that no agent uses any more. */
export async function forgetRecords({ db, clock }: RecordDeps): Promise<void> {
  await db.transaction(async (tx) => {
    const expired = tx.deleteFrom('oauth_records').where('date_expires', '<=', clock.now());
    await expired.where('model', 'not in', LASTING).execute();
    const used = tx
      .selectFrom('api_keys')
      .select('client_id')
      .where('client_id', 'is not', null)
      .where('date_revoked', 'is', null);
    const ids = (await used.distinct().execute()).map((row) => hashOf(row.client_id ?? ''));
    const clients = expired.where('model', 'in', LASTING);
    await (ids.length > 0 ? clients.where('id_hash', 'not in', ids) : clients).execute();
  });
}

export function hashOf(id: string): string {
  return hash('sha256', id, 'base64url');
}
