import { builder } from '../../platform/graphql/builder.ts';
import { CompanyInput } from '../companies/input.graphql.ts';
import { requireActorContext } from './context.graphql.ts';
import { updateUser } from './editing.ts';
import { ssoArgs, UserType } from './users.graphql.ts';

builder.mutationField('updateUser', (t) =>
  t.field({
    type: UserType,
    description:
      'Updates the given profile fields and leaves the others unchanged. Users may change their own profile; admins and users with isApiUser also others',
    args: {
      ...ssoArgs(t.arg),
      name: t.arg.string({ description: 'New display name' }),
      email: t.arg.string({ description: 'New email address; several users of a board may have the same' }),
      emailOnMention: t.arg.boolean({ description: 'Whether the user wants an email when mentioned' }),
      bio: t.arg.string({ description: 'New text about the user' }),
      imageUrl: t.arg.string({ description: 'New URL of the profile picture (http or https)' }),
      attributes: t.arg({ type: 'JSON', description: 'JSON object that replaces the stored one' }),
      companies: t.arg({
        type: [CompanyInput],
        description: 'All companies of the user, at most 20; for admins and users with isApiUser',
      }),
    },
    async resolve(_, { ssoId, ssoType, ...profile }, context) {
      const user = await updateUser(requireActorContext(context), ssoId, ssoType, profile);
      context.actors.forget(user);
      return user;
    },
  }),
);
