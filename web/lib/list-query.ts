/** The orders of a board's list by their name in addresses, and what the features call them. */
export const orders = {
  top: 'TOP',
  new: 'NEWEST',
  trending: 'TRENDING',
  mine: 'NEWEST',
  best: 'RELEVANCE',
} as const;
export type OrderName = keyof typeof orders;

/** What the address of a list asks for: words, an order, statuses and tags by the readable end of their names. */
export type Asked = { words: string; sort: OrderName | null; statuses: string[]; tags: string[] };

/** Longer searches are refused by the features. */
const MAX_WORDS = 200;
/** Statuses, and tags, that a list can be narrowed by at once; boards have fewer. */
const MAX_NAMES = 50;

/** What an address asks for; what makes no sense in it is left out. */
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

/** The order that a list is shown in. */
export function orderOf({ sort, words }: Asked): OrderName {
  return sort ?? (words === '' ? 'trending' : 'best');
}

/** The end of an address that asks for this; a change of what is asked leads to its first page. */
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
