import { builder, describeValues, withoutActor } from '../../platform/graphql/builder.ts';
import { defineLoader } from '../../platform/graphql/loader.ts';
import { type BoardRow, boardUrl, requireBoard } from './board.ts';

export const PlanEnum = builder.enumType('Plan', {
  description: 'Plan of the board; it decides whether the API is available',
  values: describeValues({ FREE: 'No API access', PRO: 'With API access', ENTERPRISE: 'With API access' }),
});

export const BoardType = builder.objectRef<BoardRow>('Board').implement({
  description: 'A feedback board: its settings, and what belongs to it as a whole',
  fields: (t) => ({
    id: t.exposeString('id', { description: 'Id of the board' }),
    pid: t.exposeString('pid', { description: "The board's name in URLs, for example `acme` in `/b/acme`" }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'Short description shown on the pages; null if none was given',
    }),
    name: t.exposeString('name', { description: 'Name of the board' }),
    domain: t.exposeString('domain', {
      nullable: true,
      description: 'Custom domain that the pages are served from; null if there is none',
    }),
    faviconUrl: t.string({
      nullable: true,
      description: 'URL of the icon shown in browser tabs; null if none was uploaded',
      resolve: (board, _, { baseUrl }) => absolute(board.favicon_url, baseUrl),
    }),
    headerLink: t.exposeString('header_link', {
      nullable: true,
      description: 'URL that the header of the pages links to; null if none was set',
    }),
    isRoadmapEnabled: t.boolean({
      description: 'Whether the board has a public roadmap',
      resolve: (board) => board.is_roadmap_enabled === 1,
    }),
    locale: t.exposeString('locale', { description: 'Default language of the pages, as a BCP 47 tag such as `en`' }),
    logoUrl: t.string({
      nullable: true,
      description: 'URL of the logo; null if none was uploaded',
      resolve: (board, _, { baseUrl }) => absolute(board.logo_url, baseUrl),
    }),
    url: t.string({
      description: 'URL of the board page',
      resolve: (board, _, context) => boardUrl(board, context.baseUrl),
    }),
    plan: t.expose('plan', { type: PlanEnum, description: 'Plan of the board' }),
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
