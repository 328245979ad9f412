import { notFound } from '../errors.ts';
import { builder } from '../graphql/builder.ts';
import { columnsOf, reads } from '../graphql/columns.ts';
import { type Context, requireCall } from '../graphql/context.ts';
import { defineLoader } from '../graphql/loader.ts';
import { pageArgs, pageType } from '../graphql/page.ts';
import { type Page, requireLimit } from '../lib/page.ts';
import { loadPost, PostType } from '../posts/posts.graphql.ts';
import type { PostRow } from '../posts/posts.ts';
import { loadUser, UserRefInput, UserType } from '../users/users.graphql.ts';
import {
  type CommentRow,
  commentTypes,
  createComment,
  deleteComment,
  findComment,
  findDescriptions,
} from './comments.ts';
import { type CommentQuery, listCommentsOfPosts, listCommentsOfUser } from './list.ts';

const CommentTypeEnum = builder.enumType('CommentType', {
  description:
    'BASIC: written by a person. INTERNAL: team only. The others are written by the service and say what changed.',
  values: commentTypes,
});

export const CommentObject = builder.objectRef<CommentRow>('Comment').implement({
  fields: (t) => ({
    id: t.exposeString('id'),
    text: t.exposeString('text'),
    type: t.expose('type', { type: CommentTypeEnum }),
    dateCreated: t.expose('date_created', { type: 'DateTime' }),
    dateUpdated: t.expose('date_updated', { type: 'DateTime', nullable: true }),
    isFirst: t.boolean({
      description: 'Whether this is the description of its post',
      extensions: reads<CommentRow>('is_first'),
      resolve: (comment) => comment.is_first === 1,
    }),
    post: t.field({
      type: PostType,
      extensions: reads<CommentRow>('post_id'),
      async resolve(comment, _, context) {
        const post = await loadPost(context, comment.post_id);
        if (!post) throw notFound('Post');
        return post;
      },
    }),
    user: t.field({
      type: UserType,
      nullable: true,
      description: 'Null once the author is erased',
      extensions: reads<CommentRow>('user_id'),
      resolve: (comment, _, context, info) => loadUser(context, comment.user_id, info),
    }),
  }),
});

const CommentsPayload = pageType('CommentsPayload', CommentObject);

const PostCommentsPayload = builder
  .objectRef<{ page: Page<CommentRow>; chunkSize: number }>('PostCommentsPayload')
  .implement({
    fields: (t) => ({
      nodes: t.field({ type: [CommentObject], resolve: ({ page }) => page.nodes }),
      hasMore: t.boolean({ resolve: ({ page }) => page.hasMore }),
      cursor: t.string({ nullable: true, resolve: ({ page }) => page.cursor }),
      chunkSize: t.exposeInt('chunkSize', { description: 'The page size that was used' }),
    }),
  });

const loadComments = defineLoader<string, CommentQuery, Page<CommentRow>>(({ db, board }, postIds, query) =>
  listCommentsOfPosts(db.read, board.id, postIds, query),
);

const loadDescription = defineLoader<string, void, CommentRow>(async ({ db, board }, postIds) => {
  const descriptions = await findDescriptions(db.read, board.id, postIds);
  return new Map(descriptions.map((comment) => [comment.post_id, comment]));
});

builder.objectFields(PostType, (t) => ({
  commentCount: t.int({
    description: 'Comments on the post, its description not counted',
    extensions: reads<PostRow>('comment_count'),
    resolve: (post) => post.comment_count,
  }),
  content: t.string({
    nullable: true,
    description: 'Text of the first comment, as Markdown',
    extensions: reads<PostRow>('id'),
    resolve: async (post, _, context) => (await loadDescription(context, post.id))?.text ?? null,
  }),
  comments: t.field({
    type: PostCommentsPayload,
    description: 'The oldest first; the first is the description',
    args: { ...pageArgs(t.arg), types: t.arg({ type: [CommentTypeEnum] }) },
    extensions: reads<PostRow>('id'),
    async resolve(post, { types, cursor, limit }, context, info) {
      const chunkSize = requireLimit(limit);
      const query = {
        types: types ?? null,
        cursor: cursor ?? null,
        limit: chunkSize,
        columns: columnsOf<CommentRow>(info),
      };
      const page = (await loadComments(context, post.id, query)) ?? { nodes: [], hasMore: false, cursor: null };
      return { page, chunkSize };
    },
  }),
}));

builder.objectField(UserType, 'comments', (t) =>
  t.field({
    type: CommentsPayload,
    description: 'The newest first, without descriptions of posts',
    args: pageArgs(t.arg),
    resolve: (user, { cursor, limit }, { db, board }) =>
      listCommentsOfUser(db.read, board.id, user.id, { cursor: cursor ?? null, limit: requireLimit(limit) }),
  }),
);

builder.queryField('comment', (t) =>
  t.field({
    type: CommentObject,
    nullable: true,
    args: { id: t.arg.string({ required: true }) },
    resolve: (_, { id }, context) => findVisible(context, id),
  }),
);

builder.mutationFields((t) => ({
  createComment: t.field({
    type: CommentObject,
    args: {
      postId: t.arg.string({ required: true }),
      text: t.arg.string({ required: true, description: 'Markdown of 1 to 20,000 characters' }),
      author: t.arg({ type: UserRefInput, description: 'Acts for somebody else: for admins and users with isApiUser' }),
      dateCreated: t.arg({ type: 'DateTime', description: 'For imports: admins and users with isApiUser' }),
    },
    resolve: (_, { postId, ...input }, context) => createComment(requireCall(context), postId, input),
  }),
  deleteComment: t.field({
    type: CommentObject,
    description: 'The first comment of a post is its description and cannot be deleted',
    args: { id: t.arg.string({ required: true }) },
    resolve: (_, { id }, context) => deleteComment(requireCall(context), id),
  }),
}));

/** A comment is seen where its post is: the comments of a deleted post are gone with it. */
async function findVisible(context: Context, id: string): Promise<CommentRow | null> {
  const comment = await findComment(context.db.read, context.board.id, id);
  return comment && (await loadPost(context, comment.post_id)) ? comment : null;
}
