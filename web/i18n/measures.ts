import { formatDate, formatDay } from './format.ts';
import type { Locale } from './languages.ts';
import * as m from './messages.ts';

/** The age of an instant in days, such as `yesterday`; after a month, its day. */
export function formatDaysAgo(locale: Locale, instant: number, now: number, timeZone: string): string {
  // The clock that an instant comes from may be ahead of this one.
  const days = Math.max(0, dayNumber(now, timeZone) - dayNumber(instant, timeZone));
  if (days > 30) return formatDay(locale, instant, timeZone);
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-days, 'day');
}

function dayNumber(instant: number, timeZone: string): number {
  return Date.parse(formatDate('sv', instant, { dateStyle: 'short', timeZone })) / 86_400_000;
}

/** A day with the time and the name of the time zone. */
export function formatTimeIn(locale: Locale, instant: number, timeZone: string): string {
  const shown = { year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
  return new Date(instant).toLocaleString(locale, { ...shown, timeZone, timeZoneName: 'short' });
}

/** A day with the time, in UTC; with seconds if the time is `medium`. */
export function formatTime(locale: Locale, instant: number, timeStyle: 'short' | 'medium' = 'short'): string {
  const text = new Date(instant).toLocaleString(locale, { dateStyle: 'medium', timeStyle, timeZone: 'UTC' });
  return `${text} UTC`;
}

/** The hour that begins at an instant, in UTC. The day distinguishes hours of yesterday and today. */
export function formatHour(locale: Locale, instant: number): string {
  const shown = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', timeZone: 'UTC' } as const;
  return new Date(instant).toLocaleString(locale, { ...shown, hourCycle: 'h23' });
}

/** A share of one, as people read it. */
export function formatPercent(locale: Locale, share: number): string {
  // Not rounded up to 100 % if something is missing.
  const shown = share < 1 ? Math.floor(share * 1_000) / 1_000 : 1;
  return shown.toLocaleString(locale, { style: 'percent', maximumFractionDigits: 1 });
}

/** A change as a share of what there was before, with its sign. */
export function formatChange(locale: Locale, share: number): string {
  return share.toLocaleString(locale, { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' });
}

/** A duration: in milliseconds, or from one second in seconds. Its unit follows it in every direction of writing. */
export function formatMs(locale: Locale, milliseconds: number): string {
  const text =
    milliseconds < 1_000
      ? `${Math.round(milliseconds).toLocaleString(locale)} ms`
      : `${(milliseconds / 1_000).toLocaleString(locale, { maximumSignificantDigits: 3 })} s`;
  return m.direction(locale) === 'rtl' ? `\u2066${text}\u2069` : text;
}

/** A long duration in minutes, hours or days, such as `2.5 days`. */
export function formatDuration(locale: Locale, milliseconds: number): string {
  const minutes = milliseconds / 60_000;
  const [unit, count] =
    minutes < 60 ? ['minute', minutes] : minutes < 1_440 ? ['hour', minutes / 60] : ['day', minutes / 1_440];
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 1 }).format(
    count,
  );
}
