import { hash } from 'node:crypto';
import type { BoardRow } from '../../identity/board/board.ts';
import { createKey, hashKey, hasKeyForm } from '../../identity/keys/keys.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import { createUser, setRole } from '../../identity/users/users.ts';
import { createBoard } from '../../operations/boards/create.ts';
import { deleteBoard } from '../../operations/boards/delete.ts';
import { seedBoard } from '../../operations/sample/seed.ts';
import { type Db, type Reader, withinTransaction } from '../../platform/db/db.ts';
import { lockStore } from '../../platform/db/prepare.ts';
import { type Clock, HOUR_MS, MINUTE_MS } from '../../platform/lib/clock.ts';

/** How long a sandbox lives without a request. */
export const SANDBOX_IDLE_MS = HOUR_MS;
/** Maximum number of sandboxes, in total and per network. */
const MAX_SANDBOXES = 100;
const MAX_OF_VISITOR = 20;
/** At the maximum, the sandbox unused for the longest time is replaced, once it has been unused for this long. */
const YIELD_MS = 10 * MINUTE_MS;
/** A sandbox with more events than manual use creates is being abused, and is deleted. */
const MAX_EVENTS = 1_000;
const SAMPLE_POSTS = 12;
const RATE_RULES = [
  { seconds: 1, limit: 20 },
  { seconds: 60, limit: 200 },
  { seconds: 3_600, limit: 1_000 },
];

/** Who the visitor is on their sandbox: its owner. */
export const sandboxVisitor = { ssoType: 'SSO', ssoId: 'visitor' } as const;

/** A visitor's own board. The key, known only to the visitor, also identifies them. */
export type Sandbox = { board: BoardRow; key: string };

/** The sandbox of this key; null if it no longer exists. */
export async function findSandbox(reader: Reader, key: string): Promise<Sandbox | null> {
  if (!hasKeyForm(key)) return null;
  const board = await reader
    .selectFrom('boards')
    .innerJoin('api_keys as k', 'k.board_id', 'boards.id')
    .selectAll('boards')
    .where('k.hash', '=', hashKey(key))
    .where('sandbox_visitor', 'is not', null)
    .executeTakeFirst();
  return board ? { board, key } : null;
}

export type SandboxDeps = { db: Db; clock: Clock; baseUrl: string };

/**
 * Creates a sandbox for a visitor from this network, or returns when to try again, in milliseconds from now. One
 * transaction: no request ever sees half a sandbox, and concurrent visitors each see the correct count.
 */
export function makeSandbox(deps: SandboxDeps, network: string): Promise<Sandbox | { retryAfterMs: number }> {
  const visitor = hash('sha256', network, 'base64url');
  const now = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    await lockStore(tx);
    const inTheWay = findInTheWay(await listSandboxes(tx), visitor);
    if (inTheWay) {
      const retryAfterMs = inTheWay.lastUsed + YIELD_MS - now;
      if (retryAfterMs > 0) return { retryAfterMs };
      await deleteBoard(tx, inTheWay.id);
    }
    return insertSandbox({ ...deps, db: withinTransaction(deps.db, tx) }, visitor);
  });
}

/** Records that a sandbox was used now, other than through the API, which keeps its own record. */
export async function touchSandbox({ db, clock }: SandboxDeps, { board, key }: Sandbox): Promise<void> {
  await db.transaction((tx) =>
    tx
      .updateTable('api_keys')
      .set({ date_last_used: clock.now() })
      .where('board_id', '=', board.id)
      .where('hash', '=', hashKey(key))
      .execute(),
  );
}

/** Deletes a sandbox with everything in it. */
export function endSandbox(db: Db, boardId: string): Promise<void> {
  return db.transaction((tx) => deleteBoard(tx, boardId));
}

/** Deletes the sandboxes that have been unused for this long, and those that are abused; returns their number. */
export async function sweepSandboxes(db: Db, now: number, idleMs: number): Promise<number> {
  const due = (await listSandboxes(db.read)).filter((s) => s.lastUsed <= now - idleMs || s.events > MAX_EVENTS);
  for (const { id } of due) await endSandbox(db, id);
  return due.length;
}

type Alive = { id: string; visitor: string | null; events: number; lastUsed: number };

/** All sandboxes, the longest unused first. */
function listSandboxes(reader: Reader): Promise<Alive[]> {
  return reader
    .selectFrom('boards')
    .innerJoin('api_keys as k', 'k.board_id', 'boards.id')
    .where('sandbox_visitor', 'is not', null)
    .select((e) => [
      'boards.id',
      'sandbox_visitor as visitor',
      'event_seq as events',
      e.fn.coalesce('k.date_last_used', 'boards.date_created').as('lastUsed'),
    ])
    .orderBy('lastUsed')
    .execute();
}

/** The sandbox to delete to make room for another; null while there is room. */
function findInTheWay(alive: readonly Alive[], visitor: string): Alive | null {
  const ofVisitor = alive.filter((sandbox) => sandbox.visitor === visitor);
  if (ofVisitor.length >= MAX_OF_VISITOR) return ofVisitor[0] ?? null;
  return alive.length >= MAX_SANDBOXES ? (alive[0] ?? null) : null;
}

async function insertSandbox(deps: SandboxDeps, visitor: string): Promise<Sandbox> {
  const board = await createBoard(deps.db, deps.clock, { name: 'Sandbox', sandboxVisitor: visitor });
  const context: RequestContext = { ...deps, board };
  await seedBoard(context, SAMPLE_POSTS);
  await createUser(context, sandboxVisitor, { name: 'You' });
  await setRole(context, sandboxVisitor, 'OWNER');
  const { key } = await createKey(context, { name: 'Sandbox', rateRules: RATE_RULES });
  return { board, key };
}
