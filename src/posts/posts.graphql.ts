import type { GraphQLResolveInfo } from 'graphql';
import { BoardType } from '../board/board.graphql.ts';
import { requireBoard } from '../board/board.ts';
import { isOneOf } from '../db/prepare.ts';
import { badRequest, notFound } from '../errors.ts';
import { builder } from '../graphql/builder.ts';
import { columnsOf, reads } from '../graphql/columns.ts';
import { type Context, requireCall } from '../graphql/context.ts';
import { defineLoader } from '../graphql/loader.ts';
import { pageArgs, pageType } from '../graphql/page.ts';
import { type Page, requireLimit } from '../lib/page.ts';
import { havingWords } from '../search/condition.ts';
import { parseSearch, searchByRelevance } from '../search/search.ts';
import { findableBy } from '../search/visible.ts';
import { loadStatus, StatusObject } from '../statuses/statuses.graphql.ts';
import { listStatuses, type StatusRow } from '../statuses/statuses.ts';
import { loadUser, UserType } from '../users/users.graphql.ts';
import { countPostsOf, countPostsWith, listPosts, type PostOrder, postOrders } from './list.ts';
import { findPost, findPosts, type PostRow, postUrl } from './posts.ts';

export const PostType = builder.objectRef<PostRow>('Post').implement({
  fields: (t) => ({
    id: t.exposeString('id'),
    title: t.exposeString('title'),
    pid: t.string({
      description: "The post's number as text",
      extensions: reads<PostRow>('number'),
      resolve: (post) => String(post.number),
    }),
    number: t.exposeInt('number', { description: 'Counts up from 1 on each board' }),
    excerpt: t.exposeString('excerpt', { nullable: true, description: 'The beginning of the text, on one line' }),
    externalId: t.exposeString('external_id', { nullable: true }),
    dateCreated: t.expose('date_created', { type: 'DateTime' }),
    dateUpdated: t.expose('date_updated', { type: 'DateTime' }),
    dateCompleted: t.field({
      type: 'DateTime',
      nullable: true,
      extensions: reads<PostRow>('date_completed'),
      resolve: (post) => post.date_completed || null,
    }),
    isLocked: t.boolean({ extensions: reads<PostRow>('is_locked'), resolve: (post) => post.is_locked === 1 }),
    isPinned: t.boolean({ extensions: reads<PostRow>('is_pinned'), resolve: (post) => post.is_pinned === 1 }),
    isSample: t.boolean({ extensions: reads<PostRow>('is_sample'), resolve: (post) => post.is_sample === 1 }),
    url: t.string({
      extensions: reads<PostRow>('number', 'title'),
      resolve: (post, _, { board, baseUrl }) => postUrl(post, board, baseUrl),
    }),
    board: t.field({
      type: BoardType,
      extensions: reads<PostRow>('board_id'),
      resolve: (post, _, { db }) => requireBoard(db.read, post.board_id),
    }),
    statusId: t.exposeString('status_id', { nullable: true }),
    status: t.field({
      type: StatusObject,
      extensions: reads<PostRow>('status_id'),
      resolve: (post, _, context) => requireStatusOf(context, post),
    }),
    author: t.field({ type: UserType, nullable: true, extensions: reads<PostRow>('author_id'), resolve: authorOf }),
    user: t.field({
      type: UserType,
      nullable: true,
      description: 'The same as author',
      extensions: reads<PostRow>('author_id'),
      resolve: authorOf,
    }),
  }),
});

/** Posts by id that are not deleted. */
export const loadPost = defineLoader<string, void, PostRow>(async ({ db, board }, ids) => {
  const posts = await findPosts(db.read, board.id, ids);
  return new Map(posts.map((post) => [post.id, post]));
});

const PostSortOrder = builder.enumType('PostSortOrder', {
  description: 'RELEVANCE: how well a post fits what is searched for',
  values: [...postOrders, 'RELEVANCE'] as const,
});
const PostFilterType = builder.enumType('PostFilterType', { values: ['FIELD', 'STATUS'] as const });

const PostFilter = builder.inputType('PostFilter', {
  description:
    "STATUS: is = a status id or type; FIELD: label = the field's label, is = a value, empty = `true` for posts without one",
  fields: (t) => ({
    type: t.field({ type: PostFilterType, required: true }),
    label: t.string(),
    is: t.string(),
    empty: t.string(),
  }),
});

/** A page of posts, and how many there are in all. */
type CountedPage = { page: Page<PostRow>; count: () => Promise<number> };

const PostsPayload = builder.objectRef<CountedPage>('PostsPayload').implement({
  fields: (t) => ({
    nodes: t.field({ type: [PostType], resolve: ({ page }) => page.nodes }),
    hasMore: t.boolean({ resolve: ({ page }) => page.hasMore }),
    cursor: t.string({ nullable: true, resolve: ({ page }) => page.cursor }),
    totalCount: t.int({ resolve: ({ count }) => count() }),
  }),
});

