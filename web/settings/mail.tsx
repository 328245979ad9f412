import type { CSSProperties } from 'react';
import { type ActionFunctionArgs, Link, redirect, useActionData, useLoaderData } from 'react-router';
import { checkMailDomain, type MailCheck, nameInSpf, senderDomain } from '#src/identity/settings/dns.ts';
import { sendTestMail } from '#src/identity/settings/test-mail.ts';
import { listMails, type MailState as State } from '#src/platform/mail/mails.ts';
import { formatTime } from '../i18n/measures.ts';
import * as m from '../i18n/messages.ts';
import { PageForm, Submit } from '../parts/forms/form.tsx';
import { orErrorPage } from '../parts/requests/failure.ts';
import { formAnswerOf, orFormAnswer, readForm } from '../parts/requests/forms.ts';
import { useLocale } from '../parts/requests/locale.ts';
import { memberLoader, requireMember } from '../parts/requests/member.ts';
import { reportDone } from '../parts/requests/toasts.ts';
import { PageTitle } from '../parts/show/page-title.tsx';
import { Sentence } from '../parts/show/sentence.tsx';
import { Table } from '../parts/show/table.tsx';

const PAGE = 25;

export const loader = memberLoader('board.edit', async ({ visit, context }, args) => {
  const { db, mail } = visit;
  const cursor = args.url.searchParams.get('cursor');
  const page = await orErrorPage(listMails(db.read, context.board.id, { cursor, limit: PAGE }));
  return {
    me: context.actor.email,
    server: mail.server,
    from: mail.from,
    folder: mail.folder,
    domain: mail.server === null ? null : senderDomain(mail.from),
    spf: mail.server === null ? null : nameInSpf(mail.server),
    cursor: page.cursor,
    isFirstPage: cursor === null,
    // Their texts are not shown: some contain links that sign their recipient in.
    mails: page.nodes.map(({ id, recipient, subject, state, tries, last_error, date_created, date_due }) => ({
      id,
      recipient,
      subject,
      state,
      tries,
      error: state === 'sent' ? null : last_error,
      date: date_created,
      next: state === 'waiting' && tries > 0 ? date_due : null,
    })),
  };
});

export async function action(args: ActionFunctionArgs) {
  const { visit, context } = await requireMember(args, 'board.edit');
  const form = await readForm(args.request);
  const domain = senderDomain(visit.mail.from);
  if (form.intent === 'dns' && domain !== null) return { dns: await checkMailDomain(domain) };
  return orFormAnswer({}, async () => {
    const error = await sendTestMail(context, visit.sender.cipher, visit.mail.transport, context.actor.email);
    if (error !== null) return { failure: error };
    throw redirect(reportDone(visit, `/b/${context.board.pid}/settings/mail?done=mailed`));
  });
}

/** What the board has mailed, and whether mail works. */
export default function Mail() {
  const { me, server, from, folder, domain, spf, mails, cursor, isFirstPage } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const l = useLocale();
  return (
    <div className="stack sections wide">
      <div className="stack">
        <PageTitle>{m.mail(l)}</PageTitle>
        {server ? (
          <p className="muted">
            <Sentence
              text={m.mailServer(l, { server: '{server}', from: '{from}' })}
              parts={{ server: <bdi>{server}</bdi>, from: <bdi>{from}</bdi> }}
            />
          </p>
        ) : (
          <p className="note">
            {m.mailFiles(l)} <code className="break">{folder}</code>
          </p>
        )}
        {result && 'failure' in result && (
          <p className="note" data-kind="error" role="alert">
            {m.mailFailed(l)} {result.failure}
          </p>
        )}
        {me !== null && (
          <PageForm answer={formAnswerOf(result)}>
            <div className="row">
              <Submit>{m.mailTest(l, { address: me })}</Submit>
            </div>
          </PageForm>
        )}
      </div>
      {domain && <DnsLines spf={spf} domain={domain} found={result && 'dns' in result ? result.dns : undefined} />}
      <section className="stack" aria-labelledby="mails">
        <h2 id="mails">{m.mails(l)}</h2>
        {mails.length === 0 ? <p className="empty">{m.noMails(l)}</p> : <Mails mails={mails} />}
        <nav className="row" aria-label={m.pages(l)}>
          {!isFirstPage && <Link to="?">{m.newest(l)}</Link>}
          {cursor && <Link to={`?cursor=${cursor}`}>{m.older(l)}</Link>}
        </nav>
      </section>
    </div>
  );
}

