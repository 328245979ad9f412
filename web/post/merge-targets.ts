import { choosePosts } from '#src/feedback/finding/choosing.ts';
import { findPostsBy } from '#src/feedback/finding/finding.ts';
import { findPostByNumber, type PostRow } from '#src/feedback/posts/posts.ts';
import { parseSearch } from '#src/feedback/search/search.ts';
import type { StatusRow } from '#src/feedback/statuses/statuses.ts';
import { countTogether } from '#src/feedback/votes/merge-forecast.ts';
import type { View } from '../parts/requests/joining.ts';
import { listSimilar, viewBriefly } from './panel.ts';

/** Posts to choose from, and characters of a search. */
const CHOICES = 6;
const MAX_WORDS = 200;

/**
 * The posts that one can be merged into: those that a search finds, by words or by number, else those like it; each with
 * the votes that it would have then.
 */
export async function viewMergeTargets(view: View, post: PostRow, search: string, statuses: readonly StatusRow[]) {
  const words = search.trim().slice(0, MAX_WORDS).toWellFormed();
  const found = words === '' ? await listSimilar(view, post) : await findByWords(view, words);
  const targets = found.filter((each) => each.id !== post.id && mayTake(each)).slice(0, CHOICES);
  const together = await countTogether(view.context, post, targets);
  const describe = viewBriefly(statuses);
  const choices = targets.map((target) => ({ ...describe(target), together: together.get(target.id) ?? 0 }));
  return { words, choices };
}

export type MergeTargets = Awaited<ReturnType<typeof viewMergeTargets>>;

function mayTake({ merged_into_id, is_locked, moderation_status }: PostRow): boolean {
  return (
    merged_into_id === null && is_locked === 0 && moderation_status !== 'PENDING' && moderation_status !== 'REJECTED'
  );
}

async function findByWords({ visit, context }: View, words: string): Promise<readonly PostRow[]> {
  const number = /^#?(\d{1,9})$/.exec(words)?.[1];
  const named = number ? await findPostByNumber(visit.db.read, context.board.id, Number(number), context.actor) : null;
  visit.countSearch();
  const choice = await choosePosts(context, [], {});
  const query = { choice, words: parseSearch(words), order: null, cursor: null, limit: 2 * CHOICES };
  const { page } = await findPostsBy(context, query, null);
  return named ? [named, ...page.nodes.filter(({ id }) => id !== named.id)] : page.nodes;
}
