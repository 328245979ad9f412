import { type PointerEvent, useSyncExternalStore } from 'react';
import { useRouteLoaderData } from 'react-router';
import { formatDay } from '../../i18n/format.ts';
import type { Locale } from '../../i18n/languages.ts';
import * as m from '../../i18n/messages.ts';
import { useIsStatic, useLocale, useTimeZone } from '../requests/locale.ts';
import type { viewRoot } from '../requests/root-view.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** When something was: its age, or in an export, which gets older itself, the day. */
export function Time({ date }: { date: number }) {
  return useIsStatic() ? <Day date={date} /> : <Age date={date} />;
}

function Day({ date }: { date: number }) {
  return <time dateTime={new Date(date).toISOString()}>{formatDay(useLocale(), date, useTimeZone())}</time>;
}

/** On hover, the exact time in the reader's time zone. */
function Age({ date }: { date: number }) {
  const l = useLocale();
  const now = useNow();
  return (
    <time dateTime={new Date(date).toISOString()} onPointerEnter={(event) => showExactly(event, l, date)}>
      {ageOf(l, now - date)}
    </time>
  );
}

function showExactly({ currentTarget }: PointerEvent<HTMLElement>, l: Locale, date: number): void {
  currentTarget.title = new Date(date).toLocaleString(l, { dateStyle: 'long', timeStyle: 'short' });
}

function ageOf(l: Locale, age: number): string {
  const count = (unit: number) => ({ count: Math.floor(age / unit) });
  if (age < MINUTE_MS) return m.agoNow(l);
  if (age < HOUR_MS) return m.agoMinutes(l, count(MINUTE_MS));
  if (age < DAY_MS) return m.agoHours(l, count(HOUR_MS));
  if (age < 14 * DAY_MS) return m.agoDays(l, count(DAY_MS));
  if (age < 60 * DAY_MS) return m.agoWeeks(l, count(7 * DAY_MS));
  if (age < 730 * DAY_MS) return m.agoMonths(l, count(30.44 * DAY_MS));
  return m.agoYears(l, count(365.25 * DAY_MS));
}

/** The start of the page's scripts on the monotonic clock, and the server's time then. */
const begin = performance.now();
let beginAt: number | undefined;

/**
 * The server's time, to the minute: from the page, and counted on from there. The browser's clock may be wrong, and
 * during hydration the text must be that of the server.
 */
function useNow(): number {
  const said = useRouteLoaderData<typeof viewRoot>('root')?.now ?? 0;
  return useSyncExternalStore(
    everyMinute,
    () => {
      beginAt ??= said;
      const passed = Math.floor((performance.now() - begin) / MINUTE_MS) * MINUTE_MS;
      return Math.max(said, beginAt + passed);
    },
    () => said,
  );
}

function everyMinute(changed: () => void): () => void {
  const timer = setInterval(changed, MINUTE_MS);
  return () => clearInterval(timer);
}
