import '../moderation/entry.css';
import '../parts/styles/panel.css';
import '../parts/styles/settings.css';
import type { ReactNode } from 'react';
import { Link, redirect, useActionData, useLoaderData } from 'react-router';
import { requirePerson } from '#src/feedback/people/people.ts';
import { changeStanding } from '#src/identity/access/standing.ts';
import { findCompaniesOf } from '#src/identity/companies/company.ts';
import { deleteNote, listNotes, NOTE_LENGTH, writeNote } from '#src/identity/notes/notes.ts';
import { may } from '#src/identity/users/authority.ts';
import type { UserRow } from '#src/identity/users/users.ts';
import { eraseUser } from '#src/operations/erasures/erasures.ts';
import type { Locale } from '../i18n/languages.ts';
import * as m from '../i18n/messages.ts';
import { PageForm, Submit, TextArea } from '../parts/forms/form.tsx';
import { orErrorPage } from '../parts/requests/failure.ts';
import { formAnswerOf } from '../parts/requests/forms.ts';
import { countChange } from '../parts/requests/joining.ts';
import { useBoard, useLocale } from '../parts/requests/locale.ts';
import { memberAction, memberLoader } from '../parts/requests/member.ts';
import { peopleOf } from '../parts/requests/people.ts';
import { reportDone } from '../parts/requests/toasts.ts';
import { withUndo } from '../parts/requests/undo.ts';
import { Byline } from '../parts/show/byline.tsx';
import { Icon } from '../parts/show/icon.tsx';
import { Older } from '../parts/show/older.tsx';
import { Picker } from '../parts/show/picker.tsx';
import { Time } from '../parts/show/time.tsx';
import { type Doing, type DoneView, doings, mayErase, readDoings, requireErasable, viewPerson } from './person.ts';
import { PersonalData } from './personal-data.tsx';
import { attributesText, standingOf } from './words.ts';

const PAGE = 20;

export const loader = memberLoader('user.notes', async (view, args) => {
  const { context } = view;
  const { actor } = context;
  const person = await orErrorPage(requirePerson(context, args.params.user ?? ''));
  const { user } = person;
  const show = doings.find((doing) => doing === args.url.searchParams.get('show')) ?? 'ideas';
  const part = { cursor: args.url.searchParams.get('after'), limit: PAGE };
  const { rows, next } = await orErrorPage(readDoings(context, user.id, show, part));
  const notes = await listNotes(context, user.id);
  const companies = (await findCompaniesOf(context.db.read, context.board.id, [user.id])).get(user.id) ?? [];
  const authorOf = await peopleOf(
    view,
    notes.map(({ author_id }) => author_id),
  );
  return {
    companies: companies.map(({ id, name, plan }) => ({ id, name, plan })),
    person: { ...viewPerson(person), bio: user.bio, date: user.date_created, cameBy: cameByOf(user) },
    mayChangeStanding: user.role === 'MEMBER',
    mayErase: mayErase(actor, user),
    show,
    rows,
    next: next && `?${new URLSearchParams({ show, after: next })}`,
    noteLength: NOTE_LENGTH,
    notes: notes.map(({ id, text, author_id, date_created: date }) => {
      return { id, text, date, author: authorOf(author_id), mayDelete: may(actor, 'note.delete', author_id) };
    }),
  };
});

/** How a user came to the board, and who they are where they came from. */
function cameByOf({ account_id, is_invited, sso_type, sso_id }: UserRow) {
  const kind = is_invited ? 'invitation' : account_id !== null ? 'account' : sso_id !== null ? 'product' : null;
  return { kind, sso: sso_id === null ? null : `${sso_type} · ${sso_id}` } as const;
}

export const action = memberAction('user.notes', async ({ visit, context, form }, args) => {
  const { user = '' } = args.params;
  await countChange({ visit, context });
  const here = `/b/${context.board.pid}/people/${encodeURIComponent(user)}?done=`;
  switch (form.intent) {
    case 'standing':
      visit.personChanged(await changeStanding(context, user, form.standing ?? ''));
      throw redirect(withUndo(visit, `${here}saved`));
    case 'note':
      await writeNote(context, user, form.text ?? '');
      throw redirect(reportDone(visit, `${here}saved`));
    case 'erase': {
      await requireErasable(context, user);
      const { gone } = await eraseUser(context, { id: user }, form.content !== 'delete');
      visit.personChanged(gone);
      throw redirect(reportDone(visit, `/b/${context.board.pid}/people?done=erased`));
    }
    case 'delete-note':
      await deleteNote(context, user, form.id ?? '');
      throw redirect(reportDone(visit, `${here}gone`));
  }
  throw new Response(null, { status: 400 });
});

type PersonPage = Awaited<ReturnType<typeof loader>>;

/** Who a user is, what they did on the board, and what the team notes about them. */
export default function PersonPage() {
  const { person, mayChangeStanding, mayErase } = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const board = useBoard();
  const l = useLocale();
  const name = person.name ?? m.nameless(l);
  return (
    <main id="main" className="page stack sections">
      <title>{`${name} · ${board?.name ?? ''}`}</title>
      <div className="intro">
        <Link className="back" to={`/b/${board?.pid}/people`}>
          <Icon name="arrow-left" flips />
          {m.people(l)}
        </Link>
        <h1 dir="auto">{name}</h1>
        {person.bio && (
          <p className="muted measure" dir="auto">
            {person.bio}
          </p>
        )}
      </div>
      <Facts person={person} />
      {mayChangeStanding && <StandingForm standing={person.standing} />}
      <Notes />
      <Doings />
      {mayErase && <PersonalData person={person} answer={answer} />}
    </main>
  );
}

