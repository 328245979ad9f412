import { type SqlBool, sql } from 'kysely';
import { forgetBodies } from '../../events/deliveries.ts';
import { dropReactions } from '../../feedback/changelog/reactions.ts';
import { disownViews } from '../../feedback/views/views.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { makeId } from '../../platform/lib/ids.ts';
import { forgetBounce } from '../../platform/mail/bounces.ts';
import type { MailTransport } from '../../platform/mail/transport.ts';
import { columnsOfPeople, type TableOfPeople } from './columns.ts';
import type { ErasureRow, Traces } from './erasures.ts';
import { removeMentions } from './mentions.ts';
import { formsInAnswer, redactAnswer, redactEvent } from './redacting.ts';
import { findKeys, hasText, isOneOfKeys, ROWS_PER_CHANGE } from './rows.ts';

/** Removes what is left of an erased user except in events, in small transactions. Repeating it changes nothing. */
export async function removeTraces(db: Db, erasure: ErasureRow, transport: MailTransport): Promise<void> {
  const traces: Traces = JSON.parse(erasure.traces);
  await removeEvidence(db, erasure);
  for (const table of columnsOfPeople) await clearColumns(db, erasure, table);
  await removeReactions(db, erasure);
  await db.transaction((tx) => disownViews(tx, erasure.board_id, erasure.id));
  await removeChanges(db, erasure);
  await removeMentions(db, erasure);
  await removeMails(db, erasure, traces, transport);
  await clearAnswers(db, erasure, traces);
  const received = hasText('body', erasure.id);
  await db.transaction((tx) =>
    sql`delete from sandbox_requests where board_id = ${erasure.board_id} and ${received}`.execute(tx),
  );
}

async function clearColumns(db: Db, erasure: ErasureRow, { table, key, columns }: TableOfPeople): Promise<void> {
  const { board_id: boardId, id } = erasure;
  // A placeholder id, the same on all posts: so they count once when posts are merged.
  const standIn = makeId();
  const names = Object.keys(columns);
  const isTheirs = sql<SqlBool>`${sql.join(
    names.map((column) => sql`${sql.ref(column)} = ${id}`),
    sql` or `,
  )}`;
  for await (const keys of findKeys<string>(db, boardId, { table, key }, isTheirs)) {
    await db.transaction(async (tx) => {
      for (const [column, becomes] of Object.entries(columns)) {
        const rows = sql`where board_id = ${boardId} and ${isOneOfKeys(key, keys)} and ${sql.ref(column)} = ${id}`;
        const change =
          becomes === 'no row'
            ? sql`delete from ${sql.table(table)} ${rows}`
            : sql`update ${sql.table(table)}
                set ${sql.ref(column)} = ${becomes === 'null' ? sql`null` : standIn} ${rows}`;
        await change.execute(tx);
      }
    });
  }
}

/** Where the user asked for ideas, which the team wrote with their votes: these cannot be found once they have the placeholder. */
async function removeEvidence(db: Db, { board_id: boardId, id }: ErasureRow): Promise<void> {
  const isTheirs = sql<SqlBool>`user_id = ${id} and evidence is not null`;
  for await (const postIds of findKeys<string>(db, boardId, { table: 'votes', key: 'post_id' }, isTheirs)) {
    const rows = sql`where board_id = ${boardId} and ${isOneOfKeys('post_id', postIds)} and ${isTheirs}`;
    await db.transaction((tx) => sql`update votes set evidence = null ${rows}`.execute(tx));
  }
}

/** Reactions to changelog entries, which no longer count. */
async function removeReactions(db: Db, { board_id: boardId, id }: ErasureRow): Promise<void> {
  const reactions = { table: 'changelog_reactions', key: 'entry_id' };
  for await (const entryIds of findKeys<string>(db, boardId, reactions, sql`user_id = ${id}`)) {
    for (const entryId of entryIds) await db.transaction((tx) => dropReactions(tx, boardId, entryId, id));
  }
}

/** What operations of the team changed of the user, or assigned to them: it cannot be undone any more. */
async function removeChanges(db: Db, { board_id: boardId, id }: ErasureRow): Promise<void> {
  const names = sql<SqlBool>`(thing_id = ${id} or ${hasText('state_before', id)} or ${hasText('state_after', id)})`;
  for await (const keys of findKeys<string>(db, boardId, { table: 'operations', key: 'operation_id' }, names)) {
    const rows = sql`where board_id = ${boardId} and ${isOneOfKeys('operation_id', keys)} and ${names}`;
    await db.transaction((tx) => sql`delete from operations ${rows}`.execute(tx));
  }
}

