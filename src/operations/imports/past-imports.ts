import { type SqlBool, sql } from 'kysely';
import { WRITTEN } from '../../feedback/comments/comments.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import type { Reader } from '../../platform/db/db.ts';
import { isOneOf } from '../../platform/db/prepare.ts';
import { makeId } from '../../platform/lib/ids.ts';
import { IMPORT_USER } from './acting.ts';
import type { SourceName } from './items.ts';
import { isImportedId } from './known.ts';

/**
 * An import into a board, or several that are undone together. Its posts have ids after its own, up to `last_id`, and
 * external ids of its source.
 */
export type ImportRow = {
  board_id: string;
  id: string;
  source: string;
  last_id: string;
  /** When it last added something. What was changed later was changed by someone else. */
  date_last: number;
  /** When undoing it began, if it did. */
  date_undone: number | null;
  /** When it came to its end; null while it is running, or if it was interrupted. */
  date_finished: number | null;
  /** The first post of earlier imports on which it has added comments or votes, as long as these are not one import with it. */
  adds_to: string | null;
  /** How many imports it consists of. */
  runs: number;
  /** The file or address that it was from. */
  origin: string;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    imports: ImportRow;
  }
}

/**
 * Records what an import has added so far, in the transaction that adds it.
 * @param addsTo the first post of earlier imports on which it has added comments or votes now, if any
 */
export function recordImport(
  { db, board, clock }: RequestContext,
  { id, source, origin }: Pick<ImportRow, 'id' | 'origin'> & { source: SourceName },
  addsTo: string | null = null,
): Promise<void> {
  const now = { last_id: makeId(), date_last: clock.now(), date_finished: null };
  return db.transaction(async (tx) => {
    const row = { board_id: board.id, id, source, origin, ...now, date_undone: null, adds_to: addsTo };
    const insert = tx.insertInto('imports').values({ ...row, runs: 1 });
    const first = sql<string | null>`
      case when imports.adds_to <= excluded.adds_to then imports.adds_to
      else coalesce(excluded.adds_to, imports.adds_to) end`;
    await insert.onConflict((c) => c.columns(['board_id', 'id']).doUpdateSet({ ...now, adds_to: first })).execute();
  });
}

/**
 * Records that an import came to its end. If it has added comments or votes on the ideas of an earlier one, which could not be
 * told from those that came with them, both are one import from now on, with those in between: unless someone has changed
 * their ideas since, so that they cannot be undone.
 */
export async function finishImport({ db, board, clock }: RequestContext, id: string): Promise<void> {
  const ofBoard = db.read.selectFrom('imports').selectAll().where('board_id', '=', board.id);
  const row = await ofBoard.where('id', '=', id).executeTakeFirst();
  // A look at a source that is followed mostly brings nothing.
  if (!row || row.date_finished !== null) return;
  const earlier = row.adds_to === null ? null : await findEarlier(db.slow, row, row.adds_to);
  const { last_id, date_last, source } = row;
  await db.transaction(async (tx) => {
    const joined = tx.deleteFrom('imports').where('board_id', '=', board.id).where('source', '=', source);
    const others = earlier ? await joined.where('id', '>', earlier.id).returning('runs').execute() : [];
    const runs = others.reduce((sum, other) => sum + other.runs, earlier?.runs ?? row.runs);
    // What cannot be taken back with the earlier one stays, and its undoing says so.
    const addsTo = earlier ? null : row.adds_to;
    const whole = { last_id, date_last, date_finished: clock.now(), adds_to: addsTo, runs };
    const query = tx.updateTable('imports').set(whole).where('board_id', '=', board.id);
    await query.where('id', '=', earlier?.id ?? id).execute();
  });
}

/** The earlier import that has added a post; null if there is none that can still be undone. */
async function findEarlier(reader: Reader, row: ImportRow, postId: string): Promise<ImportRow | null> {
  const { board_id, source, last_id, date_last } = row;
  const imports = reader.selectFrom('imports').selectAll().where('board_id', '=', board_id);
  const before = imports.where('source', '=', source).where('id', '<', postId).where('last_id', '>=', postId);
  const earlier = await before.orderBy('id', 'desc').limit(1).executeTakeFirst();
  if (!earlier || earlier.date_undone !== null) return null;
  return (await countChanged(reader, { ...earlier, last_id, date_last })) === 0 ? earlier : null;
}

