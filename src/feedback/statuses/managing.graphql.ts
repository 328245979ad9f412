import { requireOwnBoard } from '../../identity/board/addresses.ts';
import { requireActorContext } from '../../identity/users/context.graphql.ts';
import { builder } from '../../platform/graphql/builder.ts';
import { createStatus, rearrangeStatuses, updateStatus } from './managing.ts';
import { PostVisibilityEnum, StatusObject, StatusTypeEnum } from './statuses.graphql.ts';
import type { StatusRow } from './statuses.ts';

export const StatusPayload = builder.objectRef<StatusRow>('StatusPayload').implement({
  description: 'The status after the change; its fields are also available at the top level for existing clients',
  fields: (t) => ({
    node: t.field({ type: StatusObject, description: 'The status', resolve: (status) => status }),
    id: t.exposeString('id', { description: 'Same as `node { id }`', deprecationReason: 'Use `node { id }`' }),
    color: t.exposeString('color', {
      description: 'Same as `node { color }`',
      deprecationReason: 'Use `node { color }`',
    }),
    name: t.exposeString('name', { description: 'Same as `node { name }`', deprecationReason: 'Use `node { name }`' }),
    type: t.expose('type', {
      type: StatusTypeEnum,
      description: 'Same as `node { type }`',
      deprecationReason: 'Use `node { type }`',
    }),
    postVisibility: t.expose('post_visibility', {
      type: PostVisibilityEnum,
      description: 'Same as `node { postVisibility }`',
      deprecationReason: 'Use `node { postVisibility }`',
    }),
  }),
});

/** An argument that clients of other services send. */
export const POST_ID = { description: 'Ignored', deprecationReason: 'Accepted for existing clients; has no effect' };

builder.mutationFields((t) => ({
  createStatus: t.field({
    type: StatusPayload,
    description:
      "For admins. Creates a status of type CUSTOM after the board's last one; a board has at most 50 statuses",
    args: {
      boardId: t.arg.string({ description: "The key's own board, by `id` or `pid`; may be left out" }),
      postId: t.arg.string(POST_ID),
      id: t.arg.string({ description: 'A UUID of your choice; default: a new one' }),
      color: t.arg.string({ required: true, description: 'CSS hex color, `#rgb` or `#rrggbb`' }),
      name: t.arg.string({
        required: true,
        description: '1 to 50 characters; names must differ by more than case',
      }),
      isOnRoadmap: t.arg.boolean({ description: 'Whether it is a column of the roadmap; default: true' }),
    },
    async resolve(_, { boardId, postId, ...input }, context) {
      await requireOwnBoard(context.db.read, context.board, boardId);
      return createStatus(requireActorContext(context), input);
    },
  }),
  updateStatus: t.field({
    type: StatusPayload,
    description: 'For admins. Updates the given properties of a status, built-in ones included',
    args: {
      id: t.arg.string({ required: true, description: 'Id of the status' }),
      color: t.arg.string({ description: 'New CSS hex color' }),
      name: t.arg.string({ description: 'New name, 1 to 50 characters' }),
      postId: t.arg.string(POST_ID),
      postVisibility: t.arg({
        type: PostVisibilityEnum,
        description: 'Who may see the posts in the status',
      }),
      isOnRoadmap: t.arg.boolean({ description: 'Whether it is a column of the roadmap; MERGED can not be one' }),
    },
    resolve: (_, { id, postId, ...changes }, context) => updateStatus(requireActorContext(context), id, changes),
  }),
  rearrangeStatuses: t.boolean({
    description: 'For admins. Reorders the statuses; those not listed keep their positions. Always returns true',
    args: { ids: t.arg.stringList({ required: true, description: 'Ids of statuses in their new order' }) },
    async resolve(_, { ids }, context) {
      await rearrangeStatuses(requireActorContext(context), ids);
      return true;
    },
  }),
}));
