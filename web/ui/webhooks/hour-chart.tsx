import * as m from '../../i18n/messages.ts';
import { useLocale } from '../../lib/locale.ts';

type Hour = { hoursAgo: number; attempts: number; delivered: number };

const HOURS = 24;
const WIDTH = 480;
const HEIGHT = 64;
const STEP = WIDTH / HOURS;

/** Attempts of the last 24 hours, an hour a bar: what was accepted below, what failed above. */
export function HourChart({ hours }: { hours: readonly Hour[] }) {
  const l = useLocale();
  const most = Math.max(1, ...hours.map(({ attempts }) => attempts));
  const heightOf = (count: number) => (count / most) * (HEIGHT - 2);
  const shown = hours.toSorted((a, b) => b.hoursAgo - a.hoursAgo);
  return (
    <figure className="stack tight">
      <svg className="hour-chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <line x1="0" y1={HEIGHT} x2={WIDTH} y2={HEIGHT} className="chart-axis" />
        {shown.map(({ hoursAgo, attempts, delivered }) => {
          const x = (HOURS - 1 - hoursAgo) * STEP + 2;
          const [good, bad] = [heightOf(delivered), heightOf(attempts - delivered)];
          return (
            <g key={hoursAgo}>
              <rect x={x} y={HEIGHT - good} width={STEP - 4} height={good} className="chart-good" />
              <rect x={x} y={HEIGHT - good - bad} width={STEP - 4} height={bad} className="chart-bad" />
            </g>
          );
        })}
      </svg>
      <details className="small">
        <summary className="muted">{m.hourChart(l)}</summary>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{m.hour(l)}</th>
              <th scope="col">{m.attemptsDelivered(l)}</th>
              <th scope="col">{m.attemptsFailed(l)}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ hoursAgo, attempts, delivered }) => (
              <tr key={hoursAgo}>
                <th scope="row" data-label={m.hour(l)}>
                  {m.hoursAgo(l, { count: hoursAgo })}
                </th>
                <td data-label={m.attemptsDelivered(l)}>{delivered.toLocaleString(l)}</td>
                <td data-label={m.attemptsFailed(l)}>{(attempts - delivered).toLocaleString(l)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
