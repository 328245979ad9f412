import type { PostRow } from '#src/feedback/posts/posts.ts';
import type { StatusRow } from '#src/feedback/statuses/statuses.ts';
import { isHeld } from '#src/feedback/visibility/posts.ts';
import { countTogether } from '#src/feedback/votes/merge-forecast.ts';
import type { View } from '../parts/requests/joining.ts';
import { cleanWords, findIdeas } from '../posts/find-ideas.ts';
import { type Alike, listSimilar, viewBriefly } from './panel.ts';

/** Posts to choose from. */
const CHOICES = 6;

/**
 * The posts that one can be merged into: those that a search finds, by words or by number, else those like it; each with
 * the votes that it would have then, and the words in common of one that is probably a duplicate.
 */
export async function viewMergeTargets(view: View, post: PostRow, search: string, statuses: readonly StatusRow[]) {
  const words = cleanWords(search);
  const found: readonly (PostRow & Partial<Alike>)[] =
    words === '' ? await listSimilar(view, post) : await findIdeas(view, words, 2 * CHOICES);
  const targets = found.filter((each) => each.id !== post.id && mayTake(each)).slice(0, CHOICES);
  const together = await countTogether(view.context, post, targets);
  const describe = viewBriefly(statuses);
  const choices = targets.map((target) => ({
    ...describe(target),
    together: together.get(target.id) ?? 0,
    shared: target.isLikelySame ? (target.matched ?? null) : null,
  }));
  return { words, choices };
}

export type MergeTargets = Awaited<ReturnType<typeof viewMergeTargets>>;

function mayTake({ merged_into_id, is_locked, moderation_status }: PostRow): boolean {
  return merged_into_id === null && is_locked === 0 && !isHeld(moderation_status);
}
