import type { Columns } from '../../platform/db/prepare.ts';
import { badRequest } from '../../platform/errors.ts';
import { type ArgBuilder, builder, describeValues, withoutActor } from '../../platform/graphql/builder.ts';
import { columnsOf, type FieldInfo, reads } from '../../platform/graphql/columns.ts';
import type { Context } from '../../platform/graphql/context.ts';
import { LONG_TEXT } from '../../platform/graphql/limits.ts';
import { defineLoader } from '../../platform/graphql/loader.ts';
import { pageFields } from '../../platform/graphql/page.ts';
import type { Page } from '../../platform/lib/page.ts';
import { isOwnPicture } from '../accounts/rules.ts';
import { CompanyInput } from '../companies/input.graphql.ts';
import { may, requireRank, requireRight } from './authority.ts';
import { requireActorContext } from './context.graphql.ts';
import type { ActorContext } from './request-context.ts';
import { createUser, findUser, findUsers, requireUserBySsoId, type SsoIdentity, type UserRow } from './users.ts';

export const RoleEnum = builder.enumType('BoardUserType', {
  description:
    'Role of a user on the board; each includes the rights of the roles before it: MEMBER, MODERATOR, ADMIN, OWNER',
  values: describeValues({
    MEMBER: 'Posts, votes, comments and follows',
    MODERATOR: 'On the team: sets statuses and tags, moderates, merges, writes internal and official comments',
    ADMIN: 'On the team: also manages statuses, fields, the team, API keys and webhooks',
    OWNER: 'On the team: also appoints other owners; a board always has one',
  }),
});

export const UserType = builder.objectRef<UserRow>('User').implement({
  description: 'A person on the board: a registered user of your product, or someone who joined on the pages',
  fields: (t) => ({
    id: t.exposeString('id', {
      description: "Id of the user on this board; use it where an argument accepts a user's `id`",
    }),
    ssoId: t.exposeString('sso_id', {
      nullable: true,
      description: 'Id of the user in your own system; null for people who joined on the pages',
    }),
    ssoType: t.expose('sso_type', {
      type: 'SSOTypes',
      nullable: true,
      description: 'Single sign-on integration that `ssoId` belongs to; null without `ssoId`',
    }),
    name: t.exposeString('name', { nullable: true, description: 'Display name; null if none was given' }),
    email: t.string({
      nullable: true,
      description: 'Visible to the user, to moderators and to users with isApiUser; null to everyone else',
      extensions: reads<UserRow>('id', 'email'),
      resolve: (user, _, { actor }) => (may(actor, 'user.email', user.id) ? user.email : null),
    }),
    emailOnMention: t.boolean({
      description: 'Whether the user wants an email when mentioned',
      extensions: reads<UserRow>('email_on_mention'),
      resolve: (user) => user.email_on_mention === 1,
    }),
    bio: t.exposeString('bio', { nullable: true, description: 'Short text about the user; null if none was given' }),
    image: t.string({
      nullable: true,
      description: 'URL of the profile picture; null if none was given',
      extensions: reads<UserRow>('image'),
      resolve: ({ image }, _, { baseUrl }) => (isOwnPicture(image) ? `${baseUrl}${image}` : image),
    }),
    isSsoUser: t.boolean({
      description: 'Whether the user was registered through single sign-on',
      extensions: reads<UserRow>('sso_id'),
      resolve: (user) => user.sso_id !== null,
    }),
    isAPIUser: t.boolean({
      description: 'Whether the user is an integration: it may act for other users and set dates in the past',
      extensions: reads<UserRow>('is_api_user'),
      resolve: (user) => user.is_api_user === 1,
    }),
    role: t.expose('role', { type: RoleEnum, description: 'What the user may do on the board' }),
    dateCreated: t.expose('date_created', { type: 'DateTime', description: 'When the user was registered' }),
    attributes: t.field({
      type: 'JSON',
      nullable: true,
      description: 'JSON object that your system stored with the user; null if none was given',
      extensions: { ...reads<UserRow>('attributes'), ...LONG_TEXT },
      resolve: (user) => (user.attributes === null ? null : JSON.parse(user.attributes)),
    }),
  }),
});

/** A page of people, and how many there are in all. */
type CountedPage = { page: Page<UserRow>; count: () => Promise<number> };

