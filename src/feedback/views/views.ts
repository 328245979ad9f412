import { type Selectable, sql } from 'kysely';
import { listSegments, readPeopleIn } from '../../identity/customers/segments.ts';
import { may } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import type { Reader, Tx } from '../../platform/db/db.ts';
import { isKnown, prepare } from '../../platform/db/prepare.ts';
import { listFields } from '../fields/fields.ts';
import { listStatuses } from '../statuses/statuses.ts';
import { listTags } from '../tags/tags.ts';
import { seesStatus } from '../visibility/posts.ts';
import {
  type Conditions,
  type Known,
  type LeftOut,
  parseConditions,
  type Reading,
  type ViewKind,
  viewKinds,
} from './parameters.ts';

type ViewTable = {
  board_id: string;
  id: string;
  kind: ViewKind;
  name: string;
  /** JSON: the values of each parameter by its name, as it was written; see `parseConditions`. */
  conditions: string;
  /** Null for a shared one of a user who is erased. */
  owner_id: string | null;
  is_shared: 0 | 1;
  /** Among the shared ones of its kind, or among those of its owner. */
  position: number;
  date_created: number;
  date_updated: number;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    /** Filters of the lists of the team, kept under a name. */
    views: ViewTable;
  }
}

export type ViewRow = Selectable<ViewTable>;

/** A view with its filter as it works for the viewer now, what that leaves out, and what it was checked against. */
export type View = { row: ViewRow; conditions: Conditions; leftOut: readonly LeftOut[]; known: Known };

/** What the viewer sees of the board, to check filters against. */
export async function readKnown(context: ActorContext): Promise<Known> {
  const { db, board, actor } = context;
  const [statuses, tags, segments, fields] = await Promise.all([
    listStatuses(db.read, board.id),
    listTags(db.read, board.id, actor),
    may(actor, 'customer.see') ? listSegments(context) : [],
    listFields(db.read, board.id, actor),
  ]);
  return { statuses: statuses.filter((status) => seesStatus(actor, status)), tags, segments, fields };
}

/** Reads what lists with these conditions compare with. */
export async function readReading(context: ActorContext, known: Known, lists: readonly Conditions[]): Promise<Reading> {
  const { db, board, actor, clock } = context;
  const asked = new Set(lists.flatMap(({ segment = [], among = [] }) => [...segment, ...among]));
  const peopleOf = new Map<string, readonly string[]>();
  for (const { id, filter } of known.segments.filter((segment) => asked.has(segment.id))) {
    peopleOf.set(id, await readPeopleIn(db.slow, board.id, filter));
  }
  return { ...known, now: clock.now(), viewerId: actor.id, peopleOf };
}

/** The shared views in their order, and then the viewer's own, of one kind or of all; none for anyone outside the team. */
export async function listViews(context: ActorContext, kind: ViewKind | null, known?: Known): Promise<View[]> {
  const { db, board, actor } = context;
  if (!may(actor, 'view.use')) return [];
  const rows = await viewsFor(db.read, { boardId: board.id, viewerId: actor.id });
  const these = rows.filter((row) => kind === null || row.kind === kind);
  if (these.length === 0) return [];
  const all = known ?? (await readKnown(context));
  return these.map((row) => viewOf(row, all));
}

export function viewOf(row: ViewRow, known: Known): View {
  return { row, known, ...parseConditions(row.kind, Object.entries(conditionsOf(row)), known) };
}

/** The conditions of a view as they were written. */
export function conditionsOf({ conditions }: ViewRow): Record<string, readonly string[]> {
  return JSON.parse(conditions);
}

/** In order: shared ones first. Kinds that only a newer version knows are left to it. */
const viewsFor = prepare<{ boardId: string; viewerId: string }, ViewRow>((reader, param) =>
  reader
    .selectFrom('views')
    .selectAll()
    .where('board_id', '=', param('boardId'))
    .where((e) => e.or([e('is_shared', '=', 1), e('owner_id', '=', param('viewerId'))]))
    .where(isKnown('kind', viewKinds))
    .orderBy('is_shared', 'desc')
    .orderBy('position')
    .orderBy('id'),
);

/** As `listViews`, the rows only, in a transaction. */
export function readViews(tx: Reader, { board, actor }: Pick<ActorContext, 'board' | 'actor'>): Promise<ViewRow[]> {
  return Promise.resolve(viewsFor(tx, { boardId: board.id, viewerId: actor.id }));
}

/** What erasing a user does to views: own ones go, and shared ones stay without an owner. */
export async function disownViews(tx: Tx, boardId: string, ownerId: string): Promise<void> {
  const ofOwner = sql`board_id = ${boardId} and owner_id = ${ownerId}`;
  await sql`delete from views where ${ofOwner} and is_shared = 0`.execute(tx);
  await sql`update views set owner_id = null where ${ofOwner}`.execute(tx);
}
