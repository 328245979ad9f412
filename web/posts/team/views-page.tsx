import '../../parts/styles/settings.css';
import './desk.css';
import { Link, redirect, useActionData, useLoaderData } from 'react-router';
import * as m from '../../i18n/messages.ts';
import { addQuery } from '../../lib/next.ts';
import { PageForm, Select, Submit, TextField } from '../../parts/forms/form.tsx';
import { type FormAnswer, formAnswerOf } from '../../parts/requests/forms.ts';
import { useBoard, useLocale } from '../../parts/requests/locale.ts';
import { memberAction, memberLoader } from '../../parts/requests/member.ts';
import { withUndo } from '../../parts/requests/undo.ts';
import { controlOf } from './controls.ts';
import { changeViews, type ViewLists, viewLists } from './edit-views.ts';
import { ViewCount } from './view-list.tsx';

const MAX_NAME = 60;

export const loader = memberLoader('view.use', ({ context }) => viewLists(context));

export const action = memberAction('view.use', async ({ visit, context, form }) => {
  const [path, done] = await changeViews(context, form);
  throw redirect(withUndo(visit, addQuery(path, `done=${done}`)));
});

/** All views of the viewer and of the team: their names, who sees them, their order. */
export default function Views() {
  const lists = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const board = useBoard();
  const l = useLocale();
  const kinds = { TRIAGE: m.triage(l), IDEAS: m.ideas(l), PEOPLE: m.people(l) };
  return (
    <main id="main" className="page">
      <title>{`${m.views(l)} · ${board?.name ?? ''}`}</title>
      <div className="intro">
        <h1>{m.views(l)}</h1>
        <p className="muted measure">{m.viewsHelp(l)}</p>
      </div>
      {answer?.message && (
        <p className="note" data-kind="error" role="alert">
          {answer.message}
        </p>
      )}
      {answer &&
        Object.values(answer.errors).map((error) => (
          <p key={error} className="note" data-kind="error" role="alert">
            {error}
          </p>
        ))}
      {lists.length === 0 && <p className="empty">{m.viewsNone(l)}</p>}
      <div className="stack sections measure">
        {lists.map((list) => (
          <section key={`${list.isShared} ${list.kind}`} className="stack">
            <h2>{`${list.isShared ? m.viewsShared(l) : m.viewsOwn(l)} · ${kinds[list.kind]}`}</h2>
            <ol className="rows">
              {list.views.map((view) => (
                <ViewRow key={view.id} view={view} answer={answer} />
              ))}
            </ol>
            {list.views.length > 1 && <Order list={list} />}
          </section>
        ))}
      </div>
    </main>
  );
}

type ListProps = { list: ViewLists[number] };

function ViewRow({ view, answer }: { view: ListProps['list']['views'][number]; answer: FormAnswer | undefined }) {
  const l = useLocale();
  const { id, name, to, isShared, isOwn, leftOut } = view;
  const what = leftOut.map((parameter) => controlOf(l, parameter)?.words ?? parameter).join(', ');
  return (
    <li className="row-item">
      <div className="person">
        <Link to={to}>
          <bdi>{name}</bdi> <ViewCount view={view} />
        </Link>
        {leftOut.length > 0 && <span className="muted small">{m.viewLeftOut(l, { what })}</span>}
      </div>
      <details className="status-edit" open={answer?.values.intent === `edit:${id}`}>
        <summary>
          {m.change(l)} <span className="visually-hidden">{name}</span>
        </summary>
        <PageForm answer={answer} intent={`edit:${id}`} key={`${name} ${isShared}`}>
          <TextField name="name" label={m.viewName(l)} defaultValue={name} maxLength={MAX_NAME} required />
          {isOwn && (
            <Select
              name="shared"
              label={m.viewFor(l)}
              options={{ '': m.viewForMe(l), on: m.viewForTeam(l) }}
              defaultValue={isShared ? 'on' : ''}
            />
          )}
          <Submit>{m.save(l)}</Submit>
        </PageForm>
        <PageForm answer={answer} intent={`delete:${id}`}>
          <Submit kind="danger">{m.viewDelete(l)}</Submit>
        </PageForm>
      </details>
    </li>
  );
}

/** The order of a list by numbers, saved as a whole: nothing moves under a pointer. */
function Order({ list: { views } }: ListProps) {
  const l = useLocale();
  return (
    <details className="desk-order" key={views.map(({ id }) => id).join()}>
      <summary>{m.viewsOrder(l)}</summary>
      <PageForm answer={undefined} intent="order">
        {views.map(({ id, name }, n) => (
          <TextField
            key={id}
            name={`at-${id}`}
            type="number"
            min={1}
            label={m.viewPosition(l, { name })}
            defaultValue={String(n + 1)}
          />
        ))}
        <Submit>{m.viewsOrder(l)}</Submit>
      </PageForm>
    </details>
  );
}
