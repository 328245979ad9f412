import { loadUser, UserType } from '../../identity/users/users.graphql.ts';
import { notFound } from '../../platform/errors.ts';
import { builder, describeValues } from '../../platform/graphql/builder.ts';
import { reads } from '../../platform/graphql/columns.ts';
import { LONG_TEXT } from '../../platform/graphql/limits.ts';
import { defineLoader } from '../../platform/graphql/loader.ts';
import { loadPost, PostType } from '../posts/posts.graphql.ts';
import type { PostRow } from '../posts/posts.ts';
import { moderationValues } from '../visibility/moderation.graphql.ts';
import { isTeam } from '../visibility/posts.ts';
import { type CommentRow, findComment, findComments, findDescriptions } from './comments.ts';

export const CommentTypeEnum = builder.enumType('CommentType', {
  description:
    'Kind of a comment. Users write BASIC, INTERNAL and OFFICIAL ones; the others are generated and describe a change',
  values: describeValues({
    BASIC: 'Ordinary comment',
    INTERNAL: 'Note visible to the team only',
    OFFICIAL: 'Official answer from the team',
    MERGE_SOURCE: 'Generated: the post was merged into another one',
    MERGE_TARGET: 'Generated: other posts were merged into this one',
    STATUS_CHANGE: 'Generated: the status changed; has the message given with the change',
    TITLE_CHANGE: 'Generated: the title changed',
  }),
});

export const CommentModerationEnum = builder.enumType('CommentModerationStatus', {
  description: 'Whether moderators have released a comment',
  values: moderationValues,
});

export const CommentObject = builder.objectRef<CommentRow>('Comment').implement({
  description: 'A comment on a post; the first one is the description of the post',
  fields: (t) => ({
    id: t.exposeString('id', { description: 'Id of the comment' }),
    text: t.exposeString('text', {
      description:
        'Text as Markdown. Users are mentioned as `[@Name](user:ID)`, which `@Name` becomes if the user is on the team or takes part in the discussion',
      extensions: LONG_TEXT,
    }),
    type: t.expose('type', { type: CommentTypeEnum, description: 'Kind of the comment' }),
    dateCreated: t.expose('date_created', { type: 'DateTime', description: 'When the comment was written' }),
    dateUpdated: t.expose('date_updated', {
      type: 'DateTime',
      nullable: true,
      description: 'When the text was last changed; null if never',
    }),
    isFirst: t.boolean({
      description: 'Whether this is the description of the post',
      extensions: reads<CommentRow>('is_first'),
      resolve: (comment) => comment.is_first === 1,
    }),
    post: t.field({
      type: PostType,
      description: 'The post that the comment is on',
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
      description: 'Who wrote the comment; null once that user has been erased',
      extensions: reads<CommentRow>('user_id'),
      resolve: (comment, _, context, info) => loadUser(context, comment.user_id, info),
    }),
    moderationStatus: t.expose('moderation_status', {
      type: CommentModerationEnum,
      description: 'Whether moderators have released the comment',
    }),
    moderator: t.field({
      type: UserType,
      nullable: true,
      description: 'User who last moderated the comment; visible to the team',
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
    description:
      'The comment that this one replies to; null if it is not a reply, or if that comment was deleted. Never a reply itself',
    extensions: reads<CommentRow>('parent_id'),
    resolve: (comment, _, context) => (comment.parent_id === null ? null : loadComment(context, comment.parent_id)),
  }),
);

const loadDescription = defineLoader<string, void, CommentRow>(async ({ db, board }, postIds) => {
  const descriptions = await findDescriptions(db.read, { boardId: board.id, postIds });
  return new Map(descriptions.map((comment) => [comment.post_id, comment]));
});

builder.objectFields(PostType, (t) => ({
  commentCount: t.int({
    description:
      'Number of comments that users wrote, without the description. The team also counts internal comments and those awaiting moderation',
    extensions: reads<PostRow>('comment_count', 'hidden_comment_count'),
    resolve: (post, _, { actor }) => post.comment_count + (isTeam(actor) ? post.hidden_comment_count : 0),
  }),
  content: t.string({
    nullable: true,
    description: 'Description of the post as Markdown: the text of its first comment; null without one',
    extensions: { ...reads<PostRow>('id'), ...LONG_TEXT },
    resolve: async (post, _, context) => (await loadDescription(context, post.id))?.text ?? null,
  }),
}));

builder.queryField('comment', (t) =>
  t.field({
    type: CommentObject,
    nullable: true,
    description: 'The comment with this id; null if there is none that the viewer may see',
    args: { id: t.arg.string({ required: true, description: 'Id of the comment' }) },
    resolve: (_, { id }, { db, board, actor }) => findComment(db.read, board.id, id, actor),
  }),
);
