import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Reader } from '../../platform/db/db.ts';
import { badRequest } from '../../platform/errors.ts';
import { msg } from '../../platform/messages.ts';
import { requireLine, requireOneOf } from '../../platform/texts/text.ts';

/** Whose attribute a condition compares. */
export const subjects = ['USER', 'COMPANY'] as const;
export type Subject = (typeof subjects)[number];

/** How a condition compares; what values each takes. */
export const comparisons = {
  IS: 'text',
  IS_NOT: 'text',
  CONTAINS: 'text',
  AT_LEAST: 'number',
  AT_MOST: 'number',
  SINCE: 'date',
  BEFORE: 'date',
  IS_SET: 'none',
  IS_NOT_SET: 'none',
} as const satisfies Record<string, 'text' | 'number' | 'date' | 'none'>;
export type Comparison = keyof typeof comparisons;

/** One condition on people: what an attribute of the user, or of a company of theirs, is compared with. */
export type Condition = {
  of: Subject;
  /** The name of an attribute, or of one of `known`. */
  attribute: string;
  comparison: Comparison;
  /** One of these is enough. Dates are `2027-01-31`. */
  values: readonly string[];
};

/** Which people a segment has: those who meet all conditions, or any of them. */
export type SegmentFilter = { match: 'ALL' | 'ANY'; conditions: readonly Condition[] };

/** Attributes that are columns; those that systems add may have any other name. */
export const known = {
  USER: { name: ['name', 'text'], email: ['email', 'text'], dateCreated: ['date_created', 'instant'] },
  COMPANY: {
    id: ['external_id', 'text'],
    name: ['name', 'text'],
    plan: ['plan', 'text'],
    monthlyRevenue: ['monthly_revenue', 'number'],
    dateCreated: ['date_created', 'instant'],
  },
} as const satisfies Record<Subject, Record<string, readonly [column: string, type: 'text' | 'number' | 'instant']>>;

export const MAX_CONDITIONS = 10;
const MAX_VALUES = 50;
const VALUE = { field: 'conditions.values', min: 1, max: 200 };
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** A filter from a client. @throws BAD_REQUEST naming what is wrong */
export function parseFilter(match: string, conditions: readonly Condition[]): SegmentFilter {
  if (conditions.length === 0) throw badRequest(msg('segmentEmpty'), 'conditions');
  if (conditions.length > MAX_CONDITIONS) throw badRequest(msg('segmentTooMany', MAX_CONDITIONS), 'conditions');
  return { match: requireOneOf(['ALL', 'ANY'], match, 'match'), conditions: conditions.map(parseCondition) };
}

function parseCondition({ of, attribute: raw, comparison: given, values: rawValues }: Condition): Condition {
  const subject = requireOneOf(subjects, of, 'conditions.of');
  const comparison = requireOneOf(Object.keys(comparisons) as Comparison[], given, 'conditions.comparison');
  const attribute = requireLine(raw, { field: 'conditions.attribute', min: 1, max: 100 });
  // SQLite cannot look up names with quotes, and takes those that begin with a $ for paths.
  if (!/^[^"\\$][^"\\]*$/.test(attribute)) throw badRequest(msg('segmentAttributeInvalid'), 'conditions.attribute');
  if (comparisons[comparison] === 'none') return { of: subject, attribute, comparison, values: [] };
  if (rawValues.length === 0 || rawValues.length > MAX_VALUES) {
    throw badRequest(msg('segmentNeedsValue', attribute), VALUE.field);
  }
  const values = rawValues.map((value) => requireLine(value, VALUE));
  const isGood = { text: () => true, number: isNumber, date: isDate, none: () => true }[comparisons[comparison]];
  const wrong = values.find((value) => !isGood(value));
  if (wrong === undefined) return { of: subject, attribute, comparison, values };
  const words =
    comparisons[comparison] === 'number' ? msg('segmentNotNumber', attribute) : msg('segmentNotDate', attribute);
  throw badRequest(words, VALUE.field);
}

function isNumber(value: string): boolean {
  return value.trim() !== '' && Number.isFinite(Number(value));
}

function isDate(value: string): boolean {
  return DATE.test(value) && new Date(`${value}T00:00:00Z`).toJSON()?.startsWith(value) === true;
}

/** In a query on `users`: those of people, not of systems, whom the filter has. */
export function isInSegment(
  reader: Reader,
  boardId: string,
  { match, conditions }: SegmentFilter,
): Expression<SqlBool> {
  const join = (all: readonly RawBuilder<SqlBool>[]) =>
    sql<SqlBool>`(${sql.join(all, match === 'ALL' ? sql` and ` : sql` or `)})`;
  const ofUser = conditions.filter(({ of }) => of === 'USER').map((one) => compare(reader, 'users', one));
  const ofCompany = conditions.filter(({ of }) => of === 'COMPANY').map((one) => compare(reader, 'companies', one));
  // One company must meet all the conditions on companies, not each of them another one.
  const belongs = sql<SqlBool>`users.id in (
    select company_users.user_id from company_users
    join companies on companies.board_id = company_users.board_id and companies.id = company_users.company_id
    where company_users.board_id = ${boardId} and ${ofCompany.length > 0 ? join(ofCompany) : sql`1 = 1`})`;
  return sql<SqlBool>`(users.is_api_user = 0 and ${join([...ofUser, ...(ofCompany.length > 0 ? [belongs] : [])])})`;
}

