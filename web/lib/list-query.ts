/** The orders of a board's list by their name in URLs, and what the features call them. */
export const orders = {
  top: 'TOP',
  new: 'NEWEST',
  trending: 'TRENDING',
  mine: 'NEWEST',
  best: 'RELEVANCE',
} as const;
export type OrderName = keyof typeof orders;

/** The query of a list's URL: words, an order, statuses and tags by the slugs of their names. */
export type Asked = { words: string; sort: OrderName | null; statuses: string[]; tags: string[] };

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
  };
}

function namesIn(params: URLSearchParams, parameter: string): string[] {
  return [...new Set(params.getAll(parameter))].slice(0, MAX_NAMES);
}

/** The order in which a list is shown. */
export function orderOf({ sort, words }: Asked): OrderName {
  return sort ?? (words === '' ? 'trending' : 'best');
}

/** The URL query for this; any change leads to the first page. */
export function printAsked({ words, sort, statuses, tags }: Asked, after?: string): string {
  const params = new URLSearchParams([
    ...(words ? [['q', words]] : []),
    ...(sort ? [['sort', sort]] : []),
    ...statuses.map((status) => ['status', status]),
    ...tags.map((tag) => ['tag', tag]),
    ...(after ? [['after', after]] : []),
  ]);
  return `?${params}`;
}

/** The list with a name added to it, or taken out when it is there. */
export function toggle(names: readonly string[], name: string): string[] {
  return names.includes(name) ? names.filter((other) => other !== name) : [...names, name];
}
