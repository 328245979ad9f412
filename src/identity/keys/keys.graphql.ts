import { builder, describeValues, withoutActor } from '../../platform/graphql/builder.ts';
import type { Context } from '../../platform/graphql/context.ts';
import type { RateWindow } from '../../platform/limits/rate-limit.ts';
import { BoardType } from '../board/board.graphql.ts';
import { requireBoard } from '../board/board.ts';
import { UserType } from '../users/users.graphql.ts';

const PermissionEnum = builder.enumType('Permission', {
  description: 'What an API key may do',
  values: describeValues({
    READ: 'Run queries and exports, and follow events',
    WRITE: 'Run mutations and upload files',
    WEBHOOKS: 'Manage webhooks at `/api/v1/webhooks`',
  }),
});

const Viewer = builder.objectRef<Context>('Viewer').implement({
  description: 'The API key of the request, and the user it acts for',
  fields: (t) => ({
    apiKeyName: t.string({ description: 'Name of the API key', resolve: ({ key }) => key.name }),
    permissions: t.field({
      type: [PermissionEnum],
      description: 'What the API key may do',
      resolve: ({ key }) => [...key.permissions],
    }),
    user: t.field({
      type: UserType,
      nullable: true,
      description: 'The acting user; null if there are neither user headers nor a default user',
      resolve: ({ actor }) => actor,
    }),
    board: t.field({
      type: BoardType,
      description: 'The board of the API key',
      resolve: ({ db, board }) => requireBoard(db.read, board.id),
    }),
  }),
});

const RateWindowType = builder.objectRef<RateWindow>('RateWindow').implement({
  description: 'One rate limit of the API key',
  fields: (t) => ({
    seconds: t.exposeInt('seconds', { description: 'Length of the window in seconds' }),
    limit: t.exposeInt('limit', { description: 'Maximum number of requests in the window' }),
    remaining: t.exposeInt('remaining', { description: 'Number of requests left in the current window' }),
    resetAt: t.expose('resetAt', { type: 'DateTime', description: 'When the current window ends' }),
  }),
});

const RateLimit = builder.objectRef<{ windows: RateWindow[] }>('RateLimit').implement({
  description: 'Rate limits of the API key',
  fields: (t) => ({
    windows: t.expose('windows', {
      type: [RateWindowType],
      description: 'One entry for each limit; empty if the key has none',
    }),
  }),
});

builder.queryFields((t) => ({
  viewer: t.field({
    type: Viewer,
    extensions: withoutActor,
    description: 'The API key of the request, and the acting user',
    resolve: (_, __, context) => context,
  }),
  rateLimit: t.field({
    type: RateLimit,
    extensions: withoutActor,
    description: 'The remaining requests under each rate limit of the API key',
    resolve: (_, __, context) => ({ windows: context.rateWindows() }),
  }),
}));
