import './triage.css';
import { useMemo } from 'react';
import {
  type ActionFunctionArgs,
  Link,
  Outlet,
  redirect,
  useActionData,
  useLoaderData,
  useParams,
  useSearchParams,
} from 'react-router';
import type { Locale } from '../i18n/languages.ts';
import * as m from '../i18n/messages.ts';
import { addQuery, parseNext } from '../lib/next.ts';
import { formAnswerOf, orFormAnswer, readFormWithTexts } from '../parts/requests/forms.ts';
import { countChange } from '../parts/requests/joining.ts';
import { useBoard, useLocale } from '../parts/requests/locale.ts';
import { memberLoader, requireMember } from '../parts/requests/member.ts';
import { withUndo } from '../parts/requests/undo.ts';
import { Icon } from '../parts/show/icon.tsx';
import { useLive } from '../posts/live.ts';
import { FilterBar } from '../posts/team/filter-bar.tsx';
import { filterOf, withQuery } from '../posts/team/query.ts';
import { ViewList } from '../posts/team/view-list.tsx';
import { isTriageView, type TriageView, triageViews } from '../posts/triage-views.ts';
import { TriageList } from './list.tsx';
import { MergePreview } from './merge-preview.tsx';
import { changeMany, type TriagePage, viewMerging, viewTriage } from './triage.ts';

export const loader = memberLoader('post.assign', ({ visit, context }, args) => {
  const { view } = args.params;
  if (view === undefined) throw redirect(`/b/${context.board.pid}/triage/${triageViews[0]}`);
  if (!isTriageView(view)) throw new Response(null, { status: 404 });
  return viewTriage(visit, context, view, args.url.searchParams);
});

/** Changes the chosen ideas, all of them or none. */
export async function action(args: ActionFunctionArgs) {
  const { visit, context } = await requireMember(args, 'post.assign');
  const { form, texts: ids } = await readFormWithTexts(args.request, 'post');
  return orFormAnswer(form, async () => {
    if (form.do === 'merge') return { merging: await viewMerging(context, ids) };
    await countChange({ visit, context });
    const count = await changeMany(context, ids, form.do ?? '');
    const place = parseNext(form.next) ?? `/b/${context.board.pid}/triage/${args.params.view}`;
    throw redirect(withUndo(visit, addQuery(place, `done=saved&changed=${count}`)));
  });
}

/** What the lists of triage can be filtered by. */
const filters = ['status', 'tag', 'field', 'assignee', 'segment', 'votes', 'newer', 'older', 'waiting'];

/** The desk of the team: a list of ideas, and beside it the one that is being worked on. */
export default function Triage() {
  const page = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const { view, desk, posts, next } = page;
  const { number } = useParams();
  const board = useBoard();
  const l = useLocale();
  const home = `/b/${board?.pid}/triage`;
  const filter = filterOf(desk);
  const open = number === undefined ? undefined : Number(number);
  // The open one is followed as well if it is none of the list.
  const followed = useMemo(() => (open === undefined ? posts : [{ number: open }, ...posts]), [posts, open]);
  useLive(followed, page.allStatuses, open);
  return (
    <main id="main" className="triage" data-open={number !== undefined || undefined}>
      {number === undefined && <title>{`${m.triage(l)} · ${board?.name ?? ''}`}</title>}
      <section className="triage-list" aria-labelledby="triage">
        <header>
          <div>
            <h1 id="triage">{m.triage(l)}</h1>
            <button type="button" className="button" data-opens="palette">
              {m.palette(l)}
            </button>
          </div>
          <nav aria-label={m.triageViews(l)}>
            {page.views.map((name) => (
              <Link key={name} to={`${home}/${name}`} aria-current={name === view ? 'page' : undefined}>
                {nameOf(l, name)}
              </Link>
            ))}
            <Link to={`/b/${board?.pid}/moderation`}>{m.moderation(l)}</Link>
          </nav>
          <ViewList desk={desk} />
          <FilterBar desk={desk} parameters={filters} />
        </header>
        {result && 'merging' in result && <MergePreview merging={result.merging} home={`${home}/${view}`} />}
        <TriageList page={page} home={`${home}/${view}`} filter={filter} answer={formAnswerOf(result)} />
        {next && (
          <Link className="button" to={`${home}/${view}?${new URLSearchParams([...filter, ['after', next]])}`}>
            {m.nextPage(l)}
          </Link>
        )}
      </section>
      {number === undefined ? <Begin posts={posts} home={`${home}/${view}`} filter={filter} /> : <Outlet />}
    </main>
  );
}

/** Where to begin, while no idea is open. */
function Begin({ posts, home, filter }: Pick<TriagePage, 'posts'> & { home: string; filter: URLSearchParams }) {
  const l = useLocale();
  const board = useBoard();
  const [query] = useSearchParams();
  const [first] = posts;
  return (
    <div className="empty triage-begin">
      <Icon name="list" />
      <strong>{query.has('welcome') ? m.triageWelcome(l, { board: board?.name ?? '' }) : m.triageChoose(l)}</strong>
      <p>{m.triageHelp(l)}</p>
      {first && (
        <Link className="button" to={withQuery(`${home}/${first.number}`, filter)} aria-keyshortcuts="j">
          {m.triageBegin(l)}
        </Link>
      )}
      <Keys />
    </div>
  );
}

/** What the keys of an idea do, for the list of keys while none is open. */
function Keys() {
  const l = useLocale();
  const keys = {
    x: m.choose(l),
    e: m.triageDone(l),
    s: m.status(l),
    t: m.tags(l),
    a: m.assign(l),
    z: m.snooze(l),
    m: m.merge(l),
    r: m.publicReply(l),
  };
  return (
    <dl hidden>
      {Object.entries(keys).map(([key, words]) => (
        <dt key={key} data-key={key}>
          {words}
        </dt>
      ))}
    </dl>
  );
}

function nameOf(l: Locale, view: TriageView): string {
  switch (view) {
    case 'unanswered':
      return m.triageUnanswered(l);
    case 'mine':
      return m.triageMine(l);
    case 'issues':
      return m.triageIssues(l);
    case 'no-status':
      return m.triageNoStatus(l);
    case 'most-asked':
      return m.triageMostAsked(l);
    case 'snoozed':
      return m.triageSnoozed(l);
    default:
      return view satisfies never;
  }
}