/** Events keep their position and what happened; receivers may have repeated personal data in their responses. */
export async function clearEvents(db: Db, { board_id: boardId, id }: ErasureRow): Promise<void> {
  const tells = sql<SqlBool>`actor_id = ${id} or ${hasText('body', id)}`;
  for await (const seqs of findKeys<number>(db, boardId, { table: 'events', key: 'seq' }, tells)) {
    await db.transaction(async (tx) => {
      const events = await tx
        .selectFrom('events')
        .select(['seq', 'id', 'body', 'actor_id'])
        .where('board_id', '=', boardId)
        .where('seq', 'in', seqs)
        .execute();
      const isSent = await hasAttempts(tx, boardId);
      for (const event of events) {
        await tx
          .updateTable('events')
          .set({ body: redactEvent(event.body, id), actor_id: event.actor_id === id ? null : event.actor_id })
          .where('board_id', '=', boardId)
          .where('seq', '=', event.seq)
          .execute();
        if (isSent) await emptyAnswers(tx, boardId, event.id);
      }
      await forgetBodies(
        tx,
        boardId,
        events.map(({ id }) => id),
      );
    });
  }
}

async function hasAttempts(tx: Tx, boardId: string): Promise<boolean> {
  const query = tx.selectFrom('attempts').select('id').where('board_id', '=', boardId).limit(1);
  return (await query.execute()).length > 0;
}

async function emptyAnswers(tx: Tx, boardId: string, eventId: string): Promise<void> {
  await tx
    .updateTable('attempts')
    .set((e) => ({
      answer: sql<string>`'{"status":' || status || ',"headers":[],"body":"","isCut":true}'`,
      // The sentence may quote the response; the word is our own.
      diagnosis: e.ref('outcome'),
      said: sql<string>`'[["' || outcome || '"]]'`,
    }))
    .where('board_id', '=', boardId)
    // The id of a delivery begins with that of its event.
    .where('delivery_id', '>', `${eventId}-`)
    .where('delivery_id', '<', `${eventId}.`)
    .where('answer', 'is not', null)
    .execute();
}

/**
 * Mails to the user and those that name them or their address, sent or not, with the files that they have become; and
 * mails to a person of this name, at an address that the user may have had before.
 */
async function removeMails(
  db: Db,
  { board_id: boardId, id }: ErasureRow,
  { addresses, names }: Traces,
  transport: MailTransport,
): Promise<void> {
  await transport.forget([], addresses);
  for (const address of addresses) await db.transaction((tx) => forgetBounce(tx, boardId, address));
  const to = addresses.flatMap((address) => [sql`recipient = ${address}`, hasText('body', address)]);
  const greetings = names.map((name) => `Hello ${name},`);
  const greeting = greetings.map(
    (text) => sql`(state <> 'waiting' and substr(body, 1, ${sql.lit([...text].length)}) = ${text})`,
  );
  // The last mail to them is deleted once it is sent, see `own-account.ts`.
  const theirs = sql<SqlBool>`is_unlogged = 0 and (${sql.join([sql`named_id = ${id}`, ...to, ...greeting], sql` or `)})`;
  for await (const ids of findKeys<string>(db, boardId, { table: 'mails', key: 'id' }, theirs)) {
    await transport.forget(ids, []);
    await db.transaction((tx) =>
      tx.deleteFrom('mails').where('board_id', '=', boardId).where('id', 'in', ids).execute(),
    );
  }
}

/** Responses that are stored for a day, to be returned for repeated requests. */
async function clearAnswers(db: Db, { board_id: boardId }: ErasureRow, traces: Traces): Promise<void> {
  const forms = formsInAnswer(traces).map((form) => hasText('answer', form));
  if (forms.length === 0) return;
  const found = await sql<{ api_key_id: string; idempotency_key: string; answer: string }>`
    select api_key_id, idempotency_key, answer from idempotency_keys
    where board_id = ${boardId} and (${sql.join(forms, sql` or `)})`.execute(db.slow);
  for (let n = 0; n < found.rows.length; n += ROWS_PER_CHANGE) {
    await db.transaction(async (tx) => {
      for (const { api_key_id, idempotency_key, answer } of found.rows.slice(n, n + ROWS_PER_CHANGE)) {
        await tx
          .updateTable('idempotency_keys')
          .set({ answer: redactAnswer(answer, traces) })
          .where('board_id', '=', boardId)
          .where('api_key_id', '=', api_key_id)
          .where('idempotency_key', '=', idempotency_key)
          .execute();
      }
    });
  }
}
