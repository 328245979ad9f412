import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../platform/db/db.ts';
import { type Clock, DAY_MS } from '../../platform/lib/clock.ts';
import { isId } from '../../platform/lib/ids.ts';
import { TEAM_SESSION_MS } from './rules.ts';
import type { AccountRow, SessionRow } from './tables.ts';

/** Sessions that one list shows, at most. */
const MAX_LISTED = 100;

type Store = { db: Db; clock: Clock };

/** The account and the session of a caller. */
export type SignedIn = { account: AccountRow; session: SessionRow };

/** Reads the session that the caller's cookie names, which better-auth prolongs once a day unless the query says otherwise. */
type ReadSession = (query: {
  disableRefresh?: boolean;
}) => Promise<{ user: { id: string }; session: { id: string; updatedAt: Date } } | null>;

/** The session of a caller, which is prolonged only after it is known not to have ended. */
export async function findSignedIn(store: Store, read: ReadSession, isProlonging: boolean): Promise<SignedIn | null> {
  const { db, clock } = store;
  const found = await read({ disableRefresh: true });
  if (!found || (await endIfUnused(store, found.session.id))) return null;
  if (isProlonging && found.session.updatedAt.getTime() <= clock.now() - DAY_MS) await read({});
  const accounts = db.read.selectFrom('accounts').selectAll().where('id', '=', found.user.id);
  const sessions = db.read.selectFrom('sessions').selectAll().where('id', '=', found.session.id);
  const [account, session] = [await accounts.executeTakeFirst(), await sessions.executeTakeFirst()];
  return account && session ? { account, session } : null;
}

/** The sessions of an account, the latest first. */
export function listSessions({ db, clock }: Store, accountId: string): Promise<SessionRow[]> {
  const query = db.read.selectFrom('sessions').selectAll().where('account_id', '=', accountId);
  return query.where('date_expires', '>', clock.now()).orderBy('date_updated', 'desc').limit(MAX_LISTED).execute();
}

/** Ends one session of an account, or all but one; an id of another account's does nothing. */
export async function endSessions(
  db: Db,
  accountId: string,
  which: { id: string } | { allBut: string },
): Promise<void> {
  if ('id' in which && !isId(which.id)) return;
  await db.transaction((tx) => {
    const query = tx.deleteFrom('sessions').where('account_id', '=', accountId);
    return ('id' in which ? query.where('id', '=', which.id) : query.where('id', '<>', which.allBut)).execute();
  });
}

/** Ends a session of a team member that has not been used for a week. @returns whether it did */
async function endIfUnused({ db, clock }: Store, id: string): Promise<boolean> {
  const since = clock.now() - TEAM_SESSION_MS;
  const ofTeam = sql<SqlBool>`exists (
    select 1 from users where users.account_id = sessions.account_id and users.role <> 'MEMBER')`;
  const unused = db.read.selectFrom('sessions').select('id').where('id', '=', id);
  const found = await unused.where('date_updated', '<=', since).where(ofTeam).executeTakeFirst();
  if (found) await db.transaction((tx) => tx.deleteFrom('sessions').where('id', '=', id).execute());
  return found !== undefined;
}
