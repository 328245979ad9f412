import type { Selectable } from 'kysely';
import type { Db, Tx } from '../../platform/db/db.ts';
import { prepareInsert } from '../../platform/db/prepare.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { makeId } from '../../platform/lib/ids.ts';
import { type Actor, may } from '../users/authority.ts';
import type { Operation, ServiceContext } from '../users/request-context.ts';

/**
 * What operations of the team change. OWN_VIEW: a view that its owner keeps for themselves, who alone sees the change.
 * STATUS_ORDER, FIELD_ORDER: the order of all; these have the id of the board, as BOARD has.
 */
export const things = [
  'POST',
  'COMMENT',
  'STATUS',
  'STATUS_ORDER',
  'TAG',
  'FIELD',
  'FIELD_ORDER',
  'CHANGELOG_ENTRY',
  'COMPANY',
  'SEGMENT',
  'BOARD',
  'USER',
  'VIEW',
  'OWN_VIEW',
] as const;
export type Thing = (typeof things)[number];

/**
 * Properties of a thing by name. `exists` is false for a thing that is created later, or was deleted. `lost` names what
 * no one can bring back: a change with it is in the log, and is not undone.
 */
export type State = Readonly<Record<string, unknown>>;

/** What an operation changed about one thing: the same properties as they were, and as they became. */
export type Change = {
  thing: Thing;
  id: string;
  /** The post that it is or belongs to, which decides who may see the change. */
  postId?: string;
  before: State;
  after: State;
};

type OperationTable = {
  board_id: string;
  /** The operation: everything that one request or form changed. */
  operation_id: string;
  /** Of the change; in the order of the changes. */
  id: string;
  thing: Thing;
  thing_id: string;
  post_id: string | null;
  /** Null once that user is erased. */
  actor_id: string | null;
  /** JSON of `State`. */
  state_before: string;
  state_after: string;
  date_created: number;
  date_undone: number | null;
  undone_by: string | null;
  /** The name of the API key with which an agent did it, or of the chat in which people wrote it; null for what they did here. */
  via: string | null;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    /** What the team changed in the last 30 days: one row for each thing that an operation changed. */
    operations: OperationTable;
  }
}

export type ChangeRow = Selectable<OperationTable>;

/** Things that an operation may have changed and still be undone: one transaction changes all of them back. */
export const MAX_UNDONE = 500;

/** How long an operation can be undone. */
export const UNDO_DAYS = 30;

/** A new operation, for the context of a request or a form. */
export function beginOperation(): Operation {
  return { id: makeId(), isRecorded: false };
}

/**
 * Records what a change of the team did, in its transaction, so that it can be undone. What members do is not recorded:
 * they vote, post and edit what is their own.
 */
export async function recordChange(tx: Tx, context: ServiceContext, change: Change): Promise<void> {
  const { board, actor, clock, operation = beginOperation() } = context;
  const [before, after] = differenceOf(change);
  if (!isOfTeam(context) || Object.keys(after).length === 0) return;
  if (operation.isFull && change.postId !== undefined) return;
  await insertChange(tx, {
    board_id: board.id,
    operation_id: operation.id,
    id: makeId(),
    thing: change.thing,
    thing_id: change.id,
    post_id: change.postId ?? null,
    actor_id: actor?.id ?? null,
    state_before: JSON.stringify(before),
    state_after: JSON.stringify(after),
    date_created: clock.now(),
    via: operation.via ?? null,
  });
  operation.isRecorded = true;
}

/** Both states without the properties that have not changed. */
export function differenceOf({ before, after }: Pick<Change, 'before' | 'after'>): [before: State, after: State] {
  const all = new Set([...Object.keys(before), ...Object.keys(after)]);
  const names = [...all].filter((name) => !isSame(before[name], after[name]));
  const pick = (state: State) => Object.fromEntries(names.map((name) => [name, state[name] ?? null]));
  return [pick(before), pick(after)];
}

/** Whether a property has the same value; one that is missing is null. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}

/** Whether what this user changes is recorded. */
export function isOfTeam({ actor }: { actor: Actor | null }): boolean {
  return may(actor, 'post.see.team');
}

const insertChange = prepareInsert('operations', [
  'board_id',
  'operation_id',
  'id',
  'thing',
  'thing_id',
  'post_id',
  'actor_id',
  'state_before',
  'state_after',
  'date_created',
  'via',
]);

const ROWS_PER_STEP = 1_000;

/** Removes what can no longer be undone, some at a time. */
export async function forgetOperations(db: Db, now: number, signal?: AbortSignal): Promise<void> {
  const boards = await db.read.selectFrom('boards').select('id').execute();
  for (const { id } of boards) {
    while (!signal?.aborted && (await forgetSome(db, id, now - UNDO_DAYS * DAY_MS)));
  }
}

/** @returns whether there may be more */
async function forgetSome(db: Db, boardId: string, before: number): Promise<boolean> {
  const oldest = db.read
    .selectFrom('operations')
    .select(['operation_id', 'date_created'])
    .where('board_id', '=', boardId)
    .orderBy('operation_id');
  const found = await oldest.limit(ROWS_PER_STEP).execute();
  const last = found.findLast(({ date_created }) => date_created <= before);
  if (!last) return false;
  await db.transaction((tx) =>
    tx
      .deleteFrom('operations')
      .where('board_id', '=', boardId)
      .where('operation_id', '<=', last.operation_id)
      .where('date_created', '<=', before)
      .execute(),
  );
  return found.length === ROWS_PER_STEP;
}
