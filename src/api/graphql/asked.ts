import { AppError, badRequest } from '../../platform/errors.ts';
import { orNone } from '../empty-list.ts';
import type { Exchange } from './exchange.ts';

type Sent = Pick<Exchange, 'request' | 'text'>;

/**
 * The error for a request that this server does not support, or that has a parameter of the wrong type; null for
 * everything else. `PersistedQueryNotSupported` is what clients of persisted queries look for: they send the query
 * itself from then on.
 */
export function findUnsupported({ request, text }: Sent): AppError | null {
  const asked = request.method === 'GET' ? readSearch(request.url) : readJson(text);
  if (Array.isArray(asked)) {
    return badRequest('Batches are not supported: the body must be one object; send each operation in its own request');
  }
  const { query, extensions } = (asked ?? {}) as { query?: unknown; extensions?: { persistedQuery?: unknown } | null };
  if (query || !extensions?.persistedQuery) return findWrongType(Object(asked));
  const reason = 'Persisted queries are not supported: send the text of the operation as `query`';
  return new AppError('PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported', { reason });
}

function readSearch(url: string): unknown {
  const search = searchOf(url);
  return {
    query: search.get('query'),
    ...Object.fromEntries(OBJECTS.map((name) => [name, readJson(search.get(name))])),
  };
}

const TYPES = { query: 'string', operationName: 'string', variables: 'object', extensions: 'object' } as const;

/** The error for a parameter that has another type than it must have. */
function findWrongType(asked: object): AppError | null {
  for (const [name, type] of Object.entries(TYPES)) {
    const given: unknown = Reflect.get(asked, name);
    const value = type === 'object' ? orNone(given) : given;
    if (value === undefined || value === null || (typeof value === type && !Array.isArray(value))) continue;
    const expected = type === 'object' ? 'an object, null, or left out' : 'a string';
    return badRequest(`${name} must be ${expected}; it is ${nameType(value)}`, name);
  }
  return null;
}

function nameType(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return 'a string: send the object itself, not its JSON as text';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** What a request may have an empty list for. */
const OBJECTS = ['variables', 'extensions'] as const;

/** The address and the body of a request, where an empty list instead of an object stands for none. */
export function withoutEmptyLists({ request: { method, url }, text }: Sent) {
  if (method === 'GET') {
    const search = searchOf(url);
    for (const name of OBJECTS) if (orNone(readJson(search.get(name))) === undefined) search.delete(name);
    return { url: `?${search}` };
  }
  const asked = readJson(text);
  if (typeof asked !== 'object' || asked === null) return { body: text };
  const { variables, extensions } = asked as Record<(typeof OBJECTS)[number], unknown>;
  return { body: { ...asked, variables: orNone(variables), extensions: orNone(extensions) } };
}

function searchOf(url: string): URLSearchParams {
  return new URLSearchParams(url.split('?')[1]);
}

function readJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return null;
  }
}
