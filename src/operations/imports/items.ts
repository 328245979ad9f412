import type { ChangelogLabel } from '../../feedback/changelog/entries.ts';
import type { ChangelogReaction } from '../../feedback/changelog/reactions.ts';
import type { CommentReaction } from '../../feedback/comments/reactions.ts';
import type { AttributeChanges } from '../../feedback/posts/attributes.ts';
import type { StatusChanges } from '../../feedback/statuses/managing.ts';
import type { ModerationStatus } from '../../feedback/visibility/posts.ts';
import type { VoteType } from '../../feedback/votes/votes.ts';
import { printable } from '../../platform/texts/text.ts';

/** Characters of what is said about a source or an item. */
export const MAX_MESSAGE = 2_000;

/** The products that boards are imported from. */
export const sourceNames = [
  'astuto',
  'canny',
  'clearflask',
  'csv',
  'earshot',
  'featurebase',
  'fider',
  'github',
  'gitlab',
  'jira',
  'linear',
  'logchimp',
  'nolt',
  'notion',
  'plane',
  'productboard',
  'quackback',
  'trello',
  'uservoice',
] as const;
export type SourceName = (typeof sourceNames)[number];
/** The sources of which a table has an idea in each row, with columns that are recognized or chosen; `csv`: any other. */
export type TableSource = Exclude<SourceName, 'earshot' | 'fider' | 'nolt'>;

/** A person as another product knows them: by an id, an address or a name. */
export type ImportedPerson = {
  id?: string | undefined;
  /** What the id is from, if it is not from the product itself. */
  ssoType?: string | undefined;
  email?: string | undefined;
  name?: string | undefined;
};

/** Where an item stands: the line of a file, or the number of an item in a list. */
type Place = { line: number };

/** A picture or another file, which is read when it is needed. */
export type ImportedFile = {
  name: string;
  /** @throws RangeError if it cannot be read */
  open(): Promise<Uint8Array>;
};

/** What an idea has in a field, by the name of the field; options by their names. */
export type ImportedValues = { label: string; values: readonly string[] };

/** An idea. Its parts follow it, and name it by its `id`, which is unique within the other product. */
export type ImportedPost = Place & {
  kind: 'post';
  id: string;
  title: string;
  text: string | null;
  author: ImportedPerson | null;
  /** An instant in milliseconds; null if it is unknown. */
  dateCreated: number | null;
  /** The name of a status; null for new ideas. */
  status: string | null;
  /** Of the status, if the board does not have it yet. */
  statusProperties?: Pick<StatusChanges, 'postVisibility' | 'isOnRoadmap'>;
  tags: readonly string[];
  /** The tags that only the team sees, if the board does not have them yet. */
  privateTags?: readonly string[];
  fields?: readonly ImportedValues[];
  attributes?: AttributeChanges;
  /** Approved by default. */
  moderation?: ModerationStatus;
  files?: readonly ImportedFile[];
};

export type ImportedComment = Place & {
  kind: 'comment';
  id: string;
  postId: string;
  /** The comment that it replies to. */
  parentId: string | null;
  type: 'BASIC' | 'INTERNAL' | 'OFFICIAL';
  text: string;
  author: ImportedPerson | null;
  dateCreated: number | null;
  /** Whether it takes the place of earlier ones at its source, which had the same id and another date. */
  isReplaceable?: boolean;
  /** Approved by default. */
  moderation?: ModerationStatus;
  files?: readonly ImportedFile[];
};

export type ImportedVote = Place & {
  kind: 'vote';
  postId: string;
  voter: ImportedPerson;
  /** An upvote by default. */
  type?: VoteType;
  dateCreated: number | null;
  /** Whether it is one of those of which an earlier item had the number only. */
  isCounted?: boolean;
};

/**
 * How many upvotes an idea has besides those that are items: the source does not say whose they are. With `isTotal`, the
 * number includes all of them that were ever items, of which not each import may have the names.
 */
export type ImportedVoteCount = Place & { kind: 'voteCount'; postId: string; count: number; isTotal?: boolean };

/** That an idea was merged into another one, which may come later. */
export type ImportedMerge = Place & { kind: 'merge'; postId: string; targetId: string };

/** That an idea takes no more comments and votes, after those that come with it. */
export type ImportedLock = Place & { kind: 'lock'; postId: string };

/** An entry of the changelog; the ideas that it links come before it. */
export type ImportedEntry = Place & {
  kind: 'entry';
  id: string;
  title: string;
  text: string;
  labels: readonly ChangelogLabel[];
  postIds: readonly string[];
  author: ImportedPerson | null;
  dateCreated: number | null;
  /** Null for drafts. */
  datePublished: number | null;
  /** When a draft will be published. */
  dateScheduled: number | null;
  files?: readonly ImportedFile[];
};

type Reaction = Place & { person: ImportedPerson; dateCreated: number | null };

/** How a user reacted to a comment, which comes before it. */
export type ImportedCommentReaction = Reaction & {
  kind: 'commentReaction';
  postId: string;
  commentId: string;
  reaction: CommentReaction;
};

/** How a user reacted to an entry of the changelog, which comes before it. */
export type ImportedEntryReaction = Reaction & { kind: 'entryReaction'; entryId: string; reaction: ChangelogReaction };

/** What cannot be imported, in words, and where it stands. */
export type Problem = { line: number; column?: string | undefined; message: string };

/** What a source has, in the order in which it is imported. */
export type ImportItem =
  | ImportedPost
  | ImportedComment
  | ImportedVote
  | ImportedVoteCount
  | ImportedMerge
  | ImportedLock
  | ImportedEntry
  | ImportedCommentReaction
  | ImportedEntryReaction
  | (Problem & { kind: 'problem' });

/** The items of a source. @throws ImportError if it cannot be read at all, or not further */
export type ImportItems = AsyncIterable<ImportItem>;

/** Why a source cannot be read, in words for those who import it. They may quote the source: only what is printable of it. */
export class ImportError extends Error {
  constructor(message: string) {
    super(printable(message, MAX_MESSAGE));
  }
}
