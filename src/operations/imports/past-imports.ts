import { type SqlBool, sql } from 'kysely';
import { WRITTEN } from '../../feedback/comments/comments.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import type { Reader } from '../../platform/db/db.ts';
import { isOneOf } from '../../platform/db/prepare.ts';
import { makeId } from '../../platform/lib/ids.ts';
import { IMPORT_USER } from './acting.ts';
import type { SourceName } from './items.ts';
import { isImportedId } from './known.ts';

/** An import into a board. Its posts have ids after its own, up to `last_id`, and external ids of its source. */
export type ImportRow = {
  board_id: string;
  id: string;
  source: string;
  last_id: string;
  /** When it last added something. What was changed later was changed by someone else. */
  date_last: number;
  /** When undoing it began, if it did. */
  date_undone: number | null;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    imports: ImportRow;
  }
}

/** Records what an import has added so far, in the transaction that adds it. */
export function recordImport({ db, board, clock }: RequestContext, id: string, source: SourceName): Promise<void> {
  const now = { last_id: makeId(), date_last: clock.now() };
  return db.transaction(async (tx) => {
    const row = { board_id: board.id, id, source, ...now, date_undone: null };
    const insert = tx.insertInto('imports').values(row);
    await insert.onConflict((c) => c.columns(['board_id', 'id']).doUpdateSet(now)).execute();
  });
}

/** The newest import into the board. */
export async function findLastImport({ db, board }: RequestContext): Promise<ImportRow | null> {
  const imports = db.read.selectFrom('imports').selectAll().where('board_id', '=', board.id);
  return (await imports.orderBy('id', 'desc').limit(1).executeTakeFirst()) ?? null;
}

/** The id under which an import is recorded: that of the last one, if this one continues it and no one has touched its posts. */
export async function chooseImportId(context: RequestContext, source: SourceName): Promise<string> {
  const last = await findLastImport(context);
  const isContinued = last?.source === source && last.date_undone === null;
  return isContinued && (await countChanged(context.db.slow, last)) === 0 ? last.id : makeId();
}

/** The last import into the board: how many ideas it has added, and how many of them keep it from being undone. */
type LastImport = { source: string; date: number; posts: number; changed: number };

/** What undoing would remove; null if there is nothing to undo. */
export async function describeLastImport(context: RequestContext): Promise<LastImport | null> {
  const read = context.db.slow;
  const last = await findLastImport(context);
  if (!last) return null;
  const posts = await countOf(postsOf(read, last));
  // Undoing has begun: what it changes itself does not keep it from continuing.
  const changed = last.date_undone === null ? await countChanged(read, last) : 0;
  return { source: last.source, date: last.date_last, posts, changed };
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
