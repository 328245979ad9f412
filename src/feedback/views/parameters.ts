import type { Segment } from '../../identity/companies/segment.ts';
import { roles } from '../../identity/users/users.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { isId } from '../../platform/lib/ids.ts';
import { type Field, isSelection } from '../fields/fields.ts';
import { keyOfValue } from '../fields/values.ts';
import { chooseAnyTag } from '../finding/choosing.ts';
import { filterOfList, triageLists } from '../finding/triage.ts';
import type { PeopleFilter } from '../people/filter.ts';
import { narrowBoth, type PostFilter } from '../posts/filter.ts';
import type { StatusRow } from '../statuses/statuses.ts';
import type { TagRow } from '../tags/tags.ts';

/** The lists of the team that can be filtered: of triage, of the board, and of its users. */
export const viewKinds = ['TRIAGE', 'IDEAS', 'PEOPLE'] as const;
export type ViewKind = (typeof viewKinds)[number];

/** What values are checked against: what the viewer sees of the board. */
export type Known = {
  statuses: readonly StatusRow[];
  tags: readonly TagRow[];
  segments: readonly Segment[];
  fields: readonly Field[];
};

/** Who reads a list, and when; `peopleOf` has the ids of users in each segment that the list is filtered by. */
export type Reading = Known & { now: number; viewerId: string; peopleOf: ReadonlyMap<string, readonly string[]> };

type Parameter<Filter> = {
  kinds: readonly ViewKind[];
  /** Values at most; with one, the choices exclude each other. */
  most: number;
  description: string;
  /** The value as it is kept; null for one that the parameter cannot have, or that names what the viewer does not see. */
  parse(value: string, known: Known): string | null;
  narrow(values: readonly string[], reading: Reading): Filter;
};

const POSTS = ['TRIAGE', 'IDEAS'] as const;
const MAX_IDS = 50;
/** Ten years. */
const MAX_DAYS = 3_650;

/** The orders of the board's list that a view can have, by their names in URLs. */
const sorts = ['trending', 'top', 'new', 'mine'] as const;
/** Orders by who is behind ideas, by their names in URLs. */
export const demandSorts = { people: 'MOST_PEOPLE', companies: 'MOST_COMPANIES', revenue: 'MOST_REVENUE' } as const;
const ASSIGNEES = ['me', 'none'] as const;
const YES = ['yes'] as const;

const oneOf = (values: readonly string[]) => (value: string) => values.find((known) => known === value) ?? null;

const numberUpTo = (max: number) => (value: string) => {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : 0;
  return number >= 1 && number <= max ? String(number) : null;
};

const before = (days: string | undefined, now: number) => now - Number(days) * DAY_MS;

/** What ideas can have in the fields that have a choice: what is stored, the value in a URL, and how people read it. */
export function choicesOfFields(fields: readonly Field[]) {
  return fields.flatMap((field) => {
    const options = isSelection(field.type)
      ? field.options.map(({ id, name }) => ({ id, name: `${field.label}: ${name}` }))
      : [];
    const all = field.type === 'CHECKBOX' ? [{ id: 'true', name: field.label }] : options;
    return all.map(({ id, name }) => ({ field, id, name, value: `${field.id}:${id}` }));
  });
}

/**
 * Every parameter that the lists of ideas can be filtered by, as in the query of their URLs. What parses, shows and keeps
 * filters takes them from here.
 */
