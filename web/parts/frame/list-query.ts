/** The orders of a board's list by their name in URLs, and what the features call them. */
export const orders = {
  trending: 'TRENDING',
  top: 'TOP',
  new: 'NEWEST',
  mine: 'NEWEST',
  best: 'RELEVANCE',
} as const;
export type OrderName = keyof typeof orders;

/** The id of the title field of a new idea: links to it focus the field. */
export const NEW_IDEA = 'new-idea';

/** The query of a list's URL: words, an order, statuses and tags by the slugs of their names. */
export type Asked = {
  words: string;
  sort: OrderName | null;
  statuses: string[];
  tags: string[];
  /** Whether completed and archived ideas are included. */
  isAll: boolean;
  /** Further conditions of the team, by the names of their parameters. */
  more?: [name: string, value: string][] | undefined;
};

/** Longer searches are refused by the features. */
const MAX_WORDS = 200;
/** Maximum number of statuses, and of tags, in a filter; boards have fewer. */
const MAX_NAMES = 50;

/** The query of a URL; invalid parts are ignored. */
export function parseAsked(params: URLSearchParams): Asked {
  const sort = params.get('sort') ?? '';
  const words = (params.get('q') ?? '').trim().slice(0, MAX_WORDS).toWellFormed();
  const known = Object.hasOwn(orders, sort) && (sort !== 'best' || words !== '');
  return {
    words,
    sort: known ? (sort as OrderName) : null,
    statuses: namesIn(params, 'status'),
    tags: namesIn(params, 'tag'),
    isAll: params.get('show') === 'all',
  };
}

function namesIn(params: URLSearchParams, parameter: string): string[] {
  return [...new Set(params.getAll(parameter))].slice(0, MAX_NAMES);
}

/** The order in which a list is shown. */
export function orderOf({ sort, words }: Asked): OrderName {
  return sort ?? (words === '' ? 'trending' : 'best');
}

/** Whether a list leaves out completed and archived ideas: by default, but not in a search or among one's own ideas. */
export function hidesDone({ words, sort, statuses, isAll }: Asked): boolean {
  return words === '' && sort !== 'mine' && statuses.length === 0 && !isAll;
}

/** The filters that a search keeps, as fields of a form or of a URL. */
export function keptInSearch({ statuses, tags, isAll, more = [] }: Asked): [name: string, value: string][] {
  return [
    ...statuses.map((status): [string, string] => ['status', status]),
    ...tags.map((tag): [string, string] => ['tag', tag]),
    ...(isAll ? [['show', 'all'] as [string, string]] : []),
    ...more,
  ];
}

/** Ideas that a list begins with, and that more are added of at a time. */
export const PAGE = 20;
/** A page with more of them would take long to render: then the list goes on on another one. */
const MOST_SHOWN = 10 * PAGE;

/** How many ideas a list shows that someone has added to: whole pages. */
export function parseShown(params: URLSearchParams): number {
  const pages = Math.floor(Number(params.get('shown')) / PAGE) || 1;
  return Math.max(PAGE, Math.min(MOST_SHOWN, pages * PAGE));
}

/** How many a list shows after more were added; null if they do not fit on its page. */
export const moreThan = (shown: number): number | null => (shown < MOST_SHOWN ? shown + PAGE : null);

/** Where in its order a list begins, and how many ideas it shows; by default from the first, a page. */
export type Part = { after?: string | null; shown?: number };

/** The URL query for this; any change leads to the first page. */
export function printAsked(asked: Asked, { after, shown = PAGE }: Part = {}): string {
  const { words, sort } = asked;
  const params = new URLSearchParams([
    ...(words ? [['q', words]] : []),
    ...(sort ? [['sort', sort]] : []),
    ...keptInSearch(asked),
    ...(after ? [['after', after]] : []),
    ...(shown > PAGE ? [['shown', String(shown)]] : []),
  ]);
  return `?${params}`;
}

/** What the links of a list add a choice to: in an export there are no lists of several choices. */
export function askedFrom(asked: Asked, isStatic: boolean): Asked {
  return isStatic ? { words: '', sort: null, statuses: [], tags: [], isAll: false } : asked;
}

/** The list with a name added to it, or taken out when it is there. */
export function toggle(names: readonly string[], name: string): string[] {
  return names.includes(name) ? names.filter((other) => other !== name) : [...names, name];
}
