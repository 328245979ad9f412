import '../parts/styles/table.css';
import { Form, Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { listPeople, MAX_COUNTED } from '#src/feedback/people/people.ts';
import { formatCount } from '../i18n/format.ts';
import * as m from '../i18n/messages.ts';
import { ModerationTabs } from '../moderation/tabs.tsx';
import { TextField } from '../parts/forms/form.tsx';
import { orErrorPage } from '../parts/requests/failure.ts';
import { useBoard, useLocale } from '../parts/requests/locale.ts';
import { requireMember } from '../parts/requests/member.ts';
import { Older } from '../parts/show/older.tsx';
import { Time } from '../parts/show/time.tsx';
import { viewPerson } from './person.ts';
import { attributesText, standingOf } from './words.ts';

const PAGE = 50;
/** Characters of a search. */
const MAX_SEARCH = 100;

export async function loader(args: LoaderFunctionArgs) {
  const { visit, context } = await requireMember(args, 'user.notes');
  const { searchParams } = args.url;
  const search = (searchParams.get('q') ?? '').trim().slice(0, MAX_SEARCH).toWellFormed();
  if (search !== '') await orErrorPage(Promise.try(visit.countSearch));
  const page = await orErrorPage(listPeople(context, { search, cursor: searchParams.get('after'), limit: PAGE }));
  const more = new URLSearchParams([...(search === '' ? [] : [['q', search]]), ['after', page.cursor ?? '']]);
  return { search, people: page.nodes.map(viewPerson), next: page.hasMore ? `?${more}` : null, most: MAX_COUNTED };
}

/** Everyone who takes part in the board, for the team. */
export default function People() {
  const { search, people, next } = useLoaderData<typeof loader>();
  const board = useBoard();
  const l = useLocale();
  return (
    <main id="main" className="page">
      <title>{`${m.people(l)} · ${board?.name ?? ''}`}</title>
      <div className="intro">
        <h1>{m.people(l)}</h1>
        <p className="muted measure">{m.peopleHelp(l)}</p>
      </div>
      <ModerationTabs />
      <Form className="find measure" role="search" key={search}>
        <TextField name="q" type="search" label={m.peopleSearch(l)} defaultValue={search} maxLength={MAX_SEARCH} />
        <button type="submit" className="button">
          {m.search(l)}
        </button>
      </Form>
      {people.length === 0 ? <p className="empty">{m.peopleNone(l)}</p> : <PeopleTable />}
      <Older to={next} />
    </main>
  );
}

function PeopleTable() {
  const { people, most } = useLoaderData<typeof loader>();
  const board = useBoard();
  const l = useLocale();
  return (
    <table className="table">
      <thead>
        <tr>
          <th scope="col">{m.person(l)}</th>
          <th scope="col">{m.email(l)}</th>
          <th scope="col">{m.attributes(l)}</th>
          <th scope="col">{m.ideas(l)}</th>
          <th scope="col">{m.votesName(l)}</th>
          <th scope="col">{m.commentsName(l)}</th>
          <th scope="col">{m.lastActive(l)}</th>
          <th scope="col">{m.role(l)}</th>
        </tr>
      </thead>
      <tbody>
        {people.map((person) => (
          <tr key={person.id}>
            <th className="name" scope="row" data-label={m.person(l)}>
              <Link to={`/b/${board?.pid}/people/${person.id}`} dir="auto">
                {person.name ?? m.nameless(l)}
              </Link>
            </th>
            <td className="address" data-label={m.email(l)} data-empty={person.email === null || undefined}>
              {person.email ?? '–'}
            </td>
            <td data-label={m.attributes(l)} data-empty={person.attributes.length === 0 || undefined}>
              <bdi>{attributesText(person.attributes)}</bdi>
            </td>
            <CountCell label={m.ideas(l)} count={person.ideas} most={most} />
            <CountCell label={m.votesName(l)} count={person.votes} most={most} />
            <CountCell label={m.commentsName(l)} count={person.comments} most={most} />
            <td data-label={m.lastActive(l)} data-empty={person.dateLast === null || undefined}>
              {person.dateLast === null ? '–' : <Time date={person.dateLast} />}
            </td>
            <td className="whole" data-label={m.role(l)}>
              {standingOf(l, person)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A number that is counted up to a maximum. */
function CountCell({ label, count, most }: { label: string; count: number; most: number }) {
  const l = useLocale();
  return (
    <td className="whole" data-label={label} data-empty={count === 0 || undefined}>
      {count > most ? `${formatCount(l, most)}+` : formatCount(l, count)}
    </td>
  );
}
