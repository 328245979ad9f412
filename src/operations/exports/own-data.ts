import { labelsOf } from '../../feedback/changelog/entries.ts';
import { findSubscriber } from '../../feedback/changelog/subscribers.ts';
import { hasPassword } from '../../identity/accounts/owner-check.ts';
import { listPasskeys } from '../../identity/accounts/passkeys.ts';
import { isOwnPicture } from '../../identity/accounts/rules.ts';
import { listSessions } from '../../identity/accounts/sessions.ts';
import type { AccountRow } from '../../identity/accounts/tables.ts';
import { boardUrl, requireBoard } from '../../identity/board/board.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import type { UserRow } from '../../identity/users/users.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { printDay, toInstant } from '../../platform/lib/instant.ts';
import { writeJson } from '../../platform/lib/json-stream.ts';
import { listOwnRows } from './own-rows.ts';

type Deps = { db: Db; clock: Clock; baseUrl: string };

/** A user of the pages: the account, if there is one, and the users on boards. */
type Self = { account: AccountRow | null; people: readonly UserRow[] };

/**
 * Everything that is stored about a user, as JSON in parts; nothing more is read before a part is taken. What a part shows
 * is on disk.
 */
export async function* exportOwnData(deps: Deps, { account, people }: Self): AsyncGenerator<string> {
  const since = deps.db.epoch();
  const data = {
    date: toInstant(deps.clock.now()),
    account: account && (await describeAccount(deps, account)),
    boards: describeBoards(deps, people),
  };
  for await (const part of writeJson(data)) {
    await deps.db.durable(since);
    yield part;
  }
}

/** The response headers of the file. @param name what its name begins with */
export function ownDataHeaders({ clock }: Pick<Deps, 'clock'>, name = 'my-data'): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'content-disposition': `attachment; filename="${name}-${printDay(clock.now())}.json"`,
  };
}

async function describeAccount({ db, clock, baseUrl }: Deps, account: AccountRow) {
  const ofAccount = db.read.selectFrom('credentials').select(['provider', 'date_created']);
  const credentials = await ofAccount.where('account_id', '=', account.id).orderBy('date_created').execute();
  const sessions = await listSessions({ db, clock }, account.id);
  const passkeys = await listPasskeys(db, account.id);
  return {
    id: account.id,
    email: account.email,
    isEmailConfirmed: account.is_email_verified === 1,
    name: account.name,
    picture: pictureOf(account.image, baseUrl),
    hasPassword: await hasPassword(db, account.id),
    hasSecondFactor: account.is_second_factor_on === 1,
    providers: credentials.filter(({ provider }) => provider !== 'credential').map(({ provider }) => provider),
    passkeys: passkeys.map((passkey) => ({
      domain: passkey.domain,
      browser: passkey.user_agent,
      dateCreated: toInstant(passkey.date_created),
      dateLastUsed: passkey.date_used === null ? null : toInstant(passkey.date_used),
    })),
    dateCreated: toInstant(account.date_created),
    dateUpdated: toInstant(account.date_updated),
    sessions: sessions.map((session) => ({
      browser: session.user_agent,
      address: session.address,
      dateCreated: toInstant(session.date_created),
      dateLastUsed: toInstant(session.date_updated),
      dateExpires: toInstant(session.date_expires),
    })),
  };
}

async function* describeBoards(deps: Deps, people: readonly UserRow[]) {
  for (const person of people) {
    const context = { ...deps, board: await requireBoard(deps.db.read, person.board_id) };
    yield {
      ...describePerson(context, person),
      changelogByEmail: await describeSubscription(context, person),
      ...listOwnRows(context, person),
    };
  }
}

function describePerson({ board, baseUrl }: RequestContext, person: UserRow) {
  return {
    board: { name: board.name, url: boardUrl(board, baseUrl) },
    profile: {
      id: person.id,
      ssoType: person.sso_type,
      ssoId: person.sso_id,
      name: person.name,
      email: person.email,
      bio: person.bio,
      picture: pictureOf(person.image, baseUrl),
      attributes: person.attributes === null ? null : JSON.parse(person.attributes),
      role: person.role,
      standing: person.standing,
      isInvited: person.is_invited === 1,
      isApiUser: person.is_api_user === 1,
      language: person.locale,
      timeZone: person.time_zone,
      dateCreated: toInstant(person.date_created),
      dateUpdated: toInstant(person.date_updated),
      dateInboxSeen: toInstant(person.date_inbox_seen),
    },
    emailPreferences: {
      frequency: person.mail_frequency,
      onStatus: person.email_on_status === 1,
      onComment: person.email_on_comment === 1,
      onMention: person.email_on_mention === 1,
      onNewIdea: person.email_on_new_post === 1,
      onModeration: person.email_on_moderation === 1,
      onChangelog: person.email_on_changelog === 1,
      followsChangelog: person.follows_changelog === 1,
    },
  };
}

async function describeSubscription({ db, board }: RequestContext, { email }: UserRow) {
  const found = email === null ? null : await findSubscriber(db.read, board.id, email);
  return found && { labels: labelsOf(found), language: found.locale, dateCreated: toInstant(found.date_created) };
}

function pictureOf(image: string | null, baseUrl: string): string | null {
  return isOwnPicture(image) ? `${baseUrl}${image}` : image;
}
