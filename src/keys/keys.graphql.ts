import { BoardType } from '../board/board.graphql.ts';
import { requireBoard } from '../board/board.ts';
import { builder, withoutActor } from '../graphql/builder.ts';
import type { Context } from '../graphql/context.ts';
import { UserType } from '../users/users.graphql.ts';
import { permissions } from './keys.ts';
import type { RateWindow } from './rate-limit.ts';

const PermissionEnum = builder.enumType('Permission', { values: permissions });

const Viewer = builder.objectRef<Context>('Viewer').implement({
  fields: (t) => ({
    apiKeyName: t.string({ resolve: ({ key }) => key.name }),
    permissions: t.field({ type: [PermissionEnum], resolve: ({ key }) => [...key.permissions] }),
    user: t.field({ type: UserType, nullable: true, resolve: ({ actor }) => actor }),
    board: t.field({ type: BoardType, resolve: ({ db, board }) => requireBoard(db.read, board.id) }),
  }),
});

const RateWindowType = builder.objectRef<RateWindow>('RateWindow').implement({
  fields: (t) => ({
    seconds: t.exposeInt('seconds'),
    limit: t.exposeInt('limit'),
    remaining: t.exposeInt('remaining'),
    resetAt: t.expose('resetAt', { type: 'DateTime' }),
  }),
});

const RateLimit = builder.objectRef<{ windows: RateWindow[] }>('RateLimit').implement({
  fields: (t) => ({ windows: t.expose('windows', { type: [RateWindowType] }) }),
});

builder.queryFields((t) => ({
  viewer: t.field({
    type: Viewer,
    extensions: withoutActor,
    description: 'Who is calling: the API key and the acting user',
    resolve: (_, __, context) => context,
  }),
  rateLimit: t.field({
    type: RateLimit,
    extensions: withoutActor,
    description: 'What is left of the limits of the API key; no windows when it has none',
    resolve: (_, __, context) => ({ windows: context.rateWindows() }),
  }),
}));
