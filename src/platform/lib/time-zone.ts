import { LRUCache } from 'lru-cache';
import { HOUR_MS, MINUTE_MS } from './clock.ts';
import { parseDay } from './instant.ts';

/** A day and an hour in local time; weekdays count from Sunday, which is 0. */
type LocalTime = { year: number; month: number; day: number; hour: number; weekday: number };

/** There are 600 zones, of which the readers of a board have few. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 100 });

/** Whether a text names a time zone, such as `Europe/Berlin`. */
export function isTimeZone(text: string): boolean {
  try {
    return text.length <= 50 && formatOf(text) !== null;
  } catch {
    return false;
  }
}

/** The time zones to choose from; all others are aliases of these. */
export function timeZones(): readonly string[] {
  return [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];
}

/** The local time in a time zone at an instant. */
export function localTime(zone: string, instant: number): LocalTime {
  const parts = formatOf(zone).formatToParts(instant);
  const [year, month, day, hour] = ['year', 'month', 'day', 'hour'].map((type) =>
    Number(parts.find((part) => part.type === type)?.value),
  ) as [number, number, number, number];
  return { year, month, day, hour, weekday: new Date(Date.UTC(year, month - 1, day)).getUTCDay() };
}

/** The instant at which this local hour begins in a time zone; for a skipped hour, the next one. */
export function startOfHour(zone: string, { year, month, day, hour }: Omit<LocalTime, 'weekday'>): number {
  const asUtc = Date.UTC(year, month - 1, day, hour);
  // Offsets are from -12 to +14 hours, and change by an hour or less in the meantime.
  const guess = asUtc - offsetAt(zone, asUtc);
  return asUtc - offsetAt(zone, guess);
}

/** What clocks in a time zone show at an instant, to the minute, such as `2026-11-21T09:30`. */
export function printLocal(zone: string, instant: number): string {
  return new Date(instant + offsetAt(zone, instant)).toISOString().slice(0, 16);
}

/** The instant at which clocks in a time zone show a text such as `2026-11-21T09:30`; null for any other text. */
export function parseLocal(zone: string, text: string): number | null {
  const [, day = '', hour = '', minute = ''] = /^([\d-]{10})T([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  const date = parseDay(day);
  if (date === null) return null;
  const asUtc = date + Number(hour) * HOUR_MS + Number(minute) * MINUTE_MS;
  return asUtc - offsetAt(zone, asUtc - offsetAt(zone, asUtc));
}

function offsetAt(zone: string, instant: number): number {
  const parts = formatOf(zone).formatToParts(instant);
  const value = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const shown = Date.UTC(value('year'), value('month') - 1, value('day'), value('hour'), value('minute'));
  return shown - Math.floor(instant / MINUTE_MS) * MINUTE_MS;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const shown = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
  const format = new Intl.DateTimeFormat('en', { ...shown, timeZone: zone, hourCycle: 'h23', calendar: 'gregory' });
  formats.set(zone, format);
  return format;
}

const writtenFormats = new LRUCache<string, Intl.DateTimeFormat>({ max: 100 });

/** A day of the year as people write it, such as `3 May`. */
export function formatDay(language: string, zone: string, instant: number): string {
  return writtenFormat('day', language, zone, { day: 'numeric', month: 'long' }).format(instant);
}

/** An instant as people write it, such as `May 3, 2027 at 9:12 AM UTC`. */
export function formatInstant(language: string, zone: string, instant: number): string {
  const day = { day: 'numeric', month: 'long', year: 'numeric' } as const;
  const time = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;
  return writtenFormat('instant', language, zone, { ...day, ...time }).format(instant);
}

function writtenFormat(
  name: string,
  language: string,
  zone: string,
  shown: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = `${name} ${language} ${zone}`;
  const format = writtenFormats.get(key) ?? new Intl.DateTimeFormat(language, { ...shown, timeZone: zone });
  writtenFormats.set(key, format);
  return format;
}
