import { expandDry, type NotifiedCount } from '../../feedback/notifying/expanding.ts';
import { changesOf, viewChange } from '../../feedback/undo/operations.ts';
import { beginOperation } from '../../identity/activity/activity.ts';
import type { Trace } from '../../identity/users/request-context.ts';
import { type CollisionError, type Tx, withinTransaction } from '../../platform/db/db.ts';
import { isOneOf } from '../../platform/db/prepare.ts';
import { badRequest } from '../../platform/errors.ts';
import type { Context } from '../../platform/graphql/context.ts';
import type { Result } from '../../platform/graphql/run.ts';

/** What the mutations of a request would have done. */
export type Effects = NotifiedCount & {
  /** What the team could undo, as `operations` would show it. */
  changes: { thing: string; thingId: string; before: unknown; after: unknown }[];
  events: { type: string; postId: string | null }[];
  /** Deliveries of these events to webhooks. */
  deliveries: number;
};

/** The answer of a dry run, thrown so that everything is rolled back. */
class TakenBack extends Error {
  readonly outcome: { result: Result; effects: Effects };
  constructor(outcome: TakenBack['outcome']) {
    super('A dry run is taken back');
    this.outcome = outcome;
  }
}

/** Whether a mutation is to be run dry. @throws BAD_REQUEST for another value than `true` */
export function isDry(header: string | string[] | undefined): boolean {
  if (header !== undefined && header !== 'true') throw badRequest('Dry-Run must be true', 'Dry-Run');
  return header === 'true';
}

/**
 * Carries mutations out in a transaction that is rolled back. Nothing of them remains, and no one is told: what happens
 * outside the store follows commits.
 */
export async function runDry(context: Context, run: (on: Context) => Promise<Result>): Promise<TakenBack['outcome']> {
  try {
    return await context.db.transaction(async (tx) => {
      const collisions: CollisionError[] = [];
      const db = withinTransaction(context.db, tx, (error) => collisions.push(error));
      const trace: Trace = { events: [], noticeIds: [] };
      const operation = { ...beginOperation(), trace };
      const result = await run({ ...context, db, operation });
      if (collisions[0]) throw collisions[0];
      throw new TakenBack({ result, effects: await readEffects(tx, context.board.id, operation.id, trace) });
    });
  } catch (error) {
    if (error instanceof TakenBack) return error.outcome;
    throw error;
  }
}

async function readEffects(tx: Tx, boardId: string, operationId: string, trace: Trace): Promise<Effects> {
  const changes = (await changesOf(tx, boardId, [operationId]).execute()).map(viewChange);
  const sent = tx.selectFrom('deliveries').where('board_id', '=', boardId);
  const eventIds = trace.events.map(({ id }) => id);
  // The id of a delivery begins with that of its event, and these are the newest.
  const { deliveries } = await sent
    .where('id', '>', eventIds[0] ?? '~')
    .where(isOneOf(tx, 'event_id', eventIds))
    .select((e) => e.cast<number>(e.fn.countAll(), 'integer').as('deliveries'))
    .executeTakeFirstOrThrow();
  return {
    changes: changes.map(({ thing, thing_id: thingId, before, after }) => ({ thing, thingId, before, after })),
    events: trace.events.map(({ type, postId }) => ({ type, postId })),
    deliveries,
    ...(await expandDry(tx, boardId, trace.noticeIds)),
  };
}
