import { builder } from '../graphql/builder.ts';
import { requireCall } from '../graphql/context.ts';
import { UserRefInput } from '../users/users.graphql.ts';
import { CommentModerationEnum, CommentObject, CommentTypeEnum } from './comments.graphql.ts';
import { moderateComment } from './moderation.ts';
import { createComment, deleteComment, updateComment } from './writing.ts';

const NOT_YET = 'Accepted for existing clients; no mail is sent to people yet';

builder.mutationFields((t) => ({
  createComment: t.field({
    type: CommentObject,
    args: {
      postId: t.arg.string({ required: true }),
      text: t.arg.string({ required: true, description: 'Markdown of 1 to 20,000 characters' }),
      files: t.arg({
        type: ['String'],
        required: { list: false, items: false },
        description: 'At most 10 ids of files that the acting user has uploaded, each for one post or comment',
      }),
      type: t.arg({ type: CommentTypeEnum, description: 'BASIC (default), or for moderators INTERNAL and OFFICIAL' }),
      parentId: t.arg.string({
        description: 'The comment on the same post to reply to; replies to a reply join the comment at the top',
      }),
      notifyOP: t.arg.boolean({ description: NOT_YET }),
      notifyCommenters: t.arg.boolean({ description: NOT_YET }),
      notifyUpVoters: t.arg.boolean({ description: NOT_YET }),
      notifyDownVoters: t.arg.boolean({ description: NOT_YET }),
      notifySubscribers: t.arg.boolean({ description: NOT_YET }),
      author: t.arg({ type: UserRefInput, description: 'Acts for somebody else: for admins and users with isApiUser' }),
      dateCreated: t.arg({ type: 'DateTime', description: 'For imports: admins and users with isApiUser' }),
    },
    resolve: (_, { postId, ...input }, context) => createComment(requireCall(context), postId, input),
  }),
  updateComment: t.field({
    type: CommentObject,
    description: 'Changes the text of a comment; that of the first one is the description of its post',
    args: { id: t.arg.string({ required: true }), text: t.arg.string({ required: true }) },
    resolve: (_, { id, text }, context) => updateComment(requireCall(context), id, text),
  }),
  deleteComment: t.field({
    type: CommentObject,
    description: 'The first comment of a post is its description and cannot be deleted',
    args: { id: t.arg.string({ required: true }) },
    resolve: (_, { id }, context) => deleteComment(requireCall(context), id),
  }),
  changeCommentModerationStatus: t.field({
    type: CommentObject,
    description: 'For moderators. What this hides from the board or brings back to it is told as deleted or created.',
    args: {
      id: t.arg.string({ required: true }),
      moderationStatus: t.arg({ type: CommentModerationEnum, required: true }),
    },
    resolve: (_, { id, moderationStatus }, context) => moderateComment(requireCall(context), id, moderationStatus),
  }),
}));
