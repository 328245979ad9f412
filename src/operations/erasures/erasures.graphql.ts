import { requireActorContext } from '../../identity/users/context.graphql.ts';
import { ssoArgs, UserType } from '../../identity/users/users.graphql.ts';
import { builder } from '../../platform/graphql/builder.ts';
import { eraseUser } from './erasures.ts';

builder.mutationField('deleteUser', (t) =>
  t.field({
    type: UserType,
    description:
      'Erases a user permanently. Posts and comments remain without an author, unless `keepContent` is false',
    args: {
      ...ssoArgs(t.arg),
      keepContent: t.arg.boolean({
        description: 'Whether posts and comments remain, without an author; default: true',
      }),
    },
    async resolve(_, { ssoId, ssoType, keepContent }, context) {
      const { gone, left } = await eraseUser(requireActorContext(context), { ssoId, ssoType }, keepContent ?? true);
      context.actors.forget(gone);
      return left;
    },
  }),
);