export const postParameters = {
  list: {
    kinds: ['TRIAGE'],
    most: 1,
    description: `With TRIAGE: the list, one of ${triageLists.join(', ')}; default: ${triageLists[0]}`,
    parse: oneOf(triageLists),
    narrow: ([name], reading) => filterOfList(triageLists.find((list) => list === name) ?? triageLists[0], reading),
  },
  sort: {
    kinds: ['IDEAS'],
    most: 1,
    description: `With IDEAS: the order, one of ${sorts.join(', ')}; default: ${sorts[0]}; mine: only those of the viewer`,
    parse: oneOf(sorts),
    narrow: ([sort], { viewerId }) => (sort === 'mine' ? { authorId: viewerId } : {}),
  },
  show: {
    kinds: ['IDEAS'],
    most: 1,
    description: 'With IDEAS: `all` for completed and archived ideas, too',
    parse: oneOf(['all']),
    narrow: () => ({}),
  },
  status: {
    kinds: POSTS,
    most: MAX_IDS,
    description: 'Ids of statuses: ideas in one of them',
    parse: (id, { statuses }) => statuses.find((status) => status.id === id)?.id ?? null,
    narrow: (statusIds) => ({ statusIds }),
  },
  tag: {
    kinds: POSTS,
    most: MAX_IDS,
    description: 'Ids of tags: ideas with one of them',
    parse: (id, { tags }) => tags.find((tag) => tag.id === id)?.id ?? null,
    narrow: (ids, { tags }) => chooseAnyTag(tags, ids),
  },
  field: {
    kinds: POSTS,
    most: MAX_IDS,
    description:
      'Values of fields, as `<id of the field>:<id of the option>`, or `<id>:true`: ideas with one of them in each of these fields',
    parse: (value, { fields }) => choicesOfFields(fields).find((choice) => choice.value === value)?.value ?? null,
    narrow(values, { fields }) {
      const chosen = choicesOfFields(fields).filter(({ value }) => values.includes(value));
      const ofFields = Map.groupBy(chosen, ({ field }) => field.id).values();
      // By the index, whether or not few ideas have it: faster than looking at each idea.
      const [found = [], ...checked] = [...ofFields].map((all) => all.map(({ field, id }) => keyOfValue(field, id)));
      return { rarePropertyKeys: found, ...(checked.length > 0 && { propertyKeys: checked }) };
    },
  },
  assignee: {
    kinds: POSTS,
    most: 1,
    description: '`me` for ideas assigned to the viewer, `none` for those assigned to no one',
    parse: oneOf(ASSIGNEES),
    narrow: ([who], { viewerId }) => (who === 'me' ? { assigneeId: viewerId } : { isUnassigned: true }),
  },
  segment: {
    kinds: POSTS,
    most: 1,
    description: 'Id of a segment: ideas that people in it voted for',
    parse: (id, { segments }) => segments.find((segment) => segment.id === id)?.id ?? null,
    narrow: ([id = ''], { peopleOf }) => ({ voterIds: peopleOf.get(id) ?? [] }),
  },
  by: {
    kinds: ['IDEAS'],
    most: 1,
    description: `With IDEAS: the order by who is behind them, ${Object.keys(demandSorts).join(', ')}; of the segment if there is one`,
    parse: oneOf(Object.keys(demandSorts)),
    narrow: () => ({}),
  },
  votes: {
    kinds: POSTS,
    most: 1,
    description: 'Number of votes: ideas with at least as many',
    parse: numberUpTo(1_000_000),
    narrow: ([votes]) => ({ minUpvotes: Number(votes) }),
  },
  newer: {
    kinds: POSTS,
    most: 1,
    description: 'Number of days: ideas created within them',
    parse: numberUpTo(MAX_DAYS),
    narrow: ([days], { now }) => ({ createdFrom: before(days, now) }),
  },
  older: {
    kinds: POSTS,
    most: 1,
    description: 'Number of days: ideas created before them',
    parse: numberUpTo(MAX_DAYS),
    narrow: ([days], { now }) => ({ createdBefore: before(days, now) }),
  },
  waiting: {
    kinds: POSTS,
    most: 1,
    description: '`yes` for ideas that wait for an answer of the team',
    parse: oneOf(YES),
    narrow: (_, { now }) => ({ waitingAt: now }),
  },
} satisfies Record<string, Parameter<PostFilter>>;

/** As `postParameters`, for the list of users. */
export const peopleParameters = {
  role: {
    kinds: ['PEOPLE'],
    most: roles.length,
    description: `With PEOPLE: roles, of ${roles.join(', ')}`,
    parse: oneOf(roles),
    narrow: (values) => ({ roles: values }),
  },
  standing: {
    kinds: ['PEOPLE'],
    most: 2,
    description: 'With PEOPLE: TRUSTED, BLOCKED or both',
    parse: oneOf(['TRUSTED', 'BLOCKED']),
    narrow: (values) => ({ standings: values }),
  },
  among: {
    kinds: ['PEOPLE'],
    most: 1,
    description: 'With PEOPLE: id of a segment: users in it',
    parse: (id, { segments }) => segments.find((segment) => segment.id === id)?.id ?? null,
    narrow: ([id = ''], { peopleOf }) => ({ userIds: peopleOf.get(id) ?? [] }),
  },
  company: {
    kinds: ['PEOPLE'],
    most: 1,
    description: 'With PEOPLE: id of a company: users who belong to it',
    parse: (id) => (isId(id) ? id : null),
    narrow: ([companyId = '']) => ({ companyId }),
  },
  newsletter: {
    kinds: ['PEOPLE'],
    most: 1,
    description: 'With PEOPLE: `yes` for users who follow the changelog',
    parse: oneOf(YES),
    narrow: () => ({ followsChangelog: true }),
  },
  voted: {
    kinds: ['PEOPLE'],
    most: 1,
    description: 'With PEOPLE: `ever` for users who have voted, `never` for others',
    parse: oneOf(['ever', 'never']),
    narrow: ([value]) => (value === 'never' ? { hasNoVotes: true } : { votedFrom: 0 }),
  },
  voting: {
    kinds: ['PEOPLE'],
    most: 1,
    description: 'With PEOPLE: number of days: users who voted within them',
    parse: numberUpTo(MAX_DAYS),
    narrow: ([days], { now }) => ({ votedFrom: before(days, now) }),
  },
  active: {
    kinds: ['PEOPLE'],
    most: 1,
    description: 'With PEOPLE: number of days: users who were active within them',
    parse: numberUpTo(MAX_DAYS),
    narrow: ([days], { now }) => ({ activeFrom: before(days, now) }),
  },
} satisfies Record<string, Parameter<PeopleFilter>>;