/** A condition in SQL. An attribute that is not there meets IS_NOT and IS_NOT_SET alone. */
function compare(reader: Reader, table: 'users' | 'companies', condition: Condition): RawBuilder<SqlBool> {
  const { comparison, values } = condition;
  const { text, number, date } = readAttribute(reader, table, condition);
  const any = (each: (value: string) => RawBuilder<unknown>) =>
    sql<SqlBool>`(${sql.join(values.map(each), sql` or `)})`;
  const isOne = () =>
    any((value) => {
      const same = sql`${fold(reader, text)} = ${foldAscii(value)}`;
      return isNumber(value) && number ? sql`${same} or ${number} = ${toNumber(reader, value)}` : same;
    });
  switch (comparison) {
    case 'IS':
      return sql<SqlBool>`coalesce(${isOne()}, false)`;
    case 'IS_NOT':
      return sql<SqlBool>`not coalesce(${isOne()}, false)`;
    case 'CONTAINS':
      return sql<SqlBool>`coalesce(${any((value) => contains(reader, text, value))}, false)`;
    case 'AT_LEAST':
      return number
        ? sql<SqlBool>`coalesce(${any((value) => sql`${number} >= ${toNumber(reader, value)}`)}, false)`
        : none;
    case 'AT_MOST':
      return number
        ? sql<SqlBool>`coalesce(${any((value) => sql`${number} <= ${toNumber(reader, value)}`)}, false)`
        : none;
    case 'SINCE':
      return sql<SqlBool>`coalesce(${any((value) => date('SINCE', value))}, false)`;
    case 'BEFORE':
      return sql<SqlBool>`coalesce(${any((value) => date('BEFORE', value))}, false)`;
    case 'IS_SET':
      return sql<SqlBool>`coalesce(${text}, '') <> ''`;
    case 'IS_NOT_SET':
      return sql<SqlBool>`coalesce(${text}, '') = ''`;
  }
}

const signs = { SINCE: sql`>=`, BEFORE: sql`<` };
const none = sql<SqlBool>`1 = 0`;

type Value = {
  text: RawBuilder<string | null>;
  /** Null where the attribute is never a number. */
  number: RawBuilder<number | null> | null;
  date: (comparison: 'SINCE' | 'BEFORE', day: string) => RawBuilder<SqlBool>;
};

function readAttribute(reader: Reader, table: 'users' | 'companies', { of, attribute }: Condition): Value {
  const columns: Readonly<Record<string, readonly [string, 'text' | 'number' | 'instant']>> = known[of];
  const column = Object.hasOwn(columns, attribute) ? columns[attribute] : undefined;
  if (!column) return readJson(reader, sql.ref(`${table}.attributes`), attribute);
  const [name, type] = column;
  const value = sql.ref<string>(`${table}.${name}`);
  const asText = type === 'text' ? sql<string>`${value}` : sql<string>`cast(${value} as text)`;
  return {
    text: asText,
    number: type === 'text' ? null : sql<number>`${value}`,
    date: (comparison, day) =>
      type === 'instant'
        ? sql<SqlBool>`${value} ${signs[comparison]} ${Date.parse(`${day}T00:00:00Z`)}`
        : compareDay(reader, asText, comparison, day),
  };
}

/** An attribute in JSON. PostgreSQL does not read what has escapes such as that of NUL. */
function readJson(reader: Reader, json: RawBuilder<unknown>, attribute: string): Value {
  const isReadable = sql`replace(${json}, '\\u', '') = ${json}`;
  const [type, value] =
    reader.engine === 'sqlite'
      ? [sql`json_type(${json}, ${`$."${attribute}"`})`, sql`${json} ->> ${attribute}`]
      : [sql`json_typeof(cast(${json} as json) -> ${attribute})`, sql`cast(${json} as json) ->> ${attribute}`];
  const numberTypes = reader.engine === 'sqlite' ? sql`('integer', 'real')` : sql`('number')`;
  const number = sql<number>`case when ${isReadable} and ${type} in ${numberTypes} then cast(${value} as double precision) end`;
  const text = sql<string>`case when ${isReadable} then
    case ${type} when 'true' then 'true' when 'false' then 'false' else cast(${value} as text) end end`;
  return {
    text,
    number,
    date: (comparison, day) => compareDay(reader, text, comparison, day),
  };
}

/** Days and instants as texts are in the order of time. */
function compareDay(reader: Reader, text: RawBuilder<string | null>, comparison: 'SINCE' | 'BEFORE', day: string) {
  const plain = reader.engine === 'sqlite' ? text : sql`${text} collate "C"`;
  return sql<SqlBool>`(${text} like '____-__-__%' and ${plain} ${signs[comparison]} ${day})`;
}

function toNumber(reader: Reader, value: string) {
  return reader.engine === 'sqlite' ? sql`${Number(value)}` : sql`cast(${Number(value)} as double precision)`;
}

/** In lower case, as far as the engines agree: the letters A to Z. */
function fold(reader: Reader, text: RawBuilder<string | null>) {
  return reader.engine === 'sqlite' ? sql`lower(${text})` : sql`lower(${text} collate "C")`;
}

function foldAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function contains(reader: Reader, text: RawBuilder<string | null>, part: string) {
  const folded = foldAscii(part);
  return reader.engine === 'sqlite'
    ? sql`instr(${fold(reader, text)}, ${folded}) > 0`
    : sql`strpos(${fold(reader, text)}, ${folded}) > 0`;
}
