import { hash } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Db } from '../../platform/db/db.ts';
import { type Clock, DAY_MS } from '../../platform/lib/clock.ts';
import { makeToken } from '../../platform/lib/ids.ts';
import { SESSION_MS, TEAM_SESSION_MS } from '../accounts/rules.ts';
import type { UserRow } from '../users/users.ts';
import { mayUseSso } from './sign-in.ts';

/** The session of a browser as a user of a board without an account here. */
type BoardSessionTable = {
  board_id: string;
  /** SHA-256 of what the browser has. */
  token_hash: string;
  user_id: string;
  date_created: number;
  /** When it was last prolonged. */
  date_used: number;
  date_expires: number;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    board_sessions: BoardSessionTable;
  }
}

export type BoardSessionRow = Selectable<BoardSessionTable>;

type Store = { db: Db; clock: Clock };

/** Starts a session. @returns the secret that the browser keeps */
export async function beginSession({ db, clock }: Store, user: UserRow): Promise<string> {
  const token = makeToken(32);
  const now = clock.now();
  const row = {
    board_id: user.board_id,
    token_hash: hashOf(token),
    user_id: user.id,
    date_created: now,
    date_used: now,
    date_expires: now + lengthFor(user),
  };
  await db.transaction(async (tx) => {
    await tx.deleteFrom('board_sessions').where('date_expires', '<=', now).execute();
    await tx.insertInto('board_sessions').values(row).execute();
  });
  return token;
}

/** Who a browser is on a board, and whether that was prolonged just now: its cookie must last as long. */
export type FoundSession = { user: UserRow; isProlonged: boolean };

/** The session of a board with this secret; null when it has ended. One that is used is prolonged, once a day. */
export async function findSession(
  store: Store,
  boardId: string,
  token: string,
  isProlonging: boolean,
): Promise<FoundSession | null> {
  const now = store.clock.now();
  const found = await store.db.read
    .selectFrom('board_sessions')
    .innerJoin('users', (join) =>
      join.onRef('users.board_id', '=', 'board_sessions.board_id').onRef('users.id', '=', 'board_sessions.user_id'),
    )
    .innerJoin('sso_settings', 'sso_settings.board_id', 'board_sessions.board_id')
    .selectAll('users')
    .select(['board_sessions.date_used', 'sso_settings.is_role_allowed'])
    .where('board_sessions.token_hash', '=', hashOf(token))
    .where('board_sessions.board_id', '=', boardId)
    .where('board_sessions.date_expires', '>', now)
    .executeTakeFirst();
  if (!found) return null;
  const { date_used, is_role_allowed, ...user } = found;
  if (!mayUseSso(user, is_role_allowed === 1)) return null;
  const isProlonged = isProlonging && now - date_used >= DAY_MS;
  if (isProlonged) await prolong(store, token, now, lengthFor(user));
  return { user, isProlonged };
}

/** Ends a session; an unknown one is ignored. */
export async function endSession({ db }: Pick<Store, 'db'>, token: string): Promise<void> {
  await db.transaction((tx) => tx.deleteFrom('board_sessions').where('token_hash', '=', hashOf(token)).execute());
}

async function prolong({ db }: Store, token: string, now: number, lengthMs: number): Promise<void> {
  const set = { date_used: now, date_expires: now + lengthMs };
  await db.transaction((tx) =>
    tx.updateTable('board_sessions').set(set).where('token_hash', '=', hashOf(token)).execute(),
  );
}

function lengthFor({ role }: UserRow): number {
  return role === 'MEMBER' ? SESSION_MS : TEAM_SESSION_MS;
}

function hashOf(token: string): string {
  return hash('sha256', token, 'base64url');
}
