import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ViewerContext } from '../../identity/users/request-context.ts';
import { foldForIndex } from '../../platform/texts/fold.ts';
import { findPosts, type PostRow } from '../posts/posts.ts';
import { isVisiblePost, viewerFilterOf } from '../visibility/posts.ts';
import { withoutCommon } from './common-words.ts';
import { chooseFeatures, meaningful } from './features.ts';
import { type Likeness, likenessOf, makePattern, type Pattern, splitTerms, termsOf } from './likeness.ts';
import { matchedWords } from './matched.ts';
import { findResembling } from './resembling.ts';
import type { SearchRow } from './rows.ts';
import { readIndex } from './segments.ts';
import { type Statistics, statisticsOf } from './statistics.ts';

/** A similar post: how similar, from 0 to 1, why, and whether it is probably about the same. */
export type SimilarPost = { post: PostRow; score: number; matched: string[]; isLikelySame: boolean };

/** What posts are compared with: a post, or a draft of one. */
export type Draft = { title: string; text: string | null; exceptId?: string };

/** Anything below this is chance. */
const LEAST_SCORE = 0.12;
/** From here on two posts are probably about the same, if they share as many terms, or all of a shorter title. */
const SAME = { score: 0.5, terms: 2 };
/** Characters of a description; what matters is at its beginning. */
const MAX_TEXT = 1_000;
/** Posts that are compared before other work has its turn, about a millisecond. */
const POSTS_PER_TURN = 40;

/**
 * Posts that resemble a title and description, the most alike first: those that share the rarest parts of its words are
 * looked up, and then compared word by word.
 */
export async function findSimilar(context: ViewerContext, draft: Draft, limit: number): Promise<SimilarPost[]> {
  const { db, board, actor } = context;
  const statistics = await statisticsOf(context);
  const title = tellingWords(splitWords(draft.title));
  const text = withoutCommon(splitWords(draft.text?.slice(0, MAX_TEXT) ?? ''));
  const features = chooseFeatures(statistics, { title, text, how: meaningful });
  const conditions = [isVisiblePost(viewerFilterOf(actor, board.id))];
  const resembling = await findResembling(db.slow, await readIndex(db.slow, board.id), { features, conditions });
  const pattern = makePattern(termsOf(statistics, title), termsOf(statistics, text));
  const others = resembling.filter(({ id }) => id !== draft.exceptId);
  const best = (await compare(statistics, pattern, others)).slice(0, limit);
  const ids = best.map(({ id }) => id);
  const posts = new Map((await findPosts(db.read, board.id, ids, actor)).map((post) => [post.id, post]));
  return best.flatMap(({ id, likeness: { score, matches }, isLikelySame }) => {
    const post = posts.get(id);
    return post
      ? [{ post, score, matched: matchedWords(matches, [post.title, post.excerpt ?? '']), isLikelySame }]
      : [];
  });
}

type Compared = { id: string; likeness: Likeness; isLikelySame: boolean };

async function compare(statistics: Statistics, pattern: Pattern, posts: readonly SearchRow[]): Promise<Compared[]> {
  const compared: Compared[] = [];
  for (const [n, { id, title, text }] of posts.entries()) {
    const terms = termsOf(statistics, tellingWords(title.trim().split(' ')));
    const likeness = likenessOf(pattern, terms, splitTerms(text.trim().split(' ')));
    const isLikelySame =
      likeness.score >= SAME.score &&
      countMatched(likeness) >= Math.min(SAME.terms, pattern.title.length, terms.length);
    if (likeness.score >= LEAST_SCORE) compared.push({ id, likeness, isLikelySame });
    if (n % POSTS_PER_TURN === POSTS_PER_TURN - 1) await nextTurn();
  }
  return compared.sort((a, b) => b.likeness.score - a.likeness.score || (a.id < b.id ? 1 : -1));
}

/** The terms that both have; of a compound and its parts, as email and mail, only the whole. */
function countMatched({ matches }: Likeness): number {
  return matches.filter(({ term }) => !matches.some((other) => other.term !== term && other.term.includes(term)))
    .length;
}

/** The words of a title that say something; all of them if there are no others. */
function tellingWords(words: readonly string[]): readonly string[] {
  const telling = withoutCommon(words);
  return telling.length > 0 ? telling : words;
}

function splitWords(text: string): string[] {
  const folded = foldForIndex(text);
  return folded === '' ? [] : folded.split(' ');
}
