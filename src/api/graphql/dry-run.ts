import { expandDry, type NotifiedCount } from '../../feedback/notifying/expanding.ts';
import { changesOf, viewChange } from '../../feedback/undo/operations.ts';
import { beginOperation } from '../../identity/activity/activity.ts';
import type { Trace } from '../../identity/users/request-context.ts';
import { type CollisionError, type Db, type Tx, withinTransaction } from '../../platform/db/db.ts';
import { isOneOf } from '../../platform/db/prepare.ts';
import { badRequest, conflict } from '../../platform/errors.ts';
import type { Context } from '../../platform/graphql/context.ts';
import type { Result } from '../../platform/graphql/run.ts';

/** How long the changes of a dry run may take, which hold up other changes until they are taken back. */
const MAX_DRY_MS = 1_000;

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
 * outside the store follows commits. A change that would begin after `limitMs` is refused with CONFLICT.
 */
export async function runDry<On extends Pick<Context, 'db' | 'board'>>(
  context: On,
  run: (on: On) => Promise<Result>,
  limitMs = MAX_DRY_MS,
): Promise<TakenBack['outcome']> {
  try {
    return await context.db.transaction(async (tx) => {
      const collisions: CollisionError[] = [];
      const limited = withDeadline(context.db, performance.now() + limitMs);
      const db = withinTransaction(limited, tx, (error) => collisions.push(error));
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

/** The store, where no transaction within another begins later. */
function withDeadline(db: Db, deadline: number): Db {
  return {
    ...db,
    admit() {
      if (performance.now() > deadline) throw conflict('This changes more than a dry run can try');
    },
  };
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