function Facts({ person }: Pick<PersonPage, 'person'>) {
  const l = useLocale();
  const { companies } = useLoaderData<typeof loader>();
  const board = useBoard();
  const facts: [name: string, value: ReactNode][] = [
    [m.role(l), standingOf(l, person)],
    [m.email(l), person.email ?? '–'],
    [
      m.companies(l),
      companies.length === 0
        ? '–'
        : companies.map(({ id, name, plan }) => (
            <div key={id}>
              <Link to={`/b/${board?.pid}/people?company=${id}`} dir="auto">
                {name}
              </Link>
              {plan !== null && ` · ${plan}`}
            </div>
          )),
    ],
    [m.attributes(l), <bdi key="attributes">{attributesText(person.attributes)}</bdi>],
    [m.cameBy(l), cameByText(l, person.cameBy)],
    [m.memberSince(l), <Time key="since" date={person.date} />],
    [m.lastActive(l), person.dateLast === null ? m.never(l) : <Time key="last" date={person.dateLast} />],
  ];
  return (
    <dl className="facts measure">
      {facts.map(([fact, value]) => (
        <Fact key={fact} name={fact}>
          {value}
        </Fact>
      ))}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt dir="auto">{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function cameByText(l: Locale, { kind, sso }: PersonPage['person']['cameBy']): ReactNode {
  const words = { invitation: m.cameByInvitation, account: m.cameByAccount, product: m.cameByProduct };
  return (
    <>
      {kind === null ? '–' : words[kind](l)} {sso && <bdi className="muted">{sso}</bdi>}
    </>
  );
}

/** Trusts or blocks the user, or neither. */
function StandingForm({ standing }: Pick<PersonPage['person'], 'standing'>) {
  const l = useLocale();
  const words = {
    TRUSTED: m.trustPerson(l),
    BLOCKED: m.blockPerson(l),
    NORMAL: standing === 'BLOCKED' ? m.unblock(l) : m.endTrust(l),
  };
  const others = (['TRUSTED', 'BLOCKED', 'NORMAL'] as const).filter((other) => other !== standing);
  return (
    <PageForm answer={formAnswerOf(useActionData<typeof action>())} intent="standing" className="row">
      {others.map((other) => (
        <Submit key={other} kind="plain" name="standing" value={other}>
          {words[other]}
        </Submit>
      ))}
    </PageForm>
  );
}

/** What the team notes about the user. */
function Notes() {
  const { notes, noteLength } = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const l = useLocale();
  return (
    <section className="stack measure" aria-labelledby="notes">
      <h2 id="notes">{m.notes(l)}</h2>
      <p className="muted small">{m.notesHelp(l)}</p>
      {notes.length > 0 && (
        <ol className="posts">
          {notes.map((note) => (
            <Note key={note.id} note={note} />
          ))}
        </ol>
      )}
      <PageForm answer={answer} intent="note" key={notes[0]?.id}>
        <TextArea name="text" label={m.yourNote(l)} rows={3} maxLength={noteLength} required />
        <div>
          <Submit>{m.sendNote(l)}</Submit>
        </div>
      </PageForm>
    </section>
  );
}

function Note({ note }: { note: PersonPage['notes'][number] }) {
  const l = useLocale();
  return (
    <li className="entry stack">
      <p className="kept" dir="auto">
        {note.text}
      </p>
      <div className="row">
        <p className="meta">
          <Byline author={note.author} date={note.date} />
        </p>
        {note.mayDelete && (
          <Picker
            id={`delete-${note.id}`}
            label={m.deleteNote(l)}
            className="icon-button"
            button={<Icon name="trash" />}
          >
            <PageForm answer={undefined} intent="delete-note">
              <p>{m.cannotBeUndone(l)}</p>
              <input type="hidden" name="id" value={note.id} />
              <Submit kind="danger">{m.reallyDelete(l)}</Submit>
            </PageForm>
          </Picker>
        )}
      </div>
    </li>
  );
}

/** What the user did on the board, one kind at a time. */
function Doings() {
  const { show, rows, next } = useLoaderData<typeof loader>();
  const l = useLocale();
  const names: Record<Doing, string> = { ideas: m.ideas(l), votes: m.votesName(l), comments: m.commentsName(l) };
  return (
    <section aria-labelledby="doings">
      <h2 id="doings">{m.whatTheyDid(l)}</h2>
      <nav className="tabs" aria-labelledby="doings">
        {Object.entries(names).map(([doing, name]) => (
          <Link key={doing} to={`?show=${doing}`} aria-current={doing === show ? 'page' : undefined} preventScrollReset>
            {name}
          </Link>
        ))}
      </nav>
      {rows.length === 0 && <p className="empty">{m.nothingDone(l)}</p>}
      <ol className="posts">
        {rows.map((row) => (
          <Done key={row.id} row={row} />
        ))}
      </ol>
      <Older to={next} />
    </section>
  );
}

function Done({ row }: { row: DoneView }) {
  const board = useBoard();
  const l = useLocale();
  return (
    <li className="entry stack">
      <h3 dir="auto">
        <Link to={`/b/${board?.pid}/${row.path}`}>{row.title}</Link>
      </h3>
      {row.text && <p dir="auto">{row.text}</p>}
      <p className="meta">
        {row.vote === 'DOWN' && <span>{m.votedAgainst(l)}</span>}
        <Time date={row.date} />
      </p>
    </li>
  );
}
