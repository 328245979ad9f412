import { choosePosts } from '#src/feedback/finding/choosing.ts';
import { findPostsBy } from '#src/feedback/finding/finding.ts';
import { findPostByNumber, type PostRow } from '#src/feedback/posts/posts.ts';
import { parseSearch } from '#src/feedback/search/search.ts';
import type { View } from '../parts/requests/joining.ts';

/** Characters of a search; the features refuse longer ones. */
const MAX_WORDS = 200;

/** What someone looks for, as it is searched for. */
export function cleanWords(text: string): string {
  return text.trim().slice(0, MAX_WORDS).toWellFormed();
}

type Looking = Pick<View, 'visit' | 'context'>;

/** The idea with this number, as #12 or 12; null if the words are none, or there is none. */
export async function findNumbered({ visit, context }: Looking, words: string): Promise<PostRow | null> {
  const [, number] = /^#?(\d{1,9})$/.exec(words) ?? [];
  return number ? findPostByNumber(visit.db.read, context.board.id, Number(number), context.actor) : null;
}

/** The ideas that a form of the team offers for some words: first the one with that number. Without words, the newest. */
export async function findIdeas(looking: Looking, words: string, limit: number): Promise<readonly PostRow[]> {
  const { visit, context } = looking;
  const numbered = await findNumbered(looking, words);
  await visit.countSearch();
  const choice = await choosePosts(context, [], {});
  const search = parseSearch(words);
  const query = { choice, words: search, order: search ? null : ('NEWEST' as const), cursor: null, limit };
  const { nodes } = (await findPostsBy(context, query, null)).page;
  return numbered ? [numbered, ...nodes.filter(({ id }) => id !== numbered.id)] : nodes;
}
