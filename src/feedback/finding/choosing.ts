import type { SegmentFilter } from '../../identity/companies/conditions.ts';
import { readPeopleIn, requireSegment } from '../../identity/customers/segments.ts';
import { requireRight } from '../../identity/users/authority.ts';
import type { ViewerContext } from '../../identity/users/request-context.ts';
import { requireUserByRef, type UserRef } from '../../identity/users/users.ts';
import type { Reader } from '../../platform/db/db.ts';
import { badRequest, forbidden, notFound } from '../../platform/errors.ts';
import { findableText } from '../../platform/texts/text.ts';
import { chooseProperties, type FieldFilter } from '../fields/filtering.ts';
import { countPostsIn, countPostsWith } from '../posts/counting.ts';
import { conditionsOf, narrowBoth, type PostFilter } from '../posts/filter.ts';
import { listStatuses, type StatusRow, type StatusType, statusTypes } from '../statuses/statuses.ts';
import { listTags, type TagRow } from '../tags/tags.ts';
import { type ModerationStatus, seesStatus } from '../visibility/posts.ts';

type Maybe<T> = T | null | undefined;

/** A filter in the form that clients of many boards send: of a STATUS, `is` is the id or the type. */
export type ListFilter = FieldFilter & { type: 'FIELD' | 'STATUS' };

/** Conditions on posts from a client. An empty list imposes none. */
export type PostWhere = {
  statusIds?: Maybe<readonly string[]>;
  statusTypes?: Maybe<readonly StatusType[]>;
  tagIds?: Maybe<readonly string[]>;
  tagMode?: Maybe<'ANY' | 'ALL'>;
  author?: Maybe<UserRef>;
  votedBy?: Maybe<UserRef>;
  assignedTo?: Maybe<UserRef>;
  createdAfter?: Maybe<number>;
  createdBefore?: Maybe<number>;
  updatedAfter?: Maybe<number>;
  minUpvotes?: Maybe<number>;
  moderationStatus?: Maybe<readonly ModerationStatus[]>;
  externalId?: Maybe<string>;
  number?: Maybe<number>;
};

/**
 * Posts to list: the filter that finds them, where to read them, and their number. Those in some statuses are at the
 * beginning of an index; to find others, much of a large board may have to be read.
 */
export type Choice = {
  filter: PostFilter;
  /** Only posts that people of a segment upvoted. */
  segment: SegmentFilter | null;
  reader: Reader;
  count: () => Promise<number>;
};

/**
 * Makes a filter from a client's conditions.
 * @param segmentId only posts that people of this segment upvoted, for the team
 * @throws NOT_FOUND for a status, field, tag, segment or user that does not exist, FORBIDDEN for assignments and segments outside the team
 */
export async function choosePosts(
  context: ViewerContext,
  filters: readonly ListFilter[],
  where: PostWhere,
  segmentId: string | null = null,
): Promise<Choice> {
  const { db, board, actor } = context;
  const ofType = (type: ListFilter['type']) => filters.filter((filter) => filter.type === type);
  const statuses = await chooseStatuses(context, ofType('STATUS'), where);
  const others = { ...(await chooseOthers(context, where)), ...(await chooseProperties(context, ofType('FIELD'))) };
  const seen = statuses?.filter((status) => seesStatus(actor, status));
  const segment = segmentId === null ? null : await chooseSegment(context, segmentId);
  const voterIds = segment && (await readPeopleIn(db.slow, board.id, segment));
  const isByStatus = Object.keys(others).length === 0 && !voterIds;
  const filter = {
    ...others,
    ...(seen && { statusIds: seen.map((status) => status.id) }),
    ...(voterIds && { voterIds }),
  };
  const count = async () =>
    isByStatus
      ? countPostsIn(db.read, board.id, statuses ?? (await listStatuses(db.read, board.id)), actor)
      : countPostsWith(db.slow, board.id, actor, conditionsOf(db.slow, board.id, filter));
  return { filter, segment, reader: isByStatus ? db.read : db.slow, count };
}

async function chooseSegment(context: ViewerContext, id: string): Promise<SegmentFilter> {
  const { actor } = context;
  if (!actor) throw forbidden('Sign in to see segments');
  return (await requireSegment({ ...context, actor }, id)).filter;
}

