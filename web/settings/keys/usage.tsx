import { Link } from 'react-router';
import { formatDay } from '../../i18n/format.ts';
import { formatHour } from '../../i18n/measures.ts';
import * as m from '../../i18n/messages.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { BarChart, type Series, Totals } from '../../parts/team/bar-chart.tsx';
import type { UsageRange, UsageSpan } from './usage.ts';

/** The usage of a key, including refusals. */
export function KeyUsage({ range, spans }: { range: UsageRange; spans: readonly UsageSpan[] }) {
  const l = useLocale();
  const series: readonly Series[] = [
    { name: m.usageAnswered(l), tone: 'good' },
    { name: m.usageUnauthenticated(l), tone: 'warning' },
    { name: m.usageForbidden(l), tone: 'warning' },
    { name: m.usageLimited(l), tone: 'warning' },
    { name: m.usageMistaken(l), tone: 'bad' },
    { name: m.usageFailed(l), tone: 'bad' },
  ];
  const bars = spans.map(({ start, counts: c }) => ({
    label: range === 'day' ? formatHour(l, start) : formatDay(l, start),
    values: [c.answered, c.unauthenticated, c.forbidden, c.limited, c.mistaken, c.failed],
  }));
  const isUsed = bars.some(({ values }) => values.some((value) => value > 0));
  return (
    <section className="stack" aria-labelledby="usage">
      <h2 id="usage">{m.usage(l)}</h2>
      <p className="muted">{m.usageHelp(l)}</p>
      <nav className="tabs small" aria-label={m.usageRange(l)}>
        <RangeLink range="day" words={m.usageDay(l)} current={range} />
        <RangeLink range="month" words={m.usageMonth(l)} current={range} />
      </nav>
      {isUsed ? (
        <>
          <Totals bars={bars} series={series} />
          <BarChart bars={bars} series={series} heading={m.time(l)} caption={m.usageTable(l)} />
        </>
      ) : (
        <p className="empty">{m.usageNone(l)}</p>
      )}
    </section>
  );
}

type RangeLinkProps = { range: UsageRange; words: string; current: UsageRange };

function RangeLink({ range, words, current }: RangeLinkProps) {
  return (
    <Link to={`?usage=${range}`} aria-current={range === current ? 'page' : undefined} preventScrollReset>
      {words}
    </Link>
  );
}
