/**
 * The board as its documents promise it, in memory: who did what, and nothing that can be derived from that. The tests
 * beside this file do the same to it and to the server, and both must show the same.
 */

import type { EventType } from '../../src/feedback/event-log/event-types.ts';
import type { Attributes } from './attributes.ts';

export const roles = ['MEMBER', 'MODERATOR', 'ADMIN', 'OWNER'] as const;
export type Role = (typeof roles)[number];
export type Visibility = 'PUBLIC' | 'TEAM' | 'HIDDEN';
export type Moderation = 'APPROVED' | 'REJECTED' | 'FLAGGED' | 'PENDING';
export type StatusType = 'CUSTOM' | 'ARCHIVED' | 'COMPLETED' | 'MERGED' | 'UNASSIGNED';

/** What a step of a run can name: `key` is the same in every repetition, `id` is what the server gave. */
type Named = { key: string; id: string };

export type Person = Named & {
  ssoId: string;
  name: string | null;
  email: string | null;
  role: Role;
  isApiUser: boolean;
  /** When they registered, or were changed last. */
  updated: number;
  /** They are not found any more, and what they did has no author. */
  isErased?: true;
};

export type Status = Named & {
  name: string;
  color: string;
  type: StatusType;
  postVisibility: Visibility;
  isOnRoadmap: boolean;
};

export type FieldType = 'TEXT' | 'TEXT_LONG' | 'NUMBER' | 'DATE' | 'URL' | 'CHECKBOX' | 'SELECTION' | 'SELECTION_MULTI';

export type Field = Named & {
  label: string;
  type: FieldType;
  isRequired: boolean;
  visibility: 'PUBLIC' | 'TEAM';
  options: { id: string; name: string }[];
};

export type Tag = Named & { name: string; color: string | null; isPrivate: boolean };

/** `from`: the merged post that it came from; null when it was given on the post itself. */
export type Vote = { type: 'UP' | 'DOWN'; addedBy: Person | null; date: number; from: Post | null };

export type Post = Named &
  Attributes & {
    number: number;
    title: string;
    author: Person | null;
    status: Status;
    tags: Set<Tag>;
    /** What it has in fields, as they keep it. */
    values: Map<Field, string[]>;
    moderation: Moderation;
    moderator: Person | null;
    created: number;
    updated: number;
    completed: number | null;
    deleted: number | null;
    deletedBy: Person | null;
    externalId: string | null;
    votes: Map<Person, Vote>;
    /** Who follows the post, or has stopped doing so. */
    followers: Map<Person, Following>;
    assignees: Map<Person, Person>;
    /** The post that it was merged into, which may be merged itself; and the status that it had. */
    mergedInto: Post | null;
    statusBefore: Status | null;
    /** Whether the last event of its coming and going told that it is there. */
    isAnnounced: boolean;
  };

/** How a person came to follow a post, the merged post that it came from, and whether they have stopped. */
export type Following = { ways: ReadonlySet<Way>; from: Post | null; isEnded: boolean };
export type Way = 'wrote' | 'voted' | 'commented' | 'chose';

/** Who follows a post. */
export function followersOf(post: Post): Person[] {
  return [...post.followers].flatMap(([person, { isEnded }]) => (isEnded ? [] : [person]));
}

/** What a person does on a post makes them follow it, unless they have stopped. */
export function follow(post: Post, person: Person, way: Way): void {
  const { ways = [], isEnded = false } = post.followers.get(person) ?? {};
  post.followers.set(person, { ways: new Set([...ways, way]), from: null, isEnded });
}

export type CommentType =
  | 'BASIC'
  | 'INTERNAL'
  | 'OFFICIAL'
  | 'STATUS_CHANGE'
  | 'TITLE_CHANGE'
  | 'MERGE_SOURCE'
  | 'MERGE_TARGET';

/** What the service wrote has no `text` here: it is told in words of its own. Its id is learnt when it is first seen. */
export type Comment = Named & {
  post: Post;
  /** The post that it was written on, when that is merged into `post`. */
  origin: Post | null;
  about: Post | null;
  type: CommentType;
  text: string | null;
  author: Person | null;
  parent: Comment | null;
  isFirst: boolean;
  created: number;
  updated: number | null;
  /** When it was written, edited, moderated or moved last. */
  changed: number;
  deleted: boolean;
  moderation: Moderation;
  moderator: Person | null;
  isAnnounced: boolean;
  reactions: Map<Person, Set<(typeof commentReactions)[number]>>;
};

