import { UserType } from '../../identity/users/users.graphql.ts';
import type { UserRow } from '../../identity/users/users.ts';
import { badRequest, notFound } from '../../platform/errors.ts';
import { type ArgBuilder, builder, describeValues } from '../../platform/graphql/builder.ts';
import { columnsOf, type FieldInfo, reads } from '../../platform/graphql/columns.ts';
import { defineListLoader } from '../../platform/graphql/loader.ts';
import { type GivenPageArgs, pageArgs, pageFields, pageOf, pageType } from '../../platform/graphql/page.ts';
import type { Page } from '../../platform/lib/page.ts';
import { PostType } from '../posts/posts.graphql.ts';
import { findPost, type PostRow } from '../posts/posts.ts';
import { CommentObject, CommentTypeEnum } from './comments.graphql.ts';
import type { CommentRow, CommentType } from './comments.ts';
import { type CommentOrder, type CommentQuery, listComments, listCommentsOfEach } from './list.ts';

const CommentsPayload = pageType('CommentsPayload', CommentObject, 'comments');

const PostCommentsPayload = builder
  .objectRef<{ page: Page<CommentRow>; chunkSize: number }>('PostCommentsPayload')
  .implement({
    description: 'One page of the comments on a post',
    fields: (t) => ({
      ...pageFields(t, CommentObject, 'comments', ({ page }) => page),
      chunkSize: t.exposeInt('chunkSize', { description: 'Page size that was used' }),
    }),
  });

const CommentSortOrder = builder.enumType('CommentSortOrder', {
  description: 'Order of a list of comments',
  values: describeValues({ OLDEST: 'Oldest first', NEWEST: 'Newest first' }),
});

function loaderOf(owner: 'post_id' | 'parent_id' | 'user_id') {
  return defineListLoader<CommentQuery, CommentRow>((context, ids, query) =>
    listCommentsOfEach(context, owner, ids, query),
  );
}

const loadCommentsOfPost = loaderOf('post_id');
const loadReplies = loaderOf('parent_id');
const loadCommentsOfUser = loaderOf('user_id');

builder.objectField(PostType, 'comments', (t) =>
  t.field({
    type: PostCommentsPayload,
    description: 'Comments on the post, including its description',
    args: { ...pageArgs(t.arg), types: typesArg(t.arg) },
    extensions: reads<PostRow>('id'),
    resolve(post, args, context, info) {
      const asked = queryOf(args, info);
      return loadCommentsOfPost(context, post.id, asked).map((page) => ({ page, chunkSize: asked.limit }));
    },
  }),
);

builder.objectField(CommentObject, 'replies', (t) =>
  t.field({
    type: CommentsPayload,
    description: 'Replies to the comment, oldest first; a reply has none itself',
    args: pageArgs(t.arg),
    extensions: reads<CommentRow>('id'),
    resolve: (comment, args, context, info) => loadReplies(context, comment.id, queryOf(args, info)),
  }),
);

builder.objectField(UserType, 'comments', (t) =>
  t.field({
    type: CommentsPayload,
    description: 'Comments by the user, newest first, without descriptions of posts',
    args: pageArgs(t.arg),
    extensions: reads<UserRow>('id'),
    resolve: (user, args, context, info) => loadCommentsOfUser(context, user.id, queryOf(args, info, 'NEWEST')),
  }),
);

builder.queryField('comments', (t) =>
  t.field({
    type: CommentsPayload,
    description: 'Comments on one post or on all posts, including descriptions',
    args: {
      postId: t.arg.string({ description: 'Only comments on this post' }),
      since: t.arg({
        type: 'DateTime',
        description:
          'Only comments written, edited, moderated or moved at or after this instant, in the order of these changes',
      }),
      types: typesArg(t.arg),
      sort: t.arg({ type: CommentSortOrder, description: 'Default: OLDEST. Not allowed with `since`' }),
      ...pageArgs(t.arg),
    },
    async resolve(_, { postId, since, sort, ...args }, context, info) {
      const { db, board, actor } = context;
      if (since != null && sort === 'NEWEST') {
        throw badRequest('`sort` is not allowed with `since`, which orders comments by their changes', 'sort');
      }
      if (postId != null && !(await findPost(db.read, board.id, postId, actor, []))) throw notFound('Post');
      const query = queryOf(args, info, since != null ? 'CHANGED' : (sort ?? 'OLDEST'));
      return listComments(context, postId ?? null, { ...query, ...(since != null && { since }) });
    },
  }),
);

function typesArg(arg: ArgBuilder) {
  return arg({ type: [CommentTypeEnum], description: 'Only comments of these kinds (default: all)' });
}

type ListArgs = GivenPageArgs & { types?: readonly CommentType[] | null | undefined };

/** Arguments without variables are one object for the lists of all posts, of one field. */
const queries = new WeakMap<ListArgs, CommentQuery>();

function queryOf(given: ListArgs, info: FieldInfo, order: CommentOrder = 'OLDEST'): CommentQuery {
  const known = queries.get(given);
  if (known) return known;
  const { types, ...args } = given;
  const query = { ...pageOf(args), order, types: types ?? null, columns: columnsOf<CommentRow>(info) };
  queries.set(given, query);
  return query;
}
