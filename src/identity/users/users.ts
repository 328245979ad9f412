import { type Generated, type Selectable, type SqlBool, sql } from 'kysely';
import type { Db, Reader, Rows } from '../../platform/db/db.ts';
import {
  type Columns,
  isFewOfBoard,
  isOneOf,
  prepare,
  prepareVariants,
  selectColumns,
} from '../../platform/db/prepare.ts';
import { badRequest, notFound } from '../../platform/errors.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { isId, makeId } from '../../platform/lib/ids.ts';
import { msg } from '../../platform/messages.ts';
import { findableAddress } from '../../platform/texts/email.ts';
import { findableText, requireText } from '../../platform/texts/text.ts';
import { parseCompanies, setCompanies } from '../companies/company.ts';
import { type Profile, parseProfile } from './profile.ts';

/** What a person may do on a board, from the least to the most. */
export const roles = ['MEMBER', 'MODERATOR', 'ADMIN', 'OWNER'] as const;
export type Role = (typeof roles)[number];

/** When a user gets mail about what they follow. */
export const mailFrequencies = ['AT_ONCE', 'DAILY', 'WEEKLY', 'OFF'] as const;
export type MailFrequency = (typeof mailFrequencies)[number];
/** Whether moderators trust or block a user: content of TRUSTED users needs no approval, BLOCKED ones cannot write. */
export const standings = ['NORMAL', 'TRUSTED', 'BLOCKED'] as const;
export type Standing = (typeof standings)[number];

type UserTable = {
  board_id: string;
  id: string;
  /** The single sign-on integration that knows the user, and the user's id there; both or neither. */
  sso_type: string | null;
  sso_id: string | null;
  name: string | null;
  /** The name in lower case of every script, for searching: the engines differ in this. */
  name_folded: string | null;
  email: string | null;
  email_on_mention: 0 | 1;
  bio: string | null;
  image: string | null;
  role: Role;
  /** May act for other users, as the team's systems do. */
  is_api_user: 0 | 1;
  standing: Generated<Standing>;
  /** Whether the user has accepted an invitation, and has not been removed from the team since. */
  is_invited: Generated<0 | 1>;
  /** The account that signs in as this user; null for users known only through the API. */
  account_id: string | null;
  /** JSON text. */
  attributes: string | null;
  /** The language and the time zone of mails to the user; null: those of the board. */
  locale: string | null;
  time_zone: string | null;
  mail_frequency: Generated<MailFrequency>;
  /** Which mails the user wants, in addition to `email_on_mention`; the last two are for the team. */
  email_on_status: Generated<0 | 1>;
  email_on_comment: Generated<0 | 1>;
  email_on_changelog: Generated<0 | 1>;
  email_on_new_post: Generated<0 | 1>;
  email_on_moderation: Generated<0 | 1>;
  /** Whether the user is notified of every changelog entry, not only of those about posts that they follow. */
  follows_changelog: Generated<0 | 1>;
  date_created: number;
  date_updated: number;
  /** When the user last opened their inbox; null: never. */
  date_inbox_seen: number | null;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    users: UserTable;
  }
}

export type UserRow = Selectable<UserTable>;

/** The board of users, its store and clock: part of `RequestContext`, which refers to users in turn. */
type OnBoard = { db: Db; clock: Clock; board: { id: string } };

/** A user as identified by other systems. */
export type SsoIdentity = { ssoType: string; ssoId: string };

/** Registers a user, or updates and returns the one with this identity on the board. */
export async function createUser(context: OnBoard, identity: SsoIdentity, profile: Profile): Promise<UserRow> {
  const changes = parseProfile(profile);
  const companies = profile.companies && parseCompanies(profile.companies);
  const now = context.clock.now();
  const row = {
    board_id: context.board.id,
    id: makeId(),
    sso_type: requireText(identity.ssoType, { field: 'ssotype', min: 1, max: 50 }),
    sso_id: requireText(identity.ssoId, { field: 'userId', min: 1, max: 255 }),
    email_on_mention: 1 as const,
    role: 'MEMBER' as const,
    is_api_user: 0 as const,
    date_created: now,
    date_updated: now,
    ...changes,
  };
  return context.db.transaction(async (tx) => {
    const user = await tx
      .insertInto('users')
      .values(row)
      .onConflict((c) => c.columns(['board_id', 'sso_type', 'sso_id']).doUpdateSet({ ...changes, date_updated: now }))
      .returningAll()
      .executeTakeFirstOrThrow();
    if (companies) await setCompanies(tx, context, user.id, companies);
    return user;
  });
}

