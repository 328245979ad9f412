import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Reader, Tables } from '../../platform/db/db.ts';
import { isOneOf } from '../../platform/db/prepare.ts';
import type { ModerationStatus } from '../visibility/posts.ts';

/** Conditions on posts; each one narrows the selection. */
export type PostFilter = {
  /** In one of these statuses. */
  statusIds?: readonly string[];
  authorId?: string;
  /** With one of these tags, or with all of them. */
  anyTagIds?: readonly string[];
  /** As `anyTagIds`, for rare tags: their posts are looked up one by one. */
  rareTagIds?: readonly string[];
  allTagIds?: readonly string[];
  voterId?: string;
  /** Upvoted by one of these users. */
  voterIds?: readonly string[];
  assigneeId?: string;
  isUnassigned?: boolean;
  /** Instants: from the first on, and before the second. */
  createdFrom?: number;
  createdBefore?: number;
  updatedFrom?: number;
  minUpvotes?: number;
  moderationStatuses?: readonly ModerationStatus[];
  /** Only posts that are not approved, which are few: they have an index. */
  isUnapproved?: boolean;
  /** Only pinned posts, of which there are few: an index has them. */
  isPinned?: boolean;
  /** Only posts that wait for the team at this time, or will wait after it: an index has them. */
  waitingAt?: number;
  snoozedAt?: number;
  /** With a linked issue that has come to its end, about which the team is asked. */
  isAsked?: boolean;
  externalId?: string;
  number?: number;
  /** One value of each list of keys; a list for each field. */
  propertyKeys?: readonly (readonly string[])[];
  /** With one of these values, which few posts have. */
  rarePropertyKeys?: readonly string[];
  /** Without a value in any of these fields, or with one in each. */
  emptyFieldIds?: readonly string[];
  filledFieldIds?: readonly string[];
};

/** The posts that both filters select; of conditions that exclude each other, on one property, the second counts. */
export function narrowBoth(one: PostFilter, other: PostFilter): PostFilter {
  const both = { ...one, ...other };
  if (one.statusIds && other.statusIds) both.statusIds = one.statusIds.filter((id) => other.statusIds?.includes(id));
  if (one.createdFrom && other.createdFrom) both.createdFrom = Math.max(one.createdFrom, other.createdFrom);
  return both;
}

type Key = keyof PostFilter;
/** Which conditions a query has; what they compare with comes later. */
export type FilterShape = readonly Key[];
export type FilterValues = Omit<Required<PostFilter>, 'propertyKeys'> & {
  boardId: string;
  tagCount: number;
  propertyKeys: readonly string[];
  propertyCount: number;
  filledCount: number;
};

/** The conditions that a filter has, always in the same order. */
export function shapeOf(filter: PostFilter): FilterShape {
  return (Object.keys(conditions) as Key[]).filter((key) => filter[key] !== undefined);
}

/**
 * Whether few posts fit the filter, so that they should be found first and then sorted. SQLite would rather use an
 * index in sort order, and examine every post of the board for the few.
 */
export function isSelective(shape: FilterShape): boolean {
  const keys: readonly Key[] = [
    'rareTagIds',
    'voterId',
    'voterIds',
    'assigneeId',
    'isUnapproved',
    'isPinned',
    'snoozedAt',
    'isAsked',
    'rarePropertyKeys',
    'number',
  ];
  return shape.some((key) => keys.includes(key));
}

const nothing: Required<Omit<PostFilter, 'propertyKeys'>> = {
  statusIds: [],
  authorId: '',
  anyTagIds: [],
  rareTagIds: [],
  allTagIds: [],
  voterId: '',
  voterIds: [],
  assigneeId: '',
  isUnassigned: false,
  createdFrom: 0,
  createdBefore: 0,
  updatedFrom: 0,
  minUpvotes: 0,
  moderationStatuses: [],
  isUnapproved: false,
  isPinned: false,
  waitingAt: 0,
  snoozedAt: 0,
  isAsked: false,
  externalId: '',
  number: 0,
  rarePropertyKeys: [],
  emptyFieldIds: [],
  filledFieldIds: [],
};

/** The values of a filter for a prepared query. */
export function valuesOf(filter: PostFilter): Omit<FilterValues, 'boardId'> {
  const { propertyKeys = [], allTagIds = [], filledFieldIds = [] } = filter;
  return {
    ...nothing,
    ...filter,
    tagCount: allTagIds.length,
    propertyKeys: propertyKeys.flat(),
    propertyCount: propertyKeys.length,
    filledCount: filledFieldIds.length,
  };
}

type Param = <K extends keyof FilterValues>(name: K) => FilterValues[K];

/** Adds the conditions of a filter to a query on `posts`. */
export function addFilter<O>(
  reader: Reader,
  query: SelectQueryBuilder<Tables, 'posts', O>,
  shape: FilterShape,
  param: Param,
): SelectQueryBuilder<Tables, 'posts', O> {
  return shape.reduce((narrowed, key) => narrowed.where(conditions[key](reader, param, shape)), query);
}

