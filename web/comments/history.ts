import { changeOf } from '#src/feedback/comments/changes.ts';
import type { CommentRow } from '#src/feedback/comments/comments.ts';
import { findPosts, type PostRow } from '#src/feedback/posts/posts.ts';
import type { StatusRow } from '#src/feedback/statuses/statuses.ts';
import { mayName, type NamedStatus } from '#src/feedback/visibility/statuses.ts';
import type { View } from '../parts/requests/joining.ts';
import { postPath } from '../posts/posts.ts';
import { nameOfStatus, type StatusView, statusViewOf } from '../posts/statuses.ts';

/** A change of a post as its page shows it. What is null is not known, or not for the viewer. */
export type ChangeView =
  | { type: 'STATUS_CHANGE'; from: StatusView | null; to: StatusView | null }
  | { type: 'TITLE_CHANGE'; from: string; to: string }
  | { type: 'MERGE_SOURCE'; number: number; post: OtherPost | null }
  | { type: 'MERGE_TARGET'; number: number; post: OtherPost | null; votes: number | null };

type OtherPost = { title: string; path: string };

/** Gives the changes that comments are about, with the statuses and posts that they name. */
export async function readChanges(
  { visit: { db }, context: { board, actor } }: Pick<View, 'visit' | 'context'>,
  rows: readonly CommentRow[],
  statuses: readonly StatusRow[],
  nameOf = nameOfStatus,
): Promise<(row: CommentRow) => ChangeView> {
  const ids = [...new Set(rows.flatMap(({ about_id }) => about_id ?? []))];
  const posts = ids.length > 0 ? await findPosts(db.read, board.id, ids, actor) : [];
  const viewOf = statusViewOf(statuses, nameOf);
  const statusOf = (named: NamedStatus): StatusView | null => {
    const status = statuses.find(({ id }) => id === named.id);
    if (!mayName(actor, named, status)) return null;
    // One that was deleted has the name that it had.
    return status ? viewOf(status) : { name: nameOf(named.name), ring: 'ring-closed', hue: 0, tint: 0 };
  };
  return (row) => {
    const change = changeOf(row);
    if (change === null) return { type: 'STATUS_CHANGE', from: null, to: null };
    switch (change.type) {
      case 'STATUS_CHANGE':
        return { type: change.type, from: statusOf(change.from), to: statusOf(change.to) };
      case 'TITLE_CHANGE':
        return change;
      default:
        return { ...change, post: viewOther(posts.find(({ id }) => id === row.about_id)) };
    }
  };
}

function viewOther(post: PostRow | undefined): OtherPost | null {
  return post ? { title: post.title, path: postPath(post) } : null;
}
