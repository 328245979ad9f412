import { join } from 'node:path';
import { escapeJson } from '../src/events/events.ts';
import type { Tx } from '../src/platform/db/db.ts';
import { openDb } from '../src/platform/db/open.ts';
import { systemClock } from '../src/platform/lib/clock.ts';
import { makeId } from '../src/platform/lib/ids.ts';
import { makeSender } from '../src/webhooks/http/sender.ts';
import { enabledHealth } from '../src/webhooks/webhook/health.ts';
import { healthColumns } from '../src/webhooks/webhook/health-columns.ts';
import { encryptSecret } from '../src/webhooks/webhook/webhooks.ts';
import { type Insertion, insertInBulk, type Value } from './bulk.ts';
import { SECRET_KEY, type Store } from './stores.ts';

/** What signs every request, also those of the peers. */
export const SIGNING_SECRET = 'the signing secret of the benchmark';

/** At full speed from the start, as a webhook is after its third success. */
const HEALTHY = healthColumns({ ...enabledHealth(), rampLimit: 8 });
const DISABLED = { ...HEALTHY, state: 'disabled' } as const;

/** A webhook to add: where it goes, and the event types it wants, `*` for all. */
export type NewWebhook = { url: string; events: string };

/** Adds webhooks, disabled, without verifying them, and gives their ids. */
export async function addWebhooks(store: Store, webhooks: readonly NewWebhook[]): Promise<string[]> {
  const { cipher } = makeSender({ webhookAllowCidrs: [] }, SECRET_KEY, systemClock);
  const rows = webhooks.map(({ url, events }) => {
    const id = makeId();
    return {
      board_id: store.boardId,
      id,
      url,
      host: new URL(url).hostname,
      events,
      verify_token: null,
      signing_secret: encryptSecret(cipher, id, 'signing_secret', SIGNING_SECRET),
      pending_secret: null,
      disabled_reason: null,
      takes_events: 1 as const,
      ...DISABLED,
      date_next_probe: 0,
      date_created: 0,
      date_updated: 0,
      date_last_success: null,
      date_last_failure: null,
      last_failure: null,
    };
  });
  await change(store, (tx) => tx.insertInto('webhooks').values(rows).execute());
  return rows.map(({ id }) => id);
}

/** Lets the webhooks send, or keeps what they have waiting. A worker sees it within a second. */
export async function setEnabled(store: Store, webhookIds: readonly string[], isEnabled: boolean): Promise<void> {
  const columns = isEnabled ? { ...HEALTHY, date_next_probe: 0 } : DISABLED;
  await change(store, (tx) => tx.updateTable('webhooks').set(columns).where('id', 'in', webhookIds).execute());
}

/** Makes all that waits for a webhook due again, as if nothing of it had been tried. */
export async function makeDue(store: Store, webhookId: string): Promise<void> {
  await change(store, (tx) =>
    tx
      .updateTable('deliveries')
      .set({ date_due: 0, attempts: 0, tries: 0, lease_token: null })
      .where('webhook_id', '=', webhookId)
      .where('state', '=', 'waiting')
      .where('date_due', '!=', 0) // the others are as they should be, and thousands
      .execute(),
  );
}

/** Adds events, each about a post of its own, that wait for each of the webhooks. */
export async function addBacklog(store: Store, webhookIds: readonly string[], events: number): Promise<void> {
  const before = await lastSeq(store);
  const ids = Array.from({ length: events }, makeId);
  const rows: Insertion[] = [
    { table: 'events', types: EVENT_TYPES, rows: ids.map((id, n) => eventRow(store.boardId, id, before + n + 1)) },
    {
      table: 'deliveries',
      types: DELIVERY_TYPES,
      rows: ids.flatMap((id, n) => webhookIds.map((hook) => deliveryRow(store.boardId, hook, id, before + n + 1))),
    },
    { statement: `update boards set event_seq = ${before + events} where id = '${store.boardId}'` },
  ];
  await insertInBulk({ databaseUrl: store.databaseUrl, file: join(store.dataDir, 'earshot.db') }, rows);
}

/** The body of an event about a new post, as `createPost` makes it. */
export function makeBody(boardId: string, postId: string): string {
  const post = {
    id: postId,
    title: 'Export to spreadsheet',
    text: 'We copy rows by hand every Monday. A button that gives us a file would save an hour a week.',
    url: `http://localhost/b/bench/p/export-to-spreadsheet-${postId}`,
    upvoteCount: 0,
    status: { id: postId, name: 'Open', type: 'OPEN' },
    tags: [],
    user: { id: postId, name: 'Bench' },
  };
  return escapeJson({ event: 'post.created', boardId, triggeredAt: new Date(0).toISOString(), data: { post } });
}

const EVENT_TYPES = {
  board_id: 'text',
  seq: 'bigint',
  id: 'text',
  type: 'text',
  triggered_at: 'bigint',
  post_id: 'text',
  body: 'text',
} as const;

function eventRow(boardId: string, id: string, seq: number): Value[] {
  return [boardId, seq, id, 'post.created', 0, id, makeBody(boardId, id)];
}

const DELIVERY_TYPES = {
  board_id: 'text',
  id: 'text',
  webhook_id: 'text',
  event_id: 'text',
  event_type: 'text',
  event_seq: 'bigint',
  post_id: 'text',
  state: 'text',
  date_created: 'bigint',
  date_due: 'bigint',
} as const;

function deliveryRow(boardId: string, webhookId: string, eventId: string, seq: number): Value[] {
  const id = `${eventId}-${webhookId.slice(24)}`;
  return [boardId, id, webhookId, eventId, 'post.created', seq, eventId, 'waiting', 0, 0];
}

async function lastSeq(store: Store): Promise<number> {
  const db = openDb(store);
  try {
    const board = db.read.selectFrom('boards').select('event_seq').where('id', '=', store.boardId);
    return (await board.executeTakeFirstOrThrow()).event_seq;
  } finally {
    await db.close();
  }
}

async function change(store: Store, work: (tx: Tx) => Promise<unknown>): Promise<void> {
  const db = openDb(store);
  try {
    await db.transaction(work);
  } finally {
    await db.close();
  }
}
