import { addPastReactions as addPastReactionsToEntry } from '../../feedback/changelog/reactions.ts';
import { addPastReactions } from '../../feedback/comments/importing-reactions.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import type { ImportedCommentReaction, ImportedEntryReaction, SourceName } from './items.ts';
import { commentIdOf, entryIdOf, type Known, missing } from './known.ts';
import { none, type Tally } from './outcome.ts';
import type { People } from './people.ts';

/** The reactions of a batch. */
export type ImportedReactions = { toComments: ImportedCommentReaction[]; toEntries: ImportedEntryReaction[] };

/** What a batch has so far, by the ids of the source, and how it notes the problems of a line. */
type Inputs = {
  context: ActorContext;
  source: SourceName;
  people: People;
  isPlan: boolean;
  comments: ReadonlySet<string>;
  entries: ReadonlySet<string>;
  /** @throws NOT_FOUND */
  postOf(id: string): Known | 'PLANNED';
  within(line: number, work: () => Promise<void>): Promise<void>;
};

/** Adds the reactions of a batch: those to each comment and each entry at once. */
export async function addReactions({ toComments, toEntries }: ImportedReactions, inputs: Inputs): Promise<Tally> {
  const tally: Tally = none();
  const count = (added: number, all: number) => {
    tally.added += added;
    tally.existing += all - added;
  };
  for (const [id, reactions] of Map.groupBy(toComments, ({ commentId }) => commentId)) {
    await inputs.within(reactions[0]?.line ?? 0, () => addToComment(id, reactions, inputs, count));
  }
  for (const [id, reactions] of Map.groupBy(toEntries, ({ entryId }) => entryId)) {
    await inputs.within(reactions[0]?.line ?? 0, () => addToEntry(id, reactions, inputs, count));
  }
  return tally;
}

type Count = (added: number, all: number) => void;

async function addToComment(
  id: string,
  reactions: readonly ImportedCommentReaction[],
  inputs: Inputs,
  count: Count,
): Promise<void> {
  const { context, source, comments, postOf } = inputs;
  const post = postOf(reactions[0]?.postId ?? '');
  if (post !== 'PLANNED' && !post.isOpen) return count(0, reactions.length);
  const isThere = requireTarget(comments, 'comment', id, inputs);
  const rows = await rowsOf(reactions, inputs);
  count(isThere ? await addPastReactions(context, commentIdOf(context, source, id), rows) : rows.length, rows.length);
}

async function addToEntry(
  id: string,
  reactions: readonly ImportedEntryReaction[],
  inputs: Inputs,
  count: Count,
): Promise<void> {
  const { context, source, entries } = inputs;
  const isThere = requireTarget(entries, 'changelog entry', id, inputs);
  const rows = await rowsOf(reactions, inputs);
  const add = () => addPastReactionsToEntry(context, entryIdOf(context, source, id), rows);
  count(isThere ? await add() : rows.length, rows.length);
}

/** Whether something is on the board; a plan has taken back what came in earlier batches. @throws NOT_FOUND */
function requireTarget(known: ReadonlySet<string>, what: string, id: string, { isPlan }: Inputs): boolean {
  const isThere = known.has(id);
  if (!isThere && !isPlan) throw missing(what, id);
  return isThere;
}

async function rowsOf<T extends ImportedCommentReaction | ImportedEntryReaction>(
  reactions: readonly T[],
  { context, people, within }: Inputs,
) {
  const rows: { user_id: string; reaction: T['reaction']; date_created: number }[] = [];
  for (const { line, person, reaction, dateCreated } of reactions) {
    await within(line, async () => {
      const userId = await people.find(context, person);
      rows.push({ user_id: userId, reaction, date_created: dateCreated ?? context.clock.now() });
    });
  }
  return rows;
}
