import { requireOwnBoard } from '../board/board.ts';
import { builder } from '../graphql/builder.ts';
import { requireCall } from '../graphql/context.ts';
import { createStatus, deleteStatus, rearrangeStatuses, updateStatus } from './managing.ts';
import { PostVisibilityEnum, StatusObject, StatusTypeEnum } from './statuses.graphql.ts';
import type { StatusRow } from './statuses.ts';

const StatusPayload = builder.objectRef<StatusRow>('StatusPayload').implement({
  description: 'Clients send both shapes, so both are served: wrapped in node, and flat',
  fields: (t) => ({
    node: t.field({ type: StatusObject, resolve: (status) => status }),
    id: t.exposeString('id'),
    color: t.exposeString('color'),
    name: t.exposeString('name'),
    type: t.expose('type', { type: StatusTypeEnum }),
    postVisibility: t.expose('post_visibility', { type: PostVisibilityEnum }),
  }),
});

const POST_ID = 'Accepted for clients that send it; it changes nothing';

builder.mutationFields((t) => ({
  createStatus: t.field({
    type: StatusPayload,
    description:
      "For admins. Adds a status of type CUSTOM behind the board's last one; a board has at most 50 statuses.",
    args: {
      boardId: t.arg.string({ description: 'The board of the key, by its id or pid: there is no other' }),
      postId: t.arg.string({ description: POST_ID }),
      id: t.arg.string({ description: 'A UUID of your own; default: a new one' }),
      color: t.arg.string({ required: true, description: 'CSS hex colour, `#rgb` or `#rrggbb`' }),
      name: t.arg.string({
        required: true,
        description: '1 to 50 characters; names differ by more than upper and lower case',
      }),
    },
    resolve(_, { boardId, postId, ...input }, context) {
      requireOwnBoard(context.board, boardId);
      return createStatus(requireCall(context), input);
    },
  }),
  updateStatus: t.field({
    type: StatusPayload,
    description: 'For admins. Changes what is given, of built-in statuses too.',
    args: {
      id: t.arg.string({ required: true }),
      color: t.arg.string(),
      name: t.arg.string(),
      postId: t.arg.string({ description: POST_ID }),
      postVisibility: t.arg({
        type: PostVisibilityEnum,
        description: 'Who sees the posts in the status: everybody, moderators (TEAM), or admins (HIDDEN)',
      }),
    },
    resolve: (_, { id, postId, ...changes }, context) => updateStatus(requireCall(context), id, changes),
  }),
  deleteStatus: t.field({
    type: StatusPayload,
    description: 'For admins. Only a CUSTOM status; its posts become UNASSIGNED, each with a `post.status.updated`.',
    args: { id: t.arg.string({ required: true }), postId: t.arg.string({ description: POST_ID }) },
    resolve: (_, { id }, context) => deleteStatus(requireCall(context), id),
  }),
  rearrangeStatuses: t.boolean({
    description:
      'For admins. Puts the statuses with these ids in this order; those that are not named keep their places.',
    args: { ids: t.arg.stringList({ required: true }) },
    async resolve(_, { ids }, context) {
      await rearrangeStatuses(requireCall(context), ids);
      return true;
    },
  }),
}));
