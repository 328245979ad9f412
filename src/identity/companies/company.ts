import type { Selectable } from 'kysely';
import type { Reader, Tx } from '../../platform/db/db.ts';
import { isOneOf, prepare } from '../../platform/db/prepare.ts';
import { updateRow } from '../../platform/db/rows.ts';
import { badRequest } from '../../platform/errors.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { makeId } from '../../platform/lib/ids.ts';
import { msg } from '../../platform/messages.ts';
import { requireLine, requireLineOr } from '../../platform/texts/text.ts';

type CompanyTable = {
  board_id: string;
  id: string;
  /** The id of the company in the team's own system. */
  external_id: string;
  name: string;
  /** The name in lower case of every script, for searching and sorting: the engines differ in this. */
  name_folded: string;
  plan: string | null;
  /** What the company pays a month, in the board's currency. */
  monthly_revenue: number | null;
  /** JSON text of `Attributes`. */
  attributes: string | null;
  date_created: number;
  date_updated: number;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    companies: CompanyTable;
    /** Which companies users belong to. */
    company_users: { board_id: string; user_id: string; company_id: string };
  }
}

export type CompanyRow = Selectable<CompanyTable>;

/** Facts about a company or a user by name; a date is a text such as `2027-01-31`. */
export type Attributes = Record<string, string | number | boolean>;

/** A company as other systems name it; omitted properties stay unchanged. */
export type CompanyProfile = {
  /** The id of the company there. */
  id: string;
  name?: string | null | undefined;
  plan?: string | null | undefined;
  monthlyRevenue?: number | null | undefined;
  attributes?: unknown;
};

/** Companies that a user may belong to, and attributes that a company may have. */
export const MAX_COMPANIES = 20;
const MAX_ATTRIBUTES = 50;
export const COMPANY_ID = { field: 'companies.id', min: 1, max: 255 };
export const COMPANY_NAME = { field: 'companies.name', min: 1, max: 100 };
export const COMPANY_PLAN = { field: 'companies.plan', min: 0, max: 100 };
const ATTRIBUTE = { field: 'companies.attributes', min: 0, max: 200 };
const MAX_REVENUE = 1e12;

/** The columns that a company's changes set. */
export type CompanyChanges = Partial<Omit<CompanyRow, 'board_id' | 'id' | 'external_id' | 'date_created'>>;

/** A company as columns. @throws BAD_REQUEST naming the invalid property */
export function parseCompany({ id, ...properties }: CompanyProfile) {
  return { external_id: requireLine(id, COMPANY_ID), changes: parseCompanyChanges(properties) };
}

/** Properties of a company as columns. @throws BAD_REQUEST naming the invalid one */
export function parseCompanyChanges(profile: Omit<CompanyProfile, 'id'>): CompanyChanges {
  const { name, plan, monthlyRevenue, attributes } = profile;
  return {
    ...(name != null && nameColumns(requireLine(name, COMPANY_NAME))),
    ...(plan !== undefined && { plan: requireLineOr(plan, COMPANY_PLAN) || null }),
    ...(monthlyRevenue !== undefined && { monthly_revenue: parseRevenue(monthlyRevenue) }),
    ...(attributes !== undefined && { attributes: parseAttributes(attributes) }),
  };
}

function nameColumns(name: string) {
  return { name, name_folded: name.toLowerCase() };
}

function parseRevenue(amount: number | null): number | null {
  if (amount === null) return null;
  if (!Number.isFinite(amount) || Math.abs(amount) > MAX_REVENUE) {
    throw badRequest(msg('companyRevenueInvalid'), 'companies.monthlyRevenue');
  }
  return Math.round(amount * 100) / 100;
}

function parseAttributes(attributes: unknown): string | null {
  if (attributes === null) return null;
  const { field } = ATTRIBUTE;
  const entries =
    typeof attributes === 'object' && !Array.isArray(attributes) ? Object.entries(attributes ?? {}) : null;
  if (!entries || entries.length > MAX_ATTRIBUTES)
    throw badRequest(msg('companyAttributesInvalid', MAX_ATTRIBUTES), field);
  const kept = entries.flatMap(([rawName, value]) => {
    const name = requireLine(rawName, { field, min: 1, max: 100 });
    if (value === null) return [];
    if (typeof value === 'string') return [[name, requireLine(value, ATTRIBUTE)]];
    if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return [[name, value]];
    throw badRequest(msg('companyAttributesInvalid', MAX_ATTRIBUTES), field);
  });
  return kept.length === 0 ? null : JSON.stringify(Object.fromEntries(kept));
}