const StatusPostsPayload = pageType('StatusPostsPayload', PostType);

builder.queryFields((t) => ({
  post: t.field({
    type: PostType,
    nullable: true,
    description: 'Null when no such post is visible to the caller',
    args: { id: t.arg.string({ required: true }) },
    resolve: (_, { id }, { db, board }, info) => findPost(db.read, board.id, id, columnsOf(info)),
  }),
  posts: t.field({
    type: PostsPayload,
    args: {
      ...pageArgs(t.arg),
      filters: t.arg({ type: [PostFilter] }),
      sort: t.arg({ type: PostSortOrder, description: 'Default: RELEVANCE with a search, else TRENDING' }),
      search: t.arg.string({ description: 'Words that title or description have; at most 200 characters' }),
    },
    async resolve(_, args, context, info) {
      const words = parseSearch(args.search);
      const statuses = args.filters?.length ? await requireFiltered(context, args.filters) : null;
      if (words) return searchPosts(context, { ...args, words, statuses });
      if (args.sort === 'RELEVANCE') throw badRequest('sort: RELEVANCE needs a search', 'sort');
      const page = await listPosts(context.db.read, context.board.id, {
        order: args.sort ?? 'TRENDING',
        ...(statuses && { statusIds: statuses.map((status) => status.id) }),
        cursor: args.cursor ?? null,
        limit: requireLimit(args.limit),
        columns: columnsOf(info),
      });
      return { page, count: () => countPosts(context, statuses) };
    },
  }),
}));

type SearchArgs = {
  words: readonly string[];
  statuses: readonly StatusRow[] | null;
  sort?: PostOrder | 'RELEVANCE' | null | undefined;
  cursor?: string | null | undefined;
  limit?: number | null | undefined;
};

/** Posts that have the words, best first or in the order that is asked for. */
async function searchPosts(context: Context, { words, statuses, sort, ...args }: SearchArgs): Promise<CountedPage> {
  const { db, board, actor } = context;
  const limit = requireLimit(args.limit);
  const cursor = args.cursor ?? null;
  const ids = statuses?.map((status) => status.id);
  if (!sort || sort === 'RELEVANCE') {
    const byStatus = ids ? [() => isOneOf(db.slow, 'posts.status_id', ids)] : [];
    const conditions = [findableBy(actor), ...byStatus];
    const { page, count } = await searchByRelevance(context, { words, conditions, cursor, limit });
    return { page, count: async () => count };
  }
  const conditions = [findableBy(actor), await havingWords(context, words)];
  const filter = { conditions, ...(ids && { statusIds: ids }) };
  const page = await listPosts(db.slow, board.id, { ...filter, order: sort, cursor, limit });
  return { page, count: () => countPostsWith(db.slow, board.id, filter) };
}

builder.objectField(StatusObject, 'posts', (t) =>
  t.field({
    type: StatusPostsPayload,
    args: pageArgs(t.arg),
    resolve: (status, { cursor, limit }, { db, board }) =>
      listPosts(db.read, board.id, { ...newestFirst(cursor, limit), statusIds: [status.id] }),
  }),
);

builder.objectField(UserType, 'posts', (t) =>
  t.field({
    type: PostsPayload,
    args: pageArgs(t.arg),
    async resolve(user, { cursor, limit }, { db, board }) {
      const page = await listPosts(db.read, board.id, { ...newestFirst(cursor, limit), authorId: user.id });
      return { page, count: () => countPostsOf(db.read, board.id, user.id) };
    },
  }),
);

function newestFirst(cursor: string | null | undefined, limit: number | null | undefined) {
  return { order: 'NEWEST' as PostOrder, cursor: cursor ?? null, limit: requireLimit(limit) };
}

async function requireStatusOf(context: Context, post: PostRow): Promise<StatusRow> {
  const status = await loadStatus(context, post.status_id);
  if (!status) throw notFound('Status');
  return status;
}

function authorOf(post: PostRow, _: unknown, context: Context, info: GraphQLResolveInfo) {
  return loadUser(context, post.author_id, info);
}

/** The statuses that filters name by id or type; several filters widen the choice. */
async function requireFiltered(
  context: Context,
  filters: readonly { type: 'FIELD' | 'STATUS'; is?: string | null | undefined }[],
): Promise<StatusRow[]> {
  const { db, board } = requireCall(context);
  const statuses = await listStatuses(db.read, board.id);
  return filters.flatMap(({ type, is }) => {
    if (type === 'FIELD') throw notFound('Field');
    if (is == null) throw badRequest('A STATUS filter needs `is`: a status id or type', 'filters');
    const matching = statuses.filter((status) => status.id === is || status.type === is);
    if (matching.length === 0) throw notFound('Status');
    return matching;
  });
}

async function countPosts(context: Context, statuses: readonly StatusRow[] | null): Promise<number> {
  if (!statuses) return (await requireBoard(context.db.read, context.board.id)).post_count;
  const counts = new Map(statuses.map((status) => [status.id, status.post_count]));
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