/** Changes a user's role; null if the board has no such user. */
export async function setRole(context: OnBoard, identity: SsoIdentity, role: Role): Promise<UserRow | null> {
  const stored = asStored(identity);
  if (!stored) return null;
  const { ssoType, ssoId } = stored;
  const changed = await context.db.transaction((tx) =>
    tx
      .updateTable('users')
      .set({ role, date_updated: context.clock.now() })
      .where('board_id', '=', context.board.id)
      .where('sso_type', '=', ssoType)
      .where('sso_id', '=', ssoId)
      .returningAll()
      .executeTakeFirst(),
  );
  return changed ?? null;
}

const userByIdentity = prepare<SsoIdentity & { boardId: string }, UserRow>((reader, param) =>
  reader
    .selectFrom('users')
    .selectAll()
    .where('board_id', '=', param('boardId'))
    .where('sso_type', '=', param('ssoType'))
    .where('sso_id', '=', param('ssoId')),
);

/** The person with this identity on the board. */
export async function findUser(reader: Reader, boardId: string, identity: SsoIdentity): Promise<UserRow | null> {
  const stored = asStored(identity);
  return stored && ((await userByIdentity(reader, { boardId, ...stored }))[0] ?? null);
}

/**
 * The user that an operation identifies by `ssoId`: an external id, of the acting user's SSO type unless another is
 * given, or the id of a user without an external id.
 * @throws NOT_FOUND
 */
export async function requireUserBySsoId(
  reader: Reader,
  { board, actor }: { board: OnBoard['board']; actor: Pick<UserRow, 'sso_type'> },
  ssoId: string,
  ssoType: string | null | undefined,
): Promise<UserRow> {
  const known = await findUser(reader, board.id, { ssoType: ssoType ?? actor.sso_type ?? '', ssoId });
  const user = known ?? (ssoType == null ? await findUserById(reader, board.id, ssoId) : null);
  if (!user) throw notFound('User');
  return user;
}

/** An identity in the form in which the store has it, however it is written; null if no user can have it. */
function asStored(identity: SsoIdentity): SsoIdentity | null {
  const [ssoType, ssoId] = [findableText(identity.ssoType), findableText(identity.ssoId)];
  return ssoType !== null && ssoId !== null ? { ssoType, ssoId } : null;
}

/** The person with this id on the board. */
export async function findUserById(reader: Reader, boardId: string, id: string): Promise<UserRow | null> {
  if (!isId(id)) return null;
  const query = reader.selectFrom('users').selectAll().where('board_id', '=', boardId).where('id', '=', id);
  return (await query.executeTakeFirst()) ?? null;
}

const usersByIds = prepareVariants((columns: Columns<UserRow>) =>
  prepare<{ boardId: string; ids: readonly string[] }, UserRow>((reader, param) =>
    selectColumns(reader.selectFrom('users'), columns, ['id'])
      .where('board_id', '=', param('boardId'))
      .where(isOneOf(reader, 'id', param('ids'))),
  ),
);

/** The existing ones of these users, in any order; `columns` are those to read. */
export function findUsers<Column extends keyof UserRow>(
  reader: Reader,
  boardId: string,
  ids: readonly string[],
  columns: readonly Column[] | null,
): Rows<Pick<UserRow, Column | 'id'>> {
  return usersByIds(columns)(reader, { boardId, ids });
}

/** Names a person in one of three ways, of which exactly one must be used. */
export type UserRef = {
  id?: string | null | undefined;
  ssotype?: string | null | undefined;
  userId?: string | null | undefined;
  email?: string | null | undefined;
};

/**
 * The user that a reference identifies.
 * @throws BAD_REQUEST if it does so in no way or several ways, NOT_FOUND if there is no such user
 */
export async function requireUserByRef(reader: Reader, boardId: string, ref: UserRef, field: string): Promise<UserRow> {
  const { id, ssotype, userId, email } = ref;
  const ways = [id != null, ssotype != null || userId != null, email != null].filter(Boolean).length;
  if (ways !== 1 || (ssotype == null) !== (userId == null)) {
    throw badRequest(msg('userNotNamed', field), field);
  }
  const user =
    id != null
      ? await findUserById(reader, boardId, id)
      : email != null
        ? await findUserByEmail(reader, boardId, email)
        : await findUser(reader, boardId, { ssoType: ssotype ?? '', ssoId: userId ?? '' });
  if (!user) throw notFound('User');
  return user;
}

/** The user with this address, ignoring case: of several, one who confirmed it by signing in, or else the first. */
export async function findUserByEmail(reader: Reader, boardId: string, email: string): Promise<UserRow | undefined> {
  const address = findableAddress(email);
  if (!address) return undefined;
  const hasAddress = isFewOfBoard(reader, boardId, sql<SqlBool>`email = ${address}`);
  const query = reader.selectFrom('users').selectAll().where(hasAddress);
  const isConfirmed = sql`case when account_id in (
    select id from accounts where email = ${address} and is_email_verified = 1) then 0 else 1 end`;
  return query.orderBy(isConfirmed).orderBy('id').limit(1).executeTakeFirst();
}
