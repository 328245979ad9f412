import { BoardType } from '../board/board.graphql.ts';
import { requireBoard } from '../board/board.ts';
import { builder } from '../graphql/builder.ts';
import { requireCall } from '../graphql/context.ts';
import { defineLoader } from '../graphql/loader.ts';
import { RoleEnum, ssoArgs, UserType } from '../users/users.graphql.ts';
import { inviteManyByMail, MAX_INVITED } from './inviting.ts';
import { changeTeamRole, listTeamFor, removeFromTeam, type TeamPlace } from './places.ts';

const TeamUser = builder.objectRef<TeamPlace>('TeamUser').implement({
  description: 'Somebody who works on the board, or is invited to',
  fields: (t) => ({
    id: t.exposeString('id', { description: 'That of the person; of an invitation its own' }),
    isInvitationPending: t.boolean({ resolve: ({ user }) => user === null }),
    role: t.expose('role', { type: RoleEnum }),
    email: t.exposeString('email', { nullable: true, description: 'Where an invitation was sent; for admins' }),
    ssoId: t.string({ nullable: true, resolve: ({ user }) => user?.sso_id ?? null }),
    user: t.field({ type: UserType, nullable: true, resolve: ({ user }) => user }),
  }),
});

const loadTeam = defineLoader<string, void, TeamPlace[]>(async (context, boardIds) => {
  const teams = boardIds.map(async (id) => [id, await listTeamFor(context, context.actor)] as const);
  return new Map(await Promise.all(teams));
});

builder.objectField(BoardType, 'team', (t) =>
  t.field({
    type: [TeamUser],
    description: 'Owners first, and for admins the invitations that wait; empty where nobody acts',
    resolve: async (board, _, context) => (await loadTeam(context, board.id)) ?? [],
  }),
);

builder.mutationFields((t) => ({
  addTeamUser: t.field({
    type: BoardType,
    description: 'Invites people to the team by mail, for 7 days. Sent again it replaces an invitation that waits.',
    args: {
      emails: t.arg.stringList({ required: true, description: `1 to ${MAX_INVITED} addresses` }),
      type: t.arg({ type: RoleEnum, required: true, description: 'MODERATOR, ADMIN or OWNER; not above your own' }),
    },
    async resolve(_, { emails, type }, context) {
      const call = requireCall(context);
      await inviteManyByMail(call, context.seal, emails, type);
      return requireBoard(call.db.read, call.board.id);
    },
  }),
  changeTeamUserRole: t.field({
    type: BoardType,
    description: 'Gives somebody another role, not above your own; MEMBER takes them off the team.',
    args: { ...ssoArgs(t.arg), role: t.arg({ type: RoleEnum, required: true }) },
    async resolve(_, { ssoId, ssoType, role }, context) {
      const call = requireCall(context);
      context.actors.forget(await changeTeamRole(call, { ssoId, ssoType }, role));
      return requireBoard(call.db.read, call.board.id);
    },
  }),
  removeTeamUser: t.boolean({
    description:
      'Takes somebody off the team, or an invitation back (by its `id`); false when there was nobody to take off.',
    args: ssoArgs(t.arg),
    async resolve(_, { ssoId, ssoType }, context) {
      const removed = await removeFromTeam(requireCall(context), { ssoId, ssoType });
      if (typeof removed === 'object') context.actors.forget(removed);
      return removed !== false;
    },
  }),
}));
