import { BoardType } from '../../identity/board/board.graphql.ts';
import { requireActorContext } from '../../identity/users/context.graphql.ts';
import { UserRefInput, UserType } from '../../identity/users/users.graphql.ts';
import type { UserRow } from '../../identity/users/users.ts';
import type { Columns } from '../../platform/db/prepare.ts';
import { builder, describeValues } from '../../platform/graphql/builder.ts';
import { columnsOf, reads } from '../../platform/graphql/columns.ts';
import { defineListLoader, defineLoader } from '../../platform/graphql/loader.ts';
import { pageArgs, pageFields, pageOf, pageType } from '../../platform/graphql/page.ts';
import { emptyPage, type PageArgs } from '../../platform/lib/page.ts';
import { PostModerationEnum } from '../lifecycle/moderation.graphql.ts';
import { countPostsIn, countPostsOfAuthors } from '../posts/counting.ts';
import { listPostsOfEach, type PostOrder } from '../posts/list.ts';
import { PostType } from '../posts/posts.graphql.ts';
import type { PostRow } from '../posts/posts.ts';
import { parseSearch } from '../search/search.ts';
import { StatusObject, StatusTypeEnum } from '../statuses/statuses.graphql.ts';
import { listStatuses, type StatusRow } from '../statuses/statuses.ts';
import { seesStatus } from '../visibility/posts.ts';
import { choosePosts } from './choosing.ts';
import { type CountedPage, findPostsBy } from './finding.ts';

const PostSortOrder = builder.enumType('PostSortOrder', {
  description: 'Order of a list of posts',
  values: describeValues({
    TRENDING: 'Order of magnitude of the votes, newer posts first among equals',
    TOP: 'Most votes first',
    NEWEST: 'Newest first',
    OLDEST: 'Oldest first',
    RECENTLY_UPDATED: 'Last changed first',
    MOST_COMMENTED: 'Most comments first',
    COMPLETED: 'Last completed first; only completed posts',
    RELEVANCE: 'Best match first; only with a search',
    MOST_PEOPLE: 'Most people behind it first, of the 1,000 most upvoted; this and the next two are for the team',
    MOST_COMPANIES: 'Most companies behind it first',
    MOST_REVENUE: 'Most monthly revenue behind it first',
  }),
});
const PostFilterType = builder.enumType('PostFilterType', {
  description: 'What a filter compares',
  values: describeValues({ FIELD: 'The value of a field of the board', STATUS: 'The status' }),
});
const MatchMode = builder.enumType('MatchMode', {
  description: 'How several tags combine',
  values: describeValues({ ANY: 'Posts with at least one of the tags', ALL: 'Posts with all of the tags' }),
});

const PostFilter = builder.inputType('PostFilter', {
  description:
    'One condition on posts. Filters on the same status or field are combined with OR, on different ones with AND',
  fields: (t) => ({
    type: t.field({ type: PostFilterType, required: true, description: 'What to compare' }),
    label: t.string({ description: 'With FIELD: label of the field' }),
    is: t.string({ description: 'With STATUS: id or type of a status; with FIELD: the value' }),
    empty: t.string({ description: 'With FIELD: `true` for posts without a value' }),
  }),
});

const PostWhere = builder.inputType('PostWhere', {
  description: 'Conditions on posts, combined with AND; an empty list is ignored',
  fields: (t) => ({
    statusIds: t.stringList({ description: 'Posts in one of the statuses with these ids' }),
    statusTypes: t.field({ type: [StatusTypeEnum], description: 'Posts in a status of one of these types' }),
    tagIds: t.stringList({ description: 'Posts with these tags, combined by `tagMode`' }),
    tagMode: t.field({
      type: MatchMode,
      description: 'Whether one of the tags is enough (ANY, the default) or all are needed (ALL)',
    }),
    author: t.field({ type: UserRefInput, description: 'Posts by this user' }),
    votedBy: t.field({ type: UserRefInput, description: 'Posts that this user voted on' }),
    assignedTo: t.field({ type: UserRefInput, description: 'Posts assigned to this user; for moderators' }),
    createdAfter: t.field({ type: 'DateTime', description: 'Created at or after this instant' }),
    createdBefore: t.field({ type: 'DateTime', description: 'Created before this instant' }),
    updatedAfter: t.field({ type: 'DateTime', description: 'Updated at or after this instant' }),
    minUpvotes: t.int({ description: 'Posts with at least this number of upvotes' }),
    moderationStatus: t.field({
      type: [PostModerationEnum],
      description: 'Posts with one of these moderation statuses',
    }),
    externalId: t.string({ description: 'The post with this id in your system' }),
    number: t.int({ description: 'The post with this number' }),
  }),
});

