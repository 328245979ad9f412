import type { CommentRow } from '../../feedback/comments/comments.ts';
import type { CommentReactionRow, ReactionCount } from '../../feedback/comments/reactions.ts';
import type { Property } from '../../feedback/fields/properties.ts';
import type { ShownFile } from '../../feedback/files/files.ts';
import type { PostRow } from '../../feedback/posts/posts.ts';
import type { StatusRow } from '../../feedback/statuses/statuses.ts';
import type { TagRow } from '../../feedback/tags/tags.ts';
import type { VoteRow } from '../../feedback/votes/votes.ts';
import type { UserRow } from '../../identity/users/users.ts';

/** A user in an export; `email` is null if the viewer may not see it. */
export type ExportedPerson = Pick<UserRow, 'id' | 'sso_type' | 'sso_id' | 'name' | 'email'>;

export type ExportedFile = Pick<ShownFile, 'id' | 'name' | 'content_type' | 'size'> & { url: string };

/** One row of an export: a post, followed by its comments with the reactions to them, and then its votes. */
export type Entry =
  | {
      kind: 'post';
      post: PostRow;
      url: string;
      text: string | null;
      status: StatusRow | null;
      tags: readonly TagRow[];
      files: readonly ExportedFile[];
      properties: readonly Property[];
      /** How many comments the viewer may see. */
      commentCount: number;
      /** The post that a merged one was merged into; null if the viewer may not see it. */
      mergedIntoId: string | null;
      person: ExportedPerson | null;
    }
  | {
      kind: 'comment';
      comment: CommentRow;
      files: readonly ExportedFile[];
      reactions: readonly ReactionCount[];
      person: ExportedPerson | null;
    }
  | { kind: 'reaction'; postId: string; reaction: CommentReactionRow; person: ExportedPerson | null }
  | { kind: 'vote'; vote: VoteRow; person: ExportedPerson | null };

/** What an export contains besides posts. */
export type ExportContent = { comments: boolean; votes: boolean };

/** What is read besides posts; reactions with the comments that they are on. */
export type ReadContent = ExportContent & { reactions: boolean };