/** The posts that a filter selects of a choice. */
export function narrowChoice({ db, board, actor }: ViewerContext, choice: Choice, narrowed: PostFilter): Choice {
  const filter = narrowBoth(choice.filter, narrowed);
  const conditions = conditionsOf(db.slow, board.id, filter);
  return { ...choice, filter, reader: db.slow, count: () => countPostsWith(db.slow, board.id, actor, conditions) };
}

/** The statuses that filters and `where` select; null if they contain none. Several filters widen the selection. */
async function chooseStatuses(
  { db, board }: ViewerContext,
  filters: readonly ListFilter[],
  where: PostWhere,
): Promise<StatusRow[] | null> {
  const lists = [filters.map(requireStatusName), where.statusIds ?? [], where.statusTypes ?? []];
  const asked = lists.filter((names) => names.length > 0);
  if (asked.length === 0) return null;
  const statuses = await listStatuses(db.read, board.id);
  const fits = (status: StatusRow, name: string) => status.id === name || status.type === name;
  // A board may have no status of a type, and then no post is in one.
  const names = asked.flat().filter((name) => !statusTypes.some((type) => type === name));
  if (names.some((name) => !statuses.some((status) => status.id === name))) throw notFound('Status');
  return statuses.filter((status) => asked.every((names) => names.some((name) => fits(status, name))));
}

function requireStatusName({ is }: ListFilter): string {
  if (is == null) throw badRequest('A STATUS filter needs `is`: a status id or type', 'filters');
  return is;
}

async function chooseOthers(context: ViewerContext, where: PostWhere): Promise<PostFilter> {
  const { db, board, actor } = context;
  const person = async (ref: UserRef, field: string) => (await requireUserByRef(db.read, board.id, ref, field)).id;
  if (where.assignedTo) {
    if (!actor) throw forbidden('Sign in to see assignments');
    requireRight(actor, 'post.assign');
  }
  const { createdAfter, createdBefore, updatedAfter, minUpvotes, moderationStatus, externalId, number } = where;
  return {
    ...(where.tagIds?.length && (await chooseTags(context, where.tagIds, where.tagMode ?? 'ANY'))),
    ...(where.author && { authorId: await person(where.author, 'author') }),
    ...(where.votedBy && { voterId: await person(where.votedBy, 'votedBy') }),
    ...(where.assignedTo && { assigneeId: await person(where.assignedTo, 'assignedTo') }),
    ...(createdAfter != null && { createdFrom: createdAfter }),
    ...(createdBefore != null && { createdBefore }),
    ...(updatedAfter != null && { updatedFrom: updatedAfter }),
    ...(minUpvotes != null && { minUpvotes }),
    ...(moderationStatus?.length && chooseModeration(moderationStatus)),
    ...(externalId != null && { externalId: findableText(externalId) ?? '' }),
    ...(number != null && { number }),
  };
}

function chooseModeration(statuses: readonly ModerationStatus[]): PostFilter {
  return { moderationStatuses: statuses, ...(!statuses.includes('APPROVED') && { isUnapproved: true }) };
}

/** Posts with a rare tag are found by the tag; posts with a common one, while scanning the list. */
const RARE_TAG_POSTS = 5_000;

async function chooseTags(
  { db, board, actor }: ViewerContext,
  raw: readonly string[],
  mode: 'ANY' | 'ALL',
): Promise<PostFilter> {
  const wanted = new Set(raw);
  const tags = (await listTags(db.read, board.id, actor)).filter((tag) => wanted.has(tag.id));
  if (tags.length < wanted.size) throw notFound('Tag');
  const ids = [...wanted];
  if (mode === 'ANY') return chooseAnyTag(tags, ids);
  const rarest = tags.reduce((a, b) => (b.post_count < a.post_count ? b : a));
  return { allTagIds: ids, ...(rarest.post_count <= RARE_TAG_POSTS && { rareTagIds: [rarest.id] }) };
}

/** Posts with one of these tags, which are among the known ones. */
export function chooseAnyTag(tags: readonly TagRow[], ids: readonly string[]): PostFilter {
  const isRare = tags.reduce((sum, tag) => sum + (ids.includes(tag.id) ? tag.post_count : 0), 0) <= RARE_TAG_POSTS;
  return isRare ? { rareTagIds: ids } : { anyTagIds: ids };
}
