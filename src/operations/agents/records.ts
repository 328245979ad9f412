import { hash } from 'node:crypto';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Db } from '../../platform/db/db.ts';
import { AppError } from '../../platform/errors.ts';
import { type Clock, DAY_MS, MINUTE_MS, SECOND_MS } from '../../platform/lib/clock.ts';

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

/** How long a client is known that has registered and is connected to no board. */
const CLIENT_MS = DAY_MS;
/** Such clients, of all networks together. */
const MAX_CLIENTS = 5_000;
/** How long a refresh token works again whose successor may have been lost on the way. */
const RETRY_MS = MINUTE_MS;

/** The agents sign in once and have no session: nothing is remembered of a browser. */
const FORGOTTEN = ['Session'];

export type RecordDeps = { db: Db; clock: Clock };

/** Lets oidc-provider keep its records of one model in the store. */
export function makeRecords({ db, clock }: RecordDeps, model: string): Adapter {
  const isForgotten = FORGOTTEN.includes(model);
  return {
    async upsert(id, payload, expiresIn = 0) {
      if (isForgotten) return;
      const { jti: _, ...kept } = payload;
      const now = clock.now();
      const row = {
        model,
        id_hash: hashOf(id),
        grant_hash: payload.grantId === undefined ? null : hashOf(payload.grantId),
        payload: JSON.stringify(kept),
        date_consumed: null,
        date_expires: now + (model === 'Client' ? CLIENT_MS : expiresIn * SECOND_MS),
      };
      await db.transaction(async (tx) => {
        if (model === 'Client') {
          const of = tx.selectFrom('oauth_records').where('model', '=', model).where('date_expires', '>', now);
          const { n } = await of.select((e) => e.fn.countAll<number>().as('n')).executeTakeFirstOrThrow();
          if (Number(n) >= MAX_CLIENTS)
            throw new AppError('SERVICE_UNAVAILABLE', 'Too many agents have registered: try again tomorrow');
        }
        await tx
          .insertInto('oauth_records')
          .values(row)
          .onConflict((c) => c.columns(['model', 'id_hash']).doUpdateSet(row))
          .execute();
      });
    },
    async find(id) {
      const row = isForgotten ? undefined : await readRecord({ db, clock }, model, id);
      if (!row) return undefined;
      const isUsed = row.date_consumed !== null && !(model === 'RefreshToken' && isFresh(row.date_consumed, clock));
      return {
        ...(JSON.parse(row.payload) as AdapterPayload),
        ...(model !== 'Client' && { jti: id }),
        ...(isUsed && { consumed: Math.floor((row.date_consumed ?? 0) / SECOND_MS) }),
      };
    },
    async consume(id) {
      const unused = db.transaction((tx) =>
        tx
          .updateTable('oauth_records')
          .set({ date_consumed: clock.now() })
          .where('model', '=', model)
          .where('id_hash', '=', hashOf(id))
          .where('date_consumed', 'is', null)
          .returning('id_hash')
          .executeTakeFirst(),
      );
      // Of two that come at the same time with one code, one gets tokens.
      if (!(await unused) && model === 'AuthorizationCode') throw new AppError('CONFLICT', 'The code has been used');
    },
    async destroy(id) {
      await db.transaction((tx) =>
        tx.deleteFrom('oauth_records').where('model', '=', model).where('id_hash', '=', hashOf(id)).execute(),
      );
    },
    async revokeByGrantId(grantId) {
      await db.transaction((tx) => tx.deleteFrom('oauth_records').where('grant_hash', '=', hashOf(grantId)).execute());
    },
    // For what is off here: sessions, and devices without a browser.
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
  };
}

/** A record that has not expired. Clients stay as long as agents need them, see `forgetRecords`. */
async function readRecord({ db, clock }: RecordDeps, model: string, id: string): Promise<RecordTable | undefined> {
  const query = db.read.selectFrom('oauth_records').selectAll().where('model', '=', model);
  const row = await query.where('id_hash', '=', hashOf(id)).executeTakeFirst();
  return row && (model === 'Client' || row.date_expires > clock.now()) ? row : undefined;
}

function isFresh(consumed: number, clock: Clock): boolean {
  return clock.now() - consumed < RETRY_MS;
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
    await expired.where('model', '<>', 'Client').execute();
    const used = tx
      .selectFrom('api_keys')
      .select('client_id')
      .where('client_id', 'is not', null)
      .where('date_revoked', 'is', null);
    const ids = (await used.distinct().execute()).map((row) => hashOf(row.client_id ?? ''));
    const clients = expired.where('model', '=', 'Client');
    await (ids.length > 0 ? clients.where('id_hash', 'not in', ids) : clients).execute();
  });
}

function hashOf(id: string): string {
  return hash('sha256', id, 'base64url');
}
