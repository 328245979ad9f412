import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import { type Clock, DAY_MS, MINUTE_MS, SECOND_MS } from '../../platform/lib/clock.ts';
import { hashOf, type RecordDeps, readRecord } from './records.ts';

/** How long a client is known that has registered and is connected to no board. */
const CLIENT_MS = DAY_MS;
/** Such clients, of all networks together. */
const MAX_CLIENTS = 5_000;
/** How long a refresh token works again whose successor may have been lost on the way. */
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
        if (model === 'Client') {
          const of = tx.selectFrom('oauth_records').where('model', '=', model).where('date_expires', '>', now);
          const { n } = await of.select((e) => e.fn.countAll<number>().as('n')).executeTakeFirstOrThrow();
          if (Number(n) >= MAX_CLIENTS)
            throw new errors.TemporarilyUnavailable('too many agents have registered: try again tomorrow');
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
      if (!(await unused) && model === 'AuthorizationCode') throw new errors.InvalidGrant('the code has been used');
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

function isFresh(consumed: number, clock: Clock): boolean {
  return clock.now() - consumed < RETRY_MS;
}