/** The last import into the board: that which added something last. */
export async function findLastImport({ db, board }: RequestContext): Promise<ImportRow | null> {
  const imports = db.read.selectFrom('imports').selectAll().where('board_id', '=', board.id);
  return (await imports.orderBy('date_last', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst()) ?? null;
}

/**
 * The id under which an import is recorded: that of the last one, if this one continues it and no one has touched its posts.
 * @param isFollowing whether it is one of the looks at a source that is followed, which are one import
 */
export async function chooseImportId(
  context: RequestContext,
  source: SourceName,
  { origin, isFollowing }: { origin: string; isFollowing: boolean },
): Promise<string> {
  const last = await findLastImport(context);
  const isSame = last?.source === source && last.date_undone === null;
  const isContinued = isSame && (isFollowing || (last.date_finished === null && last.origin === origin));
  if (!isContinued) return makeId();
  return (await countChanged(context.db.slow, last)) === 0 ? last.id : makeId();
}

/**
 * The last import into the board: how many ideas it has added, how many of them keep it from being undone, of how many imports
 * it consists, and whether comments and votes that it added to ideas of earlier ones would stay.
 */
export type LastImport = {
  source: string;
  date: number;
  posts: number;
  changed: number;
  runs: number;
  leaves: boolean;
};

/** What undoing would remove; null if there is nothing to undo. */
export async function describeLastImport(context: RequestContext): Promise<LastImport | null> {
  const read = context.db.slow;
  const last = await findLastImport(context);
  if (!last) return null;
  const posts = await countOf(postsOf(read, last));
  // Undoing has begun: what it changes itself does not keep it from continuing.
  const changed = last.date_undone === null ? await countChanged(read, last) : 0;
  const { source, date_last: date, runs } = last;
  return { source, date, posts, changed, runs, leaves: last.adds_to !== null };
}

/** The posts that an import has added. */
export function postsOf(reader: Reader, { board_id, id, last_id, source }: ImportRow) {
  const posts = reader
    .selectFrom('posts')
    .where('board_id', '=', board_id)
    .where('id', '>', id)
    .where('id', '<=', last_id);
  return posts.where('external_id', 'like', `${source}:%`);
}

/** How many of them others have changed, commented or voted on since. */
export async function countChanged(reader: Reader, last: ImportRow): Promise<number> {
  const changed = postsOf(reader, last).where((e) =>
    e.or([e('date_updated', '>', last.date_last), wasChanged(last), hasVotes(last), hasComments(last)]),
  );
  return countOf(changed);
}

/** The ids, out of `ids`, of posts that others have commented or voted on since, which undoing itself does not do. */
export async function findTouched(
  reader: Reader,
  last: ImportRow,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const posts = postsOf(reader, last)
    .select('id')
    .where(isOneOf(reader, 'id', ids));
  const rows = await posts.where((e) => e.or([hasVotes(last), hasComments(last)])).execute();
  return new Set(rows.map(({ id }) => id));
}

/** Others may have done something while the import was running, so its ids say what it added, not the dates. */
function hasVotes({ board_id, source, date_last }: ImportRow) {
  return sql<SqlBool>`exists (select 1 from votes where votes.board_id = posts.board_id
    and votes.post_id = posts.id and not ${isImportedId('votes.id', board_id)} and (
      votes.date_created > ${date_last} or not ${isOfSource(source)}))`;
}

/** Imports by earlier versions gave votes other ids. Of those, what people of the source cast before the end came with it. */
function isOfSource(source: string) {
  return sql<SqlBool>`exists (select 1 from users where users.board_id = votes.board_id and users.id = votes.user_id
    and users.sso_type = ${source.toUpperCase()} and users.account_id is null)`;
}

function hasComments({ board_id }: ImportRow) {
  return sql<SqlBool>`exists (select 1 from comments where comments.board_id = posts.board_id
    and comments.post_id = posts.id and not ${isImportedId('comments.id', board_id)} and comments.is_first = 0
    and comments.type in ${WRITTEN} and comments.date_deleted is null)`;
}

/** Whether the team did something with a post, now or while the import was running. */
function wasChanged({ id, last_id }: ImportRow) {
  return sql<SqlBool>`exists (select 1 from operations where operations.board_id = posts.board_id
    and operations.post_id = posts.id and operations.operation_id > ${id} and operations.operation_id <= ${last_id}
    and operations.actor_id not in (select id from users where users.board_id = operations.board_id
      and users.sso_type = ${IMPORT_USER.ssoType} and users.sso_id = ${IMPORT_USER.ssoId}))`;
}

async function countOf(posts: ReturnType<typeof postsOf>): Promise<number> {
  const { count } = await posts
    .select((e) => e.cast<number>(e.fn.countAll(), 'integer').as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
