import { BoardType } from '../board/board.graphql.ts';
import { builder, withoutActor } from '../graphql/builder.ts';
import { defineLoader } from '../graphql/loader.ts';
import { listStatuses, postVisibilities, type StatusRow, statusTypes } from './statuses.ts';

export const StatusTypeEnum = builder.enumType('StatusType', { values: statusTypes });
export const PostVisibilityEnum = builder.enumType('PostVisibility', { values: postVisibilities });

export const StatusObject = builder.objectRef<StatusRow>('Status').implement({
  fields: (t) => ({
    id: t.exposeString('id'),
    color: t.exposeString('color'),
    name: t.exposeString('name'),
    type: t.expose('type', { type: StatusTypeEnum }),
    postVisibility: t.expose('post_visibility', { type: PostVisibilityEnum }),
    position: t.exposeInt('position'),
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
    resolve: async (board, _, context) => (await loadStatuses(context, board.id)) ?? [],
  }),
);

builder.queryFields((t) => ({
  status: t.field({
    type: StatusObject,
    nullable: true,
    args: { id: t.arg.string({ required: true }) },
    resolve: (_, { id }, context) => loadStatus(context, id),
  }),
  listStatuses: t.field({
    type: [StatusObject],
    extensions: withoutActor,
    resolve: (_, __, { db, board }) => listStatuses(db.read, board.id),
  }),
}));
