import type { Action } from '../../identity/users/authority.ts';
import { parseExpected } from './expected.ts';
import type { PostRow } from './posts.ts';

/** Columns that Earshot keeps itself, or that operations of their own change. All others are attributes. */
type OtherColumn =
  | 'board_id'
  | 'id'
  | 'number'
  | 'title'
  | 'excerpt'
  | 'author_id'
  | 'status_id'
  | 'external_id'
  | 'upvotes'
  | 'downvotes'
  | 'unattributed_upvotes'
  | 'comment_count'
  | 'hidden_comment_count'
  | 'hot'
  | 'is_sample'
  | 'date_created'
  | 'date_updated'
  | 'date_completed'
  | 'date_deleted'
  | 'deleted_by'
  | 'moderation_status'
  | 'moderated_by'
  | 'doubt'
  | 'is_announced'
  | 'merged_into_id'
  | 'merged_root_id'
  | 'unmerged_status_id'
  | 'triage_date';

/** What all parts of Earshot need to know of an attribute. */
type Attribute = {
  /** Its name in the API, in JSONL, in the JSON of static sites, and in the log of operations. */
  name: string;
  /** What the API says of it, and of the argument that sets it. */
  description: string;
  argument: string;
  /** The right to set it. */
  right: Action;
  /** What errors call it. */
  words: string;
  /** The heading of its column in CSV. */
  heading: string;
  /** Whether `post.created` and `post.deleted` contain it. */
  isInEvents: boolean;
};
type Flag = Attribute & { type: 'Boolean' };
/** `parse` returns null for an empty text, which removes the value. */
type Text = Attribute & { type: 'String'; parse(text: string): string | null };

type AttributeOf<Value> = Value extends 0 | 1 ? Flag : Value extends string | null ? Text : never;
type AttributeTable = { [Column in Exclude<keyof PostRow, OtherColumn>]: AttributeOf<PostRow[Column]> };

/**
 * What `updatePost` sets in one column of a post each, and everyone sees who sees the post. The API, events, exports,
 * imports from another Earshot, and undo take it from here. A new one comes last: exports have them in this order.
 */
const attributes = {
  is_locked: {
    name: 'isLocked',
    type: 'Boolean',
    description: 'Whether votes and comments are closed',
    argument: 'Whether votes and comments are closed; for moderators',
    right: 'post.lock',
    words: 'lock',
    heading: 'Locked',
    isInEvents: false,
  },
  is_pinned: {
    name: 'isPinned',
    type: 'Boolean',
    description: 'Whether the post is shown first on the board page',
    argument: 'Whether the post is shown first on the board page; for moderators',
    right: 'post.lock',
    words: 'pin',
    heading: 'Pinned',
    isInEvents: false,
  },
  expected: {
    name: 'expected',
    type: 'String',
    parse: parseExpected,
    description:
      'When the team expects it: a quarter such as `2026-Q3`, or a month such as `2026-09`; null if not given',
    argument: 'A quarter such as `2026-Q3` or a month such as `2026-09`; an empty text removes it; for moderators',
    right: 'post.status',
    words: 'expected time',
    heading: 'Expected',
    isInEvents: false,
  },
} as const satisfies AttributeTable;

type Table = typeof attributes;
type Listed = { [Column in keyof Table]: Table[Column] & { column: Column } }[keyof Table];

/** Every attribute with its column. */
export const attributeList = Object.entries(attributes).map(([column, attribute]) => ({
  column,
  ...attribute,
})) as readonly Listed[];

/** The columns of a post that attributes are in. */
export type Attributed = Pick<PostRow, Listed['column']>;

/** What a new post has in these columns. */
export const emptyAttributes = Object.fromEntries(
  attributeList.map(({ column, type }) => [column, type === 'Boolean' ? 0 : null]),
) as Attributed;

/** The attributes of a post as the API shows them. */
export type PostAttributes = {
  [Each in Listed as Each['name']]: Each['type'] extends 'Boolean' ? boolean : string | null;
};

/** Changes to attributes; those omitted stay unchanged, and an empty text removes a text. */
export type AttributeChanges = {
  [Each in Listed as Each['name']]?: (Each['type'] extends 'Boolean' ? boolean : string) | null | undefined;
};

/** An attribute of a post as the API shows it. */
export function readAttribute(post: Attributed, attribute: Listed): boolean | string | null {
  return attribute.type === 'Boolean' ? post[attribute.column] === 1 : post[attribute.column];
}

/** Makes something of every attribute. */
export function mapAttributes<T>(make: (attribute: Listed) => T): Record<keyof PostAttributes, T> {
  const made = attributeList.map((attribute) => [attribute.name, make(attribute)]);
  return Object.fromEntries(made);
}

/** The attributes of a post, as exports contain them. */
export function attributesOf(post: Attributed): PostAttributes {
  return mapAttributes((attribute) => readAttribute(post, attribute)) as PostAttributes;
}

const inEvents = attributeList.filter(({ isInEvents }) => isInEvents);

/** The attributes of a post that events contain. */
export function announcedAttributesOf(post: Attributed): Partial<PostAttributes> {
  return Object.fromEntries(inEvents.map((attribute) => [attribute.name, readAttribute(post, attribute)]));
}

/** The columns that changes set. @throws BAD_REQUEST */
export function parseAttributes(changes: AttributeChanges): Partial<Attributed> {
  const set = attributeList.flatMap((attribute) => {
    const value = changes[attribute.name];
    return value == null ? [] : [[attribute.column, parse(attribute, value)]];
  });
  return Object.fromEntries(set);
}

function parse(attribute: Listed, value: boolean | string): 0 | 1 | string | null {
  if (attribute.type === 'Boolean') return value ? 1 : 0;
  return attribute.parse(String(value));
}
