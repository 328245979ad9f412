import { hash } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Db, Reader } from '../../platform/db/db.ts';
import { type Clock, DAY_MS } from '../../platform/lib/clock.ts';
import { makeToken } from '../../platform/lib/ids.ts';
import type { ActorContext } from '../users/request-context.ts';
import type { UserRow } from '../users/users.ts';
import type { PublishableKeyRow } from './publishable.ts';

/** The prefix of what a website or an app keeps for a visitor who has allowed it to vote in their name. */
const VISITOR_START = 'evt_';
const FORM = /^evt_[\w-]{43}$/;
const TOKEN_MS = 180 * DAY_MS;
/** Browsers and apps of a user that keep one for a key: the oldest ends. */
const MAX_TOKENS = 20;

type VisitorTokenTable = {
  board_id: string;
  /** SHA-256 of the token as base64url. */
  token_hash: string;
  /** The publishable key that it works with. */
  key_id: string;
  user_id: string;
  date_created: number;
  date_expires: number;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    visitor_tokens: VisitorTokenTable;
  }
}

export type VisitorTokenRow = Selectable<VisitorTokenTable>;

/** Lets a publishable key vote in the name of the actor. @returns the token for its website or app */
export async function allowVoting({ db, clock, board, actor }: ActorContext, keyId: string): Promise<string> {
  const token = VISITOR_START + makeToken(32);
  const now = clock.now();
  const row = { board_id: board.id, token_hash: hashOf(token), key_id: keyId, user_id: actor.id };
  await db.transaction(async (tx) => {
    await tx.deleteFrom('visitor_tokens').where('date_expires', '<=', now).execute();
    const own = tx.selectFrom('visitor_tokens').select('token_hash').where('board_id', '=', board.id);
    const ofKey = own.where('user_id', '=', actor.id).where('key_id', '=', keyId).orderBy('date_created', 'desc');
    const old = (await ofKey.execute()).slice(MAX_TOKENS - 1).map(({ token_hash }) => token_hash);
    if (old.length > 0) await tx.deleteFrom('visitor_tokens').where('token_hash', 'in', old).execute();
    await tx
      .insertInto('visitor_tokens')
      .values({ ...row, date_created: now, date_expires: now + TOKEN_MS })
      .execute();
  });
  return token;
}

/** Takes back what the actor has allowed a publishable key, on all their devices. */
export async function disallowVoting({ db, board, actor }: ActorContext, keyId: string): Promise<void> {
  await db.transaction((tx) =>
    tx
      .deleteFrom('visitor_tokens')
      .where('board_id', '=', board.id)
      .where('user_id', '=', actor.id)
      .where('key_id', '=', keyId)
      .execute(),
  );
}

/** The publishable keys that may vote in the name of a user, each once. */
export function listAllowed(reader: Reader, now: number, user: UserRow): Promise<PublishableKeyRow[]> {
  const tokens = reader.selectFrom('visitor_tokens').select('key_id').where('board_id', '=', user.board_id);
  const own = tokens.where('user_id', '=', user.id).where('date_expires', '>', now);
  const query = reader.selectFrom('publishable_keys').selectAll().where('board_id', '=', user.board_id);
  return query.where('id', 'in', own).orderBy('name').execute();
}

/** The user whom a token stands for with a key; null if it is none, or has ended. */
export async function findVisitor(
  { db, clock }: { db: Db; clock: Clock },
  { board_id, id }: Pick<PublishableKeyRow, 'board_id' | 'id'>,
  token: string,
): Promise<UserRow | null> {
  if (!FORM.test(token)) return null;
  const query = db.read
    .selectFrom('visitor_tokens')
    .innerJoin('users', (join) =>
      join.onRef('users.board_id', '=', 'visitor_tokens.board_id').onRef('users.id', '=', 'visitor_tokens.user_id'),
    )
    .selectAll('users')
    .where('visitor_tokens.token_hash', '=', hashOf(token))
    .where('visitor_tokens.board_id', '=', board_id)
    .where('visitor_tokens.key_id', '=', id);
  return (await query.where('visitor_tokens.date_expires', '>', clock.now()).executeTakeFirst()) ?? null;
}

function hashOf(token: string): string {
  return hash('sha256', token, 'base64url');
}
