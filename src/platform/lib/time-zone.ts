import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from './clock.ts';

/** A day and an hour in local time; weekdays count from Sunday, which is 0. */
export type LocalTime = { year: number; month: number; day: number; hour: number; weekday: number };

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

const dayFormats = new LRUCache<string, Intl.DateTimeFormat>({ max: 100 });

/** A day of the year as people write it, such as `3 May`. */
export function formatDay(language: string, zone: string, instant: number): string {
  const key = `${language} ${zone}`;
  const known = dayFormats.get(key);
  const format = known ?? new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', timeZone: zone });
  if (!known) dayFormats.set(key, format);
  return format.format(instant);
}
