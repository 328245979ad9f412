import { UserType } from '../../identity/users/users.graphql.ts';
import type { UserRow } from '../../identity/users/users.ts';
import type { Columns } from '../../platform/db/prepare.ts';
import { badRequest, notFound } from '../../platform/errors.ts';
import { builder, describeValues } from '../../platform/graphql/builder.ts';
import { columnsOf, reads } from '../../platform/graphql/columns.ts';
import { defineListLoader } from '../../platform/graphql/loader.ts';
import { pageArgs, pageType } from '../../platform/graphql/page.ts';
import { type Page, requireLimit } from '../../platform/lib/page.ts';
import { PostType } from '../posts/posts.graphql.ts';
import { findPost, type PostRow } from '../posts/posts.ts';
import { CommentObject, CommentTypeEnum } from './comments.graphql.ts';
import type { CommentRow, CommentType } from './comments.ts';
import { type CommentOrder, listComments, listCommentsOfEach } from './list.ts';

const CommentsPayload = pageType('CommentsPayload', CommentObject, 'comments');

const PostCommentsPayload = builder
  .objectRef<{ page: Page<CommentRow>; chunkSize: number }>('PostCommentsPayload')
  .implement({
    description: 'One page of the comments on a post',
    fields: (t) => ({
      nodes: t.field({
        type: [CommentObject],
        description: 'The comments on this page',
        resolve: ({ page }) => page.nodes,
      }),
      hasMore: t.boolean({ description: 'Whether there is another page', resolve: ({ page }) => page.hasMore }),
      cursor: t.string({
        nullable: true,
        description: 'Pass it as `cursor` to get the next page; null on the last one',
        resolve: ({ page }) => page.cursor,
      }),
      chunkSize: t.exposeInt('chunkSize', { description: 'Page size that was used' }),
    }),
  });

const CommentSortOrder = builder.enumType('CommentSortOrder', {
  description: 'Order of a list of comments',
  values: describeValues({ OLDEST: 'Oldest first', NEWEST: 'Newest first' }),
});

/** What a list of comments is asked for by. */
type CommentsArgs = {
  order: CommentOrder;
  types: readonly CommentType[] | null;
  cursor: string | null;
  limit: number;
  columns: Columns<CommentRow>;
};

function loaderOf(owner: 'post_id' | 'parent_id' | 'user_id') {
  return defineListLoader<string, CommentsArgs, Page<CommentRow>>(({ db, board, actor }, ids, args) =>
    listCommentsOfEach(db.read, board.id, owner, ids, { ...args, viewer: actor }),
  );
}

const loadCommentsOfPost = loaderOf('post_id');
const loadReplies = loaderOf('parent_id');
const loadCommentsOfUser = loaderOf('user_id');

const emptyPage: Page<CommentRow> = { nodes: [], hasMore: false, cursor: null };

builder.objectField(PostType, 'comments', (t) =>
  t.field({
    type: PostCommentsPayload,
    description: 'Comments on one post or on all posts, including descriptions',
    args: {
      ...pageArgs(t.arg),
      types: t.arg({ type: [CommentTypeEnum], description: 'Only comments of these kinds (default: all)' }),
    },
    extensions: reads<PostRow>('id'),
    async resolve(post, { types, ...args }, context, info) {
      const asked = {
        ...pageOf(args),
        order: 'OLDEST' as const,
        types: types ?? null,
        columns: columnsOf<CommentRow>(info),
      };
      return { page: (await loadCommentsOfPost(context, post.id, asked)) ?? emptyPage, chunkSize: asked.limit };
    },
  }),
);

builder.objectField(CommentObject, 'replies', (t) =>
  t.field({
    type: CommentsPayload,
    description: 'Replies to the comment, oldest first; a reply has none itself',
    args: pageArgs(t.arg),
    extensions: reads<CommentRow>('id'),
    async resolve(comment, args, context, info) {
      const asked = { ...pageOf(args), order: 'OLDEST' as const, types: null, columns: columnsOf<CommentRow>(info) };
      return (await loadReplies(context, comment.id, asked)) ?? emptyPage;
    },
  }),
);

builder.objectField(UserType, 'comments', (t) =>
  t.field({
    type: CommentsPayload,
    description: 'Comments by the user, newest first, without descriptions of posts',
    args: pageArgs(t.arg),
    extensions: reads<UserRow>('id'),
    async resolve(user, args, context, info) {
      const asked = { ...pageOf(args), order: 'NEWEST' as const, types: null, columns: columnsOf<CommentRow>(info) };
      return (await loadCommentsOfUser(context, user.id, asked)) ?? emptyPage;
    },
  }),
);

builder.queryField('comments', (t) =>
  t.field({
    type: CommentsPayload,
    description: 'Comments on one post or on all, descriptions of posts among them',
    args: {
      postId: t.arg.string({ description: 'Only comments on this post' }),
      since: t.arg({
        type: 'DateTime',
        description:
          'Only comments written, edited, moderated or moved at or after this instant, in the order of these changes',
      }),
      types: t.arg({ type: [CommentTypeEnum], description: 'Only comments of these kinds (default: all)' }),
      sort: t.arg({ type: CommentSortOrder, description: 'Default: OLDEST. Not allowed with `since`' }),
      ...pageArgs(t.arg),
    },
    async resolve(_, { postId, since, types, sort, ...args }, { db, board, actor }, info) {
      if (since != null && sort === 'NEWEST') {
        throw badRequest('With `since` comments come in the order of their changes: leave `sort` out', 'sort');
      }
      if (postId != null && !(await findPost(db.read, board.id, postId, actor, []))) throw notFound('Post');
      const order: CommentOrder = since != null ? 'CHANGED' : (sort ?? 'OLDEST');
      const query = {
        ...pageOf(args),
        viewer: actor,
        order,
        types: types ?? null,
        columns: columnsOf<CommentRow>(info),
      };
      return listComments(db.read, board.id, postId ?? null, { ...query, ...(since != null && { since }) });
    },
  }),
);

function pageOf({ cursor, limit }: { cursor?: string | null | undefined; limit?: number | null | undefined }) {
  return { cursor: cursor ?? null, limit: requireLimit(limit) };
}