type DnsLinesProps = { spf: string | null; domain: string; found: MailCheck | null | undefined };

/** The lines in DNS by which receivers tell mail of the domain from forgeries, and what is there. */
function DnsLines({ spf, domain, found }: DnsLinesProps) {
  const l = useLocale();
  const lines = [
    ['SPF', domain, <Code key="spf">{`v=spf1 ${spf ?? `ip4:${m.spfAddress(l)}`} ~all`}</Code>, found?.spf],
    ['DKIM', `…._domainkey.${domain}`, m.dkimLine(l), undefined],
    ['DMARC', `_dmarc.${domain}`, <Code key="dmarc">v=DMARC1; p=none</Code>, found?.dmarc],
  ] as const;
  return (
    <section className="stack" aria-labelledby="dns">
      <h2 id="dns">{m.mailDns(l)}</h2>
      <p className="muted">{m.mailDnsHelp(l)}</p>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">TXT</th>
            <th scope="col">{m.domainName(l)}</th>
            <th scope="col">{m.dnsLine(l)}</th>
            {found && <th scope="col">{m.dnsFound(l)}</th>}
          </tr>
        </thead>
        <tbody>
          {lines.map(([kind, name, line, there]) => (
            <tr key={kind}>
              <th scope="row">
                <code>{kind}</code>
              </th>
              <td data-label={m.domainName(l)}>
                <Code>{name}</Code>
              </td>
              <td data-label={m.dnsLine(l)}>{line}</td>
              {found && <td data-label={m.dnsFound(l)}>{there ? there.join('\n') || m.dnsNothing(l) : '–'}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {found === null && <p className="note">{m.dnsLate(l)}</p>}
      <PageForm answer={undefined} intent="dns">
        <div className="row">
          <Submit kind="plain">{m.checkDns(l)}</Submit>
        </div>
      </PageForm>
    </section>
  );
}

/** A part of an entry in DNS. */
function Code({ children }: { children: string }) {
  return (
    <code className="break" dir="ltr">
      {children}
    </code>
  );
}

function Mails({ mails }: { mails: Awaited<ReturnType<typeof loader>>['mails'] }) {
  const l = useLocale();
  return (
    <Table
      rows={mails}
      keyOf={({ id }) => id}
      columns={[
        { name: m.subject(l), cell: ({ subject }) => <bdi>{subject}</bdi> },
        { name: m.recipient(l), className: 'address', cell: ({ recipient }) => recipient },
        {
          name: m.state(l),
          cell: ({ state, tries, error, next }) => (
            <div className="stack tight">
              <MailState state={state} />
              {error && <span className="muted small">{error}</span>}
              {next !== null && (
                <span className="muted small">
                  {m.tries(l, { count: tries })} {m.nextAttempt(l, { time: formatTime(l, next) })}
                </span>
              )}
            </div>
          ),
        },
        { name: m.time(l), className: 'whole', cell: ({ date }) => formatTime(l, date) },
      ]}
    />
  );
}

const colors: Record<State, string> = {
  waiting: 'var(--warn)',
  sent: 'var(--good)',
  bounced: 'var(--bad)',
  given_up: 'var(--bad)',
};

/** The state of a mail, in a word. */
function MailState({ state }: { state: State }) {
  const l = useLocale();
  const words = {
    waiting: m.mailWaiting(l),
    sent: m.mailSentState(l),
    bounced: m.mailBounced(l),
    given_up: m.mailGivenUp(l),
  };
  return (
    <span className="status" style={{ '--status-color': colors[state] } as CSSProperties}>
      {words[state]}
    </span>
  );
}
