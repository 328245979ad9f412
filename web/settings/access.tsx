import { Link, redirect, useActionData, useLoaderData } from 'react-router';
import { changeStanding, listStandings } from '#src/identity/access/standing.ts';
import type { AccessKind, Approval } from '#src/identity/board/board.ts';
import { changeBoard } from '#src/identity/settings/settings.ts';
import type { Locale } from '../i18n/languages.ts';
import * as m from '../i18n/messages.ts';
import { PageForm, Submit, TextArea } from '../parts/forms/form.tsx';
import { Radios, SaveBar } from '../parts/forms/settings-fields.tsx';
import { formAnswerOf } from '../parts/requests/forms.ts';
import { useBoard, useLocale } from '../parts/requests/locale.ts';
import { memberAction, memberLoader } from '../parts/requests/member.ts';
import { withUndo } from '../parts/requests/undo.ts';
import { PageTitle } from '../parts/show/page-title.tsx';

export const loader = memberLoader('board.edit', async ({ context }) => {
  const { access, mail_domains, approval } = context.board;
  const people = (await listStandings(context)).map(({ id, name, email, standing }) => ({
    id,
    name: name ?? email,
    isBlocked: standing === 'BLOCKED',
  }));
  return { access, mailDomains: mail_domains.replaceAll(' ', '\n'), approval, people };
});

export const action = memberAction('board.edit', async ({ visit, context, form }) => {
  const here = `/b/${context.board.pid}/settings/access?done=saved`;
  if (form.intent === 'normal') {
    visit.personChanged(await changeStanding(context, form.id ?? '', 'NORMAL'));
    throw redirect(withUndo(visit, here));
  }
  const { access = '', mailDomains = '', approval = '' } = form;
  if (form.intent === 'save' && closes(context.board.access, access)) return { closing: form };
  await changeBoard(context, { access, mailDomains, approval });
  visit.keysChanged();
  throw redirect(withUndo(visit, here));
});

/** Whether people who see the board now will not see it afterwards, which requires confirmation. */
function closes(before: AccessKind, after: string): boolean {
  return after !== before && (after === 'SIGNED_IN' || after === 'MEMBERS') && before !== 'MEMBERS';
}

/** Who may see the board and write on it, and what needs approval. */
export default function Access() {
  const settings = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const answer = formAnswerOf(result);
  const l = useLocale();
  return (
    <div className="stack sections narrow">
      <div className="stack">
        <PageTitle>{m.access(l)}</PageTitle>
        <p className="muted">{m.accessHelp(l)}</p>
      </div>
      {result && 'closing' in result ? (
        <Closing form={result.closing} />
      ) : (
        <PageForm answer={answer} intent="save" isGuarded>
          <Radios name="access" legend={m.accessKind(l)} defaultValue={settings.access} options={kinds(l)} />
          <TextArea
            name="mailDomains"
            label={m.mailDomains(l)}
            help={m.mailDomainsHelp(l)}
            defaultValue={settings.mailDomains}
            rows={3}
          />
          <Radios
            name="approval"
            legend={m.approval(l)}
            help={m.approvalHelp(l)}
            defaultValue={settings.approval}
            options={approvals(l)}
          />
          <SaveBar>
            <Submit>{m.save(l)}</Submit>
          </SaveBar>
        </PageForm>
      )}
      <section className="stack" aria-labelledby="standings">
        <h2 id="standings">{m.standings(l)}</h2>
        <p className="muted">{m.standingsHelp(l)}</p>
        {settings.people.length === 0 ? <p>{m.noStandings(l)}</p> : <People people={settings.people} />}
      </section>
    </div>
  );
}

type Person = Awaited<ReturnType<typeof loader>>['people'][number];

/** Trusted and blocked users, with buttons to undo either. */
function People({ people }: { people: readonly Person[] }) {
  const board = useBoard();
  const l = useLocale();
  return (
    <ul className="rows">
      {people.map(({ id, name, isBlocked }) => (
        <li key={id} className="row-item">
          <Link to={`/b/${board?.pid}/people/${id}`} dir="auto">
            {name ?? m.nameless(l)}
          </Link>
          <span className="muted small">{isBlocked ? m.blocked(l) : m.trusted(l)}</span>
          <PageForm answer={undefined} intent="normal" className="inline">
            <input type="hidden" name="id" value={id} />
            <Submit kind="plain">
              {isBlocked ? m.unblock(l) : m.endTrust(l)} <span className="visually-hidden">{name}</span>
            </Submit>
          </PageForm>
        </li>
      ))}
    </ul>
  );
}

function kinds(l: Locale): Record<AccessKind, string> {
  return {
    PUBLIC: m.accessPublic(l),
    PUBLIC_READ: m.accessPublicRead(l),
    SIGNED_IN: m.accessSignedIn(l),
    MEMBERS: m.accessMembers(l),
  };
}

function approvals(l: Locale): Record<Approval, string> {
  return { NONE: m.approvalNone(l), FIRST: m.approvalFirst(l), ALL: m.approvalAll(l) };
}

/** What changes for whom before a board becomes private. */
function Closing({ form }: { form: Record<string, string> }) {
  const l = useLocale();
  const { access = '', mailDomains = '', approval = '' } = form;
  return (
    <section className="stack" aria-labelledby="closing">
      <h2 id="closing">{m.closingTitle(l)}</h2>
      <ul className="stack tight">
        <li>{access === 'MEMBERS' ? m.closingMembers(l) : m.closingSignedIn(l)}</li>
        <li>{m.closingLinks(l)}</li>
        <li>{m.closingApi(l)}</li>
      </ul>
      <PageForm answer={undefined} intent="close">
        <input type="hidden" name="access" value={access} />
        <input type="hidden" name="mailDomains" value={mailDomains} />
        <input type="hidden" name="approval" value={approval} />
        <div className="row">
          <Submit>{m.closeBoard(l)}</Submit>
          <a className="button" href="?">
            {m.cancel(l)}
          </a>
        </div>
      </PageForm>
    </section>
  );
}
