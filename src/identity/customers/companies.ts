import { type SqlBool, sql } from 'kysely';
import type { Reader, Tx } from '../../platform/db/db.ts';
import { isOneOf, rowLimit } from '../../platform/db/prepare.ts';
import { updateRow } from '../../platform/db/rows.ts';
import { conflict, notFound } from '../../platform/errors.ts';
import { isId } from '../../platform/lib/ids.ts';
import { encodeCursor, makePage, type Page, type PageArgs, parseCursor } from '../../platform/lib/page.ts';
import { msg } from '../../platform/messages.ts';
import { findableText } from '../../platform/texts/text.ts';
import { recordChange, type State } from '../activity/activity.ts';
import {
  type CompanyChanges,
  type CompanyProfile,
  type CompanyRow,
  type ParsedCompany,
  parseCompany,
  parseCompanyChanges,
  saveCompany,
} from '../companies/company.ts';
import { requireRight } from '../users/authority.ts';
import { patternOf } from '../users/list.ts';
import type { ActorContext } from '../users/request-context.ts';

/** The orders that companies can be listed in. */
export const companyOrders = ['NEWEST', 'REVENUE', 'PEOPLE'] as const;
export type CompanyOrder = (typeof companyOrders)[number];

/** A company with how many users belong to it. */
export type CountedCompany = CompanyRow & { people: number };

/** Which companies, in which order. */
export type CompanyQuery = PageArgs & { search: string | null; order: CompanyOrder };

const PEOPLE = sql<number>`(select cast(count(*) as integer) from company_users
  where company_users.board_id = companies.board_id and company_users.company_id = companies.id)`;

const figureOf = {
  NEWEST: sql<number>`companies.date_created`,
  REVENUE: sql<number>`coalesce(companies.monthly_revenue, -1e13)`,
  PEOPLE,
} as const satisfies Record<CompanyOrder, unknown>;

/** The companies of the board: all, or those with a text in their name or id. @throws FORBIDDEN */
export async function listCompanies(context: ActorContext, query: CompanyQuery): Promise<Page<CountedCompany>> {
  const { db, board, actor } = context;
  requireRight(actor, 'customer.see');
  const { search, order, cursor, limit } = query;
  const list = `companies:${order}`;
  const position = parseCursor(list, cursor, Number.isFinite);
  const value = figureOf[order];
  let found = db.slow
    .selectFrom('companies')
    .selectAll()
    .select([value.as('value'), PEOPLE.as('people')])
    .where('board_id', '=', board.id);
  if (search !== null) {
    const pattern = patternOf(search);
    found = found.where(
      sql<SqlBool>`(name_folded like ${pattern} escape '\\' or lower(external_id) like ${pattern} escape '\\')`,
    );
  }
  if (position) found = found.where(sql<SqlBool>`(${value}, id) < (${position[0]}, ${position[1]})`);
  const rows = await found
    .orderBy('value', 'desc')
    .orderBy('id', 'desc')
    .limit(rowLimit(limit + 1))
    .execute();
  return makePage(rows, limit, (row) => encodeCursor(list, [row.value, row.id]));
}

/** The company with this id in the team's own system; null if there is none. @throws FORBIDDEN */
export async function findCompany({ db, board, actor }: ActorContext, externalId: string): Promise<CompanyRow | null> {
  requireRight(actor, 'customer.see');
  const query = db.read.selectFrom('companies').selectAll().where('board_id', '=', board.id);
  const id = findableText(externalId);
  return (id !== null && (await query.where('external_id', '=', id).executeTakeFirst())) || null;
}

async function requireRow(reader: Reader, boardId: string, id: string): Promise<CompanyRow> {
  const query = reader.selectFrom('companies').selectAll().where('board_id', '=', boardId).where('id', '=', id);
  const row = isId(id) ? await query.executeTakeFirst() : undefined;
  if (!row) throw notFound('Company');
  return row;
}

/** How many users belong to each of these companies. */
export async function countPeopleOf(
  reader: Reader,
  boardId: string,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await reader
    .selectFrom('company_users')
    .select((e) => ['company_id', e.cast<number>(e.fn.countAll(), 'integer').as('people')])
    .where('board_id', '=', boardId)
    .where(isOneOf(reader, 'company_id', ids))
    .groupBy('company_id')
    .execute();
  return new Map(rows.map(({ company_id, people }) => [company_id, people]));
}

/** What operations change of a company, by the names of the API. */
export function stateOfCompany({ name, plan, monthly_revenue, attributes }: CompanyRow) {
  return {
    name,
    plan,
    monthlyRevenue: monthly_revenue,
    attributes: attributes === null ? null : JSON.parse(attributes),
  };
}

/** A company as operations change it. */
export type CompanyState = ReturnType<typeof stateOfCompany>;

