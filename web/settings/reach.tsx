import './reach.css';
import { useEffect, useState } from 'react';
import type { Change, OverviewCheck } from '#src/operations/reach/finding.ts';
import type { Locale } from '../i18n/languages.ts';
import * as m from '../i18n/messages.ts';
import { useLocale } from '../parts/requests/locale.ts';
import { Icon } from '../parts/show/icon.tsx';
import { Table } from '../parts/show/table.tsx';
import { CopyButton, CopyText } from '../parts/team/copy.tsx';
import type { FindingView } from './reach.ts';

const names: Record<OverviewCheck, (l: Locale) => string> = {
  address: m.reachAddress,
  scheme: m.reachScheme,
  host: m.reachHost,
  origin: m.reachOrigin,
  compression: m.reachCompression,
  mail: m.mail,
  sender: m.reachSender,
  providers: m.providers,
};

type ReachProps = {
  findings: readonly FindingView[];
  /** The time on the server. */
  now: number;
};

/** What stands between people and the board: what is wrong with the line to change, and the rest on request. */
export function Reach({ findings, now }: ReachProps) {
  const l = useLocale();
  const wrong = findings.filter(({ isRight }) => isRight === false);
  const skew = useSkewMinutes(now);
  return (
    <section className="stack reach" aria-labelledby="reach">
      <h2 id="reach">{m.reach(l)}</h2>
      {skew > 0 && <p className="note">{m.reachClock(l, { count: skew })}</p>}
      {wrong.length > 0 ? <Findings findings={wrong} /> : <p>{m.reachRight(l)}</p>}
      <details className="fold">
        <summary>{m.reachChecked(l)}</summary>
        <div className="stack">
          <Findings findings={findings.filter(({ isRight }) => isRight !== false)} />
          <CopyText text="npm run -s earshot -- doctor" label={m.reachDoctor(l)} />
        </div>
      </details>
    </section>
  );
}

/** How far the clocks of the server and of the browser are apart, as far as it matters. */
function useSkewMinutes(now: number): number {
  const [skew, setSkew] = useState(0);
  useEffect(() => setSkew(Math.floor(Math.abs(Date.now() - now) / 60_000)), [now]);
  return skew;
}

function Findings({ findings }: Pick<ReachProps, 'findings'>) {
  const l = useLocale();
  return (
    <Table
      rows={findings}
      keyOf={({ check }) => check}
      columns={[
        {
          name: m.reachWhat(l),
          className: 'words',
          cell: ({ check, isRight }) => (
            <>
              <span>{names[check](l)}</span>
              <Verdict isRight={isRight} />
            </>
          ),
        },
        {
          name: m.reachSeen(l),
          cell: ({ seen, why, change }) => (
            <div className="stack tight">
              <bdi>{seen}</bdi>
              {why && (
                <p className="small">
                  <bdi>{why}</bdi>
                </p>
              )}
              {change && <Line change={change} />}
            </div>
          ),
        },
      ]}
    />
  );
}

function Verdict({ isRight }: Pick<FindingView, 'isRight'>) {
  const l = useLocale();
  const [icon, words] = {
    true: ['check', m.reachIsRight(l)] as const,
    false: ['x', m.reachIsWrong(l)] as const,
    null: ['ring-open', m.reachIsUnclear(l)] as const,
  }[`${isRight}` as const];
  return (
    <span className="verdict small" data-right={String(isRight)}>
      <Icon name={icon} size={14} />
      {words}
    </span>
  );
}

/** The line to change, and its forms for several proxies. */
function Line({ change: { line, forms } }: { change: Change }) {
  const l = useLocale();
  const [first, ...others] = forms;
  return (
    <>
      <p className="label small">
        {m.reachChange(l)} {first && `(${first.proxy})`}
      </p>
      <div className="row">
        <code className="break" dir="ltr">
          {line}
        </code>
        <CopyButton text={line} kind="quiet" />
      </div>
      {others.length > 0 && (
        <details>
          <summary className="small">{m.reachForms(l)}</summary>
          <dl className="stack tight">
            {others.map((form) => (
              <div key={form.proxy}>
                <dt className="label small">{form.proxy}</dt>
                <dd>
                  <code className="break" dir="ltr">
                    {form.line}
                  </code>
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  );
}
