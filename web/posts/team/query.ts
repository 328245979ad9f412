import type { Desk } from './desk.ts';

/** What only the team filters the board's list by. */
export const TEAM_FILTERS = ['field', 'assignee', 'segment', 'by', 'votes', 'newer', 'older', 'waiting'] as const;

/** The filter of a list of triage as the query of a URL: the list itself is in its path. */
export function filterOf({ conditions }: Desk): URLSearchParams {
  const pairs = Object.entries(conditions).flatMap(([name, values]) =>
    name === 'list' ? [] : values.map((value): [string, string] => [name, value]),
  );
  return new URLSearchParams(pairs);
}

/** A path with a query, if there is one. */
export function withQuery(path: string, query: URLSearchParams): string {
  return query.size > 0 ? `${path}?${query}` : path;
}
