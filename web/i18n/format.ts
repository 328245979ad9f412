import { type Locale, languages } from './languages.ts';

/** Characters of a list of languages that are read; those of browsers are shorter. */
const MAX_LIST = 200;

/**
 * The first language of a text from outside, for example of a board or an Accept-Language header, that has a catalogue.
 * A regional variant stands for its language: pt-PT gets pt-BR.
 */
export function parseLocale(text: string | null | undefined): Locale {
  const wanted = (text ?? '').slice(0, MAX_LIST).toLowerCase().split(',');
  const codes = wanted.map((part) => primaryOf(part.trim().split(';')[0] ?? ''));
  return codes.flatMap((code) => languages.find((known) => primaryOf(known) === code) ?? [])[0] ?? 'en';
}

/** The language itself, without script and region. */
function primaryOf(tag: string): string {
  return tag.split('-')[0] ?? '';
}

/** The languages to choose from, each by its own name. */
export function languageNames(): Record<string, string> {
  return Object.fromEntries(languages.map((code) => [code, nameOf(code)]));
}

function nameOf(code: Locale): string {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
}

/** A day as people write it. The time zone is a parameter, so that browser and server agree. */
export function formatDay(locale: Locale, instant: number, timeZone = 'UTC'): string {
  return new Date(instant).toLocaleDateString(locale, { dateStyle: 'medium', timeZone });
}

/** A day of this or the last year, in short. */
export function formatShortDay(locale: Locale, instant: number, timeZone: string): string {
  return new Date(instant).toLocaleDateString(locale, { day: 'numeric', month: 'short', timeZone });
}

/** The age of an instant in days, such as `yesterday`; after a month, its day. */
export function formatDaysAgo(locale: Locale, instant: number, now: number, timeZone: string): string {
  // The clock that an instant comes from may be ahead of this one.
  const days = Math.max(0, dayNumber(now, timeZone) - dayNumber(instant, timeZone));
  if (days > 30) return formatDay(locale, instant, timeZone);
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-days, 'day');
}

function dayNumber(instant: number, timeZone: string): number {
  return Date.parse(new Date(instant).toLocaleDateString('sv', { timeZone })) / 86_400_000;
}

/** A day with the time and the name of the time zone. */
export function formatTimeIn(locale: Locale, instant: number, timeZone: string): string {
  const shown = { year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
  return new Date(instant).toLocaleString(locale, { ...shown, timeZone, timeZoneName: 'short' });
}

/** A day with the time, in UTC. */
export function formatTime(locale: Locale, instant: number): string {
  const text = new Date(instant).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
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

/** A duration: in milliseconds, or from one second in seconds. */
export function formatMs(locale: Locale, milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds).toLocaleString(locale)} ms`;
  return `${(milliseconds / 1_000).toLocaleString(locale, { maximumSignificantDigits: 3 })} s`;
}

/** A size: in bytes, or from a thousand in kB and MB. */
export function formatBytes(locale: Locale, bytes: number): string {
  const [unit, size] = bytes < 1_000 ? ['B', 1] : bytes < 1_000_000 ? ['kB', 1_000] : ['MB', 1_000_000];
  return `${(bytes / size).toLocaleString(locale, { maximumSignificantDigits: 3 })} ${unit}`;
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
