/** A language that the pages speak. */
export type Locale = 'en' | 'de';

/** The language of a text from outside, for example of a board or a header. */
export function parseLocale(text: string | null | undefined): Locale {
  return text?.toLowerCase().startsWith('de') ? 'de' : 'en';
}

/** A value inside of a message: numbers get the separators of the language. */
export function f(locale: Locale, value: string | number): string {
  return typeof value === 'number' ? value.toLocaleString(locale) : value;
}

/** The text for a number: both languages tell one from many. */
export function n(locale: Locale, count: number, one: string, other: string): string {
  return new Intl.PluralRules(locale).select(count) === 'one' ? one : other;
}

/** A day as people write it. The time zone is the server's for everybody, so that browser and server agree. */
export function formatDay(locale: Locale, instant: number): string {
  return new Date(instant).toLocaleDateString(locale, { dateStyle: 'medium', timeZone: 'UTC' });
}

/** A day with the time, in UTC. */
export function formatTime(locale: Locale, instant: number): string {
  const text = new Date(instant).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  return `${text} UTC`;
}

/** The hour that begins at an instant, in UTC. Hours of yesterday and today are told apart by the day. */
export function formatHour(locale: Locale, instant: number): string {
  const shown = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', timeZone: 'UTC' } as const;
  return new Date(instant).toLocaleString(locale, { ...shown, hourCycle: 'h23' });
}

/** A share of one, as people read it. */
export function formatPercent(locale: Locale, share: number): string {
  // Not rounded up to all when something is missing.
  const shown = share < 1 ? Math.floor(share * 1_000) / 1_000 : 1;
  return shown.toLocaleString(locale, { style: 'percent', maximumFractionDigits: 1 });
}

/** A duration: milliseconds, and from a second on seconds. */
export function formatMs(locale: Locale, milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds).toLocaleString(locale)} ms`;
  return `${(milliseconds / 1_000).toLocaleString(locale, { maximumSignificantDigits: 3 })} s`;
}

/** A size: bytes, and from a thousand on kB and MB. */
export function formatBytes(locale: Locale, bytes: number): string {
  const [unit, size] = bytes < 1_000 ? ['B', 1] : bytes < 1_000_000 ? ['kB', 1_000] : ['MB', 1_000_000];
  return `${(bytes / size).toLocaleString(locale, { maximumSignificantDigits: 3 })} ${unit}`;
}
