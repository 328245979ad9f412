import { type Locale, languages } from './languages.ts';

/** The catalogue for a language from outside, for example of a board or a token. pt-PT gets pt-BR. */
export function parseLocale(tag: string | null | undefined): Locale {
  const code = primaryOf((tag ?? '').toLowerCase());
  return languages.find((known) => primaryOf(known) === code) ?? 'en';
}

/** The language itself, without script and region. */
function primaryOf(tag: string): string {
  return tag.split('-')[0] ?? '';
}

/** Formats of `Intl`, kept because making one takes a hundred times as long as using it: there are few of them. */
const counts = new Map<string, Intl.NumberFormat>();
const dates = new Map<string, Intl.DateTimeFormat>();

/** A number with the separators of a language. */
export function formatCount(locale: string, count: number): string {
  const format = counts.get(locale) ?? new Intl.NumberFormat(locale);
  counts.set(locale, format);
  return format.format(count);
}

/** Votes where there is little room: from a hundred thousand in short, such as “1.2M”. */
export function formatVotes(locale: string, votes: number): string {
  return votes < 100_000 ? formatCount(locale, votes) : votes.toLocaleString(locale, { notation: 'compact' });
}

/** An instant as the options say. The time zone is one of them, so that browser and server agree. */
export function formatDate(
  locale: string,
  instant: number,
  options: Intl.DateTimeFormatOptions & { timeZone: string },
): string {
  const key = JSON.stringify([locale, options]);
  const format = dates.get(key) ?? new Intl.DateTimeFormat(locale, options);
  dates.set(key, format);
  return format.format(instant);
}

/** A day as people write it. */
export function formatDay(locale: Locale, instant: number, timeZone = 'UTC'): string {
  return formatDate(locale, instant, { dateStyle: 'medium', timeZone });
}

/** A day of this or the last year, in short. */
export function formatShortDay(locale: Locale, instant: number, timeZone: string): string {
  return formatDate(locale, instant, { day: 'numeric', month: 'short', timeZone });
}

/** A size: in bytes, or from a thousand in kB and MB. */
export function formatBytes(locale: Locale, bytes: number): string {
  const [unit, size] = bytes < 1_000 ? ['B', 1] : bytes < 1_000_000 ? ['kB', 1_000] : ['MB', 1_000_000];
  return `${(bytes / size).toLocaleString(locale, { maximumSignificantDigits: 3 })} ${unit}`;
}
