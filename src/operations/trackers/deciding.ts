import { findIssues, stopAsking } from '../../feedback/issues/issues.ts';
import { changePostStatus } from '../../feedback/lifecycle/moving.ts';
import { findPosts, type PostRow } from '../../feedback/posts/posts.ts';
import { listStatuses } from '../../feedback/statuses/statuses.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { withinTransaction } from '../../platform/db/db.ts';
import { draftEntry } from './taking-in.ts';

/**
 * Decides what follows for a post from the end of its issues: it is completed, and if a release has them, a changelog entry
 * is drafted; or nothing follows. In one operation, which can be undone.
 * @returns the draft; null if there is none
 * @throws FORBIDDEN, CONFLICT
 */
export async function decideOnIssues(
  context: ActorContext,
  post: PostRow,
  isCompleted: boolean,
): Promise<string | null> {
  const { db, board } = context;
  return db.transaction(async (tx) => {
    const inside = { ...context, db: withinTransaction(db, tx) };
    const completed = (await listStatuses(tx, board.id)).find(({ type }) => type === 'COMPLETED');
    if (isCompleted && post.status_id !== completed?.id)
      await changePostStatus(inside, post.id, { statusType: 'COMPLETED' });
    const asking = (await findIssues(tx, post)).filter((row) => row.asks === 1);
    await stopAsking(inside, post);
    const release = asking.find((row) => row.release !== null)?.release;
    if (!isCompleted || !release) return null;
    const [now = post] = await findPosts(tx, board.id, [post.id], context.actor);
    return draftEntry(inside, now, release);
  });
}