/** What is done to one company, recorded so that it can be undone. */
function record(tx: Tx, context: ActorContext, id: string, before: State, after: State): Promise<void> {
  return recordChange(tx, context, { thing: 'COMPANY', id, before, after });
}

/** Registers a company, or changes the one with this id in the team's system. @throws FORBIDDEN, BAD_REQUEST */
export function createCompany(context: ActorContext, profile: CompanyProfile): Promise<CompanyRow> {
  const company: ParsedCompany = parseCompany(profile);
  requireRight(context.actor, 'company.edit');
  return context.db.transaction(async (tx) => {
    const { before, after } = await saveCompany(tx, context, company);
    if (before) await record(tx, context, after.id, stateOfCompany(before), stateOfCompany(after));
    else
      await record(tx, context, after.id, { exists: false }, { exists: true, ...stateOfCompany(after), userIds: [] });
    return after;
  });
}

/** Changes a company. @throws FORBIDDEN, NOT_FOUND, BAD_REQUEST */
export function updateCompany(
  context: ActorContext,
  id: string,
  profile: Omit<CompanyProfile, 'id'>,
): Promise<CompanyRow> {
  const changes: CompanyChanges = parseCompanyChanges(profile);
  requireRight(context.actor, 'company.edit');
  return context.db.transaction(async (tx) => {
    const row = await requireRow(tx, context.board.id, id);
    if (Object.keys(changes).length === 0) return row;
    const after = await updateRow(tx, 'companies', row, { ...changes, date_updated: context.clock.now() });
    await record(tx, context, id, stateOfCompany(row), stateOfCompany(after));
    return after;
  });
}

/** Deletes a company; its users stay. @throws FORBIDDEN, NOT_FOUND */
export function deleteCompany(context: ActorContext, id: string): Promise<CompanyRow> {
  requireRight(context.actor, 'company.edit');
  return context.db.transaction(async (tx) => {
    const { board } = context;
    const row = await requireRow(tx, board.id, id);
    const userIds = await readUserIds(tx, row);
    await tx.deleteFrom('company_users').where('board_id', '=', board.id).where('company_id', '=', id).execute();
    await tx.deleteFrom('companies').where('board_id', '=', board.id).where('id', '=', id).execute();
    const { external_id: externalId } = row;
    await record(tx, context, id, { exists: true, externalId, ...stateOfCompany(row), userIds }, { exists: false });
    return row;
  });
}

async function readUserIds(tx: Tx, { board_id, id }: CompanyRow): Promise<string[]> {
  const users = tx.selectFrom('company_users').select('user_id').where('board_id', '=', board_id);
  const rows = await users.where('company_id', '=', id).orderBy('user_id').execute();
  return rows.map(({ user_id }) => user_id);
}

/** A company as it is now, with its users, for undoing what was done to it; null once it is deleted. */
export async function readCompanyState(tx: Tx, boardId: string, id: string): Promise<State | null> {
  const query = tx.selectFrom('companies').selectAll().where('board_id', '=', boardId).where('id', '=', id);
  const row = await query.executeTakeFirst();
  return row ? { exists: true, ...stateOfCompany(row), userIds: await readUserIds(tx, row) } : null;
}

/** A deleted company as it was, and the users who belonged to it. */
export type DeletedCompany = CompanyState & { externalId: string; userIds: readonly string[] };

/** Brings a deleted company back, with those of its users who still exist. @throws FORBIDDEN */
export async function restoreCompany(context: ActorContext, id: string, deleted: DeletedCompany): Promise<void> {
  const { externalId, userIds, name, ...state } = deleted;
  requireRight(context.actor, 'company.edit');
  const { board, clock } = context;
  await context.db.transaction(async (tx) => {
    const others = tx.selectFrom('companies').select('name').where('board_id', '=', board.id);
    const other = await others.where('external_id', '=', externalId).executeTakeFirst();
    if (other) throw conflict(msg('companyIdTaken', other.name));
    const { changes } = parseCompany({ id: externalId, name, ...state });
    const columns = { plan: null, monthly_revenue: null, attributes: null, name, name_folded: name.toLowerCase() };
    const dates = { date_created: clock.now(), date_updated: clock.now() };
    const row = { board_id: board.id, id, external_id: externalId, ...columns, ...changes, ...dates };
    await tx.insertInto('companies').values(row).execute();
    const users = tx
      .selectFrom('users')
      .select((e) => ['board_id', 'id as user_id', e.val(id).as('company_id')])
      .where('board_id', '=', board.id)
      .where(isOneOf(tx, 'id', userIds));
    await tx.insertInto('company_users').columns(['board_id', 'user_id', 'company_id']).expression(users).execute();
    await record(tx, context, id, { exists: false }, { exists: true });
  });
}
