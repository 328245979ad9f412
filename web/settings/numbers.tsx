import '../parts/team/charts.css';
import type { ReactNode } from 'react';
import { Form, Link, useLoaderData } from 'react-router';
import { countWaiting, MAX_WAITING } from '#src/feedback/finding/triage.ts';
import { periods, readInsights } from '#src/feedback/insights/insights.ts';
import { readOutcomes } from '#src/feedback/insights/outcomes.ts';
import { listAttributes, readSegments } from '#src/feedback/insights/segments.ts';
import { listStatuses } from '#src/feedback/statuses/statuses.ts';
import { listTags } from '#src/feedback/tags/tags.ts';
import { listSegments } from '#src/identity/customers/segments.ts';
import { may } from '#src/identity/users/authority.ts';
import { formatCount, formatShortDay } from '../i18n/format.ts';
import { formatChange, formatDuration, formatPercent } from '../i18n/measures.ts';
import * as m from '../i18n/messages.ts';
import { Select } from '../parts/forms/form.tsx';
import { useBoard, useLocale } from '../parts/requests/locale.ts';
import { memberLoader } from '../parts/requests/member.ts';
import { PageTitle } from '../parts/show/page-title.tsx';
import { Table } from '../parts/show/table.tsx';
import { BarChart, type Series, Totals } from '../parts/team/bar-chart.tsx';
import { postPath } from '../posts/posts.ts';
import { StatusChip } from '../posts/status.tsx';
import { statusViewOf } from '../posts/statuses.ts';

export const loader = memberLoader('post.status', async ({ context }, args) => {
  const query = args.url.searchParams;
  const { db, board, actor } = context;
  const tags = await listTags(db.read, board.id, actor);
  const own = may(actor, 'customer.see') ? await listSegments(context) : [];
  const scope = {
    weeks: periods.find((weeks) => String(weeks) === query.get('weeks')) ?? periods[0],
    tag: tags.find(({ id }) => id === query.get('tag'))?.id ?? null,
    segment: own.find(({ id }) => id === query.get('segment')) ?? null,
  };
  const viewOf = statusViewOf(await listStatuses(context.db.read, context.board.id));
  const outcomes = await readOutcomes(context);
  const attributes = await listAttributes(context);
  const asked = query.get('by');
  const by = attributes.find((name) => name === asked) ?? attributes[0];
  const segments = by === undefined ? [] : await readSegments(context, by);
  return {
    ...(await readInsights(context, {
      weeks: scope.weeks,
      tagId: scope.tag,
      segment: scope.segment?.filter ?? null,
    })),
    periods,
    scope: { ...scope, segment: scope.segment?.id ?? null },
    tags: tags.map(({ id, name }) => ({ id, name })),
    own: own.map(({ id, name }) => ({ id, name })),
    timeZone: context.actor.time_zone ?? context.board.time_zone,
    attributes,
    by,
    segments: segments.map(({ ideas, ...segment }) => ({
      ...segment,
      ideas: ideas.map((idea) => ({ ...idea, path: postPath(idea) })),
    })),
    waiting: await countWaiting(context),
    most: MAX_WAITING,
    outcomes: outcomes.map(({ status, ...counts }) => ({ ...counts, id: status.id, status: viewOf(status) })),
  };
});

/** How many ideas and votes come, how soon the team answers, and what becomes of what it plans. */
export default function Numbers() {
  const numbers = useLoaderData<typeof loader>();
  const { weeks, before, answers, completed, scope, waiting, most, outcomes, timeZone, attributes, by, segments } =
    numbers;
  const board = useBoard();
  const l = useLocale();
  const hasPrograms = weeks.some((week) => week.votesOfPrograms > 0);
  const bars = (of: 'ideas' | 'votes') =>
    weeks.map((week) => {
      const programs = of === 'votes' && hasPrograms ? [week.votesOfPrograms] : [];
      return { label: formatShortDay(l, week.from, timeZone), values: [week[of], ...programs] };
    });
  const series = (of: 'ideas' | 'votes'): Series[] => [
    { name: of === 'ideas' ? m.ideas(l) : m.votesName(l), tone: 'plain' },
    ...(of === 'votes' && hasPrograms ? [{ name: m.votesOfPrograms(l), tone: 'warning' } as const] : []),
  ];
  const share = answers.ideas === 0 ? null : formatPercent(l, answers.answered / answers.ideas);
  return (
    <div className="stack sections wide">
      <div className="stack">
        <PageTitle>{m.numbers(l)}</PageTitle>
        <p className="muted">{m.numbersHelp(l)}</p>
      </div>
      <ScopeForm {...numbers} />
      <dl className="figures">
        <Figure name={m.timeToAnswer(l)} value={answers.median === null ? '–' : formatDuration(l, answers.median)}>
          {share === null ? m.noIdeasInWeeks(l) : m.answeredShare(l, { share, count: answers.ideas })}
        </Figure>
        <Figure
          name={m.timeToComplete(l)}
          value={completed.median === null ? '–' : formatDuration(l, completed.median)}
        >
          {m.completedCount(l, { count: completed.ideas })}
        </Figure>
        <Figure name={m.triageUnanswered(l)} value={waiting < most ? formatCount(l, waiting) : `${most - 1}+`}>
          <Link to={`/b/${board?.pid}/triage/unanswered`}>{m.triage(l)}</Link>
        </Figure>
      </dl>
      {(['ideas', 'votes'] as const).map((of) => (
        <section key={of} className="stack" aria-labelledby={of}>
          <h2 id={of}>{of === 'ideas' ? m.ideasPerWeek(l) : m.votesByWeek(l)}</h2>
          <Trend now={weeks.reduce((sum, week) => sum + week[of], 0)} before={before[of]} />
          {of === 'votes' && hasPrograms && <Totals bars={bars(of)} series={series(of)} />}
          <BarChart bars={bars(of)} series={series(of)} heading={m.weekFrom(l)} caption={m.asTable(l)} file={of} />
        </section>
      ))}
      {by !== undefined && (
        <section className="stack" aria-labelledby="segments">
          <h2 id="segments">{m.segments(l)}</h2>
          <p className="muted">{m.segmentsHelp(l)}</p>
          <Form className="row" action="#segments">
            {Object.entries(scope).map(
              ([name, value]) => value && <input key={name} type="hidden" {...{ name, value }} />,
            )}
            <Select
              key={by}
              name="by"
              label={m.attribute(l)}
              defaultValue={by}
              options={Object.fromEntries(attributes.map((name) => [name, name]))}
            />
            <button type="submit" className="button">
              {m.show(l)}
            </button>
          </Form>
          {segments.length === 0 ? (
            <p className="empty">{m.segmentsNone(l)}</p>
          ) : (
            <Segments segments={segments} by={by} />
          )}
        </section>
      )}
      <section className="stack" aria-labelledby="outcomes">
        <h2 id="outcomes">{m.outcomes(l)}</h2>
        <p className="muted">{m.outcomesHelp(l)}</p>
        <Outcomes outcomes={outcomes} />
      </section>
    </div>
  );
}

