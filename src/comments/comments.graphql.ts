import { notFound } from '../errors.ts';
import { builder } from '../graphql/builder.ts';
import { reads } from '../graphql/columns.ts';
import { LONG_TEXT } from '../graphql/limits.ts';
import { defineLoader } from '../graphql/loader.ts';
import { loadPost, PostType } from '../posts/posts.graphql.ts';
import type { PostRow } from '../posts/posts.ts';
import { isTeam, moderationStatuses } from '../posts/visibility.ts';
import { loadUser, UserType } from '../users/users.graphql.ts';
import { type CommentRow, commentTypes, findComment, findComments, findDescriptions } from './comments.ts';

export const CommentTypeEnum = builder.enumType('CommentType', {
  description:
    'BASIC: written by a person. INTERNAL: team only. The others are written by the service and say what changed.',
  values: commentTypes,
});

export const CommentModerationEnum = builder.enumType('CommentModerationStatus', {
  description: 'PENDING and REJECTED comments are seen by the team and their author only',
  values: moderationStatuses,
});

export const CommentObject = builder.objectRef<CommentRow>('Comment').implement({
  fields: (t) => ({
    id: t.exposeString('id'),
    text: t.exposeString('text', { extensions: LONG_TEXT }),
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
    moderationStatus: t.expose('moderation_status', { type: CommentModerationEnum }),
    moderator: t.field({
      type: UserType,
      nullable: true,
      description: 'Who moderated the comment last; for the team',
      extensions: reads<CommentRow>('moderated_by'),
      resolve: (comment, _, context, info) =>
        isTeam(context.actor) ? loadUser(context, comment.moderated_by, info) : null,
    }),
  }),
});

const loadComment = defineLoader<string, void, CommentRow>(async ({ db, board, actor }, ids) => {
  const comments = await findComments(db.read, board.id, ids, actor);
  return new Map(comments.map((comment) => [comment.id, comment]));
});

builder.objectField(CommentObject, 'parent', (t) =>
  t.field({
    type: CommentObject,
    nullable: true,
    description: 'The comment that this one replies to, unless that is deleted; it is never a reply itself',
    extensions: reads<CommentRow>('parent_id'),
    resolve: (comment, _, context) => (comment.parent_id === null ? null : loadComment(context, comment.parent_id)),
  }),
);

const loadDescription = defineLoader<string, void, CommentRow>(async ({ db, board }, postIds) => {
  const descriptions = await findDescriptions(db.read, board.id, postIds);
  return new Map(descriptions.map((comment) => [comment.post_id, comment]));
});

builder.objectFields(PostType, (t) => ({
  commentCount: t.int({
    description:
      'Comments on the post, its description not counted. Internal ones and those held back count for the team',
    extensions: reads<PostRow>('comment_count', 'hidden_comment_count'),
    resolve: (post, _, { actor }) => post.comment_count + (isTeam(actor) ? post.hidden_comment_count : 0),
  }),
  content: t.string({
    nullable: true,
    description: 'Text of the first comment, as Markdown',
    extensions: { ...reads<PostRow>('id'), ...LONG_TEXT },
    resolve: async (post, _, context) => (await loadDescription(context, post.id))?.text ?? null,
  }),
}));

builder.queryField('comment', (t) =>
  t.field({
    type: CommentObject,
    nullable: true,
    description: 'Null when no such comment is visible to the caller',
    args: { id: t.arg.string({ required: true }) },
    resolve: (_, { id }, { db, board, actor }) => findComment(db.read, board.id, id, actor),
  }),
);
