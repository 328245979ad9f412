import { builder } from '../graphql/builder.ts';
import { requireCall } from '../graphql/context.ts';
import { updateUser } from './editing.ts';
import { ssoArgs, UserType } from './users.graphql.ts';

builder.mutationField('updateUser', (t) =>
  t.field({
    type: UserType,
    description: "Changes what is given and leaves the rest: one's own profile, or that of somebody one may act for.",
    args: {
      ...ssoArgs(t.arg),
      name: t.arg.string(),
      email: t.arg.string(),
      emailOnMention: t.arg.boolean(),
      bio: t.arg.string(),
      imageUrl: t.arg.string(),
      attributes: t.arg({ type: 'JSON' }),
    },
    async resolve(_, { ssoId, ssoType, ...profile }, context) {
      const user = await updateUser(requireCall(context), ssoId, ssoType, profile);
      context.actors.forget(user);
      return user;
    },
  }),
);
