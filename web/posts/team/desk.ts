import { countViews, MAX_IN_VIEW } from '#src/feedback/views/counting.ts';
import {
  type Conditions,
  choicesOfFields,
  conditionsIn,
  type ParameterName,
  parametersOf,
  type Reading,
  type ViewKind,
} from '#src/feedback/views/parameters.ts';
import { listViews, readKnown, readReading, type View } from '#src/feedback/views/views.ts';
import type { ActorContext } from '#src/identity/users/request-context.ts';
import { nameOfStatus } from '../statuses.ts';

/** A saved view as the pages link to it. */
export type ViewLink = { id: string; name: string; isShared: boolean; count: number; to: string; isCurrent: boolean };

/** The filter of a list of the team, what it can be, and the views of the list. */
export type Desk = {
  kind: ViewKind;
  conditions: Conditions;
  /** What parameters choose from that are of the board. */
  choices: Partial<Record<ParameterName, { value: string; name: string }[]>>;
  views: ViewLink[];
};

/** @param fixed conditions that the page has from elsewhere than the parameters of its URL */
export async function openDesk(
  context: ActorContext,
  kind: ViewKind,
  query: URLSearchParams,
  fixed: Conditions = {},
): Promise<{ desk: Desk; reading: Reading }> {
  const known = await readKnown(context);
  const conditions = { ...conditionsIn(kind, query, known), ...fixed };
  const desk = {
    kind,
    conditions,
    choices: {
      status: known.statuses.map(({ id, name }) => ({ value: id, name: nameOfStatus(name) })),
      tag: known.tags.map(({ id, name }) => ({ value: id, name })),
      field: choicesOfFields(known.fields).map(({ value, name }) => ({ value, name })),
      segment: known.segments.map(({ id, name }) => ({ value: id, name })),
      among: known.segments.map(({ id, name }) => ({ value: id, name })),
    },
    views: await linkViews(context, await listViews(context, kind, known), conditions),
  };
  return { desk, reading: await readReading(context, known, [conditions]) };
}

/** Links to views with how many ideas or users there are. */
export async function linkViews(
  context: ActorContext,
  views: readonly View[],
  current: Conditions,
): Promise<ViewLink[]> {
  const counts = await countViews(context, views);
  const now = printConditions(current).toString();
  return views.map(({ row, conditions }) => ({
    id: row.id,
    name: row.name,
    isShared: row.is_shared === 1,
    count: Math.min(counts.get(row.id) ?? 0, MAX_IN_VIEW),
    to: pathOfView(context.board.pid, row.kind, conditions),
    isCurrent: printConditions(withList(row.kind, conditions)).toString() === now,
  }));
}

/** Triage begins with its first list. */
function withList(kind: ViewKind, conditions: Conditions): Conditions {
  return kind === 'TRIAGE' ? { list: ['unanswered'], ...conditions } : conditions;
}

/** The query that the conditions are in a URL, always in the same order. */
export function printConditions(conditions: Conditions): URLSearchParams {
  const pairs = Object.entries(conditions).flatMap(([name, values]) =>
    values.toSorted().map((value): [string, string] => [name, value]),
  );
  return new URLSearchParams(pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

/** The filter of the list of triage that a form was sent from: the form itself goes to a URL without it. */
export function filterOfReferrer(request: Request): URLSearchParams {
  const query = URL.parse(request.headers.get('referer') ?? '')?.searchParams ?? new URLSearchParams();
  const names = parametersOf('TRIAGE').filter((name) => name !== 'list');
  return new URLSearchParams(names.flatMap((name) => query.getAll(name).map((value) => [name, value])));
}

/** The page that a view filters. */
export function pathOfView(pid: string, kind: ViewKind, conditions: Conditions): string {
  const { list, ...others } = withList(kind, conditions);
  const place = { TRIAGE: `/triage/${list?.[0]}`, IDEAS: '', PEOPLE: '/people' }[kind];
  const query = printConditions(others).toString();
  return `/b/${pid}${place}${query && `?${query}`}`;
}
