import { expandDry, type NotifiedCount } from '../../feedback/notifying/expanding.ts';
import { changesOf, viewChange } from '../../feedback/undo/operations.ts';
import { beginOperation, isOfTeam } from '../../identity/activity/activity.ts';
import type { Trace } from '../../identity/users/request-context.ts';
import { type CollisionError, type Db, type Tx, withinTransaction } from '../../platform/db/db.ts';
import { isOneOf } from '../../platform/db/prepare.ts';
import { transactionOrBack } from '../../platform/db/taking-back.ts';
import { badRequest, conflict } from '../../platform/errors.ts';
import type { Context } from '../../platform/graphql/context.ts';
import type { Result } from '../../platform/graphql/run.ts';
import { Lane } from '../../platform/lib/lane.ts';
import { AtATime } from '../../platform/limits/at-a-time.ts';

/** How long the changes of a dry run may take, which hold up other changes until they are taken back. */
const MAX_DRY_MS = 1_000;

/** Dry runs of one board that a process carries out or has waiting. */
const MAX_OF_BOARD = 8;

/**
 * Carries dry runs out one at a time, so that on SQLite a change waits for at most one of them. Those of a board are few,
 * so that the others have their turn.
 */
export class DryRuns {
  readonly #lane = new Lane(1);
  readonly #ofBoard = new AtATime(MAX_OF_BOARD, 'Too many dry runs at a time: wait for one of them');

  /** @throws RATE_LIMIT_EXCEEDED if too many of the board are waiting already */
  within<T>(boardId: string, work: () => Promise<T>): Promise<T> {
    return this.#ofBoard.within(boardId, () => this.#lane.within(work));
  }
}

/** What the mutations of a request would have done. */
export type Effects = NotifiedCount & {
  /** What the team could undo, as `operations` would show it. */
  changes: { thing: string; thingId: string; before: unknown; after: unknown }[];
  events: { type: string; postId: string | null }[];
  /** Deliveries of these events to webhooks. */
  deliveries: number;
};

type Outcome = { result: Result; effects: Effects };

/** Whether a mutation is to be run dry. @throws BAD_REQUEST for another value than `true` */
export function isDry(header: string | string[] | undefined): boolean {
  if (header !== undefined && header !== 'true') throw badRequest('Dry-Run must be true', 'Dry-Run');
  return header === 'true';
}

/**
 * Carries mutations out in a transaction that is rolled back. Nothing of them remains, and no one is told: what happens
 * outside the store follows commits. A change that would begin after `limitMs` is refused with CONFLICT.
 */
export async function runDry<On extends Pick<Context, 'db' | 'board' | 'actor' | 'operation'>>(
  context: On,
  run: (on: On) => Promise<Result>,
  limitMs = MAX_DRY_MS,
): Promise<Outcome> {
  return transactionOrBack(context.db, async (tx, takeBack) => {
    const collisions: CollisionError[] = [];
    const limited = withDeadline(context.db, performance.now() + limitMs);
    const db = withinTransaction(limited, tx, (error) => collisions.push(error));
    const trace: Trace = { events: [], noticeIds: [] };
    const operation = { ...beginOperation(), tags: context.operation?.tags, trace };
    const result = await run({ ...context, db, operation });
    if (collisions[0]) throw collisions[0];
    return takeBack({ result, effects: await readEffects(tx, context, operation.id, trace) });
  });
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

/** For members, who are not to learn how many users follow a post, or that there are webhooks. */
const UNCOUNTED = { deliveries: 0, notified: 0, mailed: 0, isMinimum: true };

type Viewing = Pick<Context, 'board' | 'actor'>;

async function readEffects(tx: Tx, context: Viewing, operationId: string, trace: Trace): Promise<Effects> {
  const { id: boardId } = context.board;
  const changes = (await changesOf(tx, boardId, [operationId]).execute()).map(viewChange);
  const counts = async () => ({
    deliveries: await countDeliveries(tx, boardId, trace),
    ...(await expandDry(tx, boardId, trace.noticeIds)),
  });
  return {
    changes: changes.map(({ thing, thing_id: thingId, before, after }) => ({ thing, thingId, before, after })),
    events: trace.events.map(({ type, postId }) => ({ type, postId })),
    ...(isOfTeam(context) ? await counts() : UNCOUNTED),
  };
}

/** The deliveries of new events: the id of each begins with that of its event, and these are the newest. */
async function countDeliveries(tx: Tx, boardId: string, { events }: Trace): Promise<number> {
  const eventIds = events.map(({ id }) => id);
  const { count } = await tx
    .selectFrom('deliveries')
    .where('board_id', '=', boardId)
    .where('id', '>', eventIds[0] ?? '~')
    .where(isOneOf(tx, 'event_id', eventIds))
    .select((e) => e.cast<number>(e.fn.countAll(), 'integer').as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
