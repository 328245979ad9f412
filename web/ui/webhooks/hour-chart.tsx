import * as m from '../../i18n/messages.ts';
import { useLocale } from '../../lib/locale.ts';
import { BarChart } from '../bar-chart.tsx';

type Hour = { hoursAgo: number; attempts: number; delivered: number };

/** Attempts of the last 24 hours, one bar per hour: accepted ones below, failed ones above. */
export function HourChart({ hours }: { hours: readonly Hour[] }) {
  const l = useLocale();
  const bars = hours
    .toSorted((a, b) => b.hoursAgo - a.hoursAgo)
    .map(({ hoursAgo, attempts, delivered }) => ({
      label: hoursAgo === 0 ? m.thisHour(l) : m.hoursAgo(l, { count: hoursAgo }),
      values: [delivered, attempts - delivered],
    }));
  const series = [
    { name: m.attemptsDelivered(l), tone: 'good' },
    { name: m.attemptsFailed(l), tone: 'bad' },
  ] as const;
  return <BarChart bars={bars} series={series} heading={m.hour(l)} caption={m.hourChart(l)} />;
}
