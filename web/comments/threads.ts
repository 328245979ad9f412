import { findComments } from '#src/feedback/comments/comments.ts';
import type { ViewerContext } from '#src/identity/users/request-context.ts';

/** What the order of comments depends on. */
type Placed = { id: string; parentId: string | null; date: number };

/**
 * A comment and the replies to it. Where the comment is not on the page, it is `gone`: deleted, held back, or not for
 * the viewer; or `elsewhere`: on another page.
 */
export type Thread<Comment> = { id: string; comment: Comment | 'gone' | 'elsewhere'; replies: Comment[] };

/** The comments that are replied to but not among these, as far as the viewer may see them. */
export async function findParents(
  { db, board, actor }: ViewerContext,
  comments: readonly Placed[],
): Promise<ReadonlySet<string>> {
  const shown = new Set(comments.map(({ id }) => id));
  const missing = new Set(comments.flatMap(({ parentId }) => (parentId && !shown.has(parentId) ? parentId : [])));
  const found = missing.size > 0 ? await findComments(db.read, board.id, [...missing], actor) : [];
  return new Set(found.map(({ id }) => id));
}

/**
 * Replies under what they reply to, the oldest first.
 * @param elsewhere the comments that are replied to and stand on other pages
 */
export function makeThreads<Comment extends Placed>(
  comments: readonly Comment[],
  elsewhere: ReadonlySet<string>,
): Thread<Comment>[] {
  const shown = new Set(comments.map(({ id }) => id));
  const replies = Map.groupBy(comments, ({ parentId }) => parentId);
  const repliesTo = (id: string) => (replies.get(id) ?? []).toSorted((a, b) => a.date - b.date);
  return comments.flatMap((comment): Thread<Comment>[] => {
    const { id, parentId } = comment;
    if (parentId === null) return [{ id, comment, replies: repliesTo(id) }];
    // The first reply to a comment that is not here stands for all of them.
    if (shown.has(parentId) || replies.get(parentId)?.[0] !== comment) return [];
    return [{ id: parentId, comment: elsewhere.has(parentId) ? 'elsewhere' : 'gone', replies: repliesTo(parentId) }];
  });
}
