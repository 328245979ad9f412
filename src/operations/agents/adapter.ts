import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type { Tx } from '../../platform/db/db.ts';
import { type Clock, DAY_MS, MINUTE_MS, SECOND_MS } from '../../platform/lib/clock.ts';
import { hashOf, type RecordDeps, readRecord } from './records.ts';

/** How long a client is known that has registered and is connected to no board. */
const CLIENT_MS = DAY_MS;
/** Such clients, of all networks together; the oldest go first. */
const MAX_CLIENTS = 5_000;
/** How long a refresh token works again: its successor may be lost on the way, or on its way to another call. */
const RETRY_MS = MINUTE_MS;

/** The agents sign in once and have no session: nothing is remembered of a browser. */
const FORGOTTEN = ['Session'];

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
        if (model === 'Client') await makeRoom(tx, now);
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
      const now = clock.now();
      const used = await db.transaction(async (tx) => {
        const own = tx.updateTable('oauth_records').where('model', '=', model).where('id_hash', '=', hashOf(id));
        const first = own.set({ date_consumed: now }).where('date_consumed', 'is', null).returning('model');
        if (await first.executeTakeFirst()) return true;
        if (model !== 'RefreshToken') return false;
        // Agents call tools in parallel, and each call finds that the token has expired; and an answer can be lost.
        const query = tx.selectFrom('oauth_records').select('model').where('model', '=', model);
        const again = query.where('id_hash', '=', hashOf(id)).where('date_consumed', '>', now - RETRY_MS);
        return (await again.executeTakeFirst()) !== undefined;
      });
      if (!used) throw new errors.InvalidGrant('it has been used');
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

/** Removes the oldest clients that no one has connected, if there are too many. */
async function makeRoom(tx: Tx, now: number): Promise<void> {
  const unused = tx.selectFrom('oauth_records').where('model', '=', 'Client').where('date_expires', '>', now);
  const { n } = await unused.select((e) => e.fn.countAll<number>().as('n')).executeTakeFirstOrThrow();
  const over = Number(n) - MAX_CLIENTS + 1;
  if (over <= 0) return;
  const oldest = await unused.select('id_hash').orderBy('date_expires').limit(over).execute();
  const ids = oldest.map((row) => row.id_hash);
  await tx.deleteFrom('oauth_records').where('model', '=', 'Client').where('id_hash', 'in', ids).execute();
}

function isFresh(consumed: number, clock: Clock): boolean {
  return clock.now() - consumed < RETRY_MS;
}