export const commentReactions = ['THUMBS_UP', 'HEART', 'LAUGH', 'PARTY', 'EYES'] as const;
export const labels = ['NEW', 'IMPROVED', 'FIXED'] as const;
export const reactions = ['THUMBS_UP', 'HEART', 'PARTY', 'EYES'] as const;

/** A changelog entry. */
export type Entry = Named & {
  number: number;
  title: string;
  text: string;
  labels: (typeof labels)[number][];
  author: Person;
  posts: Set<Post>;
  reactions: Map<Person, Set<(typeof reactions)[number]>>;
  scheduled: number | null;
  published: number | null;
  created: number;
  updated: number;
};

/** An event of the log, about a post or an entry; `data` is what was true when it happened. */
export type ModelEvent = {
  type: EventType;
  post: Post | null;
  comment: Comment | null;
  entry: Entry | null;
  actor: Person;
  data: unknown;
};

/** Begins the name of something in the arguments of a step: `§post 12` stands for the id of what step 12 made. */
export const REFERENCE = '§';
/** Names the board itself. */
export const BOARD = 'board';
/** Begins an instant in the arguments of a step: `§ago 5000` is five seconds before it. */
export const AGO = '§ago ';

/** Ids that lead nowhere, by the names that steps have for them. */
export type ForeignIds = ReadonlyMap<string, string>;

export class World {
  readonly people: Person[] = [];
  readonly statuses: Status[] = [];
  readonly tags: Tag[] = [];
  readonly fields: Field[] = [];
  readonly posts: Post[] = [];
  readonly comments: Comment[] = [];
  readonly entries: Entry[] = [];
  readonly events: ModelEvent[] = [];
  /** Who is invited to the team, by address; those of old are no invitations any more. */
  readonly invitations = new Map<string, { role: Role; date: number; by: Person }>();
  /** How many invitations were mailed to an address in a day, which begins with the first. */
  readonly invitationMails = new Map<string, { used: number; ends: number }>();
  postNumber = 0;
  entryNumber = 0;
  readonly boardId: string;
  readonly foreignIds: ForeignIds;
  readonly #now: () => number;

  constructor(boardId: string, foreignIds: ForeignIds, now: () => number) {
    this.boardId = boardId;
    this.foreignIds = foreignIds;
    this.#now = now;
  }

  now(): number {
    return this.#now();
  }

  /** What a reference in the arguments of a step names; undefined for what is not, or not yet, in this world. */
  find<T extends Named>(list: readonly T[], reference: unknown): T | undefined {
    return list.find((thing) => `${REFERENCE}${thing.key}` === reference);
  }

  /** The arguments of a step as the server gets them: ids instead of names. Null when one of them has no id here. */
  resolve(args: unknown): { value: unknown } | null {
    let isWhole = true;
    const text = JSON.stringify(args, (_, value: unknown) => {
      if (typeof value !== 'string' || !value.startsWith(REFERENCE)) return value;
      if (value.startsWith(AGO)) return new Date(this.dateOf(value)).toISOString();
      const key = value.slice(REFERENCE.length);
      const lists: readonly Named[][] = [
        ...[this.people, this.statuses, this.tags, this.fields, this.posts, this.comments, this.entries],
      ];
      if (key === BOARD) return this.boardId;
      const id = this.foreignIds.get(key) ?? lists.flat().find((thing) => thing.key === key)?.id;
      if (!id) isWhole = false;
      return id;
    });
    return isWhole ? { value: JSON.parse(text) } : null;
  }

  /** The instant that an argument names by how long ago it was; now when there is none. */
  dateOf(ago: string | undefined): number {
    return this.now() - Number(ago?.slice(AGO.length) ?? 0);
  }

  statusOf(type: StatusType): Status {
    const status = this.statuses.find((s) => s.type === type);
    if (!status) throw new Error(`The board has no status ${type}`);
    return status;
  }

  /** The description of a post. */
  descriptionOf(post: Post): Comment | undefined {
    return this.comments.find((comment) => comment.post === post && comment.isFirst);
  }
}

/** A text as the board keeps it. */
export function stored(text: string): string {
  return text.trim().normalize('NFC');
}