const parameters = { ...postParameters, ...peopleParameters };

export type ParameterName = keyof typeof parameters;
export const parameterNames = Object.keys(parameters) as ParameterName[];

/** What a parameter is for, as the API describes it. */
export function describeParameter(name: ParameterName): string {
  return parameters[name].description;
}

/** The parameters of a list. */
export function parametersOf(kind: ViewKind): ParameterName[] {
  return parameterNames.filter((name) => (parameters[name].kinds as readonly ViewKind[]).includes(kind));
}

/** A filter of a list of the team: the values of its parameters, in the order of the table. */
export type Conditions = Readonly<Partial<Record<ParameterName, readonly string[]>>>;

/** A value that a filter does without, and why: there is no such thing any more, or this version does not know it. */
export type LeftOut = { parameter: string; value: string; reason: 'GONE' | 'UNKNOWN' };

/** The conditions of a list from outside, each value once; what is left out of them is reported. */
export function parseConditions(
  kind: ViewKind,
  given: Iterable<readonly [name: string, values: readonly string[]]>,
  known: Known,
): { conditions: Conditions; leftOut: LeftOut[] } {
  const found = new Map<string, readonly string[]>();
  const leftOut: LeftOut[] = [];
  const own: readonly string[] = parametersOf(kind);
  for (const [name, values] of given) {
    if (!own.includes(name)) {
      leftOut.push(...values.map((value) => ({ parameter: name, value, reason: 'UNKNOWN' as const })));
      continue;
    }
    const { parse, most }: Parameter<unknown> = parameters[name as ParameterName];
    const parsed = values.map((value) => ({ value, kept: parse(value, known) }));
    const gone = parsed.filter(({ kept }) => kept === null);
    leftOut.push(...gone.map(({ value }) => ({ parameter: name, value, reason: 'GONE' as const })));
    const kept = [...new Set(parsed.flatMap((one) => one.kept ?? []))].slice(0, most);
    if (kept.length > 0) found.set(name, kept);
  }
  const inOrder = own.flatMap((name) => {
    const values = found.get(name);
    return values ? [[name, values] as const] : [];
  });
  return { conditions: Object.fromEntries(inOrder), leftOut };
}

/** The conditions in the query of a URL; anything else there is left out. */
export function conditionsIn(kind: ViewKind, query: URLSearchParams, known: Known): Conditions {
  const given = parametersOf(kind).map((name) => [name, query.getAll(name)] as const);
  return parseConditions(kind, given, known).conditions;
}

/** The filter for conditions on ideas. Of the board's list it leaves out the same statuses as the page does. */
export function narrowPosts(kind: Exclude<ViewKind, 'PEOPLE'>, conditions: Conditions, reading: Reading): PostFilter {
  const list = kind === 'TRIAGE' ? (conditions.list ?? [triageLists[0]]) : undefined;
  const first = kind === 'IDEAS' ? shownByDefault(conditions, reading) : {};
  return narrowBoth(first, narrowFurther({ ...conditions, ...(list && { list }) }, reading));
}

/** The filter for these conditions on ideas alone. */
export function narrowFurther(conditions: Conditions, reading: Reading): PostFilter {
  return (Object.keys(postParameters) as (keyof typeof postParameters)[]).reduce<PostFilter>((filter, name) => {
    const values = conditions[name];
    return values ? narrowBoth(filter, postParameters[name].narrow(values, reading)) : filter;
  }, {});
}

function shownByDefault({ status, sort, show }: Conditions, { statuses }: Reading): PostFilter {
  if (status || sort?.[0] === 'mine') return {};
  const isDone = ({ type }: StatusRow) => type === 'COMPLETED' || type === 'ARCHIVED';
  const shown = statuses.filter((one) => one.type !== 'MERGED' && (show !== undefined || !isDone(one)));
  return { statusIds: shown.map(({ id }) => id) };
}

/** The filter for conditions on users. */
export function narrowPeople(conditions: Conditions, reading: Reading): PeopleFilter {
  const filters = (Object.keys(peopleParameters) as (keyof typeof peopleParameters)[]).map((name) => {
    const values = conditions[name];
    return values ? peopleParameters[name].narrow(values, reading) : {};
  });
  return Object.assign({}, ...filters);
}
