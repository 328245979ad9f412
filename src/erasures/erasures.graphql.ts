import { builder } from '../graphql/builder.ts';
import { requireCall } from '../graphql/context.ts';
import { ssoArgs, UserType } from '../users/users.graphql.ts';
import { eraseUser } from './erasures.ts';

builder.mutationField('deleteUser', (t) =>
  t.field({
    type: UserType,
    description: 'Erases the person. Posts and comments stay, signed by nobody, unless keepContent is false.',
    args: { ...ssoArgs(t.arg), keepContent: t.arg.boolean({ description: 'Default true' }) },
    async resolve(_, { ssoId, ssoType, keepContent }, context) {
      const { gone, left } = await eraseUser(requireCall(context), ssoId, ssoType, keepContent ?? true);
      context.actors.forget(gone);
      return left;
    },
  }),
);
