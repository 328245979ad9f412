import { requireActorContext } from '../../identity/users/context.graphql.ts';
import { UserRefInput } from '../../identity/users/users.graphql.ts';
import { builder } from '../../platform/graphql/builder.ts';
import { CommentModerationEnum, CommentObject, CommentTypeEnum } from './comments.graphql.ts';
import { moderateComment } from './moderation.ts';
import { createComment, deleteComment, restoreComment, updateComment } from './writing.ts';

builder.mutationFields((t) => ({
  createComment: t.field({
    type: CommentObject,
    description:
      'Writes a comment on a post, or a reply to a comment. On boards with approval it may be PENDING. `@Name` mentions a user, see `Comment.text`',
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
      notifyOP: t.arg.boolean({ description: 'Whether to notify the author of the post. Default: true' }),
      notifyCommenters: t.arg.boolean({ description: 'Whether to notify users who commented. Default: true' }),
      notifyUpVoters: t.arg.boolean({
        description: 'Whether to notify users who upvoted the post. Default: true for type OFFICIAL, else false',
      }),
      notifyDownVoters: t.arg.boolean({
        description: 'Whether to notify users who downvoted the post. Default: true for type OFFICIAL, else false',
      }),
      notifySubscribers: t.arg.boolean({
        description: 'Whether to notify users who chose to follow the post. Default: true',
      }),
      author: t.arg({
        type: UserRefInput,
        description: 'User to act on behalf of; for admins and users with isApiUser',
      }),
      dateCreated: t.arg({
        type: 'DateTime',
        description:
          'Date in the past, for imports; for admins and users with isApiUser. With it, only users named by the notify arguments are notified',
      }),
    },
    resolve(
      _,
      { postId, notifyOP, notifyCommenters, notifyUpVoters, notifyDownVoters, notifySubscribers, ...input },
      context,
    ) {
      const audience = {
        author: notifyOP,
        commenters: notifyCommenters,
        upvoters: notifyUpVoters,
        downvoters: notifyDownVoters,
        followers: notifySubscribers,
      };
      return createComment(requireActorContext(context), postId, { ...input, notifying: { audience } });
    },
  }),
}));

builder.mutationFields((t) => ({
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
    description:
      'Deletes a comment; `restoreComment` brings it back within 30 days. The first comment of a post is its description and cannot be deleted',
    args: { id: t.arg.string({ required: true, description: 'Id of the comment' }) },
    resolve: (_, { id }, context) => deleteComment(requireActorContext(context), id),
  }),
  restoreComment: t.field({
    type: CommentObject,
    description: 'For moderators. Restores a comment that was deleted within the last 30 days',
    args: { id: t.arg.string({ required: true, description: 'Id of the comment' }) },
    resolve: (_, { id }, context) => restoreComment(requireActorContext(context), id),
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
