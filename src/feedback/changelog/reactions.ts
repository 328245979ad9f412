import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import type { Reader, Tx } from '../../platform/db/db.ts';
import { isOneOf, locked, prepare } from '../../platform/db/prepare.ts';
import { updateRow } from '../../platform/db/rows.ts';
import { type EntryRow, requireEntryForReaction } from './entries.ts';

/** The column that counts each reaction; each user can have each reaction to an entry once. */
const counts = {
  THUMBS_UP: 'thumbs_up_count',
  HEART: 'heart_count',
  PARTY: 'party_count',
  EYES: 'eyes_count',
} as const satisfies Record<string, keyof EntryRow>;

export type ChangelogReaction = keyof typeof counts;
export const changelogReactions = Object.keys(counts) as ChangelogReaction[];

/** One reaction of a user to an entry. */
export type ReactionRow = {
  board_id: string;
  entry_id: string;
  user_id: string;
  reaction: ChangelogReaction;
  date_created: number;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    changelog_reactions: ReactionRow;
  }
}

/** Number of users with one reaction. */
export type ReactionCount = { reaction: ChangelogReaction; count: number };

/** All reactions with their numbers of users. */
export function reactionsOf(entry: EntryRow): ReactionCount[] {
  return changelogReactions.map((reaction) => ({ reaction, count: entry[counts[reaction]] }));
}

/** How a user reacts to each of the entries. */
export const findReactionsOfUser = prepare<
  { boardId: string; userId: string; entryIds: readonly string[] },
  Pick<ReactionRow, 'entry_id' | 'reaction'>
>((reader, param) =>
  reader
    .selectFrom('changelog_reactions')
    .select(['entry_id', 'reaction'])
    .where('board_id', '=', param('boardId'))
    .where('user_id', '=', param('userId'))
    .where(isOneOf(reader, 'entry_id', param('entryIds'))),
);

/** The reactions to some entries one by one, by their keys: those after one of them, up to a limit. */
export function listReactions(
  reader: Reader,
  { boardId, entryIds, after, limit }: ReactionsAsked,
): Promise<ReactionRow[]> {
  const ofBoard = reader.selectFrom('changelog_reactions').selectAll().where('board_id', '=', boardId);
  const ofEntries = ofBoard.where(isOneOf(reader, 'entry_id', entryIds));
  const further = after
    ? ofEntries.where((e) =>
        e(e.refTuple('entry_id', 'user_id', 'reaction'), '>', e.tuple(after.entry_id, after.user_id, after.reaction)),
      )
    : ofEntries;
  return further.orderBy('entry_id').orderBy('user_id').orderBy('reaction').limit(limit).execute();
}

type ReactionsAsked = { boardId: string; entryIds: readonly string[]; after: ReactionRow | null; limit: number };

/**
 * Adds or removes a reaction of the actor to an entry. Repeating the call changes nothing.
 * @throws FORBIDDEN, NOT_FOUND
 */
export function setReaction(
  context: ActorContext,
  entryId: string,
  reaction: ChangelogReaction,
  isSet: boolean,
): Promise<EntryRow> {
  const { actor, clock, db } = context;
  if (isSet) requireRight(actor, 'take.part');
  return db.transaction(async (tx) => {
    const entry = await requireEntryForReaction(tx, context, entryId);
    const row = { board_id: entry.board_id, entry_id: entryId, user_id: actor.id, reaction };
    const changed = isSet ? await addReaction(tx, { ...row, date_created: clock.now() }) : await dropReaction(tx, row);
    return changed === 0 ? entry : addToCount(tx, entry, reaction, isSet ? 1 : -1);
  });
}

async function addReaction(tx: Tx, row: ReactionRow): Promise<number> {
  const insert = tx
    .insertInto('changelog_reactions')
    .values(row)
    .onConflict((c) => c.doNothing());
  return (await insert.returning('reaction').execute()).length;
}

async function dropReaction(tx: Tx, { board_id, entry_id, user_id, reaction }: Omit<ReactionRow, 'date_created'>) {
  const ofEntry = tx
    .deleteFrom('changelog_reactions')
    .where('board_id', '=', board_id)
    .where('entry_id', '=', entry_id);
  const own = ofEntry.where('user_id', '=', user_id).where('reaction', '=', reaction);
  return (await own.returning('reaction').execute()).length;
}

/** A reaction that a user had elsewhere. */
export type PastReaction = Pick<ReactionRow, 'user_id' | 'reaction' | 'date_created'>;

/**
 * Adds reactions to an entry that users had elsewhere, with their dates. Those that the entry has already stay as they are.
 * @returns how many were added
 * @throws FORBIDDEN, NOT_FOUND
 */
export async function addPastReactions(
  context: ActorContext,
  entryId: string,
  reactions: readonly PastReaction[],
): Promise<number> {
  requireRight(context.actor, 'act.for');
  return context.db.transaction(async (tx) => {
    let entry = await requireEntryForReaction(tx, context, entryId);
    let added = 0;
    for (const reaction of reactions) {
      const changed = await addReaction(tx, { board_id: entry.board_id, entry_id: entryId, ...reaction });
      if (changed > 0) entry = await addToCount(tx, entry, reaction.reaction, 1);
      added += changed;
    }
    return added;
  });
}

function addToCount(tx: Tx, entry: EntryRow, reaction: ChangelogReaction, change: 1 | -1): Promise<EntryRow> {
  const column = counts[reaction];
  return updateRow(tx, 'changelog_entries', entry, { [column]: entry[column] + change });
}

/** Removes all reactions of an erased user to an entry. */
export async function dropReactions(tx: Tx, boardId: string, entryId: string, userId: string): Promise<void> {
  const entries = tx.selectFrom('changelog_entries').selectAll().where('board_id', '=', boardId);
  // The entry is locked first, as by `setReaction`.
  let entry = await locked(tx, entries.where('id', '=', entryId)).executeTakeFirst();
  if (!entry) return;
  for (const reaction of changelogReactions) {
    const row = { board_id: boardId, entry_id: entryId, user_id: userId, reaction };
    if ((await dropReaction(tx, row)) > 0) entry = await addToCount(tx, entry, reaction, -1);
  }
}
