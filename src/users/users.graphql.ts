import type { GraphQLResolveInfo } from 'graphql';
import type { Columns } from '../db/prepare.ts';
import { badRequest } from '../errors.ts';
import { type ArgBuilder, builder, withoutActor } from '../graphql/builder.ts';
import { columnsOf, reads } from '../graphql/columns.ts';
import { type Context, requireCall } from '../graphql/context.ts';
import { LONG_TEXT } from '../graphql/limits.ts';
import { defineLoader } from '../graphql/loader.ts';
import type { Page } from '../lib/page.ts';
import { may } from './authority.ts';
import { createUser, findUsers, requireUserBySsoId, roles, type UserRow } from './users.ts';

export const RoleEnum = builder.enumType('BoardUserType', { values: roles });

export const UserType = builder.objectRef<UserRow>('User').implement({
  fields: (t) => ({
    id: t.exposeString('id'),
    ssoId: t.exposeString('sso_id', { nullable: true }),
    ssoType: t.expose('sso_type', { type: 'SSOTypes', nullable: true }),
    name: t.exposeString('name', { nullable: true }),
    email: t.string({
      nullable: true,
      description: 'Shown to the person, to moderators and to users with isApiUser; null to others',
      extensions: reads<UserRow>('id', 'email'),
      resolve: (user, _, { actor }) => (actor && may(actor, 'user.email', user.id) ? user.email : null),
    }),
    emailOnMention: t.boolean({
      extensions: reads<UserRow>('email_on_mention'),
      resolve: (user) => user.email_on_mention === 1,
    }),
    bio: t.exposeString('bio', { nullable: true }),
    image: t.exposeString('image', { nullable: true }),
    isSsoUser: t.boolean({ extensions: reads<UserRow>('sso_id'), resolve: (user) => user.sso_id !== null }),
    isAPIUser: t.boolean({ extensions: reads<UserRow>('is_api_user'), resolve: (user) => user.is_api_user === 1 }),
    role: t.expose('role', { type: RoleEnum }),
    dateCreated: t.expose('date_created', { type: 'DateTime' }),
    attributes: t.field({
      type: 'JSON',
      nullable: true,
      extensions: { ...reads<UserRow>('attributes'), ...LONG_TEXT },
      resolve: (user) => (user.attributes === null ? null : JSON.parse(user.attributes)),
    }),
  }),
});

/** A page of people, and how many there are in all. */
type CountedPage = { page: Page<UserRow>; count: () => Promise<number> };

export const UsersPayload = builder.objectRef<CountedPage>('UsersPayload').implement({
  fields: (t) => ({
    nodes: t.field({ type: [UserType], resolve: ({ page }) => page.nodes }),
    hasMore: t.boolean({ resolve: ({ page }) => page.hasMore }),
    cursor: t.string({ nullable: true, resolve: ({ page }) => page.cursor }),
    totalCount: t.int({ resolve: ({ count }) => count() }),
  }),
});

const loadUsers = defineLoader<string, Columns<UserRow>, UserRow>(async ({ db, board }, ids, columns) => {
  const users = await findUsers(db.read, board.id, ids, columns);
  return new Map(users.map((user) => [user.id, user]));
});

/** The person with this id, with what the query reads of them; null for nobody. */
export function loadUser(
  context: Context,
  id: string | null,
  info: GraphQLResolveInfo,
): Promise<UserRow | null> | null {
  return id === null ? null : loadUsers(context, id, columnsOf(info));
}

export const UserRefInput = builder.inputType('UserRef', {
  description: 'Exactly one of: id, or ssotype with userId, or email',
  fields: (t) => ({ id: t.string(), ssotype: t.string(), userId: t.string(), email: t.string() }),
});

/** Arguments that name a person. */
export const ssoArgs = (arg: ArgBuilder) => ({
  ssoId: arg.string({ required: true, description: 'External id; of people who have none, their `id`' }),
  ssoType: arg({ type: 'SSOTypes', description: 'Default: that of the acting user' }),
});

builder.queryField('user', (t) =>
  t.field({
    type: UserType,
    nullable: true,
    description: 'Error NOT_FOUND `User not found` when there is none',
    args: ssoArgs(t.arg),
    resolve(_, { ssoId, ssoType }, context) {
      const call = requireCall(context);
      return requireUserBySsoId(call.db.read, call, ssoId, ssoType);
    },
  }),
);

builder.mutationField('createUser', (t) =>
  t.field({
    type: UserType,
    extensions: withoutActor,
    description:
      'Registers a user by SSO type and external id, or returns and updates the one that exists. Needs only the API key.',
    args: {
      ssotype: t.arg.string(),
      userId: t.arg.string(),
      ssoType: t.arg({ type: 'SSOTypes' }),
      ssoId: t.arg.string(),
      name: t.arg.string(),
      email: t.arg.string(),
      emailOnMention: t.arg.boolean(),
      bio: t.arg.string(),
      imageUrl: t.arg.string(),
      isApiUser: t.arg.boolean(),
      attributes: t.arg({ type: 'JSON' }),
    },
    async resolve(_, { ssotype, userId, ssoType, ssoId, ...profile }, context) {
      const identity = {
        ssoType: requireSame('ssotype', ssotype, 'ssoType', ssoType),
        ssoId: requireSame('userId', userId, 'ssoId', ssoId),
      };
      const user = await createUser(context, identity, profile);
      context.actors.forget(user);
      return user;
    },
  }),
);

/** An argument that has two names: one of them must be given, and when both are, with the same value. */
function requireSame(
  name: string,
  value: string | null | undefined,
  otherName: string,
  other: string | null | undefined,
): string {
  if (value != null && other != null && value !== other) {
    throw badRequest(`${name} and ${otherName} are both given, with different values`, name);
  }
  const given = value ?? other;
  if (given == null) throw badRequest(`${name} is required`, name);
  return given;
}
