/** Which comes first where a date is three numbers: the day, as in most of the world, or the month, as in the USA. */
export const dateOrders = ['day-first', 'month-first'] as const;
export type DateOrder = (typeof dateOrders)[number];

/** Characters of a date that are looked at: JavaScript's own form, with the name of its zone, has about 70. */
const MAX_LENGTH = 100;

const NAMED_IN = ['en', 'de', 'fr', 'es', 'pt', 'pl', 'it', 'nl'];
/** Words between the parts of a date, as in “5 de enero de 2024” and “May 5 at 10:00”. */
const FILLERS = new Set([
  'de',
  'del',
  'of',
  'the',
  'at',
  'um',
  'uhr',
  'à',
  'le',
  'as',
  'às',
  'o',
  'godz',
  'alle',
  'om',
]);

/** Zones by the names that RFC 5322 (section 4.3) gives them, and others with one meaning; in hours from UTC. */
const ZONES: ReadonlyMap<string, number> = new Map([
  ...([
    ['EST', -5],
    ['EDT', -4],
    ['CST', -6],
    ['CDT', -5],
    ['MST', -7],
    ['MDT', -6],
    ['PST', -8],
    ['PDT', -7],
  ] as const),
  ...([
    ['CET', 1],
    ['CEST', 2],
    ['EET', 2],
    ['EEST', 3],
    // Spreadsheets in German write these.
    ['WEZ', 0],
    ['MEZ', 1],
    ['MESZ', 2],
    ['OEZ', 2],
    ['OESZ', 3],
    ['JST', 9],
    ['AEST', 10],
    ['AEDT', 11],
  ] as const),
]);
const ZONE = String.raw`(?<zone>Z|${[...ZONES.keys()].join('|')}|(?:UTC|GMT)?\s*[+-]\d{1,2}(?::?\d\d)?|UTC|GMT)?(?:\s*\([^()]*(?:\([^()]*\))?\))?`;
const CLOCK = String.raw`(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?)?\s*(?<half>[ap]\.?m\.?)?`;
/** A date, and a time with a zone or without. */
const WHOLE = new RegExp(String.raw`^(?<day>.*?)(?:(?:T|[\s,]+)${CLOCK}\s*${ZONE})?$`, 'isu');
const YEAR_FIRST = /^(\d{4})\s*[-/.年년]\s*(\d{1,2})\s*[-/.月월]\s*(\d{1,2})\s*[日일.]?$/;
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d\d)\.?$/;
/** Minutes between the zones farthest apart from UTC, and UTC. */
const MAX_OFFSET = 14 * 60;
/** Seconds or milliseconds since 1970, in the years 2001 to 2286. */
const UNIX = /^\d{10}(?:\d{3})?(?:\.\d+)?$/;

/** A date that is one day if the day comes first, and another if the month does. */
export class AmbiguousDate extends RangeError {}

/**
 * An instant as exports and people write it, in milliseconds; null for an empty text. It is in UTC without a zone.
 * @param order what the file has been found, or said, to have
 * @throws AmbiguousDate without an order, where two fit
 * @throws RangeError for anything that is no date
 */
export function parseDate(raw: string, order: DateOrder | null = null): number | null {
  const text = raw.slice(0, MAX_LENGTH).trim();
  if (text === '') return null;
  if (UNIX.test(text)) return Math.round(Number(text) * (text.split('.')[0]?.length === 10 ? 1_000 : 1));
  const { day = '', zone = '', ...clock } = WHOLE.exec(text)?.groups ?? {};
  const instant = instantOf(readDay(day.trim(), order), timeOf(clock), zone);
  if (Number.isFinite(instant)) return instant;
  throw new RangeError(`“${text.slice(0, 50)}” is not a date such as 2025-07-21 or 2025-07-21T14:05:00Z`);
}

/** The order that a date shows by a number above 12; null if it has none or shows none. */
export function orderShownBy(raw: string): DateOrder | null {
  const { day = '' } = WHOLE.exec(raw.slice(0, MAX_LENGTH).trim())?.groups ?? {};
  const [, first, separator, second] = YEAR_LAST.exec(day.trim()) ?? [];
  if (separator === undefined || separator === '.') return null;
  if (Number(first) > 12 && Number(second) <= 12) return 'day-first';
  return Number(second) > 12 && Number(first) <= 12 ? 'month-first' : null;
}

type Day = { year: number; month: number; day: number };

