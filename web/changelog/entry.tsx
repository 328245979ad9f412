import './changelog.css';
import {
  type ActionFunctionArgs,
  Link,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useLoaderData,
} from 'react-router';
import { type EntryRow, entryPath, findEntryByNumber, labelsOf } from '#src/feedback/changelog/entries.ts';
import { listUsedLabels } from '#src/feedback/changelog/list.ts';
import { WAIT_MINUTES } from '#src/feedback/changelog/mailing.ts';
import { areEntryMailsHeld } from '#src/feedback/changelog/publishing.ts';
import { countSubscribers } from '#src/feedback/changelog/subscribers.ts';
import { excerptOf } from '#src/feedback/posts/excerpt.ts';
import { may } from '#src/identity/users/authority.ts';
import { printLocal } from '#src/platform/lib/time-zone.ts';
import { parseLocale } from '../i18n/format.ts';
import { formatTime } from '../i18n/measures.ts';
import * as m from '../i18n/messages.ts';
import { parseNext } from '../lib/next.ts';
import { PageForm, Submit } from '../parts/forms/form.tsx';
import { type FormAnswer, formAnswerOf, orFormAnswer, readForm } from '../parts/requests/forms.ts';
import { describePage } from '../parts/requests/head.ts';
import { countChange, findParticipant, openView, signInTo, type View } from '../parts/requests/joining.ts';
import { useBoard, useLocale } from '../parts/requests/locale.ts';
import { requireMember } from '../parts/requests/member.ts';
import { withUndo } from '../parts/requests/undo.ts';
import { versionsOf } from '../parts/requests/versions.ts';
import { Icon } from '../parts/show/icon.tsx';
import { doWithEntry, viewPlan } from './acting.ts';
import { ChangelogEntry } from './article.tsx';
import { type EntryView, viewEntries } from './entries.ts';
import { describeEntryForm, handleEntryForm, nameIdea } from './form.ts';
import { EntryForm } from './form.tsx';
import { Publish, StopMails } from './publish.tsx';
import { Subscribe } from './subscribe.tsx';
import { viewSubscription } from './subscription.ts';

export async function loader(args: LoaderFunctionArgs) {
  const view = await openView(args);
  const row = await requireEntry(view, args.params.number);
  const [entry] = await viewEntries(view, [row], true);
  if (!entry) throw new Response(null, { status: 404 });
  const mayWrite = may(view.context.actor, 'changelog.edit');
  const isEditing = args.url.searchParams.has('edit') && mayWrite;
  const head = describePage(view.context, {
    title: entry.title,
    description: excerptOf(row.text),
    path: `/${entry.path}`,
    isIndexed: entry.state === 'PUBLISHED',
    feed: { title: m.changelog(parseLocale(view.visit.language())), path: '/changelog.atom' },
    ...(row.date_published !== null && { published: row.date_published }),
  });
  const isPublished = entry.state === 'PUBLISHED';
  const { db, board } = view.context;
  return {
    head,
    entry,
    mayWrite,
    /** How many will get it by mail, and when. */
    mailed: { count: isPublished ? 0 : await countSubscribers(db.read, board.id, entry.labels), minutes: WAIT_MINUTES },
    plan: mayWrite && !isPublished ? await viewPlan(args, row) : null,
    areMailsHeld: mayWrite && isPublished && (await areEntryMailsHeld(view.context, row.id)),
    subscription: isPublished ? await viewSubscription(view) : null,
    labels: isPublished ? await listUsedLabels(view.context) : [],
    editing: isEditing ? await viewForm(args, row, entry) : null,
  };
}

/** @throws the page that says so when there is none that the viewer may see */
async function requireEntry({ context }: View, number: string | undefined): Promise<EntryRow> {
  const entry = await findEntryByNumber(context, Number(number));
  if (!entry) throw new Response(null, { status: 404 });
  return entry;
}

