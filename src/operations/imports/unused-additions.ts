import { type RawBuilder, sql } from 'kysely';
import { deleteEntry } from '../../feedback/changelog/writing.ts';
import { deleteStatus } from '../../feedback/lifecycle/deleting-status.ts';
import { deleteTag } from '../../feedback/tags/tags.ts';
import type { ActorContext, RequestContext } from '../../identity/users/request-context.ts';
import { type Tx, withinTransaction } from '../../platform/db/db.ts';
import { actAsImport } from './acting.ts';
import type { ImportRow } from './past-imports.ts';

/** How many of each were removed. */
export type RemovedAdditions = { entries: number; statuses: number; tags: number };

/** What is on the board and no one uses; of entries, what no one has changed or reacted to since the import. */
const unused = {
  CHANGELOG_ENTRY: ({ board_id, date_last }) => sql`select id from changelog_entries
    where board_id = ${board_id} and date_updated <= ${date_last}
    and id not in (select entry_id from changelog_reactions where board_id = ${board_id} and date_created > ${date_last})`,
  STATUS: ({ board_id }) => sql`select id from statuses where board_id = ${board_id}
    and id not in (select status_id from posts where board_id = ${board_id})
    and id not in (select unmerged_status_id from posts
      where board_id = ${board_id} and unmerged_status_id is not null)`,
  TAG: ({ board_id }) => sql`select id from tags where board_id = ${board_id}
    and not exists (select 1 from post_tags where post_tags.board_id = tags.board_id and tag_id = tags.id)`,
} satisfies Record<string, (last: ImportRow) => RawBuilder<unknown>>;

type Kind = keyof typeof unused;

/** What is removed in one transaction. */
const STEP = 50;

/**
 * Removes the changelog entries, statuses and tags that an import has added, as far as no one has used or changed them
 * since. The log of operations tells which these are: once it has forgotten the import, they stay.
 */
export async function removeUnusedAdditions(context: RequestContext, last: ImportRow): Promise<RemovedAdditions> {
  return {
    entries: await removeUnused(context, last, 'CHANGELOG_ENTRY', deleteEntry),
    statuses: await removeUnused(context, last, 'STATUS', deleteStatus),
    tags: await removeUnused(context, last, 'TAG', deleteTag),
  };
}

type Remove = (context: ActorContext, id: string) => Promise<unknown>;

async function removeUnused(context: RequestContext, last: ImportRow, kind: Kind, remove: Remove): Promise<number> {
  let removed = 0;
  for (let step = STEP; step === STEP; removed += step) step = await removeSome(context, last, kind, remove);
  return removed;
}

function removeSome(context: RequestContext, last: ImportRow, kind: Kind, remove: Remove): Promise<number> {
  return context.db.transaction(async (tx) => {
    const acting = await actAsImport({ ...context, db: withinTransaction(context.db, tx) });
    const ids = await findUnused(tx, last, kind, acting.actor.id);
    for (const id of ids) await remove(acting, id);
    return ids.length;
  });
}

async function findUnused(tx: Tx, last: ImportRow, kind: Kind, importerId: string): Promise<string[]> {
  const ofBoard = tx.selectFrom('operations').select('thing_id').where('board_id', '=', last.board_id);
  const ofKind = ofBoard.where('thing', '=', kind);
  const added = ofKind
    .where('operation_id', '>', last.id)
    .where('operation_id', '<=', last.last_id)
    .where('actor_id', '=', importerId)
    .where('state_before', 'like', '{"exists":false%');
  const byOthers = ofKind.where((e) => e.or([e('actor_id', 'is', null), e('actor_id', '!=', importerId)]));
  const rows = await added
    .where('thing_id', 'not in', byOthers)
    .where(sql<boolean>`thing_id in (${unused[kind](last)})`)
    .orderBy('id')
    .limit(STEP)
    .execute();
  return rows.map(({ thing_id }) => thing_id);
}
