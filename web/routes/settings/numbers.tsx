import '../../styles/charts.css';
import type { ReactNode } from 'react';
import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { countWaiting, MAX_WAITING } from '#src/feedback/finding/triage.ts';
import { readInsights } from '#src/feedback/insights/insights.ts';
import { readOutcomes } from '#src/feedback/insights/outcomes.ts';
import { listStatuses } from '#src/feedback/statuses/statuses.ts';
import { formatCount, formatShortDay } from '../../i18n/format.ts';
import { formatDuration, formatPercent } from '../../i18n/measures.ts';
import * as m from '../../i18n/messages.ts';
import { useBoard, useLocale } from '../../lib/locale.ts';
import { requireMember } from '../../lib/member.ts';
import { statusViewOf } from '../../lib/statuses.ts';
import { BarChart, type Series, Totals } from '../../ui/bar-chart.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { StatusChip } from '../../ui/status.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const { context } = await requireMember(args, 'post.status');
  const viewOf = statusViewOf(await listStatuses(context.db.read, context.board.id));
  const outcomes = await readOutcomes(context);
  return {
    ...(await readInsights(context)),
    timeZone: context.actor.time_zone ?? context.board.time_zone,
    waiting: await countWaiting(context),
    most: MAX_WAITING,
    outcomes: outcomes.map(({ status, ...counts }) => ({ ...counts, id: status.id, status: viewOf(status) })),
  };
}

/** How many ideas and votes come, how soon the team answers, and what becomes of what it plans. */
export default function Numbers() {
  const { weeks, answers, waiting, most, outcomes, timeZone } = useLoaderData<typeof loader>();
  const board = useBoard();
  const l = useLocale();
  const hasPrograms = weeks.some((week) => week.votesOfPrograms > 0);
  const bars = (of: 'ideas' | 'votes') =>
    weeks.map((week) => {
      const programs = of === 'votes' && hasPrograms ? [week.votesOfPrograms] : [];
      return { label: formatShortDay(l, week.from, timeZone), values: [week[of], ...programs] };
    });
  const series = (of: 'ideas' | 'votes'): Series[] => [
    { name: of === 'ideas' ? m.ideas(l) : m.votesName(l), tone: 'good' },
    ...(of === 'votes' && hasPrograms ? [{ name: m.votesOfPrograms(l), tone: 'warning' } as const] : []),
  ];
  const share = answers.ideas === 0 ? null : formatPercent(l, answers.answered / answers.ideas);
  return (
    <div className="stack sections wide">
      <div className="stack">
        <PageTitle>{m.numbers(l)}</PageTitle>
        <p className="muted">{m.numbersHelp(l)}</p>
      </div>
      <dl className="figures">
        <Figure name={m.timeToAnswer(l)} value={answers.median === null ? '–' : formatDuration(l, answers.median)}>
          {share === null ? m.noIdeasInWeeks(l) : m.answeredShare(l, { share, count: answers.ideas })}
        </Figure>
        <Figure name={m.triageUnanswered(l)} value={waiting < most ? formatCount(l, waiting) : `${most - 1}+`}>
          <Link to={`/b/${board?.pid}/triage/unanswered`}>{m.triage(l)}</Link>
        </Figure>
      </dl>
      {(['ideas', 'votes'] as const).map((of) => (
        <section key={of} className="stack" aria-labelledby={of}>
          <h2 id={of}>{of === 'ideas' ? m.ideasPerWeek(l) : m.votesByWeek(l)}</h2>
          {of === 'votes' && hasPrograms && <Totals bars={bars(of)} series={series(of)} />}
          <BarChart bars={bars(of)} series={series(of)} heading={m.weekFrom(l)} caption={m.asTable(l)} />
        </section>
      ))}
      <section className="stack" aria-labelledby="outcomes">
        <h2 id="outcomes">{m.outcomes(l)}</h2>
        <p className="muted">{m.outcomesHelp(l)}</p>
        <Outcomes outcomes={outcomes} />
      </section>
    </div>
  );
}

function Figure({ name, value, children }: { name: string; value: string; children: ReactNode }) {
  return (
    <div>
      <dt className="muted small">{name}</dt>
      <dd>
        <strong>{value}</strong>
        <span className="muted small">{children}</span>
      </dd>
    </div>
  );
}

function Outcomes({ outcomes }: Pick<Awaited<ReturnType<typeof loader>>, 'outcomes'>) {
  const l = useLocale();
  return (
    <table className="table">
      <thead>
        <tr>
          <th scope="col">{m.status(l)}</th>
          <th scope="col">{m.outcomeIdeas(l)}</th>
          <th scope="col">{m.outcomeRemaining(l)}</th>
          <th scope="col">{m.outcomeCompleted(l)}</th>
          <th scope="col">{m.outcomeElsewhere(l)}</th>
        </tr>
      </thead>
      <tbody>
        {outcomes.map(({ id, status, ideas, remaining, completed }) => (
          <tr key={id}>
            <th scope="row" data-label={m.status(l)}>
              <StatusChip status={status} />
            </th>
            <td data-label={m.outcomeIdeas(l)}>{formatCount(l, ideas)}</td>
            <td data-label={m.outcomeRemaining(l)}>{formatCount(l, remaining)}</td>
            <td data-label={m.outcomeCompleted(l)}>{formatCount(l, completed)}</td>
            <td data-label={m.outcomeElsewhere(l)}>{formatCount(l, ideas - remaining - completed)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