type ScopeProps = Pick<Awaited<ReturnType<typeof loader>>, 'scope' | 'periods' | 'tags' | 'own' | 'by'>;

/** Chooses the weeks, the tag and the segment that are counted. */
function ScopeForm({ scope, periods, tags, own, by }: ScopeProps) {
  const l = useLocale();
  const anyOf = (all: ScopeProps['tags']) => ({
    '': m.filterAny(l),
    ...Object.fromEntries(all.map((one) => [one.id, one.name])),
  });
  return (
    <Form className="row" key={Object.values(scope).join()}>
      {by !== undefined && <input type="hidden" name="by" value={by} />}
      <Select
        name="weeks"
        label={m.period(l)}
        defaultValue={String(scope.weeks)}
        options={Object.fromEntries(periods.map((weeks) => [weeks, m.lastWeeks(l, { count: weeks })]))}
      />
      {tags.length > 0 && <Select name="tag" label={m.tag(l)} defaultValue={scope.tag ?? ''} options={anyOf(tags)} />}
      {own.length > 0 && (
        <Select name="segment" label={m.filterSegment(l)} defaultValue={scope.segment ?? ''} options={anyOf(own)} />
      )}
      <button type="submit" className="button">
        {m.show(l)}
      </button>
    </Form>
  );
}

/** How many came, and how many in as many weeks before. */
function Trend({ now, before }: { now: number; before: number }) {
  const l = useLocale();
  const words = { now: formatCount(l, now), before: formatCount(l, before) };
  return (
    <p className="muted">
      {before === 0 ? m.trendFirst(l, words) : m.trend(l, { ...words, change: formatChange(l, now / before - 1) })}
    </p>
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

type SegmentsProps = Pick<Awaited<ReturnType<typeof loader>>, 'segments'> & { by: string };

/** The most asked ideas of the users with each value of an attribute. */
function Segments({ segments, by }: SegmentsProps) {
  const board = useBoard();
  const l = useLocale();
  return (
    <Table
      rows={segments}
      keyOf={({ value }) => value}
      columns={[
        { name: by, head: <bdi>{by}</bdi>, cell: ({ value }) => <bdi>{value || '–'}</bdi> },
        { name: m.votesName(l), className: 'whole', cell: ({ votes }) => formatCount(l, votes) },
        {
          name: m.segmentIdeas(l),
          cell: ({ ideas }) => (
            <ol className="stack tight">
              {ideas.map(({ id, title, votes, path }) => (
                <li key={id}>
                  <Link to={`/b/${board?.pid}/${path}`} dir="auto">
                    {title}
                  </Link>{' '}
                  <span className="muted">{m.voteCount(l, { count: votes })}</span>
                </li>
              ))}
            </ol>
          ),
        },
      ]}
    />
  );
}

type OutcomesProps = Pick<Awaited<ReturnType<typeof loader>>, 'outcomes'>;

function Outcomes({ outcomes }: OutcomesProps) {
  const l = useLocale();
  const count = (name: string, of: (outcome: OutcomesProps['outcomes'][number]) => number) => ({
    name,
    className: 'whole',
    cell: (outcome: OutcomesProps['outcomes'][number]) => formatCount(l, of(outcome)),
  });
  return (
    <Table
      rows={outcomes}
      keyOf={({ id }) => id}
      columns={[
        { name: m.status(l), cell: ({ status }) => <StatusChip status={status} /> },
        count(m.outcomeIdeas(l), ({ ideas }) => ideas),
        count(m.outcomeRemaining(l), ({ remaining }) => remaining),
        count(m.outcomeCompleted(l), ({ completed }) => completed),
        count(m.outcomeElsewhere(l), ({ ideas, remaining, completed }) => ideas - remaining - completed),
      ]}
    />
  );
}
