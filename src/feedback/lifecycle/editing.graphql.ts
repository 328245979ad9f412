import type { ArgumentRef } from '@pothos/core';
import { requireActorContext } from '../../identity/users/context.graphql.ts';
import { UserRefInput } from '../../identity/users/users.graphql.ts';
import { type ArgBuilder, builder } from '../../platform/graphql/builder.ts';
import { CommentObject } from '../comments/comments.graphql.ts';
import { type CommentRow, findDescription } from '../comments/comments.ts';
import { PostPropertyInput } from '../fields/properties.graphql.ts';
import { type AttributeChanges, attributeList, mapAttributes } from '../posts/attributes.ts';
import { PostType } from '../posts/posts.graphql.ts';
import type { PostRow } from '../posts/posts.ts';
import { StatusTypeEnum } from '../statuses/statuses.graphql.ts';
import { createPost } from './creating.ts';
import { deletePost, restorePost } from './deleting.ts';
import { updatePost } from './editing.ts';
import { changePostStatus } from './moving.ts';

const UpdatePostPayload = builder
  .objectRef<{ node: PostRow; comment: CommentRow | null }>('UpdatePostPayload')
  .implement({
    description: 'The updated post',
    fields: (t) => ({
      node: t.expose('node', { type: PostType, description: 'The post after the change' }),
      comment: t.expose('comment', {
        type: CommentObject,
        nullable: true,
        description: 'The description of the post, as its first comment; null without one',
      }),
    }),
  });

const MODERATED = new Intl.ListFormat('en-GB').format(
  ['tagIds', ...attributeList.map(({ name }) => name)].map((name) => `\`${name}\``),
);

type Args = {
  [Name in keyof AttributeChanges]-?: ArgumentRef<typeof builder.$inferSchemaTypes, AttributeChanges[Name]>;
};

function attributeArgs(arg: ArgBuilder): Args {
  return mapAttributes(({ type, argument: description }) =>
    type === 'Boolean' ? arg.boolean({ description }) : arg.string({ description }),
  ) as Args;
}

builder.mutationFields((t) => ({
  createPost: t.field({
    type: PostType,
    description:
      'Creates a post. If a post with the same `externalId` exists, it is returned unchanged. On boards with approval it may be PENDING',
    args: {
      title: t.arg.string({ required: true, description: '1 to 200 characters' }),
      comment: t.arg.string({ description: 'Description: Markdown of up to 20,000 characters' }),
      files: t.arg({
        type: ['String'],
        required: { list: false, items: false },
        description: 'Ids of at most 10 uploaded files of the acting user; a file belongs to one post or comment',
      }),
      properties: t.arg({
        type: [PostPropertyInput],
        required: { list: false, items: false },
        description: 'Values for fields of the board; fields that are required and visible to the viewer must have one',
      }),
      tagIds: t.arg.stringList({ description: 'At most 50 tags; private ones only for moderators' }),
      statusId: t.arg.string({ description: 'For moderators; default: the status of type UNASSIGNED' }),
      author: t.arg({
        type: UserRefInput,
        description: 'User to act on behalf of; for admins and users with isApiUser',
      }),
      dateCreated: t.arg({
        type: 'DateTime',
        description: 'Date in the past, for imports; for admins and users with isApiUser',
      }),
      externalId: t.arg.string({ description: 'Id of the post in your own system; makes a repeated call safe' }),
    },
    resolve: (_, input, context) => createPost(requireActorContext(context), { ...input, asksFields: 'ALL' }),
  }),
  updatePost: t.field({
    type: UpdatePostPayload,
    description: `Updates the given parts of a post. Authors may change title, description and public fields; moderators may also change ${MODERATED}`,
    args: {
      id: t.arg.string({ required: true, description: 'Id of the post' }),
      title: t.arg.string({ description: 'New title, 1 to 200 characters' }),
      ...attributeArgs(t.arg),
      comment: t.arg.string({ description: 'New description: Markdown of up to 20,000 characters' }),
      properties: t.arg({
        type: [PostPropertyInput],
        required: { list: false, items: false },
        description: 'New values of these fields; other fields keep theirs',
      }),
      tagIds: t.arg.stringList({
        description: 'All tags that the post should have, at most 50; replaces the current ones',
      }),
    },
    async resolve(_, { id, ...changes }, context) {
      const node = await updatePost(requireActorContext(context), id, changes);
      return { node, comment: await findDescription(context.db.read, node) };
    },
  }),
}));

builder.mutationFields((t) => ({
  deletePost: t.field({
    type: PostType,
    description: 'Deletes a post. It can be restored with `restorePost` for 30 days, then it is removed permanently',
    args: { postId: t.arg.string({ required: true, description: 'Id of the post' }) },
    resolve: (_, { postId }, context) => deletePost(requireActorContext(context), postId),
  }),
  restorePost: t.field({
    type: PostType,
    description: 'Restores a post that was deleted at most 30 days ago',
    args: { id: t.arg.string({ required: true, description: 'Id of the deleted post' }) },
    resolve: (_, { id }, context) => restorePost(requireActorContext(context), id),
  }),
  changePostStatus: t.field({
    type: PostType,
    description: 'For moderators. Changes the status of a post',
    args: {
      postId: t.arg.string({ required: true, description: 'Id of the post' }),
      statusType: t.arg({ type: StatusTypeEnum, required: true, description: 'Type of the new status' }),
      statusId: t.arg.string({ description: 'Id of the new status; required with type CUSTOM, not allowed otherwise' }),
      comment: t.arg.string({
        description: 'Message to post with the change; default: a generated description of the change',
      }),
    },
    resolve: (_, { postId, ...input }, context) => changePostStatus(requireActorContext(context), postId, input),
  }),
}));
