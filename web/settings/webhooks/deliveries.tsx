import { Form, Link } from 'react-router';
import { formatCount } from '../../i18n/format.ts';
import { formatMs, formatTime } from '../../i18n/measures.ts';
import * as m from '../../i18n/messages.ts';
import { Checkbox, PageForm, Select, Submit } from '../../parts/forms/form.tsx';
import type { FormAnswer } from '../../parts/requests/forms.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { Table } from '../../parts/show/table.tsx';
import { DeliveryStateName, type DeliveryStateView, deliveryStateWords } from './state.tsx';

/** A delivery as a line of the log. */
export type DeliveryView = {
  id: string;
  event: string;
  state: DeliveryStateView;
  outcome: string | null;
  attempts: number;
  status: number | null;
  milliseconds: number | null;
  date: number;
};

/** The filters of the log, which are in the URL. */
export type LogFilters = { state: string; event: string; since: string };

type LogProps = {
  rows: readonly DeliveryView[];
  filters: LogFilters;
  eventTypes: readonly string[];
  older: string | null;
  isFirstPage: boolean;
  isEnabled: boolean;
  answer: FormAnswer | undefined;
};

/** The deliveries of a webhook, the newest first: to search, view and resend them. */
export function Log({ rows, filters, eventTypes, older, isFirstPage, isEnabled, answer }: LogProps) {
  const l = useLocale();
  const isFiltered = Object.values(filters).some((value) => value !== '');
  return (
    <section className="stack" aria-labelledby="log">
      <h2 id="log">{m.deliveries(l)}</h2>
      <Filters filters={filters} eventTypes={eventTypes} />
      {rows.length === 0 ? (
        <p className="empty">{isFiltered ? m.noDeliveriesFound(l) : m.noDeliveries(l)}</p>
      ) : (
        <PageForm answer={answer} intent="replay">
          <Rows rows={rows} />
          <Checkbox name="again" label={m.replayDelivered(l)} />
          <div className="row">
            <Submit kind="plain">{m.replaySelected(l)}</Submit>
          </div>
        </PageForm>
      )}
      <nav className="row" aria-label={m.pages(l)}>
        {!isFirstPage && <Link to={`?${query(filters)}`}>{m.newest(l)}</Link>}
        {older && <Link to={`?${query({ ...filters, before: older })}`}>{m.older(l)}</Link>}
      </nav>
      {isEnabled && (
        <PageForm answer={answer} intent="missed" className="inline">
          <Select name="since" label={m.replayMissedSince(l)} defaultValue="24h" options={sinceWords(l)} />
          <Submit kind="plain">{m.replayMissed(l)}</Submit>
        </PageForm>
      )}
    </section>
  );
}

function Rows({ rows }: Pick<LogProps, 'rows'>) {
  const l = useLocale();
  return (
    <Table
      className="table log"
      rows={rows}
      keyOf={({ id }) => id}
      headerAt={1}
      columns={[
        {
          name: m.choose(l),
          head: <span className="visually-hidden">{m.choose(l)}</span>,
          cell: ({ id, event }) => (
            <input type="checkbox" name={`delivery:${id}`} aria-label={m.chooseDelivery(l, { event })} />
          ),
        },
        { name: m.event(l), cell: ({ id, event }) => <Link to={`deliveries/${id}`}>{event}</Link> },
        { name: m.state(l), cell: ({ state }) => <DeliveryStateName state={state} /> },
        {
          name: m.lastAnswer(l),
          cell: ({ outcome, status, milliseconds }) => {
            // The code is part of most outcomes.
            const code = status === null || outcome?.includes(String(status)) ? null : String(status);
            const facts = [code, milliseconds === null ? null : formatMs(l, milliseconds)];
            return (
              <span>
                {outcome ?? '–'} <span className="muted nowrap">{facts.filter(Boolean).join(' · ')}</span>
              </span>
            );
          },
        },
        { name: m.attempts(l), className: 'whole', cell: ({ attempts }) => formatCount(l, attempts) },
        { name: m.time(l), cell: ({ date }) => formatTime(l, date) },
      ]}
    />
  );
}

function Filters({ filters, eventTypes }: { filters: LogFilters; eventTypes: readonly string[] }) {
  const l = useLocale();
  const { sending: _, ...states } = deliveryStateWords(l);
  return (
    <Form method="get" className="filters" role="search" aria-label={m.deliveries(l)}>
      <Select name="state" label={m.state(l)} defaultValue={filters.state} options={{ '': m.all(l), ...states }} />
      <Select
        name="event"
        label={m.event(l)}
        defaultValue={filters.event}
        options={{ '': m.all(l), ...Object.fromEntries(eventTypes.map((type) => [type, type])) }}
      />
      <Select
        name="since"
        label={m.time(l)}
        defaultValue={filters.since}
        options={{ '': m.all(l), ...sinceWords(l) }}
      />
      <button type="submit" className="button">
        {m.show(l)}
      </button>
    </Form>
  );
}

function sinceWords(l: ReturnType<typeof useLocale>): Record<string, string> {
  return { '1h': m.sinceHour(l), '24h': m.sinceDay(l), '7d': m.sinceWeek(l), '30d': m.sinceMonth(l) };
}

function query(parameters: Record<string, string>): string {
  return new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== '')).toString();
}