/** @throws BAD_REQUEST for too many companies, one that is named twice, or an invalid one */
export function parseCompanies(companies: readonly CompanyProfile[]) {
  if (companies.length > MAX_COMPANIES) {
    throw badRequest(msg('companyTooMany', MAX_COMPANIES, companies.length), 'companies');
  }
  const parsed = companies.map(parseCompany);
  if (new Set(parsed.map(({ external_id }) => external_id)).size < parsed.length) {
    throw badRequest(msg('companyTwice'), 'companies');
  }
  return parsed;
}

export type ParsedCompany = ReturnType<typeof parseCompany>;

/** The board of companies, and the clock. */
type OnBoard = { clock: Clock; board: { id: string } };

/**
 * Registers a company, or changes the one with this id in the team's system; without changes it is not written.
 * @returns the company before, null for a new one, and after
 */
export async function saveCompany(
  tx: Tx,
  { board, clock }: OnBoard,
  { external_id, changes }: ParsedCompany,
): Promise<{ before: CompanyRow | null; after: CompanyRow }> {
  const query = tx.selectFrom('companies').selectAll().where('board_id', '=', board.id);
  const known = await query.where('external_id', '=', external_id).executeTakeFirst();
  const now = clock.now();
  if (known) {
    const isSame = Object.entries(changes).every(([column, value]) => known[column as keyof CompanyRow] === value);
    if (isSame) return { before: known, after: known };
    return { before: known, after: await updateRow(tx, 'companies', known, { ...changes, date_updated: now }) };
  }
  const dates = { date_created: now, date_updated: now };
  const row = { board_id: board.id, id: makeId(), external_id, ...nameColumns(external_id.slice(0, 100)), ...changes };
  const after = await tx
    .insertInto('companies')
    .values({ ...row, ...dates })
    // Another transaction may have registered it just now.
    .onConflict((c) => c.columns(['board_id', 'external_id']).doUpdateSet({ ...changes, date_updated: now }))
    .returningAll()
    .executeTakeFirstOrThrow();
  return { before: null, after };
}

/** Makes these the companies of a user: registers or changes them, and ends that the user belongs to others. */
export async function setCompanies(
  tx: Tx,
  context: OnBoard,
  userId: string,
  companies: readonly ParsedCompany[],
): Promise<void> {
  // Always in one order, so that no two transactions wait for each other.
  const inOrder = companies.toSorted((a, b) => (a.external_id < b.external_id ? -1 : 1));
  const ids: string[] = [];
  for (const company of inOrder) ids.push((await saveCompany(tx, context, company)).after.id);
  await putIn(tx, context.board.id, userId, ids);
}

/** Makes the user belong to these companies, and to no others. */
export async function putIn(tx: Tx, boardId: string, userId: string, companyIds: readonly string[]): Promise<void> {
  const had = (await companiesOfUsers(tx, { boardId, ids: [userId] })).map(({ id }) => id);
  const [added, ended] = [companyIds.filter((id) => !had.includes(id)), had.filter((id) => !companyIds.includes(id))];
  if (ended.length > 0) {
    const rows = tx.deleteFrom('company_users').where('board_id', '=', boardId).where('user_id', '=', userId);
    await rows.where(isOneOf(tx, 'company_id', ended)).execute();
  }
  if (added.length > 0) {
    const rows = added.map((company_id) => ({ board_id: boardId, user_id: userId, company_id }));
    const insert = tx.insertInto('company_users').values(rows);
    await insert.onConflict((c) => c.columns(['board_id', 'user_id', 'company_id']).doNothing()).execute();
  }
}

/** A company of a user. */
export type CompanyOfUser = CompanyRow & { user_id: string };

const companiesOfUsers = prepare<{ boardId: string; ids: readonly string[] }, CompanyOfUser>((reader, param) =>
  reader
    .selectFrom('company_users')
    .innerJoin('companies', (join) =>
      join
        .onRef('companies.board_id', '=', 'company_users.board_id')
        .onRef('companies.id', '=', 'company_users.company_id'),
    )
    .selectAll('companies')
    .select('company_users.user_id')
    .where('company_users.board_id', '=', param('boardId'))
    .where(isOneOf(reader, 'company_users.user_id', param('ids')))
    .orderBy('companies.name_folded')
    .orderBy('companies.id'),
);

/** The companies of each of these users, by name. */
export async function findCompaniesOf(
  reader: Reader,
  boardId: string,
  userIds: readonly string[],
): Promise<Map<string, CompanyOfUser[]>> {
  const rows = userIds.length === 0 ? [] : await companiesOfUsers(reader, { boardId, ids: userIds });
  return Map.groupBy(rows, ({ user_id }) => user_id);
}
