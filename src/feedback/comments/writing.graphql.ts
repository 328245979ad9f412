import { requireActorContext } from '../../identity/users/context.ts';
import { UserRefInput } from '../../identity/users/users.graphql.ts';
import { builder } from '../../platform/graphql/builder.ts';
import { CommentModerationEnum, CommentObject, CommentTypeEnum } from './comments.graphql.ts';
import { moderateComment } from './moderation.ts';
import { createComment, deleteComment, updateComment } from './writing.ts';

const NOT_YET = 'Accepted for existing clients; has no effect yet';

builder.mutationFields((t) => ({
  createComment: t.field({
    type: CommentObject,
    description: 'Writes a comment on a post, or a reply to a comment',
    args: {
      postId: t.arg.string({ required: true, description: 'Id of the post' }),
      text: t.arg.string({ required: true, description: 'Markdown of 1 to 20,000 characters' }),
      files: t.arg({
        type: ['String'],
        required: { list: false, items: false },
        description: 'Ids of at most 10 uploaded files of the acting user; a file belongs to one post or comment',
      }),
      type: t.arg({
        type: CommentTypeEnum,
        description: 'BASIC (default); moderators may also write INTERNAL and OFFICIAL',
      }),
      parentId: t.arg.string({
        description: 'Id of the comment on the same post to reply to; a reply to a reply joins the top-level comment',
      }),
      notifyOP: t.arg.boolean({ description: NOT_YET }),
      notifyCommenters: t.arg.boolean({ description: NOT_YET }),
      notifyUpVoters: t.arg.boolean({ description: NOT_YET }),
      notifyDownVoters: t.arg.boolean({ description: NOT_YET }),
      notifySubscribers: t.arg.boolean({ description: NOT_YET }),
      author: t.arg({ type: UserRefInput, description: 'The user to act for; for admins and users with isApiUser' }),
      dateCreated: t.arg({
        type: 'DateTime',
        description: 'Date in the past, for imports; for admins and users with isApiUser',
      }),
    },
    resolve: (_, { postId, ...input }, context) => createComment(requireActorContext(context), postId, input),
  }),
  updateComment: t.field({
    type: CommentObject,
    description: 'Changes the text of a comment; for the first comment, that is the description of the post',
    args: {
      id: t.arg.string({ required: true, description: 'Id of the comment' }),
      text: t.arg.string({ required: true, description: 'New text: Markdown of 1 to 20,000 characters' }),
    },
    resolve: (_, { id, text }, context) => updateComment(requireActorContext(context), id, text),
  }),
  deleteComment: t.field({
    type: CommentObject,
    description: 'Deletes a comment permanently. The first comment of a post is its description and cannot be deleted',
    args: { id: t.arg.string({ required: true, description: 'Id of the comment' }) },
    resolve: (_, { id }, context) => deleteComment(requireActorContext(context), id),
  }),
  changeCommentModerationStatus: t.field({
    type: CommentObject,
    description:
      'For moderators. Hides a comment or releases it; hiding emits `comment.deleted`, releasing `comment.created`',
    args: {
      id: t.arg.string({ required: true, description: 'Id of the comment' }),
      moderationStatus: t.arg({ type: CommentModerationEnum, required: true, description: 'New moderation status' }),
    },
    resolve: (_, { id, moderationStatus }, context) =>
      moderateComment(requireActorContext(context), id, moderationStatus),
  }),
}));
