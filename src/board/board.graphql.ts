import { builder, withoutActor } from '../graphql/builder.ts';
import { defineLoader } from '../graphql/loader.ts';
import { type BoardRow, boardUrl, plans, requireBoard } from './board.ts';

export const PlanEnum = builder.enumType('Plan', { values: plans });

export const BoardType = builder.objectRef<BoardRow>('Board').implement({
  fields: (t) => ({
    id: t.exposeString('id'),
    pid: t.exposeString('pid', { description: "The board's name in addresses" }),
    description: t.exposeString('description', { nullable: true }),
    name: t.exposeString('name'),
    domain: t.exposeString('domain', { nullable: true }),
    faviconUrl: t.string({ nullable: true, resolve: (board, _, { baseUrl }) => absolute(board.favicon_url, baseUrl) }),
    headerLink: t.exposeString('header_link', { nullable: true }),
    isRoadmapEnabled: t.boolean({ resolve: (board) => board.is_roadmap_enabled === 1 }),
    locale: t.exposeString('locale'),
    logoUrl: t.string({ nullable: true, resolve: (board, _, { baseUrl }) => absolute(board.logo_url, baseUrl) }),
    url: t.string({ resolve: (board, _, context) => boardUrl(board, context.baseUrl) }),
    plan: t.expose('plan', { type: PlanEnum }),
  }),
});

function absolute(path: string | null, baseUrl: string): string | null {
  return path === null ? null : baseUrl + path;
}

/** Boards by id, as they are now. */
export const loadBoard = defineLoader<string, void, BoardRow>(
  async ({ db }, ids) =>
    new Map(await Promise.all(ids.map(async (id) => [id, await requireBoard(db.read, id)] as const))),
);

builder.queryField('board', (t) =>
  t.field({
    type: BoardType,
    extensions: withoutActor,
    description: 'The board that the API key belongs to',
    resolve: (_, __, context) => requireBoard(context.db.read, context.board.id),
  }),
);
