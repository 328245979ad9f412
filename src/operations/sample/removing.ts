import { findEntry } from '../../feedback/changelog/entries.ts';
import { deleteEntry } from '../../feedback/changelog/writing.ts';
import { changePosts } from '../../feedback/lifecycle/bulk.ts';
import type { ActorContext, RequestContext } from '../../identity/users/request-context.ts';
import { isOneOf } from '../../platform/db/prepare.ts';
import { deriveId } from '../../platform/lib/ids.ts';
import { makeSamplePost, SETUP_POSTS, sampleEntries } from './sample.ts';

/** The id of the nth sample entry of a board: derived, so it is found again. */
export function sampleEntryId(boardId: string, n: number): string {
  return deriveId(boardId, `sample entry ${n}`);
}

/** The sample posts with these numbers that are on the board, or those that were deleted. */
export function findSamples(
  { db, board }: Pick<RequestContext, 'db' | 'board'>,
  numbers: readonly number[],
  { areDeleted = false } = {},
) {
  const externalIds = numbers.map((n) => `sample-${n}`);
  const posts = db.read.selectFrom('posts').select(['id', 'external_id', 'title']).where('board_id', '=', board.id);
  const samples = posts.where(isOneOf(db.read, 'external_id', externalIds)).where('is_sample', '=', 1);
  return samples
    .where('merged_into_id', 'is', null)
    .where('date_deleted', areDeleted ? 'is not' : 'is', null)
    .execute();
}

/** The ids of the sample posts of the setup, except those that were renamed: these may have become real ideas. */
export async function findUntouchedSamples(context: Pick<RequestContext, 'db' | 'board'>): Promise<string[]> {
  const numbers = Array.from({ length: SETUP_POSTS }, (_, n) => n);
  const titles = new Map(numbers.map((n) => [`sample-${n}`, makeSamplePost(n).title]));
  const found = await findSamples(context, numbers);
  return found.filter((post) => titles.get(post.external_id ?? '') === post.title).map(({ id }) => id);
}

/** Takes the sample posts off the board, which can be undone like any deletion, and deletes the sample entries. */
export async function removeSample(context: ActorContext): Promise<void> {
  const ids = await findUntouchedSamples(context);
  if (ids.length > 0) await changePosts(context, ids, { kind: 'delete' });
  for (const [n, { title }] of sampleEntries.entries()) {
    const entry = await findEntry(context, sampleEntryId(context.board.id, n));
    if (entry?.title === title) await deleteEntry(context, entry.id);
  }
}
