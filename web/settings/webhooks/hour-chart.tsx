import * as m from '../../i18n/messages.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { BarChart } from '../../parts/team/bar-chart.tsx';

type Hour = { hoursAgo: number; attempts: number; delivered: number };

/** An hour without attempts has no row. */
const NONE = { attempts: 0, delivered: 0 };

/** Attempts of the last 24 hours, one bar per hour: accepted ones below, failed ones above. */
export function HourChart({ hours }: { hours: readonly Hour[] }) {
  const l = useLocale();
  const bars = Array.from({ length: 24 }, (_, n) => {
    const hoursAgo = 23 - n;
    const { attempts, delivered } = hours.find((hour) => hour.hoursAgo === hoursAgo) ?? NONE;
    const label = hoursAgo === 0 ? m.thisHour(l) : m.hoursAgo(l, { count: hoursAgo });
    return { label, values: [delivered, attempts - delivered] };
  });
  const series = [
    { name: m.attemptsDelivered(l), tone: 'good' },
    { name: m.attemptsFailed(l), tone: 'bad' },
  ] as const;
  return <BarChart bars={bars} series={series} heading={m.hour(l)} caption={m.hourChart(l)} />;
}