/** The conditions of a filter for a query on `posts` that is not prepared. */
export function conditionsOf(reader: Reader, boardId: string, filter: PostFilter): Expression<SqlBool>[] {
  const values: FilterValues = { boardId, ...valuesOf(filter) };
  const shape = shapeOf(filter);
  return shape.map((key) => conditions[key](reader, (name) => values[name], shape));
}

/** Few posts are found by another condition; SQLite would rather examine every post of the statuses. */
const withoutIndex = sql<string>`posts.status_id || ''`;

const conditions: { [K in Key]-?: (reader: Reader, param: Param, shape: FilterShape) => Expression<SqlBool> } = {
  statusIds: (reader, param, shape) =>
    isOneOf(reader, isSelective(shape) ? withoutIndex : 'posts.status_id', param('statusIds')),
  authorId: (_, param) => sql<SqlBool>`posts.author_id = ${param('authorId')}`,
  anyTagIds: (reader, param) => sql<SqlBool>`exists (
    select 1 from post_tags
    where post_tags.board_id = posts.board_id and post_tags.post_id = posts.id
      and ${isOneOf(reader, 'post_tags.tag_id', param('anyTagIds'))})`,
  rareTagIds: (reader, param) => sql<SqlBool>`posts.id in (
    select post_id from post_tags
    where board_id = ${param('boardId')} and ${isOneOf(reader, 'tag_id', param('rareTagIds'))})`,
  allTagIds: (reader, param) => sql<SqlBool>`(
    select count(*) from post_tags
    where post_tags.board_id = posts.board_id and post_tags.post_id = posts.id
      and ${isOneOf(reader, 'post_tags.tag_id', param('allTagIds'))}) = ${param('tagCount')}`,
  voterId: (_, param) => sql<SqlBool>`posts.merged_into_id is null and posts.id in (
    select post_id from votes where board_id = ${param('boardId')} and user_id = ${param('voterId')})`,
  voterIds: (reader, param) => sql<SqlBool>`posts.merged_into_id is null and posts.id in (
    select post_id from votes
    where board_id = ${param('boardId')} and type = 'UP' and ${isOneOf(reader, 'user_id', param('voterIds'))})`,
  assigneeId: (_, param) => sql<SqlBool>`posts.id in (
    select post_id from assignments where board_id = ${param('boardId')} and user_id = ${param('assigneeId')})`,
  isUnassigned: () => sql<SqlBool>`not exists (
    select 1 from assignments where assignments.board_id = posts.board_id and assignments.post_id = posts.id)`,
  createdFrom: (_, param) => sql<SqlBool>`posts.date_created >= ${param('createdFrom')}`,
  createdBefore: (_, param) => sql<SqlBool>`posts.date_created < ${param('createdBefore')}`,
  updatedFrom: (_, param) => sql<SqlBool>`posts.date_updated >= ${param('updatedFrom')}`,
  minUpvotes: (_, param) => sql<SqlBool>`posts.upvotes >= ${param('minUpvotes')}`,
  moderationStatuses: (reader, param) => isOneOf(reader, 'posts.moderation_status', param('moderationStatuses')),
  isUnapproved: () => sql<SqlBool>`posts.moderation_status <> 'APPROVED'`,
  isPinned: () => sql<SqlBool>`posts.is_pinned = 1`,
  waitingAt: (_, param) => sql<SqlBool>`posts.triage_date > 0 and posts.triage_date <= ${param('waitingAt')}`,
  snoozedAt: (_, param) => sql<SqlBool>`posts.triage_date > 0 and posts.triage_date > ${param('snoozedAt')}`,
  isAsked: (_, param) => sql<SqlBool>`posts.id in (
    select coalesce(linked.merged_root_id, linked.id) from issue_links
    join posts linked on linked.board_id = issue_links.board_id and linked.id = issue_links.post_id
    where issue_links.board_id = ${param('boardId')} and issue_links.asks = 1 and issue_links.is_removed = 0)`,
  externalId: (_, param) => sql<SqlBool>`posts.external_id = ${param('externalId')}`,
  number: (_, param) => sql<SqlBool>`posts.number = ${param('number')}`,
  propertyKeys: (reader, param) => sql<SqlBool>`(
    select count(distinct field_id) from post_properties
    where post_properties.board_id = posts.board_id and post_properties.post_id = posts.id
      and ${isOneOf(reader, 'post_properties.value_key', param('propertyKeys'))}) = ${param('propertyCount')}`,
  rarePropertyKeys: (reader, param) => sql<SqlBool>`posts.id in (
    select post_id from post_properties
    where board_id = ${param('boardId')} and ${isOneOf(reader, 'value_key', param('rarePropertyKeys'))})`,
  emptyFieldIds: (reader, param) => sql<SqlBool>`not exists (
    select 1 from post_properties
    where post_properties.board_id = posts.board_id and post_properties.post_id = posts.id
      and ${isOneOf(reader, 'post_properties.field_id', param('emptyFieldIds'))})`,
  filledFieldIds: (reader, param) => sql<SqlBool>`(
    select count(distinct field_id) from post_properties
    where post_properties.board_id = posts.board_id and post_properties.post_id = posts.id
      and ${isOneOf(reader, 'post_properties.field_id', param('filledFieldIds'))}) = ${param('filledCount')}`,
};
