import { Link, useLoaderData } from 'react-router';
import { canNotifyOwners } from '#src/webhooks/delivery/health-mail.ts';
import { countAttempts, withLastSuccess } from '#src/webhooks/log/statistics.ts';
import { listWebhooks, WEBHOOKS_PER_BOARD } from '#src/webhooks/webhook/webhooks.ts';
import { formatPercent, formatTime } from '../../i18n/measures.ts';
import * as m from '../../i18n/messages.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { memberLoader } from '../../parts/requests/member.ts';
import { PageTitle } from '../../parts/show/page-title.tsx';
import { Table } from '../../parts/show/table.tsx';
import { KindBadge, WebhookStateName } from './state.tsx';
import { fieldsOfWebhook, readNarrowings, webhookState } from './webhooks.ts';

export const loader = memberLoader('webhook.manage', async ({ visit, context }) => {
  const { db, clock } = visit;
  const rows = await withLastSuccess(db.read, await listWebhooks(db.read, context.board.id));
  const counts = await countAttempts(db.slow, context.board.id, clock.now());
  const { statuses, tags } = await readNarrowings(context);
  const namesIn = (all: { id: string; name: string }[], ids: readonly string[] | null) =>
    ids && all.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
  return {
    isWithoutMail: rows.length > 0 && !(await canNotifyOwners(db.read, context.board.id)),
    isFull: rows.length >= WEBHOOKS_PER_BOARD,
    most: WEBHOOKS_PER_BOARD,
    webhooks: rows.map((row) => {
      const { kind, events, statusIds, tagIds } = fieldsOfWebhook(row);
      return {
        id: row.id,
        kind,
        statuses: namesIn(statuses, statusIds),
        tags: namesIn(tags, tagIds),
        host: row.host,
        path: new URL(row.url).pathname,
        state: webhookState(row),
        events,
        counts: counts.get(row.id) ?? null,
        lastSuccess: row.date_last_success,
      };
    }),
  };
});

/** The receivers of the board's events. */
export default function Webhooks() {
  const { webhooks, isFull, isWithoutMail, most } = useLoaderData<typeof loader>();
  const l = useLocale();
  return (
    <div className="stack wide">
      <PageTitle>{m.webhooks(l)}</PageTitle>
      <p className="muted">{m.webhooksHelp(l)}</p>
      {isWithoutMail && (
        <p className="note" data-kind="warning">
          {m.webhooksWithoutMail(l)}
        </p>
      )}
      {isFull ? (
        <p className="note">{m.webhooksFull(l, { most })}</p>
      ) : (
        <p>
          <Link className="button" data-kind="primary" to="new">
            {m.createWebhook(l)}
          </Link>
        </p>
      )}
      {webhooks.length === 0 ? <p className="empty">{m.noWebhooks(l)}</p> : <List webhooks={webhooks} />}
    </div>
  );
}

function List({ webhooks }: Pick<Awaited<ReturnType<typeof loader>>, 'webhooks'>) {
  const l = useLocale();
  return (
    <Table
      rows={webhooks}
      keyOf={({ id }) => id}
      columns={[
        {
          name: m.host(l),
          cell: ({ id, kind, host, path }) => (
            <bdi className="two-lines" dir="ltr">
              <Link to={id}>{host}</Link> <span className="muted small">{path}</span> <KindBadge kind={kind} />
            </bdi>
          ),
        },
        { name: m.state(l), cell: ({ state }) => <WebhookStateName state={state} /> },
        {
          name: m.events(l),
          className: 'words',
          cell: ({ events, statuses, tags }) => (
            <div>
              {events === null ? m.eventsAllShort(l) : events.join(', ')}
              <Narrowed words={m.onlyStatuses(l)} names={statuses} />
              <Narrowed words={m.onlyTags(l)} names={tags} />
            </div>
          ),
        },
        {
          name: m.successRate(l),
          cell: ({ counts }) => (counts ? formatPercent(l, counts.delivered / counts.attempts) : '–'),
        },
        {
          name: m.lastSuccess(l),
          className: 'nowrap',
          cell: ({ lastSuccess }) => (lastSuccess === null ? m.never(l) : formatTime(l, lastSuccess)),
        },
      ]}
    />
  );
}

/** The statuses or tags to which a webhook is narrowed. */
function Narrowed({ words, names }: { words: string; names: string[] | null }) {
  const l = useLocale();
  if (names === null) return null;
  return (
    <p className="muted small">
      {words}: <bdi>{new Intl.ListFormat(l).format(names)}</bdi>
    </p>
  );
}