export const UsersPayload = builder.objectRef<CountedPage>('UsersPayload').implement({
  description: 'One page of users',
  fields: (t) => ({
    ...pageFields(t, UserType, 'users', ({ page }) => page),
    totalCount: t.int({
      description: 'Number of users in the whole list that the viewer may see; counted only up to 10,000',
      resolve: ({ count }) => count(),
    }),
  }),
});

const loadUsers = defineLoader<string, Columns<UserRow>, UserRow>(async ({ db, board }, ids, columns) => {
  const users = await findUsers(db.read, board.id, ids, columns);
  return new Map(users.map((user) => [user.id, user]));
});

/** The person with this id, with what the query reads of them; null without one. */
export function loadUser(context: Context, id: string | null, info: FieldInfo): Promise<UserRow | null> | null {
  return id === null ? null : loadUsers(context, id, columnsOf(info));
}

export const UserRefInput = builder.inputType('UserRef', {
  description: 'Identifies a user. Give exactly one of: `id`, `ssotype` with `userId`, or `email`',
  fields: (t) => ({
    id: t.string({ description: "The user's `id` on the board" }),
    ssotype: t.string({ description: 'Single sign-on integration that `userId` belongs to' }),
    userId: t.string({ description: 'Id of the user in your own system' }),
    email: t.string({ description: 'Email address of the user' }),
  }),
});

/** Arguments that identify a user. */
export const ssoArgs = (arg: ArgBuilder) => ({
  ssoId: arg.string({
    required: true,
    description: 'Id of the user in your own system; for users without one, their `id`',
  }),
  ssoType: arg({
    type: 'SSOTypes',
    description: 'Single sign-on integration that `ssoId` belongs to; default: that of the acting user',
  }),
});

builder.queryField('user', (t) =>
  t.field({
    type: UserType,
    nullable: true,
    description: 'The user with this id in your system. Fails with NOT_FOUND if there is none',
    args: ssoArgs(t.arg),
    resolve(_, { ssoId, ssoType }, context) {
      const acting = requireActorContext(context);
      return requireUserBySsoId(acting.db.read, acting, ssoId, ssoType);
    },
  }),
);

builder.mutationField('createUser', (t) =>
  t.field({
    type: UserType,
    extensions: withoutActor,
    description:
      'Registers a user by SSO type and external id, or updates and returns the existing one. Needs only the API key, no acting user',
    args: {
      ssotype: t.arg.string({ description: 'Same as `ssoType`', deprecationReason: 'Use `ssoType`' }),
      userId: t.arg.string({ description: 'Same as `ssoId`', deprecationReason: 'Use `ssoId`' }),
      ssoType: t.arg({
        type: 'SSOTypes',
        description: 'Single sign-on integration that knows the user; required, here or as `ssotype`',
      }),
      ssoId: t.arg.string({ description: 'Id of the user in your own system; required, here or as `userId`' }),
      name: t.arg.string({ description: 'Display name' }),
      email: t.arg.string({ description: 'Email address; several users of a board may have the same' }),
      emailOnMention: t.arg.boolean({ description: 'Whether the user wants an email when mentioned' }),
      bio: t.arg.string({ description: 'Short text about the user' }),
      imageUrl: t.arg.string({ description: 'URL of the profile picture (http or https)' }),
      isApiUser: t.arg.boolean({
        description: 'Marks the user as an integration that may act for other users; default: false',
      }),
      attributes: t.arg({ type: 'JSON', description: 'JSON object to store with the user' }),
      companies: t.arg({
        type: [CompanyInput],
        description: 'All companies of the user, at most 20; those that are new are registered',
      }),
    },
    async resolve(_, { ssotype, userId, ssoType, ssoId, ...profile }, context) {
      const identity = {
        ssoType: requireSame('ssotype', ssotype, 'ssoType', ssoType),
        ssoId: requireSame('userId', userId, 'ssoId', ssoId),
      };
      if (context.key.isBound) await requireChangeable(requireActorContext(context), identity);
      const user = await createUser(context, identity, profile);
      context.actors.forget(user);
      return user;
    },
  }),
);

/** Otherwise a bound key could change anybody, and make its own user one who may act for others. @throws FORBIDDEN */
async function requireChangeable({ db, board, actor }: ActorContext, identity: SsoIdentity): Promise<void> {
  requireRight(actor, 'user.edit');
  const known = await findUser(db.read, board.id, identity);
  if (known) requireRank(actor, known.role);
}

/** An argument with a deprecated and a current name: one must be given, and if both are, with the same value. */
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
  if (given == null) throw badRequest(`${otherName} is required`, otherName);
  return given;
}
