import type { UsageCounts, UsageRow } from '#src/identity/keys/usage.ts';

const HOUR_MS = 3_600_000;
/** What can be shown: how many bars, and how long each is. */
const ranges = { day: { bars: 24, length: HOUR_MS }, month: { bars: 30, length: 24 * HOUR_MS } };
export type UsageRange = keyof typeof ranges;

/** The results of the requests from `start` on. */
export type UsageSpan = { start: number; counts: UsageCounts };

/** The range from the URL. */
export function parseUsageRange(text: string | null): UsageRange {
  return text === 'month' ? 'month' : 'day';
}

/** The beginning of a range that ends with the current hour or day, in UTC. */
export function startOfUsage(range: UsageRange, now: number): number {
  const { bars, length } = ranges[range];
  return Math.floor(now / length) * length - (bars - 1) * length;
}

/** The hours of a key added up for the spans of a range, those without requests included. */
export function spansOfUsage(rows: readonly UsageRow[], range: UsageRange, now: number): UsageSpan[] {
  const { bars, length } = ranges[range];
  const first = startOfUsage(range, now);
  const spans = Array.from({ length: bars }, (_, n) => ({ start: first + n * length, counts: { ...NONE } }));
  for (const row of rows) {
    const span = spans[Math.floor((row.hour - first) / length)];
    if (span) for (const kind of kinds) span.counts[kind] += row[kind];
  }
  return spans;
}

const NONE: UsageCounts = { answered: 0, unauthenticated: 0, forbidden: 0, limited: 0, mistaken: 0, failed: 0 };
const kinds = Object.keys(NONE) as (keyof UsageCounts)[];