function readDay(text: string, order: DateOrder | null): Day | null {
  const [, year, month, day] = YEAR_FIRST.exec(text) ?? [];
  if (year) return { year: Number(year), month: Number(month), day: Number(day) };
  const numbers = YEAR_LAST.exec(text);
  return numbers ? orderNumbers(numbers, order) : readWords(text);
}

/** Two numbers and a year. With points between them, the day comes first everywhere. */
function orderNumbers([text, one, separator, two, years]: RegExpExecArray, order: DateOrder | null): Day {
  const [first, second] = [Number(one), Number(two)];
  const shown = separator === '.' ? 'day-first' : (orderShownBy(text) ?? order);
  if (shown === null && first !== second) {
    throw new AmbiguousDate(`“${text}” fits two ways: say whether the day or the month comes first`);
  }
  const [day, month] = shown === 'month-first' ? [second, first] : [first, second];
  return { year: fullYear(years ?? ''), month, day };
}

/** A date with the name of a month, in any of some languages: “12/Mar/24”, “Wed May 13 2026”, “5 de enero de 2024”. */
function readWords(text: string): Day | null {
  const { months, weekdays } = names();
  const numbers: string[] = [];
  let month: number | undefined;
  for (const part of text.toLowerCase().split(/[\s,./-]+/u)) {
    const number = /^(\d{1,4})(?:st|nd|rd|th|er|º|ª)?$/.exec(part)?.[1];
    if (number !== undefined) numbers.push(number);
    else if (months.has(part) && month === undefined) month = months.get(part);
    else if (part !== '' && !weekdays.has(part) && !FILLERS.has(part)) return null;
  }
  const [first = '', second = ''] = numbers;
  if (month === undefined || numbers.length !== 2) return null;
  const [day, year] = first.length === 4 ? [second, first] : [first, second];
  return { year: fullYear(year), month, day: Number(day) };
}

const fullYear = (digits: string): number => Number(digits) + (digits.length === 2 ? 2_000 : 0);

type Clock = Record<string, string | undefined>;

/** Milliseconds since midnight; not a number if there is no such time. */
function timeOf({ hour = '0', minute = '0', second = '0', fraction = '0', half }: Clock): number {
  const hours = half ? (Number(hour) % 12) + (/^p/i.test(half) ? 12 : 0) : Number(hour);
  const isReal = hours < 24 && Number(minute) < 60 && Number(second) < 61 && (!half || Number(hour) <= 12);
  if (!isReal) return Number.NaN;
  return ((hours * 60 + Number(minute)) * 60 + Number(second)) * 1_000 + Math.floor(Number(`0.${fraction}`) * 1_000);
}

function instantOf(date: Day | null, time: number, zone: string): number {
  if (!date) return Number.NaN;
  // Not `Date.UTC`, which takes the year 1 for 1901.
  const midnight = new Date(0).setUTCFullYear(date.year, date.month - 1, date.day);
  // Days that do not exist would be moved to the next month.
  const isReal = date.month >= 1 && date.month <= 12 && new Date(midnight).getUTCDate() === date.day;
  const [, sign, hours, minutes = '0'] = /([+-])(\d{1,2}):?(\d\d)?$/.exec(zone) ?? [];
  const minutesEast = sign
    ? Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes))
    : (ZONES.get(zone.toUpperCase()) ?? 0) * 60;
  return isReal && Math.abs(minutesEast) <= MAX_OFFSET ? midnight + time - minutesEast * 60_000 : Number.NaN;
}

let known: { months: Map<string, number>; weekdays: Set<string> } | undefined;

/** The names of months and weekdays, long and short; they are made when the first date with words is read. */
function names() {
  known ??= { months: namesOf('month', 12), weekdays: new Set(namesOf('weekday', 7).keys()) };
  return known;
}

function namesOf(part: 'month' | 'weekday', count: number): Map<string, number> {
  const found = new Map<string, number>();
  for (const language of NAMED_IN) {
    for (const style of ['long', 'short'] as const) {
      // With the day, months are in the case that dates have: “5 stycznia”.
      for (const day of [undefined, 'numeric'] as const) {
        const format = new Intl.DateTimeFormat(language, { [part]: style, day, timeZone: 'UTC' });
        for (let n = 1; n <= count; n++) {
          const date = part === 'month' ? Date.UTC(2024, n - 1, 15) : Date.UTC(2024, 0, n);
          const name = format.formatToParts(date).find(({ type }) => type === part)?.value ?? '';
          const key = name.toLowerCase().replace(/\.$/, '');
          if (!found.has(key)) found.set(key, n);
        }
      }
    }
  }
  // Older software writes it with four letters.
  if (part === 'month') found.set('sept', 9);
  return found;
}
