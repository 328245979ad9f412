import { builder } from '../../platform/graphql/builder.ts';
import { defineLoader } from '../../platform/graphql/loader.ts';
import { BoardType } from '../board/board.graphql.ts';
import { requireBoard } from '../board/board.ts';
import { requireActorContext } from '../users/context.graphql.ts';
import { RoleEnum, ssoArgs, UserType } from '../users/users.graphql.ts';
import { inviteManyByMail, MAX_INVITED } from './inviting.ts';
import { changeTeamRole, listTeamFor, removeFromTeam, type TeamPlace } from './places.ts';

const TeamUser = builder.objectRef<TeamPlace>('TeamUser').implement({
  description: 'A member of the team, or a pending invitation to it',
  fields: (t) => ({
    id: t.exposeString('id', { description: 'Id of the user, or of the invitation while it is pending' }),
    isInvitationPending: t.boolean({
      description: 'Whether this is an invitation that has not been accepted yet',
      resolve: ({ user }) => user === null,
    }),
    role: t.expose('role', { type: RoleEnum, description: 'Role of the user, or the one that the invitation offers' }),
    email: t.exposeString('email', {
      nullable: true,
      description: 'Address that the invitation was sent to; visible to admins, null for users who joined',
    }),
    ssoId: t.string({
      nullable: true,
      description: 'Id of the user in your own system; null for invitations and for people who joined on the pages',
      resolve: ({ user }) => user?.sso_id ?? null,
    }),
    user: t.field({
      type: UserType,
      nullable: true,
      description: 'The user; null while the invitation is pending',
      resolve: ({ user }) => user,
    }),
  }),
});

const loadTeam = defineLoader<string, void, TeamPlace[]>(async (context, boardIds) => {
  const teams = boardIds.map(async (id) => [id, await listTeamFor(context, context.actor)] as const);
  return new Map(await Promise.all(teams));
});

builder.objectField(BoardType, 'team', (t) =>
  t.field({
    type: [TeamUser],
    description: 'Members of the team, owners first; admins also see pending invitations. Empty without an acting user',
    resolve: async (board, _, context) => (await loadTeam(context, board.id)) ?? [],
  }),
);

builder.mutationFields((t) => ({
  addTeamUser: t.field({
    type: BoardType,
    description:
      'For admins. Invites people to the team by email; an invitation is valid for 7 days. Inviting an address again replaces its pending invitation',
    args: {
      emails: t.arg.stringList({ required: true, description: `1 to ${MAX_INVITED} email addresses` }),
      type: t.arg({
        type: RoleEnum,
        required: true,
        description: 'Role to offer: MODERATOR, ADMIN or OWNER, not above your own',
      }),
    },
    async resolve(_, { emails, type }, context) {
      const acting = requireActorContext(context);
      await inviteManyByMail(acting, context.cipher, emails, type);
      return requireBoard(acting.db.read, acting.board.id);
    },
  }),
  changeTeamUserRole: t.field({
    type: BoardType,
    description: "For admins. Changes a user's role; the role MEMBER removes them from the team",
    args: {
      ...ssoArgs(t.arg),
      role: t.arg({ type: RoleEnum, required: true, description: 'New role, not above your own' }),
    },
    async resolve(_, { ssoId, ssoType, role }, context) {
      const acting = requireActorContext(context);
      context.actors.forget(await changeTeamRole(acting, { ssoId, ssoType }, role));
      return requireBoard(acting.db.read, acting.board.id);
    },
  }),
  removeTeamUser: t.boolean({
    description:
      'For admins. Removes a user from the team, or cancels a pending invitation (by its `id`). Returns false if there was nothing to remove',
    args: ssoArgs(t.arg),
    async resolve(_, { ssoId, ssoType }, context) {
      const removed = await removeFromTeam(requireActorContext(context), { ssoId, ssoType });
      if (typeof removed === 'object') context.actors.forget(removed);
      return removed !== false;
    },
  }),
}));
