import type { Tx } from '../../platform/db/db.ts';
import { prepare } from '../../platform/db/prepare.ts';
import type { PostRow } from '../posts/posts.ts';
import { addToPostCount } from '../statuses/statuses.ts';
import { countInTags } from '../tags/tagging.ts';
import { isHeld } from '../visibility/posts.ts';

/** Adds a post to or removes it from the counts of its status, its tags and its board. */
export async function countPost(tx: Tx, post: PostRow, change: 1 | -1): Promise<void> {
  const held = isHeld(post.moderation_status) ? change : 0;
  await addToPostCount(tx, post.board_id, post.status_id, { posts: change, held });
  await countInTags(tx, post, change);
  await addToBoardPostCount(tx, { boardId: post.board_id, change });
}

const addToBoardPostCount = prepare<{ boardId: string; change: number }, never>((tx, param) =>
  tx
    .updateTable('boards')
    .set((e) => ({ post_count: e('post_count', '+', param('change')) }))
    .where('id', '=', param('boardId')),
);

/** Counts posts that go from one status to another. Statuses are locked in the order of their ids. */
export async function countMoves(tx: Tx, moves: readonly { post: PostRow; from: string; to: string }[]): Promise<void> {
  const changes = new Map<string, { posts: number; held: number }>();
  for (const { post, from, to } of moves) {
    for (const [statusId, change] of [
      [from, -1],
      [to, 1],
    ] as const) {
      const sum = changes.get(statusId) ?? { posts: 0, held: 0 };
      const held = isHeld(post.moderation_status) ? change : 0;
      changes.set(statusId, { posts: sum.posts + change, held: sum.held + held });
    }
  }
  const boardId = moves[0]?.post.board_id ?? '';
  for (const [statusId, change] of [...changes].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await addToPostCount(tx, boardId, statusId, change);
  }
}
