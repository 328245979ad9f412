import { CommentObject } from '../comments/comments.graphql.ts';
import { type CommentRow, findDescription } from '../comments/comments.ts';
import { PostPropertyInput } from '../fields/properties.graphql.ts';
import { builder } from '../graphql/builder.ts';
import { requireCall } from '../graphql/context.ts';
import { StatusTypeEnum } from '../statuses/statuses.graphql.ts';
import { UserRefInput } from '../users/users.graphql.ts';
import { createPost } from './creating.ts';
import { changePostStatus, deletePost, restorePost, updatePost } from './editing.ts';
import { PostType } from './posts.graphql.ts';
import type { PostRow } from './posts.ts';

const UpdatePostPayload = builder
  .objectRef<{ node: PostRow; comment: CommentRow | null }>('UpdatePostPayload')
  .implement({
    fields: (t) => ({
      node: t.expose('node', { type: PostType }),
      comment: t.expose('comment', { type: CommentObject, nullable: true, description: "The post's description" }),
    }),
  });

builder.mutationFields((t) => ({
  createPost: t.field({
    type: PostType,
    description: 'Adds a post. A known externalId returns the post that has it, unchanged.',
    args: {
      title: t.arg.string({ required: true, description: '1 to 200 characters' }),
      comment: t.arg.string({ description: 'The description: Markdown of up to 20,000 characters' }),
      files: t.arg({
        type: ['String'],
        required: { list: false, items: false },
        description: 'At most 10 ids of files that the acting user has uploaded, each for one post or comment',
      }),
      properties: t.arg({
        type: [PostPropertyInput],
        required: { list: false, items: false },
        description: 'A value for each required field that you see, and for others as you like',
      }),
      tagIds: t.arg.stringList({ description: 'At most 50; private tags are for moderators' }),
      statusId: t.arg.string({ description: 'For moderators; default: the status of type UNASSIGNED' }),
      author: t.arg({ type: UserRefInput, description: 'Acts for somebody else: for admins and users with isApiUser' }),
      dateCreated: t.arg({ type: 'DateTime', description: 'For imports: admins and users with isApiUser' }),
      externalId: t.arg.string({ description: 'What the post is called in your system' }),
    },
    resolve: (_, input, context) => createPost(requireCall(context), { ...input, asksFields: true }),
  }),
  updatePost: t.field({
    type: UpdatePostPayload,
    description:
      'Changes what is given: title, description and properties, or for moderators its tags and whether it is locked or pinned.',
    args: {
      id: t.arg.string({ required: true }),
      title: t.arg.string(),
      isLocked: t.arg.boolean({ description: 'A locked post takes no comments and votes' }),
      isPinned: t.arg.boolean(),
      comment: t.arg.string({ description: 'The new description' }),
      properties: t.arg({
        type: [PostPropertyInput],
        required: { list: false, items: false },
        description: 'What the post shall have in these fields; in others it stays',
      }),
      tagIds: t.arg.stringList({ description: 'All the tags that the post shall have, at most 50' }),
    },
    async resolve(_, { id, ...changes }, context) {
      const node = await updatePost(requireCall(context), id, changes);
      return { node, comment: await findDescription(context.db.read, node) };
    },
  }),
  deletePost: t.field({
    type: PostType,
    description: 'Takes a post off the board; restorePost brings it back within 30 days, after which it is gone.',
    args: { postId: t.arg.string({ required: true }) },
    resolve: (_, { postId }, context) => deletePost(requireCall(context), postId),
  }),
  restorePost: t.field({
    type: PostType,
    description: 'Brings a post back as it was that was deleted at most 30 days ago.',
    args: { id: t.arg.string({ required: true }) },
    resolve: (_, { id }, context) => restorePost(requireCall(context), id),
  }),
  changePostStatus: t.field({
    type: PostType,
    description: 'For moderators. statusId is required for, and only for, statusType CUSTOM',
    args: {
      postId: t.arg.string({ required: true }),
      statusType: t.arg({ type: StatusTypeEnum, required: true }),
      statusId: t.arg.string(),
      comment: t.arg.string({
        description: 'A message to go with the change; without it the comment tells the change in words',
      }),
    },
    resolve: (_, { postId, ...input }, context) => changePostStatus(requireCall(context), postId, input),
  }),
}));
