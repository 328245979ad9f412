import { BoardType } from '../board/board.graphql.ts';
import type { Columns } from '../db/prepare.ts';
import { builder } from '../graphql/builder.ts';
import { columnsOf, reads } from '../graphql/columns.ts';
import { requireCall } from '../graphql/context.ts';
import { defineLoader, MAX_LISTS } from '../graphql/loader.ts';
import { pageArgs, pageType } from '../graphql/page.ts';
import { type Page, requireLimit } from '../lib/page.ts';
import { parseSearch } from '../search/search.ts';
import { StatusObject, StatusTypeEnum } from '../statuses/statuses.graphql.ts';
import { listStatuses, type StatusRow } from '../statuses/statuses.ts';
import { UserRefInput, UserType } from '../users/users.graphql.ts';
import type { UserRow } from '../users/users.ts';
import { choosePosts } from './choosing.ts';
import { countPostsIn, countPostsOfAuthors } from './counting.ts';
import { type CountedPage, findPostsBy } from './finding.ts';
import { listPostsOfEach, type PostOrder, postOrders } from './list.ts';
import { PostModerationEnum } from './moderation.graphql.ts';
import { PostType } from './posts.graphql.ts';
import type { PostRow } from './posts.ts';
import { seesStatus } from './visibility.ts';

const PostSortOrder = builder.enumType('PostSortOrder', {
  description: 'RELEVANCE: how well a post fits what is searched for',
  values: [...postOrders, 'RELEVANCE'] as const,
});
const PostFilterType = builder.enumType('PostFilterType', { values: ['FIELD', 'STATUS'] as const });
const MatchMode = builder.enumType('MatchMode', { values: ['ANY', 'ALL'] as const });

const PostFilter = builder.inputType('PostFilter', {
  description:
    "STATUS: is = a status id or type; FIELD: label = the field's label, is = a value, empty = `true` for posts without one. Filters by the same thing widen the choice, by different things narrow it.",
  fields: (t) => ({
    type: t.field({ type: PostFilterType, required: true }),
    label: t.string(),
    is: t.string(),
    empty: t.string(),
  }),
});

const PostWhere = builder.inputType('PostWhere', {
  description: 'Every condition that is given narrows the choice; an empty list is no condition',
  fields: (t) => ({
    statusIds: t.stringList(),
    statusTypes: t.field({ type: [StatusTypeEnum] }),
    tagIds: t.stringList(),
    tagMode: t.field({ type: MatchMode, description: 'Whether one of the tags is enough (default) or all are needed' }),
    author: t.field({ type: UserRefInput }),
    votedBy: t.field({ type: UserRefInput }),
    assignedTo: t.field({ type: UserRefInput, description: 'For moderators' }),
    createdAfter: t.field({ type: 'DateTime', description: 'Then or later' }),
    createdBefore: t.field({ type: 'DateTime', description: 'Earlier than that' }),
    updatedAfter: t.field({ type: 'DateTime', description: 'Then or later' }),
    minUpvotes: t.int(),
    moderationStatus: t.field({ type: [PostModerationEnum] }),
    externalId: t.string(),
    number: t.int(),
  }),
});

const PostsPayload = builder.objectRef<CountedPage>('PostsPayload').implement({
  fields: (t) => ({
    nodes: t.field({ type: [PostType], resolve: ({ page }) => page.nodes }),
    hasMore: t.boolean({ resolve: ({ page }) => page.hasMore }),
    cursor: t.string({ nullable: true, resolve: ({ page }) => page.cursor }),
    totalCount: t.int({
      description:
        'Counts only posts that the acting user may see; to 10,000 with a search, or with conditions beside the status',
      resolve: ({ count }) => count(),
    }),
  }),
});

export const StatusPostsPayload = pageType('StatusPostsPayload', PostType);

builder.queryField('posts', (t) =>
  t.field({
    type: PostsPayload,
    args: {
      ...pageArgs(t.arg),
      filters: t.arg({ type: [PostFilter] }),
      sort: t.arg({ type: PostSortOrder, description: 'Default: RELEVANCE with a search, else TRENDING' }),
      search: t.arg.string({ description: 'Words that title or description have; at most 200 characters' }),
      where: t.arg({ type: PostWhere }),
    },
    async resolve(_, { cursor, limit, filters, sort, search, where }, context, info) {
      const words = parseSearch(search);
      const choice = await choosePosts(requireCall(context), filters ?? [], where ?? {});
      return findPostsBy(context, { choice, words, order: sort ?? null, ...pageOf(cursor, limit) }, columnsOf(info));
    },
  }),
);

/** What a page of posts of a status or a person is asked for by. */
export type PostsArgs = { order: PostOrder; cursor: string | null; limit: number; columns: Columns<PostRow> };

/** Pages of the posts in statuses, by the status's id. */
export const loadPostsOfStatus = defineLoader<string, PostsArgs, Page<PostRow>>(
  ({ db, board, actor }, ids, args) => listPostsOfEach(db.read, board.id, { ...args, viewer: actor }, 'status_id', ids),
  MAX_LISTS,
);

const loadPostsOfUser = defineLoader<string, PostsArgs, Page<PostRow>>(
  ({ db, board, actor }, ids, args) => listPostsOfEach(db.read, board.id, { ...args, viewer: actor }, 'author_id', ids),
  MAX_LISTS,
);

const loadPostCount = defineLoader<string, void, number>(({ db, board, actor }, ids) =>
  countPostsOfAuthors(db.read, board.id, actor, ids),
);

const emptyPage: Page<PostRow> = { nodes: [], hasMore: false, cursor: null };

builder.objectField(StatusObject, 'posts', (t) =>
  t.field({
    type: StatusPostsPayload,
    description: 'The newest first',
    args: pageArgs(t.arg),
    extensions: reads<StatusRow>('id', 'post_visibility'),
    async resolve(status, { cursor, limit }, context, info) {
      const args = { order: 'NEWEST' as const, ...pageOf(cursor, limit), columns: columnsOf<PostRow>(info) };
      const page = seesStatus(context.actor, status) ? await loadPostsOfStatus(context, status.id, args) : null;
      return page ?? emptyPage;
    },
  }),
);

builder.objectField(UserType, 'posts', (t) =>
  t.field({
    type: PostsPayload,
    description: 'The newest first',
    args: pageArgs(t.arg),
    extensions: reads<UserRow>('id'),
    async resolve(user, { cursor, limit }, context, info) {
      const args = { order: 'NEWEST' as const, ...pageOf(cursor, limit), columns: columnsOf<PostRow>(info) };
      const page = (await loadPostsOfUser(context, user.id, args)) ?? emptyPage;
      return { page, count: async () => (await loadPostCount(context, user.id)) ?? 0 };
    },
  }),
);

const loadBoardCount = defineLoader<string, void, number>(async ({ db, actor }, boardIds) => {
  const count = async (id: string) => countPostsIn(db.read, id, await listStatuses(db.read, id), actor);
  return new Map(await Promise.all(boardIds.map(async (id) => [id, await count(id)] as const)));
});

builder.objectField(BoardType, 'postCount', (t) =>
  t.int({
    description: 'Posts that the acting user may see',
    resolve: async (board, _, context) => (await loadBoardCount(context, board.id)) ?? 0,
  }),
);

function pageOf(cursor: string | null | undefined, limit: number | null | undefined) {
  return { cursor: cursor ?? null, limit: requireLimit(limit) };
}
