const DAY = /^\d{4}-\d\d-\d\d$/;
const INSTANT =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** The first millisecond in UTC of a day such as `2026-11-21`; null when the calendar has no such day. */
export function parseDay(text: string): number | null {
  const instant = DAY.test(text) ? Date.parse(text) : Number.NaN;
  // The engine interprets 30 February as 2 March.
  return !Number.isNaN(instant) && printDay(instant) === text ? instant : null;
}

/** The millisecond of an ISO 8601 instant with a time zone; null for anything else, and outside the years 0 to 9999. */
export function parseInstant(text: string): number | null {
  const [, day = ''] = INSTANT.exec(text) ?? [];
  if (parseDay(day) === null) return null;
  const instant = Date.parse(text);
  return DAY.test(printDay(instant)) ? instant : null;
}

/** The day in UTC of an instant, in the form that `parseDay` accepts. */
export function printDay(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

/** An instant in ISO 8601, in UTC; null for none. */
export function toInstant(instant: number | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}
