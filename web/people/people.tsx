import '../parts/styles/table.css';
import { Form, Link, useLoaderData } from 'react-router';
import { listPeople, MAX_COUNTED } from '#src/feedback/people/people.ts';
import { narrowPeople } from '#src/feedback/views/parameters.ts';
import { formatCount } from '../i18n/format.ts';
import * as m from '../i18n/messages.ts';
import { ModerationTabs } from '../moderation/tabs.tsx';
import { TextField } from '../parts/forms/form.tsx';
import { orErrorPage } from '../parts/requests/failure.ts';
import { useBoard, useLocale } from '../parts/requests/locale.ts';
import { memberLoader } from '../parts/requests/member.ts';
import { Older } from '../parts/show/older.tsx';
import { Table } from '../parts/show/table.tsx';
import { Time } from '../parts/show/time.tsx';
import { openDesk, printConditions } from '../posts/team/desk.ts';
import { FilterBar } from '../posts/team/filter-bar.tsx';
import { ViewList } from '../posts/team/view-list.tsx';
import { viewPerson } from './person.ts';
import { attributesText, standingOf } from './words.ts';

const PAGE = 50;
/** Characters of a search. */
const MAX_SEARCH = 100;

export const loader = memberLoader('user.notes', async ({ visit, context }, args) => {
  const { searchParams } = args.url;
  const search = (searchParams.get('q') ?? '').trim().slice(0, MAX_SEARCH).toWellFormed();
  const { desk, reading } = await openDesk(context, 'PEOPLE', searchParams);
  const filter = narrowPeople(desk.conditions, reading);
  if (search !== '') await orErrorPage(visit.countSearch());
  const page = await orErrorPage(
    listPeople(context, { search, filter, cursor: searchParams.get('after'), limit: PAGE }),
  );
  const kept = [...(search === '' ? [] : [['q', search]]), ...printConditions(desk.conditions)];
  const more = new URLSearchParams([...kept, ['after', page.cursor ?? '']]);
  return {
    search,
    desk,
    people: page.nodes.map(viewPerson),
    next: page.hasMore ? `?${more}` : null,
    most: MAX_COUNTED,
  };
});

/** What people can be filtered by. */
const filters = ['role', 'standing', 'among', 'newsletter', 'voted', 'voting', 'active'];

/** Everyone who takes part in the board, for the team. */
export default function People() {
  const { search, desk, people, next } = useLoaderData<typeof loader>();
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
        {Object.entries(desk.conditions).flatMap(([name, values]) =>
          values.map((value) => <input key={`${name} ${value}`} type="hidden" name={name} value={value} />),
        )}
      </Form>
      <ViewList desk={desk} />
      <FilterBar
        desk={desk}
        parameters={filters}
        kept={search === '' ? [] : [['q', search]]}
        isSaveable={search === ''}
      />
      {people.length === 0 ? <p className="empty">{m.peopleNone(l)}</p> : <PeopleTable />}
      <Older to={next} />
    </main>
  );
}

function PeopleTable() {
  const { people, most } = useLoaderData<typeof loader>();
  const board = useBoard();
  const l = useLocale();
  // Counting ends at a maximum.
  const count = (name: string, of: 'ideas' | 'votes' | 'comments') => ({
    name,
    className: 'whole',
    isEmpty: (person: (typeof people)[number]) => person[of] === 0,
    cell: (person: (typeof people)[number]) =>
      person[of] > most ? `${formatCount(l, most)}+` : formatCount(l, person[of]),
  });
  return (
    <Table
      rows={people}
      keyOf={({ id }) => id}
      columns={[
        {
          name: m.person(l),
          className: 'name',
          cell: ({ id, name }) => (
            <Link to={`/b/${board?.pid}/people/${id}`} dir="auto">
              {name ?? m.nameless(l)}
            </Link>
          ),
        },
        {
          name: m.email(l),
          className: 'address',
          isEmpty: ({ email }) => email === null,
          cell: ({ email }) => email ?? '–',
        },
        {
          name: m.attributes(l),
          isEmpty: ({ attributes }) => attributes.length === 0,
          cell: ({ attributes }) => <bdi>{attributesText(attributes)}</bdi>,
        },
        count(m.ideas(l), 'ideas'),
        count(m.votesName(l), 'votes'),
        count(m.commentsName(l), 'comments'),
        {
          name: m.lastActive(l),
          isEmpty: ({ dateLast }) => dateLast === null,
          cell: ({ dateLast }) => (dateLast === null ? '–' : <Time date={dateLast} />),
        },
        { name: m.role(l), className: 'whole', cell: (person) => standingOf(l, person) },
      ]}
    />
  );
}