/** The form for an entry, with what it has now. */
async function viewForm(args: LoaderFunctionArgs, entry: EntryRow, { ideas, files }: EntryView) {
  const { context } = await requireMember(args, 'changelog.edit');
  const form = await describeEntryForm(context);
  const fields: Record<string, string> = Object.assign(
    { title: entry.title, text: entry.text },
    ...labelsOf(entry).map((label) => ({ [`label:${label}`]: 'on' })),
    ...ideas.map((idea) => ({ ...nameIdea(idea), [`post:${idea.id}`]: 'on' })),
    ...files.map(({ id, name }) => ({ [`file-name:${id}`]: name, [`file:${id}`]: 'on' })),
    entry.date_scheduled === null ? {} : { at: printLocal(form.zone, entry.date_scheduled) },
  );
  return { form, fields, versions: versionsOf({ title: entry.title, text: entry.text }) };
}

export async function action(args: ActionFunctionArgs) {
  const view = await openView(args);
  const entry = await requireEntry(view, args.params.number);
  if (args.url.searchParams.has('edit')) return handleEntryForm(args, entry);
  const form = await readForm(args.request.clone());
  return orFormAnswer(form, async () => {
    const participant = await findParticipant(args);
    const next = parseNext(form.next) ?? args.url.pathname;
    if (!participant) throw redirect(await signInTo(view.visit, view.context.board, `/${entryPath(entry)}`));
    await countChange(participant);
    const there = await doWithEntry(participant.context, entry, form);
    throw redirect(there === null ? next : withUndo(view.visit, there));
  });
}

/** An entry of the changelog, with what the team can do with it. */
export default function Entry() {
  const { entry, mayWrite, mailed, plan, areMailsHeld, subscription, labels, editing } = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const board = useBoard();
  const l = useLocale();
  if (!board) return null;
  return (
    <main id="main" className="page changelog">
      <div className="row spread">
        <Link className="back" to={`/b/${board.pid}/changelog`}>
          <Icon name="arrow-left" flips />
          {m.backToChangelog(l)}
        </Link>
        {mayWrite && !editing && <Tools entry={entry} answer={answer} />}
      </div>
      {answer?.message && !editing && (
        <p className="note" data-kind="error" role="alert">
          {answer.message}
        </p>
      )}
      {entry.state !== 'PUBLISHED' && !editing && (
        <div className="note stack">
          <p>
            {entry.state === 'DRAFT' ? m.draftNote(l) : m.scheduledFor(l, { time: formatTime(l, entry.date) })}{' '}
            {mailed.count > 0 && m.entryMailed(l, mailed)}
          </p>
          {plan && <Publish plan={plan} answer={answer} />}
        </div>
      )}
      {areMailsHeld && !editing && <StopMails title={entry.title} answer={answer} />}
      {editing ? (
        <>
          <h1>{m.editEntry(l)}</h1>
          <EntryForm {...editing} isPublished={entry.state === 'PUBLISHED'} answer={answer} back="?" />
        </>
      ) : (
        <div>
          <ChangelogEntry entry={entry} level="h1" />
        </div>
      )}
      {subscription && !editing && <Subscribe subscription={subscription} labels={labels} />}
    </main>
  );
}

/** What the team can do with an entry. Deleting it is confirmed, and what keeps it is offered beside. */
function Tools({ entry, answer }: { entry: EntryView; answer: FormAnswer | undefined }) {
  const l = useLocale();
  const isDraft = entry.state === 'DRAFT';
  return (
    <div className="row">
      <Link className="button" to="?edit">
        {m.edit(l)}
      </Link>
      {!isDraft && (
        <PageForm answer={answer} intent="unpublish" action="?">
          <Submit kind="plain">{entry.state === 'PUBLISHED' ? m.unpublish(l) : m.unschedule(l)}</Submit>
        </PageForm>
      )}
      <details className="confirm">
        <summary>{m.deleteEntry(l)}</summary>
        <PageForm answer={answer} intent="delete" action="?">
          <p className="small">{isDraft ? m.cannotBeUndone(l) : m.deleteEntryHelp(l)}</p>
          <Submit kind="danger">{m.reallyDeleteEntry(l)}</Submit>
        </PageForm>
      </details>
    </div>
  );
}
