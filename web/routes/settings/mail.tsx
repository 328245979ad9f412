import {
  type ActionFunctionArgs,
  Link,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useLoaderData,
} from 'react-router';
import { sendTestMail } from '#src/identity/settings/test-mail.ts';
import { listMails } from '#src/platform/mail/mails.ts';
import { formatTime } from '../../i18n/measures.ts';
import * as m from '../../i18n/messages.ts';
import { orErrorPage } from '../../lib/failure.ts';
import { formAnswerOf, orFormAnswer } from '../../lib/forms.ts';
import { useLocale } from '../../lib/locale.ts';
import { requireMember } from '../../lib/member.ts';
import { PageForm, Submit } from '../../ui/form.tsx';
import { MailState } from '../../ui/mail-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';

const PAGE = 25;

export async function loader(args: LoaderFunctionArgs) {
  const { visit, context } = await requireMember(args, 'board.edit');
  const { db, mail } = visit;
  const cursor = args.url.searchParams.get('cursor');
  const page = await orErrorPage(listMails(db.read, context.board.id, { cursor, limit: PAGE }));
  return {
    me: context.actor.email,
    server: mail.server,
    from: mail.from,
    folder: mail.folder,
    cursor: page.cursor,
    isFirstPage: cursor === null,
    // Their texts are not shown: some contain links that sign their recipient in.
    mails: page.nodes.map(({ id, recipient, subject, state, tries, last_error, date_created, date_due }) => ({
      ...{ id, recipient, subject, state, tries },
      error: state === 'sent' ? null : last_error,
      date: date_created,
      next: state === 'waiting' && tries > 0 ? date_due : null,
    })),
  };
}

export async function action(args: ActionFunctionArgs) {
  const { visit, context } = await requireMember(args, 'board.edit');
  return orFormAnswer({}, async () => {
    const error = await sendTestMail(context, visit.sender.cipher, visit.mail.transport, context.actor.email);
    if (error !== null) return { failure: error };
    throw redirect(`/b/${context.board.pid}/settings/mail?done=mailed`);
  });
}

/** What the board has mailed, and whether mail works. */
export default function Mail() {
  const { me, server, from, folder, mails, cursor, isFirstPage } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const l = useLocale();
  return (
    <div className="stack sections wide">
      <div className="stack">
        <PageTitle>{m.mail(l)}</PageTitle>
        {server ? (
          <p className="muted">{m.mailServer(l, { server, from })}</p>
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

function Mails({ mails }: { mails: Awaited<ReturnType<typeof loader>>['mails'] }) {
  const l = useLocale();
  return (
    <table className="table">
      <thead>
        <tr>
          <th scope="col">{m.subject(l)}</th>
          <th scope="col">{m.recipient(l)}</th>
          <th scope="col">{m.state(l)}</th>
          <th scope="col">{m.time(l)}</th>
        </tr>
      </thead>
      <tbody>
        {mails.map(({ id, subject, recipient, state, tries, error, date, next }) => (
          <tr key={id}>
            <th scope="row" data-label={m.subject(l)} dir="auto">
              <span>{subject}</span>
            </th>
            <td data-label={m.recipient(l)}>{recipient}</td>
            <td data-label={m.state(l)}>
              <div className="stack tight">
                <MailState state={state} />
                {error && <span className="muted small">{error}</span>}
                {next !== null && (
                  <span className="muted small">
                    {m.tries(l, { count: tries })} {m.nextAttempt(l, { time: formatTime(l, next) })}
                  </span>
                )}
              </div>
            </td>
            <td data-label={m.time(l)}>{formatTime(l, date)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