const PostsPayload = builder.objectRef<CountedPage>('PostsPayload').implement({
  description: 'One page of posts',
  fields: (t) => ({
    ...pageFields(t, PostType, 'posts', ({ page }) => page),
    totalCount: t.int({
      description:
        'Number of posts in the whole list that the viewer may see; counted only up to 10,000 with a search or with conditions other than status',
      resolve: ({ count }) => count(),
    }),
  }),
});

export const StatusPostsPayload = pageType('StatusPostsPayload', PostType, 'posts');

builder.queryField('posts', (t) =>
  t.field({
    type: PostsPayload,
    description: 'Posts that the viewer may see, page by page',
    args: {
      ...pageArgs(t.arg),
      filters: t.arg({ type: [PostFilter], description: 'Conditions on status and fields' }),
      sort: t.arg({ type: PostSortOrder, description: 'Default: RELEVANCE with a search, otherwise TRENDING' }),
      search: t.arg.string({ description: 'Words in title or description; at most 200 characters' }),
      where: t.arg({ type: PostWhere, description: 'Further conditions' }),
      segment: t.arg.string({ description: 'Id of a segment: only posts that its people upvoted; for the team' }),
    },
    async resolve(_, { filters, sort, search, where, segment, ...args }, context, info) {
      const words = parseSearch(search);
      const choice = await choosePosts(requireActorContext(context), filters ?? [], where ?? {}, segment ?? null);
      return findPostsBy(context, { choice, words, order: sort ?? null, ...pageOf(args) }, columnsOf(info));
    },
  }),
);

type PostsArgs = PageArgs & { order: PostOrder; columns: Columns<PostRow> };

function loaderOf(column: 'status_id' | 'author_id') {
  return defineListLoader<PostsArgs, PostRow>(({ db, board, actor }, ids, args) =>
    listPostsOfEach(db.read, board.id, { ...args, viewer: actor }, column, ids),
  );
}

/** Pages of the posts in statuses, by the status's id. */
export const loadPostsOfStatus = loaderOf('status_id');
const loadPostsOfUser = loaderOf('author_id');

const loadPostCount = defineLoader<string, void, number>(countPostsOfAuthors);

builder.objectField(StatusObject, 'posts', (t) =>
  t.field({
    type: StatusPostsPayload,
    description: 'Posts in the status, newest first',
    args: pageArgs(t.arg),
    extensions: reads<StatusRow>('id', 'post_visibility'),
    resolve(status, args, context, info) {
      const query = { order: 'NEWEST' as const, ...pageOf(args), columns: columnsOf<PostRow>(info) };
      return seesStatus(context.actor, status) ? loadPostsOfStatus(context, status.id, query) : emptyPage;
    },
  }),
);

builder.objectField(UserType, 'posts', (t) =>
  t.field({
    type: PostsPayload,
    description: 'Posts by the user, newest first',
    args: pageArgs(t.arg),
    extensions: reads<UserRow>('id'),
    async resolve(user, args, context, info) {
      const query = { order: 'NEWEST' as const, ...pageOf(args), columns: columnsOf<PostRow>(info) };
      const page = await loadPostsOfUser(context, user.id, query);
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
    description: 'Number of posts that the viewer may see',
    resolve: async (board, _, context) => (await loadBoardCount(context, board.id)) ?? 0,
  }),
);
