import { BoardType } from '../../identity/board/board.graphql.ts';
import { builder, describeValues, withoutActor } from '../../platform/graphql/builder.ts';
import { defineLoader } from '../../platform/graphql/loader.ts';
import { listStatuses, type StatusRow } from './statuses.ts';

export const StatusTypeEnum = builder.enumType('StatusType', {
  description:
    'Type of a status. Each board has exactly one status of each built-in type, and any number of CUSTOM ones',
  values: describeValues({
    CUSTOM: "A step of the board's own, such as Planned",
    ARCHIVED: 'Built-in: will not be done, or is no longer relevant',
    COMPLETED: 'Built-in: done',
    MERGED: 'Built-in: merged into another post',
    UNASSIGNED: 'Built-in: new posts, not yet assessed',
  }),
});
export const PostVisibilityEnum = builder.enumType('PostVisibility', {
  description: 'Who may see the posts in a status',
  values: describeValues({
    PUBLIC: 'Everyone who may see the board',
    TEAM: 'Moderators, admins and owners',
    HIDDEN: 'Admins and owners',
  }),
});

export const StatusObject = builder.objectRef<StatusRow>('Status').implement({
  description: 'A status that posts can have',
  fields: (t) => ({
    id: t.exposeString('id', { description: 'Id of the status' }),
    color: t.exposeString('color', { description: 'CSS hex color' }),
    name: t.exposeString('name', { description: 'Name, 1 to 50 characters' }),
    type: t.expose('type', { type: StatusTypeEnum, description: 'Built-in type, or CUSTOM' }),
    postVisibility: t.expose('post_visibility', {
      type: PostVisibilityEnum,
      description: 'Who may see the posts in the status',
    }),
    isOnRoadmap: t.boolean({
      description: 'Whether it is a column of the roadmap',
      resolve: (status) => status.is_on_roadmap === 1,
    }),
    position: t.exposeInt('position', { description: 'Position among the statuses of the board, counting from 0' }),
  }),
});

/** Statuses by id. A board has few, so all are read at once. */
export const loadStatus = defineLoader<string, void, StatusRow>(async ({ db, board }) => {
  const statuses = await listStatuses(db.read, board.id);
  return new Map(statuses.map((status) => [status.id, status]));
});

const loadStatuses = defineLoader<string, void, StatusRow[]>(
  async ({ db }, boardIds) =>
    new Map(await Promise.all(boardIds.map(async (id) => [id, await listStatuses(db.read, id)] as const))),
);

builder.objectField(BoardType, 'statuses', (t) =>
  t.field({
    type: [StatusObject],
    description: 'Statuses of the board, in their order',
    resolve: async (board, _, context) => (await loadStatuses(context, board.id)) ?? [],
  }),
);

builder.queryFields((t) => ({
  status: t.field({
    type: StatusObject,
    nullable: true,
    description: 'The status with this id; null if there is none',
    args: { id: t.arg.string({ required: true, description: 'Id of the status' }) },
    resolve: (_, { id }, context) => loadStatus(context, id),
  }),
  listStatuses: t.field({
    type: [StatusObject],
    description: 'All statuses of the board, in their order',
    extensions: withoutActor,
    resolve: (_, __, { db, board }) => listStatuses(db.read, board.id),
  }),
}));
