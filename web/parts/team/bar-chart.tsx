import './charts.css';
import type { CSSProperties } from 'react';
import { formatCount } from '../../i18n/format.ts';
import * as m from '../../i18n/messages.ts';
import { useLocale } from '../requests/locale.ts';
import { Table } from '../show/table.tsx';

/** What is counted, in the order in which it is stacked, the lowest first. */
export type Series = { name: string; tone: 'plain' | 'good' | 'warning' | 'bad' };
/** One bar: its label, and a number for each series. */
export type Bar = { label: string; values: readonly number[] };

/** The address of a file that the page has in itself, so that it also comes without scripts. */
function csvOf(bars: readonly Bar[], head: readonly string[]): string {
  const rows = [head, ...bars.map(({ label, values }) => [label, ...values])];
  const text = rows.map((row) => row.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join()).join('\r\n');
  return `data:text/csv;charset=utf-8,${encodeURIComponent(`\uFEFF${text}\r\n`)}`;
}

const WIDTH = 480;
const HEIGHT = 64;
/** So few bars have room for their figures. */
const FEW = 12;

type ChartProps = {
  bars: readonly Bar[];
  series: readonly Series[];
  /** The heading of the bars' labels. */
  heading: string;
  /** The title of the table with the same numbers. */
  caption: string;
  /** The name of a CSV file with the same numbers; none without one. */
  file?: string;
};

/** Numbers over time as stacked bars, and the same numbers as a table for people who cannot see them. */
export function BarChart({ bars, series, heading, caption, file }: ChartProps) {
  const l = useLocale();
  return (
    <figure className="stack tight">
      {bars.length <= FEW && (
        <p className="chart-figures muted" style={{ '--bars': bars.length } as CSSProperties} aria-hidden="true">
          {bars.map(({ label, values }) => (
            <span key={label}>{formatCount(l, sum(values))}</span>
          ))}
        </p>
      )}
      <Bars bars={bars} series={series} />
      <p className="chart-ends muted small" aria-hidden="true">
        <span>{bars[0]?.label}</span>
        <span>{bars.at(-1)?.label}</span>
      </p>
      <details className="small">
        <summary className="muted">{caption}</summary>
        <Table
          rows={bars}
          keyOf={({ label }) => label}
          columns={[
            { name: heading, cell: ({ label }) => label },
            ...series.map(({ name }, n) => ({
              name,
              className: 'whole',
              cell: ({ values }: Bar) => formatCount(l, values[n] ?? 0),
            })),
          ]}
        />
        {file && (
          <a href={csvOf(bars, [heading, ...series.map(({ name }) => name)])} download={`${file}.csv`}>
            {m.downloadCsv(l)}
          </a>
        )}
      </details>
    </figure>
  );
}

function Bars({ bars, series }: Pick<ChartProps, 'bars' | 'series'>) {
  const step = WIDTH / bars.length;
  const most = Math.max(1, ...bars.map(({ values }) => sum(values)));
  const heightOf = (count: number) => (count / most) * (HEIGHT - 2);
  return (
    <svg className="bar-chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <line x1="0" y1={HEIGHT} x2={WIDTH} y2={HEIGHT} className="chart-axis" />
      {bars.map(({ label, values }, n) => (
        <g key={label}>
          {series.map(({ name, tone }, s) => (
            <rect
              key={name}
              x={n * step + step / 10}
              y={HEIGHT - heightOf(sum(values.slice(0, s + 1)))}
              width={step * 0.8}
              height={heightOf(values[s] ?? 0)}
              className={`chart-${tone}`}
            />
          ))}
        </g>
      ))}
    </svg>
  );
}

/** The sums of a chart in words, with the colors of its bars. */
export function Totals({ bars, series }: Pick<ChartProps, 'bars' | 'series'>) {
  const l = useLocale();
  return (
    <dl className="totals small">
      {series.map(({ name, tone }, n) => (
        <div key={name}>
          <dt className="status" style={{ '--status-color': toneColors[tone] } as CSSProperties}>
            {name}
          </dt>
          <dd>{formatCount(l, sum(bars.map(({ values }) => values[n] ?? 0)))}</dd>
        </div>
      ))}
    </dl>
  );
}

const toneColors: Record<Series['tone'], string> = {
  plain: 'var(--pen)',
  good: 'var(--good)',
  warning: 'var(--warn)',
  bad: 'var(--bad)',
};

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
