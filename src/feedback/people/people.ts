import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { requireRight } from '../../identity/users/authority.ts';
import { patternOf } from '../../identity/users/list.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { findUserById, type UserRow } from '../../identity/users/users.ts';
import type { Reader } from '../../platform/db/db.ts';
import { isOneOf, type Param, prepare, prepareVariants, rowLimit } from '../../platform/db/prepare.ts';
import { notFound } from '../../platform/errors.ts';
import { emptyPage, encodeCursor, makePage, type Page, type PageArgs, parseCursor } from '../../platform/lib/page.ts';
import { findableText } from '../../platform/texts/text.ts';
import { type ViewerScope, viewerFilterOf, viewerId, viewerScopeOf } from '../visibility/posts.ts';
import { conditionsOfPeople, didOf, type PeopleFilter } from './filter.ts';

/** Ideas, votes and comments of a user that are counted, at most. */
export const MAX_COUNTED = 1_000;

/** What a user did on the board, as far as the viewer may see it; each number is up to one more than the maximum. */
export type Activity = {
  ideas: number;
  votes: number;
  comments: number;
  /** When they last did one of these, or opened their inbox; null: never. */
  dateLast: number | null;
};

/** A user with what they did. */
export type Person = { user: UserRow; activity: Activity };

/** Users to list: with this text in their name or address, and with what the filter says. */
type PeopleQuery = PageArgs & { search: string; filter?: PeopleFilter };

/**
 * The users of the board, the newest first.
 * @throws FORBIDDEN, BAD_REQUEST for a broken cursor
 */
export async function listPeople(
  context: ActorContext,
  { search, filter = {}, cursor, limit }: PeopleQuery,
): Promise<Page<Person>> {
  requireRight(context.actor, 'user.notes');
  const { db, board, actor } = context;
  const [, id] = parseCursor('people', cursor) ?? [0, AFTER_ALL_IDS];
  const text = findableText(search);
  if (text === null) return emptyPage;
  const values = { boardId: board.id, pattern: patternOf(text), id, limit: limit + 1 };
  // Parts of names are in no index: a search reads all names, and a filter all users.
  const conditions = conditionsOfPeople(db.slow, filter, viewerFilterOf(actor, board.id));
  const rows =
    conditions.length > 0
      ? await prepare<Values, UserRow>((reader, param) => listOf(text !== '', reader, param, conditions))(
          db.slow,
          values,
        )
      : await newest(text !== '')(text === '' ? db.read : db.slow, values);
  const page = makePage(rows, limit, (user) => encodeCursor('people', [0, user.id]));
  const activities = await readActivities(context, page.nodes);
  return {
    ...page,
    cursor: page.cursor,
    nodes: page.nodes.map((user, n) => ({ user, activity: activities[n] as Activity })),
  };
}

/** Greater than every id. */
const AFTER_ALL_IDS = 'g';

type Values = { boardId: string; pattern: string; id: string; limit: number };

const newest = prepareVariants<boolean, Values, UserRow>((isSearch) =>
  prepare((reader, param) => listOf(isSearch, reader, param)),
);

function listOf(
  isSearch: boolean,
  reader: Reader,
  param: Param<Values>,
  conditions: readonly Expression<SqlBool>[] = [],
) {
  const list = reader.selectFrom('users').selectAll().where('board_id', '=', param('boardId'));
  const part = list
    .where('id', '<', param('id'))
    .orderBy('id', 'desc')
    .limit(rowLimit(param('limit')));
  const all = [...(isSearch ? [hasInName(param('pattern'))] : []), ...conditions];
  return all.reduce((narrowed, condition) => narrowed.where(condition), part);
}

function hasInName(pattern: string): Expression<SqlBool> {
  return sql<SqlBool>`(name_folded like ${pattern} escape '\\' or email like ${pattern} escape '\\')`;
}

/** One user of the board. @throws FORBIDDEN, NOT_FOUND */
export async function requirePerson(context: ActorContext, id: string): Promise<Person> {
  requireRight(context.actor, 'user.notes');
  const user = await findUserById(context.db.read, context.board.id, id);
  if (!user) throw notFound('User');
  const [activity] = await readActivities(context, [user]);
  return { user, activity: activity as Activity };
}

/** What each of the users did, in the order of the users. */
async function readActivities({ db, board, actor }: ActorContext, users: readonly UserRow[]): Promise<Activity[]> {
  if (users.length === 0) return [];
  const values = { boardId: board.id, viewerId: viewerId(actor), ids: users.map(({ id }) => id) };
  const rows = await activities(viewerScopeOf(actor))(db.slow, values);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return users.map(({ id, date_inbox_seen }) => {
    const row = byId.get(id);
    const dates = [row?.last_idea, row?.last_vote, row?.last_comment, date_inbox_seen].filter((date) => date != null);
    const dateLast = dates.length > 0 ? Math.max(...dates) : null;
    return { ideas: row?.ideas ?? 0, votes: row?.votes ?? 0, comments: row?.comments ?? 0, dateLast };
  });
}

type ActivityRow = Record<'ideas' | 'votes' | 'comments', number> &
  Record<'last_idea' | 'last_vote' | 'last_comment', number | null> & { id: string };

const activities = prepareVariants<
  ViewerScope,
  { boardId: string; viewerId: string; ids: readonly string[] },
  ActivityRow
>((scope) =>
  prepare((reader, param) => {
    const filter = { scope, boardId: param('boardId'), viewerId: param('viewerId') };
    const { ideas, votes, comments } = didOf(filter);
    return reader
      .selectFrom('users')
      .select('id')
      .select([countOf(ideas).as('ideas'), countOf(votes).as('votes'), countOf(comments).as('comments')])
      .select([lastOf(ideas).as('last_idea'), lastOf(votes).as('last_vote'), lastOf(comments).as('last_comment')])
      .where('board_id', '=', param('boardId'))
      .where(isOneOf(reader, 'id', param('ids')));
  }),
);

/** The number of rows of a list, up to one more than the maximum. */
function countOf(list: RawBuilder<unknown>) {
  return sql<number>`(select cast(count(*) as integer) from (select 1 from ${list} limit ${sql.lit(MAX_COUNTED + 1)}) as counted)`;
}

/** The date of the newest row of a list. */
function lastOf(list: RawBuilder<unknown>) {
  return sql<number | null>`(select date_created from ${list} order by date_created desc limit 1)`;
}
