import { formatCount } from '../../i18n/format.ts';
import { formatMs, formatPercent, formatTime } from '../../i18n/measures.ts';
import * as m from '../../i18n/messages.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { BarChart } from '../../parts/team/bar-chart.tsx';

/** The health of a webhook. */
export type HealthView = {
  now: number;
  counts: { attempts: number; delivered: number } | null;
  hours: readonly { hoursAgo: number; attempts: number; delivered: number }[];
  medianMs: number | null;
  isSlow: boolean;
  isTroubled: boolean;
  waiting: number;
  lastSuccess: number | null;
  lastFailure: { date: number; words: string } | null;
  failuresInRow: number;
  disablesAt: number | null;
};

const HOUR_MS = 3_600_000;

/** Figures of the last 24 hours, the last failure, and when Earshot would disable the webhook. */
export function Health({ health }: { health: HealthView }) {
  const {
    now,
    counts,
    hours,
    medianMs,
    isSlow,
    isTroubled,
    waiting,
    lastSuccess,
    lastFailure,
    failuresInRow,
    disablesAt,
  } = health;
  const l = useLocale();
  const hoursLeft = disablesAt === null ? 0 : Math.max(0, Math.ceil((disablesAt - now) / HOUR_MS));
  return (
    <section className="stack" aria-label={m.health(l)}>
      <dl className="counts numbers">
        <Fact words={m.successRate(l)} value={counts ? formatPercent(l, counts.delivered / counts.attempts) : '–'} />
        <Fact words={m.medianTime(l)} value={medianMs === null ? '–' : formatMs(l, medianMs)} />
        <Fact words={m.waitingEvents(l)} value={formatCount(l, waiting)} />
        <Fact words={m.lastSuccess(l)} value={lastSuccess === null ? m.never(l) : formatTime(l, lastSuccess)} isText />
      </dl>
      {counts && <HourChart hours={hours} />}
      {isTroubled && counts && (
        <p className="note" data-kind="warning">
          {m.manyAttemptsFail(l, { failed: counts.attempts - counts.delivered, attempts: counts.attempts })}
        </p>
      )}
      {isSlow && (
        <p className="note" data-kind="warning">
          {m.receiverSlow(l)}
        </p>
      )}
      {disablesAt !== null && (
        <p className="note" data-kind="warning">
          {m.disablesAt(l, { failures: failuresInRow, time: formatTime(l, disablesAt) })}{' '}
          {m.hoursLeft(l, { count: hoursLeft })}
        </p>
      )}
      {lastFailure && (
        <p className="small">
          <span className="muted">{m.lastFailure(l, { time: formatTime(l, lastFailure.date) })}</span>{' '}
          {lastFailure.words}
        </p>
      )}
    </section>
  );
}

function Fact({ words, value, isText }: { words: string; value: string; isText?: boolean }) {
  return (
    <div>
      <dt className="muted small">{words}</dt>
      <dd data-text={isText}>{value}</dd>
    </div>
  );
}

type Hour = { hoursAgo: number; attempts: number; delivered: number };

/** An hour without attempts has no row. */
const NONE = { attempts: 0, delivered: 0 };

/** Attempts of the last 24 hours, one bar per hour: accepted ones below, failed ones above. */
function HourChart({ hours }: { hours: readonly Hour[] }) {
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
